// SPDX-License-Identifier: GPL-3.0-or-later
//! One position and what is to be found in it.

use chess::{Board, Move};
use uci::ScoreValue;

/// One entry of a suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Its name, or the number of its line.
    pub id: String,
    /// The position; of a puzzle, the one before the opponent's move.
    pub board: Board,
    /// What to find.
    pub goal: Goal,
    /// Points for moves, the best one's included; empty if the suite has none.
    pub points: Vec<(Move, u32)>,
    /// What a puzzle is about.
    pub themes: Vec<String>,
}

/// What to find.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Goal {
    /// A move that is among the best ones, if any are given, and none of the bad ones.
    Move {
        /// Moves to find.
        best: Vec<Move>,
        /// Moves to avoid.
        avoid: Vec<Move>,
    },
    /// A mate in so many moves, or fewer; negative if the side to move is mated.
    Mate(i32),
    /// A line: the opponent's first move, then a move to find, and so on by turns.
    Line(Vec<Move>),
}

impl Problem {
    /// The points for a move.
    pub fn points_for(&self, mv: Move) -> Option<u32> {
        let found = self.points.iter().find(|(other, _)| *other == mv);
        (!self.points.is_empty()).then(|| found.map_or(0, |&(_, points)| points))
    }

    /// The most points that a move can have.
    pub fn max_points(&self) -> Option<u32> {
        self.points.iter().map(|&(_, points)| points).max()
    }

    /// The answer in words, for the list of failures.
    pub fn answer(&self) -> String {
        let list = |moves: &[Move]| {
            let sans: Vec<String> =
                moves.iter().map(|&mv| self.board.san(mv).to_string()).collect();
            sans.join(" ")
        };
        match &self.goal {
            Goal::Move { best, avoid } if best.is_empty() => format!("not {}", list(avoid)),
            Goal::Move { best, .. } => list(best),
            Goal::Mate(moves) => format!("mate {moves}"),
            Goal::Line(moves) => {
                let mut board = self.board;
                let sans = moves.iter().map(|&mv| {
                    let san = board.san(mv).to_string();
                    board.play(mv);
                    san
                });
                sans.skip(1).collect::<Vec<_>>().join(" ")
            }
        }
    }
}

impl Goal {
    /// Whether a single move, with what the engine said about it, reaches the goal; not for lines.
    pub(super) fn is_met(&self, mv: Move, score: Option<ScoreValue>) -> bool {
        match self {
            Self::Move { best, avoid } => {
                (best.is_empty() || best.contains(&mv)) && !avoid.contains(&mv)
            }
            Self::Mate(wanted) => match score {
                Some(ScoreValue::Mate(found)) => {
                    found.signum() == wanted.signum() && found.abs() <= wanted.abs()
                }
                _ => false,
            },
            Self::Line(_) => false,
        }
    }
}
