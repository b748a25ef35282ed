// SPDX-License-Identifier: GPL-3.0-or-later
//! The tree of the search that thinks, if that search has one.

use super::Mode;
use crate::mcts::{ClassicTree, TreeSearch};

/// Which search thinks, together with the memory of its tree.
#[derive(Debug, Default)]
pub(super) enum TreeMemory {
    /// Alpha-beta needs no tree.
    #[default]
    None,
    /// The tree of Monte-Carlo tree search.
    Mcts(Box<TreeSearch>),
    /// The tree of the classic search.
    Classic(Box<ClassicTree>),
}

impl TreeMemory {
    /// An empty tree of so many bytes for a mode; `None` if the system has not got the memory.
    pub(super) fn new(mode: Mode, bytes: usize) -> Option<Self> {
        Some(match mode {
            Mode::AlphaBeta => Self::None,
            Mode::Mcts => Self::Mcts(Box::new(TreeSearch::new(bytes)?)),
            Mode::Classic => Self::Classic(Box::new(ClassicTree::new(bytes)?)),
        })
    }

    /// The search that the memory belongs to.
    pub(super) const fn mode(&self) -> Mode {
        match self {
            Self::None => Mode::AlphaBeta,
            Self::Mcts(_) => Mode::Mcts,
            Self::Classic(_) => Mode::Classic,
        }
    }

    /// Bytes of the tree.
    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::None => 0,
            Self::Mcts(search) => search.bytes(),
            Self::Classic(tree) => tree.bytes(),
        }
    }

    /// Forgets the tree.
    pub(super) fn clear(&mut self) {
        match self {
            Self::None => (),
            Self::Mcts(search) => search.clear(),
            Self::Classic(tree) => tree.clear(),
        }
    }
}
