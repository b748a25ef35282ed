// SPDX-License-Identifier: GPL-3.0-or-later
//! The tree search of Napoleon, one of the engines that Quincunx unites, by its own rule.
//!
//! When a position is expanded, all moves from it are evaluated at once. A move is chosen by
//!
//! ```text
//!   s · [(1 - e) · V + e · R] + ln(1 + N) / (1 + n)
//! ```
//!
//! with `s` +1 for White and -1 for Black, `V` the evaluation of the position behind the move from -1
//! to 1 in White's view, `R` the mean result of the simulations through it, `N` the visits of the
//! position and `n` those of the move; the first time only `s · V` counts. In the end the move with
//! the best bracket is played, but for mates that were seen: they are played, or shunned, as in every
//! mode.
//!
//! `V` is never backed up. With random playouts and `e` = 0.05 this is nearly a player that looks one
//! ply ahead, as Napoleon was; the other simulations make a search of it. One thread does the work,
//! whatever the number of threads: the rule knows nothing of iterations in flight.

mod tree;
mod view;

use std::fmt;

use chess::Move;

use super::leaf::LeafBox;
use super::monitor::iterations_of;
use crate::request::SearchRequest;
use crate::{Answer, Bound, Effort, Info, Line, MAX_PLY, Odds, SearchProgress, Stats};
use tree::ClassicSearch;
pub(crate) use tree::ClassicTree;

/// How a simulation ends a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Rollout {
    /// Random moves until the game is over.
    #[default]
    Random,
    /// The evaluation.
    Value,
    /// A search of captures.
    Quiescence,
}

impl Rollout {
    /// Everything that can be chosen.
    pub const ALL: [Self; 3] = [Self::Random, Self::Value, Self::Quiescence];

    /// The name of the choice.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Value => "value",
            Self::Quiescence => "qsearch",
        }
    }

    /// The choice of this name.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|rollout| rollout.name() == name)
    }
}

impl fmt::Display for Rollout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How the classic search works. The defaults are Napoleon's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClassicOptions {
    /// How much the results of simulations count against evaluations, in thousandths.
    pub exploration: u16,
    /// Iterations that end a search.
    pub iterations: u64,
    /// How simulations end.
    pub rollout: Rollout,
}

impl Default for ClassicOptions {
    fn default() -> Self {
        Self { exploration: 50, iterations: 1000, rollout: Rollout::Random }
    }
}

/// For a rule that gives no measure of how clear a decision is, the clock is told that it is neither
/// clear nor unclear.
const USUAL_PROGRESS: SearchProgress = SearchProgress {
    best_move_share: 0.6,
    stable_depths: 3,
    stable_scores: 3,
    score_drop: 0,
    search_drop: 0,
};

impl ClassicTree {
    /// Searches by the classic rule.
    pub(crate) fn think(
        &mut self,
        leaf: LeafBox<'_>,
        request: &SearchRequest<'_>,
        options: ClassicOptions,
        shows_moves: bool,
    ) -> Answer {
        let moves: Vec<Move> = request.candidates.moves.iter().map(|root| root.mv).collect();
        let mut search = ClassicSearch::new(leaf, self, options, request.position, &moves);
        let limit = request.limits.nodes.unwrap_or(u64::MAX).clamp(1, options.iterations.max(1));
        let (mut iterations, mut depth) = (0, 0);
        while iterations < limit {
            search.iterate();
            iterations += 1;
            while depth < MAX_PLY as u32 - 1 && iterations >= iterations_of(depth + 1) {
                depth += 1;
                let Some(report) = request.report else { continue };
                for line in lines(&search, request, depth) {
                    report(Info::Line(line, effort(&search, request, iterations)));
                }
            }
            if is_over(request, iterations, depth) {
                break;
            }
        }
        let is_between = iterations > iterations_of(depth) || depth == 0;
        let depth = if is_between { depth + 1 } else { depth };
        let depth = depth.min(request.limits.depth.unwrap_or(u32::MAX).max(1));
        let best = lines(&search, request, depth).into_iter().next();
        let effort = effort(&search, request, iterations);
        if shows_moves && let Some(report) = request.report {
            report(Info::Moves(self.root_moves()));
        }
        Answer { best, effort, stats: Stats::default() }
    }
}

fn is_over(request: &SearchRequest<'_>, iterations: u64, depth: u32) -> bool {
    let limits = request.limits;
    request.control.is_stopped()
        || limits.depth.is_some_and(|wanted| depth >= wanted.max(1))
        || limits.soft_nodes.is_some_and(|soft| iterations >= soft)
        || request.is_timed() && request.plan.is_enough(iterations, USUAL_PROGRESS, request.params)
}

fn effort(search: &ClassicSearch<'_, '_>, request: &SearchRequest<'_>, nodes: u64) -> Effort {
    let table_hits = search.table_hits();
    Effort { nodes, time: request.plan.elapsed(), table_fill: Some(search.fill()), table_hits }
}

/// The best lines.
fn lines(search: &ClassicSearch<'_, '_>, request: &SearchRequest<'_>, depth: u32) -> Vec<Line> {
    let odds = Odds::on(request.position.board());
    let line = |child: usize| {
        let (moves, score) = search.line(child, odds);
        let mut line = Line {
            depth,
            selective_depth: search.deepest().max(moves.len()).max(depth as usize),
            rank: 1,
            score,
            bound: Bound::Exact,
            moves,
        };
        line.score = request.shown_score(&line);
        line
    };
    request.best_of(search.ranked().into_iter().map(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back() {
        for rollout in Rollout::ALL {
            assert_eq!(Rollout::by_name(rollout.name()), Some(rollout));
        }
        assert_eq!(Rollout::by_name("net"), None);
    }
}
