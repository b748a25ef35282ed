// SPDX-License-Identifier: GPL-3.0-or-later
//! Nodes that are not searched at all.

use super::declare::heuristics;

heuristics! {
    /// Nodes that are not searched at all.
    pruning: PruningParams, PruningStats, AlphaBeta;

    /// A position that was searched deep enough is not searched again.
    table_cut: "Table cutoffs" {
        count table_cuts: "table";
        /// From this depth on, an entry also answers if it contradicts what is expected of the
        /// node.
        table_cut_surprise_min_depth: 6, 1..=16, 1;
        /// No answer from the table once the fifty-move clock has counted so many plies.
        table_cut_halfmoves: 90, 50..=100, 4;
        /// From this depth on, a node that fails low counts as once in a principal variation if
        /// its parent was.
        table_pv_min_depth: 4, 1..=10, 1;
    }

    /// The endgame tables know the result.
    tablebase: "Tablebase cutoffs" {
        count tablebase_hits: "tablebase hits";
        /// A result of the tablebases is stored as so much deeper than the node.
        tablebase_depth_bonus: 6, 0..=16, 1;
    }

    /// A draw that can be forced at once is a lower bound.
    cuckoo: "Upcoming repetition" {
        switch cuckoo_on: true, FindsMates;
        count forced_repetitions: "forced repetitions";
    }

    /// Far below alpha, only captures are looked at.
    razor: "Razoring" {
        switch razor_on: true, OverlooksMates;
        count razor_cuts: "razor cuts";
        /// Down to which depth.
        razor_max_depth: 4, 1..=8, 1;
        /// Flat margin.
        razor_base: 220, 50..=500, 20;
        /// Points per squared ply.
        razor_margin: 128, 30..=300, 16;
    }

    /// Far above beta, a shallow node will stay there.
    rfp: "Reverse futility pruning" {
        switch rfp_on: true, OverlooksMates;
        count reverse_futility_cuts: "reverse-futility cuts";
        /// Down to which depth.
        rfp_max_depth: 10, 2..=16, 1;
        /// Points per ply.
        rfp_margin: 67, 20..=200, 8;
        /// Points less when the position improves.
        rfp_improving: 57, 0..=200, 8;
        /// Points more per point of correction, in 1/1024.
        rfp_correction_scale: 512, 0..=2048, 96;
        /// How far the result lies from beta towards the evaluation, in 1/1024.
        rfp_blend: 400, 0..=1024, 64;
    }

    /// If passing is still too good, moving will be.
    nmp: "Null move pruning" {
        switch nmp_on: true, OverlooksMates;
        count null_moves: "null-move";
        count null_cuts: "null-move cuts";
        /// From this depth on.
        nmp_min_depth: 3, 1..=8, 1;
        /// Plies that are always saved.
        nmp_base: 4, 1..=7, 1;
        /// One ply more is saved per this much depth.
        nmp_divisor: 3, 2..=8, 1;
        /// One ply more is saved per this many points above beta.
        nmp_eval_divisor: 200, 60..=500, 20;
        /// Plies that are saved at most for points above beta.
        nmp_eval_max: 3, 1..=8, 1;
        /// Points by which the static evaluation may lie below beta, per ply.
        nmp_static_margin: 17, 0..=60, 4;
        /// Points less of that at depth zero.
        nmp_static_base: 101, 0..=300, 12;
        /// Verified by a search without it from this depth on.
        nmp_verify_min_depth: 14, 8..=30, 2;
    }

    /// A capture far above beta in a shallow search cuts.
    probcut: "ProbCut" {
        switch probcut_on: true, OverlooksMates;
        count prob_cuts: "prob-cuts";
        /// From this depth on.
        probcut_min_depth: 5, 3..=10, 1;
        /// How far above beta.
        probcut_margin: 202, 60..=400, 16;
        /// Less when the position improves.
        probcut_improving: 60, 0..=200, 10;
        /// By how many plies the search that confirms is less deep.
        probcut_reduction: 4, 2..=6, 1;
    }

    /// A lower bound that is far above beta and nearly deep enough cuts.
    probcut_table: "ProbCut by the table" {
        switch probcut_table_on: true, OverlooksMates;
        count table_prob_cuts: "prob-cuts by the table";
        /// How far above beta.
        probcut_table_margin: 210, 60..=600, 20;
        /// By how many plies the table may be less deep.
        probcut_table_reduction: 4, 1..=8, 1;
    }
}
