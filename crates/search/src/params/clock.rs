// SPDX-License-Identifier: GPL-3.0-or-later
//! How long a move is thought about.

use super::declare::heuristics;

heuristics! {
    /// How long a move is thought about.
    clock: ClockParams, ClockStats, Clock;

    /// The budget of a move, and its soft and hard deadline.
    time: "Deadlines" {
        /// Moves that the clock must last for.
        time_moves: 24, 10..=60, 2;
        /// Share of the increment that is used.
        time_increment: 75, 20..=100, 5;
        /// Soft deadline as a share of the budget.
        time_soft_factor: 95, 30..=150, 6;
        /// Hard deadline as a multiple of the budget.
        time_hard_factor: 420, 150..=900, 30;
        /// Share of the whole clock that one move may use.
        time_hard_cap: 55, 20..=80, 5;
    }

    /// Think longer if the best move got few of the nodes.
    time_nodes: "Share of nodes" {
        switch time_nodes_on: true, FindsMates;
        /// Factor if it got none.
        time_nodes_base: 210, 100..=350, 12;
        /// How much less if it got all.
        time_nodes_slope: 155, 0..=300, 12;
    }

    /// Think less long if the best move has been the same for long.
    time_stability: "Stability of the best move" {
        switch time_stability_on: true, FindsMates;
        /// Factor if it has just changed.
        time_stability_base: 125, 80..=200, 6;
        /// How much less per depth.
        time_stability_slope: 6, 0..=15, 1;
    }

    /// Think less long if the score has been the same for long.
    time_score: "Stability of the score" {
        /// Factor if it has just changed.
        time_score_base: 100, 80..=200, 6;
        /// How much less per depth.
        time_score_slope: 0, 0..=15, 1;
        /// So many points up or down are no change.
        time_score_near: 8, 1..=50, 4;
    }

    /// A score that falls is worth more time.
    time_drop: "Falling score" {
        /// How much longer per ten points that the score has dropped.
        time_drop_slope: 8, 0..=30, 2;
        /// How much longer per ten points that the score has dropped since the search of the move before.
        time_search_drop_slope: 0, 0..=30, 2;
    }
}
