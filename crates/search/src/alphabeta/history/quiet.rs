// SPDX-License-Identifier: GPL-3.0-or-later
//! Quiet moves by their squares, and by the pawns around them.

use bytemuck::Zeroable;
use chess::{Bitboard, Board, Color, Move, Square, Threats};

use super::{Cell, PieceTo};

pub(super) type Value = Cell<8192>;

/// Tables of one side by from and to, one for each answer to whether these squares are attacked.
pub(super) type ThreatTables = [[[Value; 64]; 64]; 4];

/// Quiet moves by side, from and to, told apart by whether the opponent attacks these squares: to
/// flee and to visit are different moves.
#[derive(Debug, Zeroable)]
#[repr(transparent)]
pub(super) struct ThreatHistory([[[Value; 64]; 64]; 8]);

impl ThreatHistory {
    pub(super) fn clear(&mut self) {
        self.0.as_flattened_mut().as_flattened_mut().fill(Value::ZERO);
    }

    /// What is known of a side's moves.
    #[inline]
    pub(super) fn of(&self, side: Color) -> &ThreatTables {
        &self.0.as_chunks().0[side.index()]
    }

    pub(super) fn update(&mut self, board: &Board, threats: &Threats, mv: Move, bonus: i32) {
        let table = 4 * board.turn().index() + table_of(threats.all, mv);
        self.0[table][mv.from().index()][mv.to().index()].update(bonus);
    }
}

#[inline]
fn table_of(attacked: Bitboard, mv: Move) -> usize {
    let is_attacked = |square| usize::from(attacked.contains(square));
    2 * is_attacked(mv.from()) + is_attacked(mv.to())
}

/// What is known of the moves from a square: to squares that are not attacked, and to those that are.
#[inline]
pub(super) fn of_square(
    tables: &ThreatTables,
    attacked: Bitboard,
    from: Square,
) -> [&[Value; 64]; 2] {
    let [free, free_to_attacked, attacked_to_free, both] = tables;
    let place = from.index();
    if attacked.contains(from) {
        [&attacked_to_free[place], &both[place]]
    } else {
        [&free[place], &free_to_attacked[place]]
    }
}

const PAWN_SLOTS: usize = 1024;

/// How well moves have done with one pawn structure.
pub(super) type PawnRow = [Value; PieceTo::NUM];

/// Quiet moves by the pawn structure in which they are played.
#[derive(Debug, Zeroable)]
#[repr(transparent)]
pub(super) struct PawnHistory([PawnRow; PAWN_SLOTS]);

impl PawnHistory {
    pub(super) fn clear(&mut self) {
        self.0.as_flattened_mut().fill(Value::default());
    }

    #[inline]
    fn slot(board: &Board) -> usize {
        board.keys().pawns as usize % PAWN_SLOTS
    }

    /// What is known with the pawns of this board.
    #[inline]
    pub(super) fn row(&self, board: &Board) -> &PawnRow {
        &self.0[Self::slot(board)]
    }

    pub(super) fn update(&mut self, board: &Board, to: PieceTo, bonus: i32) {
        self.0[Self::slot(board)][to.index()].update(bonus);
    }
}
