// SPDX-License-Identifier: GPL-3.0-or-later
//! Monte-Carlo tree search: a tree that grows where it is worth looking, guided by a policy and
//! valued by the same evaluation as alpha-beta.
//!
//! | file | what it holds |
//! |---|---|
//! | `node_pool`, `node`, `edges`, `tree` | how the tree lies in memory |
//! | `select` | which move an iteration follows |
//! | `prior` | how promising moves look before they are searched |
//! | `leaf` | what a new position is worth |
//! | `iteration` | one iteration: select, expand, evaluate, back up |
//! | `subtree` | more iterations below a node with many visits |
//! | `proof` | wins, losses and draws that are certain |
//! | `tree_search` | one search, and what it remembers for the next |
//! | `rounds`, `monitor` | all threads together; limits, clock and reports |
//! | `collect`, `reroot` | forgetting what does not fit, and using again what does |
//! | `report` | best lines and numbers of moves |
//! | `classic` | the selection rule of Napoleon, the engine that this search goes back to |
//! | `tuning` | the search's numbers |
//!
//! docs/concepts/mcts.md tells the ideas and their reasons.

mod classic;
mod collect;
mod edges;
mod iteration;
mod leaf;
mod monitor;
mod node;
mod node_pool;
mod prior;
mod proof;
mod report;
mod reroot;
mod rounds;
mod select;
mod subtree;
#[cfg(test)]
mod testing;
mod tree;
mod tree_search;
mod tuning;

pub(crate) use classic::ClassicTree;
pub use classic::{ClassicOptions, Rollout};
pub use leaf::Leaf;
pub(crate) use leaf::{LeafBox, LeafValue};
pub use prior::Ranking;
pub use report::TreeNode;
pub(crate) use tree_search::TreeSearch;

/// How the tree searches work.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TreeOptions {
    /// What evaluates the leaves.
    pub leaf: Leaf,
    /// How the classic search works.
    pub classic: ClassicOptions,
    /// Whether to report the numbers of all moves.
    pub shows_moves: bool,
}
