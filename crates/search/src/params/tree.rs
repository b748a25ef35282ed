// SPDX-License-Identifier: GPL-3.0-or-later
//! Monte-Carlo tree search. Shares are in thousandths.

use super::declare::heuristics;

heuristics! {
    /// Monte-Carlo tree search. Shares are in thousandths.
    tree: TreeParams, TreeStats, Tree;

    /// How much a move that was tried little is preferred.
    mcts_exploration: "Exploration" {
        /// Exploration at the root, in 1/1000.
        mcts_explore_root: 420, 50..=3000, 40;
        /// Exploration below the root, in 1/1000.
        mcts_explore: 270, 50..=3000, 30;
        /// The power of a node's visits that exploration grows with, in 1/1000.
        mcts_explore_power: 670, 300..=1000, 20;
        /// Visits after which exploration has grown by 69 %.
        mcts_explore_visits: 4700, 100..=100_000, 500;
        /// How much the spread of values counts, in 1/1000.
        mcts_spread_weight: 800, 0..=2000, 60;
        /// The usual spread of values, in 1/1000.
        mcts_spread_usual: 280, 50..=1000, 20;
        /// Exploration by priors, flat part, in 1/1000.
        mcts_gini_base: 470, 0..=2000, 40;
        /// Exploration by priors, how much more if they favor few moves, in 1/1000.
        mcts_gini_slope: 1570, 0..=4000, 100;
        /// Exploration by priors, at most, in 1/1000.
        mcts_gini_max: 2260, 500..=5000, 100;
        /// What an unvisited move is worth less if all others were tried, in 1/1000.
        mcts_fpu_reduction: 0, 0..=1000, 30;
    }

    /// How evenly the policy shares its trust out.
    mcts_priors: "Temperatures of the priors" {
        /// Temperature of the priors at the root, in 1/1000.
        mcts_root_temperature: 2500, 500..=10000, 150;
        /// Temperature of the priors one ply below, in 1/1000.
        mcts_second_temperature: 1300, 500..=5000, 80;
        /// Temperature of the priors further down, in 1/1000.
        mcts_temperature: 1000, 500..=3000, 50;
    }

    /// How threads keep apart, and how long they stay below a node.
    mcts_threads: "Threads in the tree" {
        /// Losses that an iteration under way counts as, in 1/1000.
        mcts_virtual_loss: 2500, 0..=10000, 200;
        /// One more iteration below a node for so many visits that it has.
        mcts_subtree_visits: 256, 16..=1_000_000, 32;
        /// Visits of a node from which on a thread stays below it for a while.
        mcts_large_subtree_visits: 4096, 32..=1_000_000_000, 256;
    }

    /// A move with few visits is mistrusted in the end.
    mcts_caution: "Choice of the move" {
        /// How much a move with few visits is mistrusted in the end, in 1/1000.
        mcts_caution: 500, 0..=3000, 50;
    }
}
