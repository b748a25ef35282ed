// SPDX-License-Identifier: GPL-3.0-or-later
//! Quiet moves by their squares, and by the pawns around them.

use chess::{Board, Color, Move, Threats};

use super::{Cell, PieceTo, boxed};

type Value = Cell<8192>;

/// Quiet moves by side, from and to, told apart by whether the opponent attacks these squares: to
/// flee and to visit are different moves.
#[derive(Clone, Debug)]
pub(super) struct ThreatHistory(Box<[[[Value; 64]; 64]; 8]>);

impl ThreatHistory {
    pub(super) fn new() -> Self {
        Self(boxed([[Value::default(); 64]; 64]))
    }

    pub(super) fn clear(&mut self) {
        self.0.as_flattened_mut().as_flattened_mut().fill(Value::default());
    }

    #[inline]
    fn table(board: &Board, threats: &Threats, mv: Move) -> usize {
        let is_attacked = |square| usize::from(threats.all.contains(square));
        let turn = usize::from(board.turn() == Color::Black);
        4 * turn + 2 * is_attacked(mv.from()) + is_attacked(mv.to())
    }

    #[inline]
    pub(super) fn get(&self, board: &Board, threats: &Threats, mv: Move) -> i32 {
        let table = Self::table(board, threats, mv);
        self.0[table][mv.from().index()][mv.to().index()].get()
    }

    pub(super) fn update(&mut self, board: &Board, threats: &Threats, mv: Move, bonus: i32) {
        let table = Self::table(board, threats, mv);
        self.0[table][mv.from().index()][mv.to().index()].update(bonus);
    }
}

const PAWN_SLOTS: usize = 1024;

/// Quiet moves by the pawn structure in which they are played.
#[derive(Clone, Debug)]
pub(super) struct PawnHistory(Box<[[Value; PieceTo::NUM]; PAWN_SLOTS]>);

impl PawnHistory {
    pub(super) fn new() -> Self {
        Self(boxed([Value::default(); PieceTo::NUM]))
    }

    pub(super) fn clear(&mut self) {
        self.0.as_flattened_mut().fill(Value::default());
    }

    #[inline]
    fn slot(board: &Board) -> usize {
        board.keys().pawns as usize % PAWN_SLOTS
    }

    #[inline]
    pub(super) fn get(&self, board: &Board, to: PieceTo) -> i32 {
        self.0[Self::slot(board)][to.index()].get()
    }

    pub(super) fn update(&mut self, board: &Board, to: PieceTo, bonus: i32) {
        self.0[Self::slot(board)][to.index()].update(bonus);
    }
}
