// SPDX-License-Identifier: GPL-3.0-or-later
//! A worker that values positions for a caller that walks by itself, such as a tree search.

use std::time::Instant;

use chess::{Board, Move};

use super::correction::corrected;
use super::node::Pv;
use super::optimism::Optimism;
use super::root::RootMoves;
use super::worker::{Task, Worker};
use crate::request::SearchRequest;
use crate::{Limits, Score, TimePlan, Window};

/// Selective extensions below a leaf may go this much deeper than from a root of the same depth.
const ROOT_DEPTH: u32 = crate::MAX_PLY as u32 / 2;

/// A worker that stands on a position. Its searches have no limits but their depth, so that
/// every leaf has a value.
pub(crate) struct LeafWorker<'a> {
    worker: &'a mut Worker,
}

impl<'a> LeafWorker<'a> {
    /// Puts a worker on the root.
    pub(super) fn new(worker: &'a mut Worker, request: &SearchRequest<'_>) -> Self {
        let limits = Limits { contempt: request.limits.contempt, ..Limits::default() };
        let task = Task {
            plan: TimePlan::new(Instant::now(), &limits, request.params),
            limits: limits.into(),
            ..worker.task.clone()
        };
        let task = Task { control: std::sync::Arc::default(), counters: [].into(), ..task };
        worker.prepare(request.position, RootMoves::default(), task, request.params);
        worker.tablebases = request.tablebases.clone();
        worker.root_depth = ROOT_DEPTH;
        Self { worker }
    }

    /// The board that it stands on.
    #[inline]
    pub(crate) fn board(&self) -> &Board {
        self.worker.board()
    }

    /// Goes one move further.
    #[inline]
    pub(crate) fn make(&mut self, mv: Move) {
        self.worker.make(mv);
    }

    /// Takes the last move back.
    #[inline]
    pub(crate) fn unmake(&mut self) {
        self.worker.unmake();
    }

    /// Whether the position is a draw by repetition, as seen from the root.
    pub(crate) fn is_repetition(&self) -> bool {
        self.worker.is_repetition()
    }

    /// The tablebases' result, if they are to be asked.
    pub(crate) fn table_score(&mut self) -> Option<Score> {
        let tablebases = &self.worker.tablebases;
        if !tablebases.is_probed(self.board(), i32::MAX) {
            return None;
        }
        let (score, _) = tablebases.score(self.board(), 0)?;
        self.worker.stats.pruning.tablebase_hits += 1;
        Some(score)
    }

    /// Positions found in the tablebases.
    pub(crate) fn table_hits(&self) -> u64 {
        self.worker.stats.pruning.tablebase_hits
    }

    /// The static evaluation, drawn towards zero as the fifty-move rule comes near unless that is off.
    #[inline]
    pub(crate) fn evaluate(&mut self) -> Score {
        let raw = self.worker.raw_eval(None);
        corrected(raw, Optimism::default(), self.board(), 0, &self.worker.params)
    }

    /// The score when captures have been played out.
    pub(crate) fn quiesce(&mut self) -> Score {
        self.worker.quiescence::<Pv>(Window::FULL)
    }

    /// The score of an alpha-beta search to this depth.
    pub(crate) fn search(&mut self, depth: i32) -> Score {
        self.worker.negamax::<Pv>(Window::FULL, depth, false)
    }
}
