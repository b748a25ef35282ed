// SPDX-License-Identifier: GPL-3.0-or-later
//! Depth by depth: which window is searched.

use super::declare::heuristics;

heuristics! {
    /// Depth by depth: which window is searched.
    iteration: IterationParams, IterationStats, AlphaBeta;

    /// Search a window around the last score first.
    aspiration: "Aspiration windows" {
        switch asp_on: true, FindsMates;
        /// From this depth on.
        asp_min_depth: 4, 1..=10, 1;
        /// Half the first window.
        asp_margin: 22, 5..=80, 4;
        /// The squared score is divided by this and added.
        asp_score_divisor: 12000, 2000..=40000, 1500;
        /// Plies that scores above the window take off the next attempt at most.
        asp_failed_high_max: 3, 0..=8, 1;
        /// From this half-width on, the whole window is searched.
        asp_full_margin: 1000, 200..=4000, 200;
    }
}
