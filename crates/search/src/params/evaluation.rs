// SPDX-License-Identifier: GPL-3.0-or-later
//! What is added to the evaluation of the network.

use super::declare::heuristics;

heuristics! {
    /// What is added to the evaluation of the network.
    evaluation: EvaluationParams, EvaluationStats, AlphaBeta;

    /// Evaluations are corrected by what searches found in similar positions.
    correction: "Correction history" {
        switch corr_on: true, FindsMates;
        /// Points for the pawn structure at most.
        corr_pawn_scale: 63, 0..=200, 8;
        /// Points for each side's pieces at most.
        corr_non_pawn_scale: 56, 0..=200, 8;
        /// Points for each pair of last moves at most.
        corr_move_scale: 52, 0..=200, 8;
        /// What a search teaches counts depth divided by this.
        corr_depth_divisor: 8, 2..=32, 2;
    }

    /// The side that stands better at the root believes in it everywhere.
    optimism: "Optimism" {
        switch optimism_on: true, FindsMates;
        /// The most points.
        optimism_max: 29, 0..=120, 6;
        /// The score that gives half of them.
        optimism_half: 120, 20..=500, 20;
    }

    /// Evaluations are drawn towards zero as it comes near.
    fifty: "Fifty-move rule" {
        switch fifty_on: true, FindsMates;
    }
}
