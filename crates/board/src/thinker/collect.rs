// SPDX-License-Identifier: GPL-3.0-or-later
//! What a search reports, gathered and told to the page no more often than eyes can follow.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use chess::{Board, Game};
use search::{Effort, Line, Report};
use tokio::sync::mpsc;

use super::{as_line, texts, value};
use crate::protocol::{Findings, PvLine, Reply};

/// The time between two messages.
const INTERVAL: Duration = Duration::from_millis(60);

/// Gathers the lines of one search.
pub(super) struct Collector {
    id: u32,
    board: Board,
    threads: usize,
    replies: mpsc::Sender<Reply>,
    start: Instant,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    lines: Vec<Line>,
    /// Of the slice under way, and of all before it.
    effort: Effort,
    nodes_before: u64,
    told: Option<Instant>,
}

impl Collector {
    pub(super) fn new(id: u32, game: &Game, threads: usize, replies: &mpsc::Sender<Reply>) -> Self {
        Self {
            id,
            board: *game.board(),
            threads,
            replies: replies.clone(),
            start: Instant::now(),
            state: Mutex::default(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the search calls.
    pub(super) fn report(self: &Arc<Self>) -> Report {
        let collector = Arc::clone(self);
        Arc::new(move |info| {
            if let Some((line, effort)) = as_line(info) {
                collector.note(line, effort);
            }
        })
    }

    fn note(&self, line: Line, effort: Effort) {
        let mut state = self.state();
        if effort.nodes < state.effort.nodes {
            // Another slice of the same search has begun.
            state.nodes_before += state.effort.nodes;
        }
        state.effort = effort;
        let is_last = line.rank >= state.lines.len();
        match state.lines.iter_mut().find(|old| old.rank == line.rank) {
            Some(old) => *old = line,
            None => state.lines.push(line),
        }
        let is_due = state.told.is_none_or(|told| told.elapsed() >= INTERVAL);
        if is_due && is_last {
            state.told = Some(Instant::now());
            let found = self.describe(&state);
            drop(state);
            // A listener that is slow misses a message, not the last one.
            let _ = self.replies.try_send(Reply::Info { id: self.id, found });
        }
    }

    /// What was found so far.
    pub(super) fn findings(&self) -> Findings {
        self.describe(&self.state())
    }

    /// The lines as the search reported them, the best first.
    pub(super) fn raw_lines(&self) -> Vec<Line> {
        let mut lines = self.state().lines.clone();
        lines.sort_by_key(|line| line.rank);
        lines
    }

    fn describe(&self, state: &State) -> Findings {
        let mut lines: Vec<PvLine> = state.lines.iter().map(|line| self.line(line)).collect();
        lines.sort_by_key(|line| line.rank);
        let nodes = state.nodes_before + state.effort.nodes;
        let seconds = self.start.elapsed().as_secs_f64().max(1e-3);
        Findings {
            lines,
            nodes,
            nps: (nodes as f64 / seconds) as u64,
            time: self.start.elapsed().as_millis() as u64,
            fill: state.effort.table_fill.unwrap_or(0) as u32,
            threads: self.threads as u16,
        }
    }

    fn line(&self, line: &Line) -> PvLine {
        PvLine {
            rank: line.rank as u32,
            depth: line.depth,
            seldepth: line.selective_depth as u32,
            value: value(&self.board, line.score),
            moves: texts(&self.board, &line.moves),
        }
    }
}
