// SPDX-License-Identifier: GPL-3.0-or-later
//! Where games begin.

use chess::Board;
use tools::random::{Rng, unit};

use crate::{GenerationSettings, start960};

/// Positions to begin from.
#[derive(Clone, Debug, Default)]
pub struct Openings {
    book: Vec<Board>,
}

impl Openings {
    /// The start positions of chess and Chess960, and perhaps a book.
    pub const fn new(book: Vec<Board>) -> Self {
        Self { book }
    }

    /// A random opening, before it is known whether it is balanced.
    pub(crate) fn draw(&self, settings: &GenerationSettings, rng: &mut Rng) -> Option<Board> {
        let lot = unit(rng.next_u64());
        let (start, (least, most)) = if lot < settings.chess960_share {
            let is_double = lot < settings.chess960_share / 2.0;
            (start960::random(rng, is_double)?, settings.random_plies)
        } else if !self.book.is_empty() && unit(rng.next_u64()) < settings.book_share {
            (self.book[rng.below(self.book.len())], settings.book_plies)
        } else {
            (Board::default(), settings.random_plies)
        };
        walk(start, least + rng.below(most - least + 1), rng)
    }
}

/// Random legal moves; `None` if the game ends on the way.
fn walk(mut board: Board, plies: usize, rng: &mut Rng) -> Option<Board> {
    for _ in 0..plies {
        let moves = board.legal_moves();
        if moves.is_empty() {
            return None;
        }
        board.play(moves[rng.below(moves.len())]);
    }
    board.has_legal_moves().then_some(board)
}
