// SPDX-License-Identifier: GPL-3.0-or-later
//! What engines do wrong.

use std::fmt;

use serde::{Deserialize, Serialize};

/// One thing that an engine did wrong in a match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameFault {
    /// The game's number in the match, from 1.
    pub game: usize,
    /// The engine's name.
    pub engine: String,
    /// What happened.
    pub kind: FaultKind,
    /// The circumstances.
    pub detail: String,
}

/// How the detail of a fault begins that happened while no game was played, and cost none.
pub(super) const BETWEEN_GAMES: &str = "between games: ";

impl GameFault {
    /// Whether it happened while no game was played, and cost none.
    pub fn is_between_games(&self) -> bool {
        self.detail.starts_with(BETWEEN_GAMES)
    }
}

impl fmt::Display for GameFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { game, engine, kind, detail } = self;
        write!(f, "game {game}: {engine}: {kind}: {detail}")
    }
}

/// Kinds of faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FaultKind {
    /// `bestmove` was no legal move.
    IllegalMove,
    /// It moved, but too late.
    TimeForfeit,
    /// It did not answer at all.
    NoAnswer,
    /// It crashed, quit or closed its pipes.
    Disconnect,
    /// Its variation holds an illegal move; the game goes on.
    IllegalPv,
    /// Its move is not the first one of its last exact variation; the game goes on.
    PvMismatch,
    /// It said `bestmove` when nobody had asked; the game goes on.
    PrematureOutput,
}

impl FaultKind {
    /// Whether it costs the game.
    pub const fn is_fatal(self) -> bool {
        matches!(self, Self::IllegalMove | Self::TimeForfeit | Self::NoAnswer | Self::Disconnect)
    }

    /// The kind as tables and JSON write it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::IllegalMove => "illegal-move",
            Self::TimeForfeit => "time-forfeit",
            Self::NoAnswer => "no-answer",
            Self::Disconnect => "disconnect",
            Self::IllegalPv => "illegal-pv",
            Self::PvMismatch => "pv-mismatch",
            Self::PrematureOutput => "premature-output",
        }
    }
}

impl FaultKind {
    /// The kind in words for a count of it, such as `2 time losses`.
    pub fn counted(self, count: usize) -> String {
        let (one, many) = match self {
            Self::IllegalMove => ("illegal move", "illegal moves"),
            Self::TimeForfeit => ("time loss", "time losses"),
            Self::NoAnswer => ("stall", "stalls"),
            Self::Disconnect => ("crash", "crashes"),
            Self::IllegalPv => ("illegal variation", "illegal variations"),
            Self::PvMismatch => ("move off its variation", "moves off their variations"),
            Self::PrematureOutput => ("premature output", "premature outputs"),
        };
        format!("{count} {}", if count == 1 { one } else { many })
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_uses_the_same_names() {
        for kind in [FaultKind::IllegalMove, FaultKind::PrematureOutput, FaultKind::NoAnswer] {
            assert_eq!(serde_json::to_string(&kind).unwrap(), format!("\"{kind}\""));
        }
    }
}
