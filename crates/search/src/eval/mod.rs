// SPDX-License-Identifier: GPL-3.0-or-later
//! Static evaluation behind one type, whatever computes it.

mod material;
mod tables;

use chess::{Board, Color, Delta, Square};

use crate::Score;
use material::Material;

/// Evaluates boards, and follows a line of play so that it need not begin anew at every node.
///
/// ```
/// use chess::Board;
/// use search::Evaluator;
/// let mut evaluator = Evaluator::default();
/// let board = Board::default();
/// evaluator.reset(&board);
/// assert!(evaluator.evaluate(&board).value().abs() < 50);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Evaluator {
    material: Material,
}

/// What one piece adds to the evaluation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Contribution {
    /// Where the piece stands.
    pub square: Square,
    /// How much White's score would fall without it.
    pub white: i32,
}

impl Evaluator {
    /// Begins a new line with this board.
    pub fn reset(&mut self, board: &Board) {
        self.material.reset(board);
    }

    /// Follows a move.
    #[inline]
    pub fn push(&mut self, delta: &Delta) {
        self.material.push(delta);
    }

    /// Follows a null move.
    #[inline]
    pub fn push_null(&mut self) {
        self.material.push(&Delta::default());
    }

    /// Takes the last move back.
    #[inline]
    pub fn pop(&mut self) {
        self.material.pop();
    }

    /// What the board is worth to the side to move. The board must be the one that the moves led to.
    #[inline]
    pub fn evaluate(&self, board: &Board) -> Score {
        Score::new(self.material.evaluate(board.turn()))
    }

    /// What each piece but the kings adds, found by taking it away.
    pub fn contributions(board: &Board) -> Vec<Contribution> {
        let mut evaluator = Self::default();
        evaluator.reset(board);
        let white = |score: Score| match board.turn() {
            Color::White => score.value(),
            Color::Black => -score.value(),
        };
        let whole = white(evaluator.evaluate(board));
        let kings = board.by_role(chess::Role::King);
        (board.occupied() - kings)
            .into_iter()
            .filter_map(|square| {
                let piece = board.piece_on(square)?;
                let mut delta = Delta::default();
                delta.off.push(chess::Placed { piece, square });
                evaluator.push(&delta);
                let without = white(evaluator.evaluate(board));
                evaluator.pop();
                Some(Contribution { square, white: whole - without })
            })
            .collect()
    }
}
