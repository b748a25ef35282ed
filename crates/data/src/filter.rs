// SPDX-License-Identifier: GPL-3.0-or-later
//! Which positions a static evaluation should learn from.

use chess::{Board, Color, Outcome};

use crate::{GamePosition, Label};

/// Why a position is left out.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Rejection {
    /// The side to move is in check.
    Check,
    /// The best move is a capture or a promotion.
    Noisy,
    /// The score is too high or too low, as all mates are.
    Score,
    /// Too early in the game.
    Ply,
    /// Too few pieces.
    Pieces,
    /// The score and the game's result contradict each other.
    Mismatch,
}

impl Rejection {
    /// All reasons, in the order in which they are asked.
    pub const ALL: [Self; 6] =
        [Self::Check, Self::Noisy, Self::Score, Self::Ply, Self::Pieces, Self::Mismatch];

    /// One word for tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Check => "check",
            Self::Noisy => "noisy",
            Self::Score => "score",
            Self::Ply => "ply",
            Self::Pieces => "pieces",
            Self::Mismatch => "mismatch",
        }
    }
}

/// Leaves out positions that a search would not evaluate statically, or whose label is of no use.
///
/// ```
/// use chess::Board;
/// use data::{LabelScore, Filter, Label, Rejection};
/// let board: Board = "4k3/8/8/8/8/8/8/4KR2 w - - 0 1".parse().unwrap();
/// let label = |score| Label { score: Some(LabelScore::from_stored(score)), ..Label::default() };
/// assert_eq!(Filter::default().verdict(&board, label(500), None), None);
/// assert_eq!(Filter::default().verdict(&board, label(29_990), None), Some(Rejection::Score));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Filter {
    /// Leave out positions with the side to move in check.
    pub checks: bool,
    /// Leave out positions whose best move captures or promotes.
    pub noisy: bool,
    /// Leave out scores of this size and beyond, in centipawns.
    pub score: u16,
    /// Leave out the first plies of each game.
    pub min_ply: usize,
    /// Leave out positions with fewer pieces, kings and pawns included.
    pub min_pieces: usize,
    /// Leave out positions where the loser, or in a draw either side, was ahead by more than this.
    pub mismatch: Option<u16>,
}

impl Default for Filter {
    /// Quiet positions without mate scores.
    fn default() -> Self {
        Self { checks: true, noisy: true, score: 10_000, min_ply: 0, min_pieces: 0, mismatch: None }
    }
}

impl Filter {
    /// Why the position is left out, if it is. What is not known does not count against it.
    pub fn verdict(&self, board: &Board, label: Label, ply: Option<usize>) -> Option<Rejection> {
        let is_noisy = label.best_move.is_some_and(|mv| mv.is_capture() || mv.is_promotion());
        let is_extreme = label.score.is_some_and(|score| score.get().unsigned_abs() >= self.score);
        if self.checks && board.in_check() {
            Some(Rejection::Check)
        } else if self.noisy && is_noisy {
            Some(Rejection::Noisy)
        } else if is_extreme {
            Some(Rejection::Score)
        } else if ply.is_some_and(|ply| ply < self.min_ply) {
            Some(Rejection::Ply)
        } else if board.occupied().len() < self.min_pieces {
            Some(Rejection::Pieces)
        } else if self.is_mismatch(label) {
            Some(Rejection::Mismatch)
        } else {
            None
        }
    }

    /// The verdict on a position of a game.
    pub fn verdict_in_game(&self, position: &GamePosition) -> Option<Rejection> {
        // A position out of a search stands alone in its game: its ply is not known.
        let ply = position.outcome.is_some().then_some(position.ply);
        self.verdict(&position.board, position.label(), ply)
    }

    fn is_mismatch(&self, label: Label) -> bool {
        let (Some(bound), Some(score), Some(outcome)) = (self.mismatch, label.score, label.outcome)
        else {
            return false;
        };
        let (score, bound) = (i32::from(score.get()), i32::from(bound));
        match outcome {
            Outcome::Draw => score.abs() > bound,
            Outcome::Decisive { winner: Color::White } => score < -bound,
            Outcome::Decisive { winner: Color::Black } => score > bound,
        }
    }
}
