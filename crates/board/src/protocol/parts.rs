// SPDX-License-Identifier: GPL-3.0-or-later
//! What replies are made of: values, lines, reviews, looks inside networks, runs.

use serde::{Deserialize, Serialize};

#[cfg(test)]
use ts_rs::TS;

/// What there is to choose from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct Choices {
    /// Networks, the default first.
    pub networks: Vec<String>,
    /// Searches, the default first.
    pub modes: Vec<String>,
    /// The weakest rating.
    #[serde(rename = "minElo")]
    pub min_elo: u32,
    /// The strongest rating.
    #[serde(rename = "maxElo")]
    pub max_elo: u32,
    /// Threads of the server.
    pub threads: u16,
    /// Whether there is a folder of runs.
    pub runs: bool,
    /// The most men of the endgame tables; 0 without tables.
    pub tables: u32,
}

/// What a position is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct Value {
    /// Centipawns, White's view; nothing if there is a mate.
    pub cp: Option<i32>,
    /// Moves to mate, White's view; nothing if there is none.
    pub mate: Option<i32>,
    /// Thousandths that White wins, that nobody does, that Black does.
    pub wdl: [u32; 3],
}

/// One of the best lines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct PvLine {
    /// 1 for the best.
    pub rank: u32,
    /// How deep.
    pub depth: u32,
    /// The longest line looked at.
    pub seldepth: u32,
    /// What it is worth.
    pub value: Value,
    /// Its moves.
    pub moves: Vec<String>,
}

/// What a search has found so far.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct Findings {
    /// The lines, the best first.
    pub lines: Vec<PvLine>,
    /// Nodes; in a tree search, iterations.
    #[cfg_attr(test, ts(type = "number"))]
    pub nodes: u64,
    /// Nodes per second.
    #[cfg_attr(test, ts(type = "number"))]
    pub nps: u64,
    /// Milliseconds.
    #[cfg_attr(test, ts(type = "number"))]
    pub time: u64,
    /// Per mille of the table in use.
    pub fill: u32,
    /// Threads that search.
    pub threads: u16,
}

/// A move in the tree of a tree search, or at the root of alpha-beta. Values are from 0 to 1 for the side that
/// makes the move.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct Branch {
    /// The move; empty at the root.
    pub mv: String,
    /// Iterations through it; in alpha-beta, nodes below it.
    #[cfg_attr(test, ts(type = "number"))]
    pub visits: u64,
    /// How promising it looked at first.
    pub prior: Option<f32>,
    /// The expected score.
    pub value: Option<f32>,
    /// The chance of a draw.
    pub draw: Option<f32>,
    /// What exploration adds.
    pub explore: Option<f32>,
    /// A proved result in words.
    pub proof: Option<String>,
    /// The moves after it, the best first.
    pub children: Vec<Branch>,
}

/// A judged move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct Judged {
    /// The move.
    pub mv: String,
    /// The position after it.
    pub value: Value,
    /// The winning chance after it in percent, White's view.
    pub chance: f64,
    /// How good it was, from 0 to 100.
    pub accuracy: f64,
    /// `!!`, `!`, `?!`, `?`, `??` or nothing.
    pub mark: Option<String>,
    /// What the engine would have played instead, if the move is marked as bad.
    pub better: Vec<String>,
}

/// One side's share in a review.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct SideReview {
    /// Accuracy in percent; nothing without a move.
    pub accuracy: Option<f64>,
    /// Average loss in centipawns.
    pub acpl: Option<f64>,
    /// How many `!!`, `!`, `?!`, `?` and `??`.
    pub marks: [u32; 5],
}

/// How a network sees a position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct View {
    /// The network's name.
    pub network: String,
    /// Its architecture.
    pub architecture: String,
    /// What it says without any search.
    pub value: Value,
    /// What each piece adds, in pawns, White's view.
    pub pieces: Vec<(String, f64)>,
    /// The hidden layers.
    pub layers: Vec<LayerView>,
    /// Microseconds that one evaluation takes.
    pub micros: f64,
}

/// A hidden layer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct LayerView {
    /// Its name.
    pub name: String,
    /// Its values.
    pub values: Vec<f32>,
}

/// One network's opinion of a whole game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct Opinion {
    /// The network's name.
    pub network: String,
    /// Its value of each position, the first one included.
    pub values: Vec<Value>,
}

/// A position with a name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct Named {
    /// After so many moves.
    pub ply: u32,
    /// The code of the encyclopaedia.
    pub eco: String,
    /// The name.
    pub name: String,
}

/// A game that is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct Kept {
    /// Its session.
    pub session: String,
    /// Seconds since 1970 when it was kept last.
    #[cfg_attr(test, ts(type = "number"))]
    pub saved: u64,
    /// Who plays whom.
    pub title: String,
    /// How many plies.
    pub plies: u32,
}

/// A run of matches, leagues, tunings or trainings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct Run {
    /// Its folder's name.
    pub name: String,
    /// `match`, `tune`, `screen`, `training` or `run`.
    pub kind: String,
    /// Seconds since it last changed.
    #[cfg_attr(test, ts(type = "number"))]
    pub age: u64,
    /// Whether a process is at work on it now.
    pub live: bool,
}

/// A game that somebody plays elsewhere at the moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct LiveBoard {
    /// What tells it from the others of its run.
    pub id: String,
    /// White's name.
    pub white: String,
    /// Black's name.
    pub black: String,
    /// The first position.
    pub start: String,
    /// The moves since, in UCI notation.
    pub moves: Vec<String>,
    /// The position now.
    pub fen: String,
    /// White's and Black's clocks in milliseconds.
    #[cfg_attr(test, ts(type = "[number | null, number | null]"))]
    pub clocks: [Option<u64>; 2],
    /// The last score, White's view.
    pub score: Option<String>,
}

/// What the endgame tables say of a move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct TableMove {
    /// The move.
    pub mv: String,
    /// From 2 for a win of the side that moves to -2 for a loss; 1 and -1 are spoilt or saved by the
    /// fifty-move rule.
    pub wdl: i32,
    /// Plies to the next capture, pawn move or mate, from before the move.
    pub dtz: Option<i32>,
    /// Whether it mates at once.
    pub mate: bool,
}
