// SPDX-License-Identifier: GPL-3.0-or-later
//! Moves as answers to earlier moves of the line.

use bytemuck::Zeroable;
use chess::{Board, Move, Piece, Square};

use super::Cell;

/// A piece and the square it goes to: what a move is to the moves after it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PieceTo(u16);

impl PieceTo {
    pub(crate) const NUM: usize = 64 * Piece::NUM;

    #[inline]
    pub(crate) fn new(piece: Piece, to: Square) -> Self {
        Self((64 * piece.index() + to.index()) as u16)
    }

    /// That of a move of this board.
    #[inline]
    pub(crate) fn of(board: &Board, mv: Move) -> Self {
        Self::new(board.piece_on(mv.from()).unwrap_or(Piece::WhitePawn), mv.to())
    }

    #[inline]
    pub(crate) fn index(self) -> usize {
        self.0.into()
    }
}

pub(super) type Value = Cell<16384>;

/// How well moves have done after one earlier move.
pub(crate) type ContinuationRow = [Value; PieceTo::NUM];

/// What is known where there was no earlier move.
static NOTHING: ContinuationRow = [Value::ZERO; PieceTo::NUM];

/// How well moves have done after an earlier move, of either side.
#[derive(Debug, Zeroable)]
#[repr(transparent)]
pub(crate) struct Continuation([ContinuationRow; PieceTo::NUM]);

impl Continuation {
    pub(crate) fn clear(&mut self) {
        self.0.as_flattened_mut().fill(Value::default());
    }

    /// What is known after an earlier move, or after none.
    #[inline]
    pub(crate) fn row(&self, earlier: Option<PieceTo>) -> &ContinuationRow {
        earlier.map_or(&NOTHING, |earlier| &self.0[earlier.index()])
    }

    #[inline]
    pub(crate) fn update(&mut self, earlier: PieceTo, to: PieceTo, bonus: i32) {
        self.0[earlier.index()][to.index()].update(bonus);
    }
}
