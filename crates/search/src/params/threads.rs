// SPDX-License-Identifier: GPL-3.0-or-later
//! How threads share the work. One thread alone does none of this.

use super::declare::heuristics;

heuristics! {
    /// How threads share the work. One thread alone does none of this.
    threads: ThreadsParams, ThreadsStats, Threads;

    /// A move that another thread is searching comes last.
    share: "Moves that another thread is searching" {
        /// From this depth on, a move that another thread is searching comes last.
        share_min_depth: 4, 1..=100, 1;
    }

    /// Helpers leave out every second depth.
    share_skip: "Depths that helpers leave out" {
        switch share_skip_on: true, FindsMates;
        /// Helpers search every depth up to this one.
        share_common_max_depth: 4, 1..=20, 1;
    }

    /// A result that is as deep as wanted and above beta ends a node.
    share_equal: "Results of other threads" {
        switch share_equal_on: true, FindsMates;
    }
}
