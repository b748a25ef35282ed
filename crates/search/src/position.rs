// SPDX-License-Identifier: GPL-3.0-or-later
//! Where a search begins.

use chess::{Board, FenError, History, Move};

/// A board together with the positions that led to it, for the rules of repetition.
#[derive(Clone, Debug)]
pub struct Position {
    board: Board,
    history: History,
}

impl Position {
    /// A position without a past.
    pub fn new(board: Board) -> Self {
        Self { board, history: History::new(&board) }
    }

    /// A position without a past, from its FEN.
    pub fn from_fen(fen: &str) -> Result<Self, FenError> {
        fen.parse().map(Self::new)
    }

    /// Plays a legal move.
    pub fn play(&mut self, mv: Move) {
        self.board.play(mv);
        self.history.push(&self.board);
    }

    /// The board.
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// The positions so far, the present one last.
    pub const fn history(&self) -> &History {
        &self.history
    }
}

impl Default for Position {
    fn default() -> Self {
        Self::new(Board::default())
    }
}
