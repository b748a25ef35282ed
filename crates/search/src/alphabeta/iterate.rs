// SPDX-License-Identifier: GPL-3.0-or-later
//! Deeper and deeper until a limit is reached.

use super::node::Root;
use super::worker::Worker;
use crate::{Bound, Effort, Info, Line, MAX_PLY, Score, SearchProgress, Window};

/// Bounds are not worth a line before this.
const SHOW_BOUNDS_AFTER: std::time::Duration = std::time::Duration::from_secs(1);

/// With a clock, an only move is played after this depth.
const ONLY_MOVE_DEPTH: u32 = 5;

/// A last score so near to the average that the next one will be near too, in points.
const STEADY: i32 = 5;

/// The average of the scores of all depths, the later ones counting more.
fn average_of(before: Option<Score>, score: Score) -> Score {
    let before = before.filter(|before| !before.is_decisive()).unwrap_or(score);
    if score.is_decisive() {
        return score;
    }
    Score::new(i32::midpoint(before.value(), score.value()))
}

impl Worker {
    /// Searches depth by depth, and returns the best line.
    pub(super) fn iterate(&mut self) -> Line {
        let lines = self.task.limits.multi_pv.clamp(1, self.root.len());
        let last_depth = self.task.limits.depth.unwrap_or(u32::MAX).min(MAX_PLY as u32 - 1);
        let mut best = self.line_at(0, 0, Bound::Exact);
        let (mut stable_depths, mut stable_scores, mut average) = (0, 0, None);
        for depth in 1..=last_depth.max(1) {
            if self.skips_depth(depth) && depth < last_depth {
                continue;
            }
            let before = self.stats;
            self.root_depth = depth;
            self.root.settle(0);
            self.root.forget_scores();
            for index in 0..lines {
                self.search_line(index, depth, best.score, average.unwrap_or(best.score));
                if self.is_stopped {
                    break;
                }
            }
            let previous = best.clone();
            if let Some(line) = self.best_line(depth, best.score) {
                best = line;
            }
            if self.is_stopped {
                break;
            }
            average = Some(average_of(average, best.score));
            self.finished_depth = depth;
            self.publish_nodes();
            self.report_depth(depth, lines, before);
            let is_same = previous.moves.first() == best.moves.first();
            stable_depths = if is_same { stable_depths + 1 } else { 0 };
            let change = if depth > 1 { best.score - previous.score } else { 0 };
            let is_steady = change.abs() <= self.params.time_score_near();
            stable_scores = if is_steady { stable_scores + 1 } else { 0 };
            let progress = SearchProgress {
                best_move_share: self.root.share(0),
                stable_depths,
                stable_scores,
                score_drop: -change,
                search_drop: self.last_score.map_or(0, |last| last - best.score),
            };
            if self.id == 0 && self.is_done(depth, &best, progress) {
                break;
            }
        }
        self.last_score = Some(best.score);
        self.shown(best)
    }

    /// Searches one of the best lines to a depth, with a window that widens until it holds the score.
    fn search_line(&mut self, index: usize, depth: u32, last_score: Score, average: Score) {
        self.root.settle(index);
        self.selective_depth = 0;
        self.set_optimism(last_score);
        let p = &self.params;
        let is_narrow =
            p.asp_on() && depth as i32 >= p.asp_min_depth() && !last_score.is_decisive();
        let center = if p.asp_average_try() == 0 { last_score } else { average };
        let guess = if index == 0 { Some(center) } else { None };
        let is_steady = p.asp_shrink_try() != 0 && (last_score - average).abs() <= STEADY;
        let least = if is_steady { p.asp_margin() * 3 / 4 } else { p.asp_margin() };
        let mut margin = least + center.value().pow(2) / p.asp_score_divisor();
        let mut window = match guess.filter(|_| is_narrow) {
            Some(center) => Window::around(center, margin),
            None => Window::FULL,
        };
        // Each time the score is too good, the proof may be a little shallower.
        let mut failed_high = 0;
        loop {
            let searched = (depth as i32 - failed_high).max(1);
            self.root_width = window.beta - window.alpha;
            let score = self.negamax::<Root>(window, searched, false);
            self.root.sort();
            if self.is_stopped {
                return;
            }
            let bound = window.bound_of(score);
            match bound {
                Bound::Exact => return,
                Bound::Upper => {
                    failed_high = 0;
                    window.beta =
                        Score::new(i32::midpoint(window.alpha.value(), window.beta.value()));
                    window.alpha = (score - margin).max(Score::MIN);
                }
                Bound::Lower => {
                    failed_high = (failed_high + 1).min(self.params.asp_failed_high_max());
                    if self.params.asp_raise_try() != 0 {
                        window.alpha = window.alpha.max(window.beta - margin);
                    }
                    window.beta = (score + margin).min(Score::MAX);
                }
            }
            self.report_bound(index, depth, score, bound);
            margin += match bound {
                Bound::Upper => margin * self.params.asp_low_growth() / 1024,
                _ => margin / 2,
            };
            if margin > self.params.asp_full_margin() || score.is_decisive() {
                window = Window::FULL;
                failed_high = 0;
            }
        }
    }

    /// The best line so far: that of the finished depth; or, if the depth was broken off, of the moves
    /// that were searched in it, provided the best of before was among them.
    fn best_line(&mut self, depth: u32, last_score: Score) -> Option<Line> {
        if !self.is_stopped {
            self.root.sort_first(self.root.index() + 1);
        }
        self.root.get(0).score?;
        let mut line = self.line_at(0, depth, Bound::Exact);
        let plies = line.moves.len();
        let is_shown = [Score::mate_in(plies), Score::mated_in(plies)].contains(&line.score);
        if self.is_stopped && line.score.is_decisive() && !is_shown {
            // The bound of a window that was too narrow: a mate without the moves that lead to it.
            line.score = last_score;
        }
        Some(line)
    }

    fn line_at(&self, index: usize, depth: u32, bound: Bound) -> Line {
        let root = self.root.get(index);
        Line {
            depth,
            selective_depth: root.selective_depth.max(depth as usize),
            rank: index + 1,
            score: root.score.unwrap_or(Score::DRAW),
            bound,
            moves: root.line(),
        }
    }

    /// The line as people see it: what the tablebases know is better than an evaluation, but a mate is
    /// better still.
    fn shown(&self, line: Line) -> Line {
        let table_score = line.moves.first().and_then(|&mv| self.root.table_score(mv));
        match table_score.filter(|_| line.score.mate_moves().is_none()) {
            Some(score) => Line { score, bound: Bound::Exact, ..line },
            None => line,
        }
    }

    /// Whether the search has found what was asked for, or should not begin another depth.
    fn is_done(&mut self, depth: u32, best: &Line, progress: SearchProgress) -> bool {
        let limits = &self.task.limits;
        let spent = limits.soft_nodes.is_some_and(|soft| self.task.nodes() >= soft);
        let mated = limits.mate.is_some_and(|wanted| {
            best.score.mate_moves().is_some_and(|moves| moves.unsigned_abs() <= wanted)
        });
        let is_only_move =
            self.task.plan.has_clock() && self.root.len() == 1 && depth >= ONLY_MOVE_DEPTH;
        self.is_overdue =
            is_only_move || self.task.plan.is_enough(self.task.nodes(), progress, &self.params);
        spent || mated && !limits.infinite || self.is_overdue && self.task.is_timed()
    }

    fn effort(&self) -> Effort {
        Effort {
            nodes: self.task.nodes(),
            time: self.task.plan.elapsed(),
            table_fill: Some(self.table_fill()),
            table_hits: self.stats.pruning.tablebase_hits,
        }
    }

    fn report_depth(&self, depth: u32, lines: usize, before: crate::Stats) {
        if self.id != 0 {
            return;
        }
        let Some(report) = &self.task.report else { return };
        let effort = self.effort();
        for index in 0..lines {
            let line = self.shown(self.line_at(index, depth, Bound::Exact));
            report(Info::Line(line, effort));
        }
        report(Info::Depth(depth, self.stats.since(&before)));
        report(Info::RootNodes(self.root.nodes()));
    }

    fn report_bound(&self, index: usize, depth: u32, score: Score, bound: Bound) {
        if self.id != 0 {
            return;
        }
        let Some(report) = &self.task.report else { return };
        if self.task.plan.elapsed() >= SHOW_BOUNDS_AFTER {
            self.publish_nodes();
            let line = self.shown(Line { score, ..self.line_at(index, depth, bound) });
            report(Info::Line(line, self.effort()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_scores_count_more_and_mates_alone() {
        let average = average_of(None, Score::new(40));
        assert_eq!(average, Score::new(40));
        let average = average_of(Some(average), Score::new(60));
        assert_eq!(average, Score::new(50));
        assert_eq!(average_of(Some(average), Score::mate_in(5)), Score::mate_in(5));
        assert_eq!(average_of(Some(Score::mate_in(5)), Score::new(10)), Score::new(10));
    }
}
