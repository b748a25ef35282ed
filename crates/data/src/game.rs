// SPDX-License-Identifier: GPL-3.0-or-later
//! Games whose moves carry scores.

use chess::{Board, Move, Outcome};

use crate::{Label, LabelScore, PackError, Record};

/// A move and what the search said before it was played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScoredMove {
    /// The move that was played, which was the best one found.
    pub mv: Move,
    /// The score in White's view.
    pub score: LabelScore,
}

/// Where scored moves come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// A game that was played, and how it ended.
    Game(Outcome),
    /// A position that a search looked at, which nobody played: it has one move, the best, and no result.
    Leaf {
        /// The first bits of the hash of the game that was played meanwhile: its neighbors, which must not
        /// be on the other side when files are split.
        family: u16,
    },
}

impl Origin {
    /// How the game ended, if it was one.
    pub const fn outcome(self) -> Option<Outcome> {
        match self {
            Self::Game(outcome) => Some(outcome),
            Self::Leaf { .. } => None,
        }
    }
}

/// A game for training, or a position out of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScoredGame {
    /// The position before the first move.
    pub start: Board,
    /// Whether it was played, and how it ended.
    pub origin: Origin,
    /// The moves, each legal where it stands.
    pub moves: Vec<ScoredMove>,
}

/// A position of a game, before its move is played.
#[derive(Clone, Debug)]
pub struct GamePosition {
    /// The board.
    pub board: Board,
    /// Moves played since the game's start position.
    pub ply: usize,
    /// The move that was played here and its score.
    pub played: ScoredMove,
    /// How the game ended, if it was played.
    pub outcome: Option<Outcome>,
}

impl ScoredGame {
    /// Every position in which a move was played.
    pub fn positions(&self) -> impl Iterator<Item = GamePosition> {
        let mut board = self.start;
        self.moves.iter().enumerate().map(move |(ply, &played)| {
            let before = board;
            board.play(played.mv);
            GamePosition { board: before, ply, played, outcome: self.origin.outcome() }
        })
    }
}

impl GamePosition {
    /// All that is known of the position.
    pub const fn label(&self) -> Label {
        Label {
            best_move: Some(self.played.mv),
            score: Some(self.played.score),
            outcome: self.outcome,
        }
    }

    /// The position as a record, not yet marked as quiet.
    pub fn record(&self) -> Result<Record, PackError> {
        Record::new(&self.board, self.label())
    }
}
