// SPDX-License-Identifier: GPL-3.0-or-later
//! How much less deep later moves are searched.

use super::declare::heuristics;

heuristics! {
    /// How much less deep later moves are searched.
    reduction: ReductionParams, ReductionStats, AlphaBeta;

    /// Later moves are searched less deep.
    lmr: "Late move reductions" {
        switch lmr_on: true, OverlooksMates;
        count reductions: "reductions";
        count researches: "re-searches";
        /// Flat part for quiet moves, in 1/1024 ply.
        lmr_base: 872, 0..=2048, 64;
        /// Ln(depth) * ln(move number) is divided by this, in 1/1024.
        lmr_divisor: 2371, 1024..=4096, 96;
        /// Flat part for captures, in 1/1024 ply.
        lmr_noisy_base: 0, -1024..=2048, 64;
        /// The divisor for captures, in 1/1024.
        lmr_noisy_divisor: 3000, 1024..=6144, 128;
        /// History points that make one ply.
        lmr_history_divisor: 14198, 4096..=49152, 1024;
        /// History points of captures that make one ply.
        lmr_noisy_history_divisor: 9000, 2048..=24576, 768;
        /// How often children must have been cut.
        lmr_cutoffs_min: 4, 1..=10, 1;
    }

    /// Facts about node and move by which a reduction is larger or smaller.
    lmr_terms: "Terms of late move reductions" {
        /// More at expected cut nodes, in 1/1024 ply.
        lmr_cut_node: 1584, 0..=3072, 128, without: 0;
        /// Still more there without a table move, in 1/1024 ply.
        lmr_cut_no_move: 700, 0..=3072, 128, without: 0;
        /// Less where the node was once in a principal variation, in 1/1024 ply.
        lmr_was_pv: 900, 0..=3072, 128, without: 0;
        /// Still less if the table expects more than alpha, in 1/1024 ply.
        lmr_was_pv_above: 500, 0..=2048, 96, without: 0;
        /// Less in the principal variation, in 1/1024 ply.
        lmr_pv: 605, 0..=3072, 128, without: 0;
        /// More when the position does not improve, in 1/1024 ply.
        lmr_not_improving: 546, 0..=2048, 96, without: 0;
        /// More when the table's move is a capture, in 1/1024 ply.
        lmr_noisy_table: 800, 0..=2048, 96, without: 0;
        /// Less for moves that give check, in 1/1024 ply.
        lmr_check: 900, 0..=2048, 96, without: 0;
        /// Less for killer moves, in 1/1024 ply.
        lmr_killer: 800, 0..=2048, 96, without: 0;
        /// More when children keep being cut, in 1/1024 ply.
        lmr_cutoffs: 800, 0..=2048, 96, without: 0;
        /// More once a move has raised alpha, in 1/1024 ply.
        lmr_raised: 400, 0..=2048, 96, without: 0;
        /// More when the table expects no more than alpha, in 1/1024 ply.
        lmr_table_below: 400, 0..=2048, 96, without: 0;
        /// Less per point of correction, in 1/1024 ply.
        lmr_correction_scale: 8, 0..=32, 2, without: 0;
    }

    /// A ply more or less by how good the move turned out.
    lmr_confidence: "A ply more or less after a reduced search" {
        switch lmr_confidence_on: true, FindsMates;
        /// How much better than the best for a ply more.
        lmr_deeper_margin: 40, 5..=150, 8;
        /// Points more for a ply more, per ply of depth.
        lmr_deeper_depth_scale: 2, 0..=8, 1;
        /// Less than this much better for a ply less.
        lmr_shallower_margin: 8, 0..=60, 3;
    }

    /// The others are searched less deep.
    raised_depth: "A ply less after alpha was raised" {
        switch raised_depth_on: true, OverlooksMates;
        /// Only from this depth on.
        raised_min_depth: 3, 2..=8, 1;
        /// Only below this depth.
        raised_max_depth: 13, 4..=30, 2;
    }

    /// Results above beta are drawn towards it.
    fail_high_blend: "Fail-high blending" {
        switch fail_high_blend_on: true, FindsMates;
    }
}
