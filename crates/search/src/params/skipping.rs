// SPDX-License-Identifier: GPL-3.0-or-later
//! Moves that are not searched at all.

use super::declare::heuristics;

heuristics! {
    /// Moves that are not searched at all.
    skipping: SkippingParams, SkippingStats, AlphaBeta;

    /// Quiet moves that cannot reach alpha are skipped.
    futility: "Futility pruning" {
        switch fp_on: true, OverlooksMates;
        count futility_skips: "futility skips";
        /// Down to which reduced depth.
        fp_max_depth: 8, 2..=14, 1;
        /// Flat margin.
        fp_base: 85, 0..=300, 12;
        /// Points per ply of reduced depth.
        fp_margin: 89, 20..=250, 10;
        /// History points that make one point.
        fp_history_divisor: 256, 32..=1024, 32;
    }

    /// Captures that lose material and cannot reach alpha are skipped.
    futility_noisy: "Futility pruning of captures" {
        switch fp_noisy_on: true, OverlooksMates;
        count noisy_futility_skips: "futility skips of captures";
        /// Flat margin.
        fp_noisy_base: 100, 0..=400, 16;
        /// Points per ply.
        fp_noisy_margin: 90, 20..=250, 10;
        /// History points of a capture that make one point.
        fp_noisy_history_divisor: 64, 16..=256, 12;
    }

    /// After enough moves the remaining quiet ones are skipped.
    lmp: "Late move pruning" {
        switch lmp_on: true, OverlooksMates;
        count late_move_skips: "late-move skips";
        /// Down to which depth.
        lmp_max_depth: 9, 2..=16, 1;
        /// Moves that are always tried.
        lmp_base: 4, 1..=12, 1;
    }

    /// Moves that have failed nearly everywhere are skipped.
    history_prune: "History pruning" {
        switch history_prune_on: true, OverlooksMates;
        count history_skips: "history skips";
        /// Down to which reduced depth.
        history_prune_max_depth: 5, 1..=10, 1;
        /// History points per ply.
        history_prune_margin: 4500, 1000..=12000, 500;
    }

    /// Moves that lose too much material are skipped.
    see: "Pruning by static exchange" {
        switch see_on: true, OverlooksMates;
        count exchange_skips: "exchange skips";
        /// Down to which depth.
        see_max_depth: 9, 2..=14, 1;
        /// Points that a quiet move may lose per squared ply of reduced depth.
        see_quiet_margin: 15, 5..=80, 4;
        /// Points that a capture may lose per ply.
        see_noisy_margin: 81, 20..=300, 12;
        /// History points of a capture that make one point.
        see_history_divisor: 64, 16..=256, 12;
    }
}
