// SPDX-License-Identifier: GPL-3.0-or-later
//! Captures and promotions by what takes what, and where.

use bytemuck::Zeroable;
use chess::{Board, Move, Piece, Role, Square};

use super::{Cell, PieceTo};

type Value = Cell<12288>;

/// Captures and promotions by piece, target and victim.
#[derive(Debug, Zeroable)]
#[repr(transparent)]
pub(super) struct NoisyHistory([[Value; Role::NUM + 1]; PieceTo::NUM]);

impl NoisyHistory {
    pub(super) fn clear(&mut self) {
        self.0.as_flattened_mut().fill(Value::default());
    }

    /// What is taken; one past the last for nothing.
    #[inline]
    fn victim(board: &Board, mv: Move) -> usize {
        if mv.is_en_passant() {
            return Role::Pawn.index();
        }
        board.role_on(mv.to()).map_or(Role::NUM, Role::index)
    }

    #[inline]
    pub(super) fn get(&self, board: &Board, mv: Move) -> i32 {
        self.0[PieceTo::of(board, mv).index()][Self::victim(board, mv)].get()
    }

    /// The same for a capture whose mover and victim are known.
    #[inline]
    pub(super) fn of_capture(&self, piece: Piece, to: Square, victim: Role) -> i32 {
        self.0[PieceTo::new(piece, to).index()][victim.index()].get()
    }

    pub(super) fn update(&mut self, board: &Board, mv: Move, bonus: i32) {
        self.0[PieceTo::of(board, mv).index()][Self::victim(board, mv)].update(bonus);
    }
}
