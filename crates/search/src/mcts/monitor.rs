// SPDX-License-Identifier: GPL-3.0-or-later
//! When a tree search ends, and what it tells on the way.
//!
//! A tree has no depth of its own. So that all that is said of depths holds here too, the depth counts
//! up by one whenever the iterations have grown by a factor that is about alpha-beta's: depths come
//! one by one, a given depth always takes the same number of iterations, and `go depth 20` takes a
//! similar time in both searches. The longest line is reported as the selective depth.

use std::time::Duration;

use chess::Move;

use super::iteration::Shared;
use super::report::TreeReader;
use crate::request::SearchRequest;
use crate::{Effort, Info, Line, MAX_PLY, Score, SearchProgress};

/// Iterations of depth zero, and their growth from depth to depth.
const DEPTH_BASE: f64 = 16.0;
const DEPTH_GROWTH: f64 = 1.6;

/// The most depths that are counted.
const MAX_DEPTH: u32 = MAX_PLY as u32 - 1;

/// Iterations before a search listens to stops and clocks, so that its move makes sense.
const FIRST_ITERATIONS: u64 = 8;

/// Iterations between two looks at the clock, and time between two thoughts about it.
const CLOCK_INTERVAL: u64 = 8;
const THOUGHT_INTERVAL: Duration = Duration::from_millis(1);

/// With a clock, an only move is played after this depth.
const ONLY_MOVE_DEPTH: u32 = 4;

/// Iterations that finish a depth.
pub(super) fn iterations_of(depth: u32) -> u64 {
    (DEPTH_BASE * DEPTH_GROWTH.powi(depth as i32)) as u64
}

/// What the first thread keeps in mind.
pub(super) struct SearchMonitor<'a> {
    request: &'a SearchRequest<'a>,
    /// Whether to report the numbers of all moves.
    shows_moves: bool,
    /// Visits of the root before the search.
    visits_before: u32,
    /// The last depth that was finished.
    depth: u32,
    checks: u64,
    last_thought: Duration,
    /// The best line of the last depth.
    best: Option<(Move, Score)>,
    stable_depths: u32,
    score_drop: i32,
    is_over: bool,
    table_hits: u64,
    deepest: usize,
}

impl<'a> SearchMonitor<'a> {
    pub(super) fn new(
        request: &'a SearchRequest<'a>,
        shows_moves: bool,
        visits_before: u32,
    ) -> Self {
        Self {
            request,
            shows_moves,
            visits_before,
            depth: 0,
            checks: 0,
            last_thought: Duration::ZERO,
            best: None,
            stable_depths: 0,
            score_drop: 0,
            is_over: false,
            table_hits: 0,
            deepest: 0,
        }
    }

    /// Whether the search shall end.
    pub(super) const fn is_over(&self) -> bool {
        self.is_over
    }

    /// Iterations of this search, by all threads.
    pub(super) fn iterations(&self, reader: TreeReader<'_>) -> u64 {
        reader.tree.root_node().visits().saturating_sub(self.visits_before).into()
    }

    /// Looks at limits and clock after an iteration, and reports depths that are finished. Whether the
    /// search shall end.
    pub(super) fn check_limits(&mut self, shared: &Shared<'_>, table_hits: u64) -> bool {
        if self.is_over {
            return true;
        }
        let reader = TreeReader { tree: shared.tree, tuning: shared.tuning, draws: shared.draws };
        self.table_hits = table_hits;
        self.deepest = shared.deepest.load(std::sync::atomic::Ordering::Relaxed);
        self.checks += 1;
        let iterations = self.iterations(reader);
        while self.depth < MAX_DEPTH && iterations >= iterations_of(self.depth + 1) {
            self.finish_depth(reader);
            self.is_over |= self.is_done(reader);
            if self.is_over {
                return true;
            }
        }
        if iterations >= FIRST_ITERATIONS || self.request.has_to_hurry() {
            self.is_over |= self.request.control.is_stopped()
                || self.checks.is_multiple_of(CLOCK_INTERVAL) && self.is_out_of_time(reader);
        }
        self.is_over
    }

    fn finish_depth(&mut self, reader: TreeReader<'_>) {
        self.depth += 1;
        let lines = self.lines(reader, self.depth);
        let effort = self.effort(reader);
        if let Some(report) = self.request.report {
            for line in &lines {
                report(Info::Line(line.clone(), effort));
            }
        }
        self.report_moves(reader);
        let Some(best) = lines.first() else { return };
        let last = self.best.replace((best.moves[0], best.score));
        let is_same = last.is_some_and(|(mv, _)| mv == best.moves[0]);
        self.stable_depths = if is_same { self.stable_depths + 1 } else { 0 };
        self.score_drop = last.map_or(0, |(_, score)| score - best.score);
    }

    /// The numbers of all moves at the end, unless they were told with the last depth.
    pub(super) fn report_last_moves(&self, reader: TreeReader<'_>) {
        if self.current_depth(reader) != self.depth {
            self.report_moves(reader);
        }
    }

    /// The numbers of all moves, if they were asked for.
    fn report_moves(&self, reader: TreeReader<'_>) {
        if let Some(report) = self.request.report.filter(|_| self.shows_moves) {
            let mut stats = reader.move_stats(reader.tree.root(), 0);
            stats.reverse();
            stats.push(reader.root_stats());
            report(Info::Moves(stats));
        }
    }

    /// The best line at the end.
    pub(super) fn last_line(&self, reader: TreeReader<'_>) -> Option<Line> {
        self.lines(reader, self.current_depth(reader)).into_iter().next()
    }

    /// The best lines as they are now, as those of a depth.
    fn lines(&self, reader: TreeReader<'_>, depth: u32) -> Vec<Line> {
        let lines = reader.lines(self.request.position.board()).map(|mut line| {
            line.depth = depth;
            line.selective_depth = self.deepest.max(line.moves.len()).max(depth as usize);
            line.score = self.request.shown_score(&line);
            line
        });
        self.request.best_of(lines)
    }

    /// The depth that was just finished, or that is in flight.
    fn current_depth(&self, reader: TreeReader<'_>) -> u32 {
        let is_between = self.iterations(reader) > iterations_of(self.depth) || self.depth == 0;
        let depth = self.depth + u32::from(is_between);
        depth.min(self.request.limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH))
    }

    pub(super) fn effort(&self, reader: TreeReader<'_>) -> Effort {
        Effort {
            nodes: self.iterations(reader),
            time: self.request.plan.elapsed(),
            table_fill: Some(reader.tree.fill()),
            table_hits: self.table_hits,
        }
    }

    /// Whether the depth that was finished is the last.
    fn is_done(&self, reader: TreeReader<'_>) -> bool {
        let limits = self.request.limits;
        let is_deep = limits.depth.is_some_and(|depth| self.depth >= depth.max(1));
        let spent = limits.soft_nodes.is_some_and(|soft| self.iterations(reader) >= soft);
        let is_only_move = self.request.plan.has_clock()
            && self.request.candidates.moves.len() == 1
            && self.depth >= ONLY_MOVE_DEPTH;
        is_deep
            || spent
            || self.request.is_timed()
                && (is_only_move || self.request.plan.is_soft_over(self.iterations(reader)))
    }

    /// Whether the clock says that it is time to move.
    fn is_out_of_time(&mut self, reader: TreeReader<'_>) -> bool {
        if !self.request.is_timed() {
            return false;
        }
        let now = self.request.plan.elapsed();
        if self.request.plan.is_over(self.iterations(reader)) {
            return true;
        }
        if !self.request.plan.has_clock() || now < self.last_thought + THOUGHT_INTERVAL {
            return false;
        }
        self.last_thought = now;
        let Some(line) = self.last_line(reader) else { return false };
        let drop = self.best.map_or(0, |(_, score)| score - line.score);
        let progress = SearchProgress {
            best_move_share: reader.share(line.moves[0]),
            stable_depths: self.stable_depths,
            score_drop: drop.max(self.score_drop),
            ..SearchProgress::default()
        };
        self.request.plan.is_enough(self.iterations(reader), progress, self.request.params)
    }
}
