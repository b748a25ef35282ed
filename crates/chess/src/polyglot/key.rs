// SPDX-License-Identifier: GPL-3.0-or-later
//! The key under which a book knows a position.

use super::random::RANDOM;
use crate::{Board, Color, Rank, Role, Square, attacks};

const CASTLING: usize = 768;
const EN_PASSANT: usize = 772;
const WHITE_TO_MOVE: usize = 780;

impl Board {
    /// The position's key in Polyglot books.
    ///
    /// Unlike in [`Board::key`], en passant counts as soon as a pawn stands beside the one that made
    /// two steps, even if the capture would be illegal.
    ///
    /// ```
    /// assert_eq!(chess::Board::default().polyglot_key(), 0x463b_9618_1691_fc9c);
    /// ```
    pub fn polyglot_key(&self) -> u64 {
        let mut key = 0;
        for square in self.occupied() {
            if let Some(piece) = self.piece_on(square) {
                let kind = 2 * piece.role().index() + usize::from(piece.color() == Color::White);
                key ^= RANDOM[64 * kind + square.index()];
            }
        }
        let rights = self.castling().mask();
        for right in (0..4).filter(|right| rights >> right & 1 == 1) {
            key ^= RANDOM[CASTLING + right];
        }
        if let Some(file) = self.double_step() {
            let passed = Square::new(file, Rank::Sixth.relative_to(self.turn()));
            let takers =
                attacks::pawn(!self.turn(), passed) & self.by_piece(self.turn(), Role::Pawn);
            if takers.any() {
                key ^= RANDOM[EN_PASSANT + file.index()];
            }
        }
        if self.turn() == Color::White { key ^ RANDOM[WHITE_TO_MOVE] } else { key }
    }
}
