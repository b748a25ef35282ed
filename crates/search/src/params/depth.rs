// SPDX-License-Identifier: GPL-3.0-or-later
//! How deep a node, or the move of the table, is searched.

use super::declare::heuristics;

heuristics! {
    /// How deep a node, or the move of the table, is searched.
    depth: DepthParams, DepthStats, AlphaBeta;

    /// Without a table move, look less deep first.
    iir: "Internal iterative reduction" {
        switch iir_on: true, OverlooksMates;
        /// From this depth on.
        iir_min_depth: 4, 2..=10, 1;
    }

    /// Depth is given back or taken when a reduced move turns out otherwise than expected.
    hindsight: "Hindsight" {
        switch hindsight_on: true, OverlooksMates;
        /// How much worse for the opponent to take a ply more.
        hindsight_margin: 98, 20..=300, 12;
        /// Reduction of the move before from which on a ply is given back, in 1/1024 ply.
        hindsight_deeper_reduction: 3072, 1024..=6144, 256;
        /// Reduction of the move before from which on a ply is taken, in 1/1024 ply.
        hindsight_shallower_reduction: 2048, 1024..=6144, 256;
    }

    /// One ply more when in check.
    check_extension: "Check extension" {
        switch check_extension_on: false, FindsMates;
        count check_extensions: "check extensions";
    }

    /// One ply more for a table move that stands out.
    singular: "Singular extension" {
        switch singular_on: true, FindsMates;
        count singular_searches: "singular searches";
        count singular_extensions: "singular extensions";
        /// From this depth on.
        singular_min_depth: 5, 4..=10, 1;
        /// By how many points a ply others must fall behind, in 1/16.
        singular_margin: 16, 4..=64, 3;
        /// By how many plies the table may be less deep.
        singular_table_depth: 3, 1..=6, 1;
    }

    /// A table move that stands out clearly is searched two or three plies deeper.
    double_extension: "Double and triple extensions" {
        /// How much further behind for a second ply.
        double_extension_margin: 12, 0..=80, 5;
        /// How much more in the principal variation.
        double_extension_pv_margin: 110, 0..=300, 16;
        /// How much further behind for a third ply, for quiet moves.
        triple_extension_margin: 70, 20..=300, 12;
        /// How many a line may have.
        double_extension_max: 8, 0..=20, 1, without: 0;
    }

    /// One ply more for a table move that promises what the evaluation denies, too near the
    /// leaves for a singular search.
    shallow_extension: "Shallow extension" {
        switch shallow_extension_on: true, FindsMates;
        /// How far below alpha the evaluation must be.
        shallow_extension_margin: 20, 0..=150, 8;
    }

    /// Another move too good as well cuts.
    multicut: "Multi-cut" {
        switch multicut_on: true, OverlooksMates;
        count multi_cuts: "multi-cuts";
    }

    /// A table move that does not stand out is searched less deep.
    negative_extension: "Negative extension" {
        switch negative_extension_on: true, OverlooksMates;
        /// Plies less if the table expects a score above beta; one fewer in the principal
        /// variation.
        negative_extension_above: 3, 1..=4, 1;
        /// Plies less at expected cut nodes.
        negative_extension_cut: 2, 1..=4, 1;
    }
}
