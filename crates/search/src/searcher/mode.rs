// SPDX-License-Identifier: GPL-3.0-or-later
//! The searches that there are.

use std::fmt;

/// Which search thinks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Mode {
    /// Alpha-beta.
    #[default]
    AlphaBeta,
    /// Monte-Carlo tree search.
    Mcts,
    /// The tree search of Napoleon.
    Classic,
}

impl Mode {
    /// Every search.
    pub const ALL: [Self; 3] = [Self::AlphaBeta, Self::Mcts, Self::Classic];

    /// Of the memory that a tree search gets, one part in this many is the transposition table's,
    /// which serves the searches of leaves.
    const TABLE_PART: usize = 8;

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::AlphaBeta => "alphabeta",
            Self::Mcts => "mcts",
            Self::Classic => "classic",
        }
    }

    /// The search of this name.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.name() == name)
    }

    /// How so many bytes are shared out between the transposition table and the tree.
    pub(super) const fn share_out(self, bytes: usize) -> (usize, usize) {
        match self {
            Self::AlphaBeta => (bytes, 0),
            Self::Mcts | Self::Classic => {
                let table = bytes / Self::TABLE_PART;
                (table, bytes - table)
            }
        }
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back() {
        for mode in Mode::ALL {
            assert_eq!(Mode::by_name(mode.name()), Some(mode));
        }
        assert_eq!(Mode::by_name("minimax"), None);
    }

    #[test]
    fn nothing_of_the_memory_is_lost() {
        for mode in Mode::ALL {
            let (table, tree) = mode.share_out(1 << 20);
            assert_eq!(table + tree, 1 << 20);
            assert_eq!(tree > 0, mode != Mode::AlphaBeta);
        }
    }
}
