// SPDX-License-Identifier: GPL-3.0-or-later
//! What a search tells while it thinks.

use std::sync::Arc;
use std::time::Duration;

use chess::Move;

use crate::params::Stats;
use crate::score::Score;

/// What takes the reports of a search.
pub type Report = Arc<dyn Fn(Info) + Send + Sync>;

/// How a score is to be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Bound {
    /// The score itself.
    #[default]
    Exact,
    /// The score is at least this.
    Lower,
    /// The score is at most this.
    Upper,
}

/// A line of play and what it is worth.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// How deep it was searched.
    pub depth: u32,
    /// The longest line that was looked at.
    pub selective_depth: usize,
    /// 1 for the best line, 2 for the second best, and so on.
    pub rank: usize,
    /// Its score from the root's side to move.
    pub score: Score,
    /// How the score is to be read.
    pub bound: Bound,
    /// The moves, best play by both sides.
    pub moves: Vec<Move>,
}

/// Counts that go with every report.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Effort {
    /// Nodes visited by all threads.
    pub nodes: u64,
    /// Time since the search was asked for.
    pub time: Duration,
    /// Per mille of the transposition table that this search has filled, or of the tree's memory. A search
    /// without reports does not measure it: the sample would cost more than a small search.
    pub table_fill: Option<usize>,
    /// Positions found in tablebases.
    pub table_hits: u64,
}

/// Something that a search reports while it runs.
#[derive(Clone, PartialEq, Debug)]
pub enum Info {
    /// A line has been found or improved.
    Line(Line, Effort),
    /// The root move that is being searched, and its number from 1. Only after a few seconds.
    CurrentMove(Move, usize),
    /// A depth has been finished: what it cut, for those who debug.
    Depth(u32, Stats),
    /// Nodes that alpha-beta's first thread has spent on each root move, after each depth.
    RootNodes(Vec<(Move, u64)>),
    /// The numbers of all root moves of a tree search, the best last, and then those of the root.
    Moves(Vec<MoveStats>),
}

/// The numbers of a move, for the side that makes it.
#[derive(Clone, PartialEq, Debug)]
pub struct MoveStats {
    /// The move; `None` for the root.
    pub mv: Option<Move>,
    /// Iterations that went through it.
    pub visits: u32,
    /// Iterations that were in flight through it.
    pub in_flight: u32,
    /// How promising it looked at first, as a share of 1.
    pub prior: f32,
    /// The expected score from 0 to 1, draws at what they are worth; `None` without a visit.
    pub value: Option<f32>,
    /// The expected score with draws at a half; `None` without a visit.
    pub plain: Option<f32>,
    /// The chance of a draw; `None` without a visit.
    pub draw: Option<f32>,
    /// What exploration adds to its value.
    pub exploration: f32,
    /// Its value at the first visit; `None` without a visit.
    pub first_value: Option<f32>,
    /// The score if it is certain, from the position before the move.
    pub proof: Option<Score>,
}

/// How a search ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The best line; `None` if the root has no legal move.
    pub best: Option<Line>,
    /// What it took.
    pub effort: Effort,
    /// Counts of nodes and cuts, of all threads together.
    pub stats: Stats,
}

impl Answer {
    /// The answer where there is no move to search.
    pub(crate) fn without_moves(time: Duration) -> Self {
        Self { best: None, effort: Effort { time, ..Effort::default() }, stats: Stats::default() }
    }

    /// The best move.
    pub fn best_move(&self) -> Option<Move> {
        self.best.as_ref().and_then(|line| line.moves.first().copied())
    }

    /// The reply that is expected to it.
    pub fn ponder_move(&self) -> Option<Move> {
        self.best.as_ref().and_then(|line| line.moves.get(1).copied())
    }
}
