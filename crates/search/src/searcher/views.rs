// SPDX-License-Identifier: GPL-3.0-or-later
//! What people see who look into a search.

use chess::{Board, Move, Piece, Square};

use super::Searcher;
use super::tree_memory::TreeMemory;
use crate::alphabeta::{Ordered, TableStats, TableView};
use crate::mcts::TreeNode;
use crate::position::Position;

impl Searcher {
    /// The tree that the last search has left, below the end of a line of moves from its root and so
    /// many plies deep, and the position at the root. `None` if there is no such tree.
    pub fn tree(&self, line: &[Move], depth: usize) -> Option<(Position, TreeNode)> {
        match &self.tree {
            TreeMemory::Mcts(search) => search.tree_below(&self.params, line, depth),
            TreeMemory::Classic(tree) => tree.tree_below(line, depth),
            TreeMemory::None => None,
        }
    }

    /// How the table has been used since it was made or cleared.
    pub fn table_stats(&self) -> TableStats {
        self.alphabeta.table_stats()
    }

    /// What the table knows of a position.
    pub fn lookup(&self, board: &Board) -> Option<TableView> {
        self.alphabeta.lookup(board)
    }

    /// The legal moves in the order in which a search would try them now.
    pub fn move_order(&self, board: &Board) -> Vec<Ordered> {
        self.alphabeta.move_order(board, &self.params)
    }

    /// The moves that quiescence would try now, in its order.
    pub fn forcing_moves(&self, board: &Board) -> Vec<Ordered> {
        self.alphabeta.forcing_moves(board, &self.params)
    }

    /// The legal quiet moves with the bonuses that order them, the best first.
    pub fn quiet_order(&self, board: &Board) -> Vec<Ordered> {
        self.alphabeta.quiet_order(board, &self.params)
    }

    /// How well quiet moves of a piece to a square have done, with the pawns of a board,
    /// between plus and minus 8192.
    pub fn history_of(&self, board: &Board, piece: Piece, to: Square) -> i32 {
        self.alphabeta.history_of(board, piece, to)
    }
}
