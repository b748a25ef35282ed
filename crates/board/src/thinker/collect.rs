// SPDX-License-Identifier: GPL-3.0-or-later
//! What a search reports, gathered and told to the page no more often than eyes can follow.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use chess::{Board, Game, Move};
use engine::{Answer, Effort, Event, Info, Line, Listener};
use tokio::sync::mpsc;

use super::{as_line, texts, value};
use crate::protocol::{Branch, Findings, PvLine, Reply};

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

    /// What the engine tells its events to.
    pub(super) fn listener(self: &Arc<Self>) -> Listener {
        let collector = Arc::clone(self);
        Arc::new(move |event| {
            if let Some((line, effort)) = as_line(&event) {
                collector.note(line.clone(), *effort);
            } else if let Event::Info(Info::RootNodes(moves)) = event {
                collector.tell_root(&moves);
            }
        })
    }

    /// What alpha-beta has spent on each root move, as a tree of one ply.
    fn tell_root(&self, moves: &[(Move, u64)]) {
        let child = |&(mv, visits): &(Move, u64)| {
            Some(Branch { mv: texts(&self.board, &[mv]).pop()?, visits, ..Branch::default() })
        };
        let mut children: Vec<Branch> = moves.iter().filter_map(child).collect();
        children.sort_by_key(|child| std::cmp::Reverse(child.visits));
        let visits = children.iter().map(|child| child.visits).sum();
        let node = Branch { visits, children, ..Branch::default() };
        let _ = self.replies.try_send(Reply::Tree { id: self.id, line: vec![], node });
    }

    /// What the answer says, for an engine that has told nothing else.
    pub(super) fn take(&self, answer: Answer) {
        let mut state = self.state();
        state.effort = answer.effort;
        if let Some(best) = answer.best {
            state.lines = vec![best];
        }
    }

    fn note(&self, mut line: Line, effort: Effort) {
        let mut state = self.state();
        if effort.nodes < state.effort.nodes {
            // Another slice of the same search has begun.
            state.nodes_before += state.effort.nodes;
        }
        state.effort = effort;
        let is_last = line.rank >= state.lines.len();
        let is_slice = state.nodes_before > 0;
        match state.lines.iter_mut().find(|old| old.rank == line.rank) {
            Some(old) => {
                // Each slice of a tree search counts depths anew.
                if is_slice {
                    line.depth = line.depth.max(old.depth);
                }
                *old = line;
            }
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
