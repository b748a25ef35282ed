// SPDX-License-Identifier: GPL-3.0-or-later
//! The numbers of the tree search as it computes with them. They are declared in [`Params`], in
//! thousandths.

use crate::Params;

/// The numbers of one search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Tuning {
    /// Exploration at the root and elsewhere.
    pub(super) explore_root: f32,
    pub(super) explore: f32,
    /// The power of a node's visits that exploration grows with.
    pub(super) explore_power: f32,
    /// Visits after which exploration has grown by ln 2.
    pub(super) explore_visits: f32,
    /// How much the spread of values counts, and what spread is usual.
    pub(super) spread_weight: f32,
    pub(super) spread_usual: f32,
    /// Exploration by how evenly priors are shared out: flat part, slope and cap.
    pub(super) gini_base: f32,
    pub(super) gini_slope: f32,
    pub(super) gini_max: f32,
    /// What an unvisited move is worth less than its node.
    pub(super) fpu_reduction: f32,
    /// Losses that an iteration under way counts as.
    pub(super) virtual_loss: f32,
    /// One more iteration below a node that was just visited for so many visits that it has.
    pub(super) subtree_visits: u32,
    /// Visits of a node from which on a thread does the rest of its burst there.
    pub(super) large_subtree_visits: u32,
    /// Temperatures of the priors at the root, one ply below it, and further down.
    pub(super) temperatures: [f32; 3],
    /// How much a move with few visits is mistrusted in the end.
    pub(super) caution: f32,
}

impl Tuning {
    pub(super) fn new(params: &Params) -> Self {
        let thousandths = |value: i32| value as f32 / 1000.0;
        Self {
            explore_root: thousandths(params.mcts_explore_root()),
            explore: thousandths(params.mcts_explore()),
            explore_power: thousandths(params.mcts_explore_power()),
            explore_visits: params.mcts_explore_visits() as f32,
            spread_weight: thousandths(params.mcts_spread_weight()),
            spread_usual: thousandths(params.mcts_spread_usual()),
            gini_base: thousandths(params.mcts_gini_base()),
            gini_slope: thousandths(params.mcts_gini_slope()),
            gini_max: thousandths(params.mcts_gini_max()),
            fpu_reduction: thousandths(params.mcts_fpu_reduction()),
            virtual_loss: thousandths(params.mcts_virtual_loss()),
            subtree_visits: params.mcts_subtree_visits() as u32,
            large_subtree_visits: params.mcts_large_subtree_visits() as u32,
            temperatures: [
                params.mcts_root_temperature(),
                params.mcts_second_temperature(),
                params.mcts_temperature(),
            ]
            .map(thousandths),
            caution: thousandths(params.mcts_caution()),
        }
    }

    /// The temperature of priors this many plies below the root.
    pub(super) fn temperature(&self, ply: usize) -> f32 {
        self.temperatures[ply.min(2)]
    }
}
