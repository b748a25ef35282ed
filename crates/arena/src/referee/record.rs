// SPDX-License-Identifier: GPL-3.0-or-later
//! What is kept of a game.

use std::fmt;
use std::time::{Duration, SystemTime};

use chess::{Color, Move, Outcome, Reason};
use uci::{InfoLine, ScoreValue};

use super::fault::FaultKind;
use super::rules::Adjudication;
use crate::openings::Opening;

/// A finished game.
#[derive(Clone, Debug)]
pub struct GameRecord {
    /// How it began.
    pub opening: Opening,
    /// The moves that the engines chose.
    pub moves: Vec<MoveRecord>,
    /// Who won.
    pub outcome: Outcome,
    /// Why it ended.
    pub ending: GameEnding,
    /// What the engines did wrong, at most once for each kind and side.
    pub faults: Vec<SideFault>,
    /// When it began.
    pub began: SystemTime,
    /// How long it took.
    pub duration: Duration,
}

/// A move and what the engine said about it.
#[derive(Clone, Debug)]
pub struct MoveRecord {
    /// The move.
    pub mv: Move,
    /// The time it took on the clock.
    pub elapsed: Duration,
    /// What the clock shows after the move, if there is one.
    pub clock: Option<Duration>,
    /// The score for the side to move.
    pub score: Option<ScoreValue>,
    /// Depth in plies.
    pub depth: Option<u32>,
    /// Greatest depth.
    pub seldepth: Option<u32>,
    /// Nodes searched.
    pub nodes: Option<u64>,
}

impl MoveRecord {
    /// Takes what is kept from the last info line. The clock has not been punched yet.
    pub(super) fn new(mv: Move, elapsed: Duration, info: Option<&InfoLine>) -> Self {
        Self {
            mv,
            elapsed,
            clock: None,
            score: info.and_then(|info| info.score).map(|score| score.value),
            depth: info.and_then(|info| info.depth),
            seldepth: info.and_then(|info| info.seldepth),
            nodes: info.and_then(|info| info.nodes),
        }
    }
}

/// A fault by the side that made it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SideFault {
    /// The side.
    pub color: Color,
    /// What happened.
    pub kind: FaultKind,
    /// The circumstances.
    pub detail: String,
}

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameEnding {
    /// By the laws of chess.
    Rule(Reason),
    /// By the referee's opinion.
    Adjudicated(Adjudication),
    /// By an engine's fault.
    Fault {
        /// Whose.
        color: Color,
        /// Which.
        kind: FaultKind,
    },
}

impl GameEnding {
    /// The value of PGN's `Termination` tag; adjudication is named.
    pub const fn termination(self) -> &'static str {
        match self {
            Self::Rule(_) => "normal",
            Self::Adjudicated(Adjudication::Draw) => "adjudication: draw by score",
            Self::Adjudicated(Adjudication::Resign { .. }) => "adjudication: resignation by score",
            Self::Adjudicated(Adjudication::MaxMoves) => "adjudication: too many moves",
            Self::Adjudicated(Adjudication::Tables { .. }) => "adjudication: tablebase",
            Self::Fault { kind: FaultKind::TimeForfeit, .. } => "time forfeit",
            Self::Fault { kind: FaultKind::IllegalMove, .. } => "rules infraction",
            Self::Fault { .. } => "abandoned",
        }
    }
}

/// The ending in words, for comments and logs.
impl fmt::Display for GameEnding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rule(reason) => reason.fmt(f),
            Self::Adjudicated(Adjudication::Resign { loser }) => {
                write!(f, "adjudication: {} sees itself lost", side(*loser))
            }
            Self::Adjudicated(Adjudication::Tables { outcome }) => match outcome {
                Outcome::Decisive { winner } => {
                    write!(f, "adjudication: tablebase win of {}", side(*winner))
                }
                Outcome::Draw => f.write_str("adjudication: tablebase draw"),
            },
            Self::Adjudicated(_) => f.write_str(self.termination()),
            Self::Fault { color, kind } => write!(f, "{} of {}", kind, side(*color)),
        }
    }
}

const fn side(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}
