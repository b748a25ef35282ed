// SPDX-License-Identifier: GPL-3.0-or-later
//! How long to think about a move.
//!
//! Two deadlines: after the *soft* one no new depth is begun, at the *hard* one the search breaks
//! off. The soft deadline stretches when the best move keeps changing or has got few of the nodes,
//! and shrinks when it has long been clear.

use std::num::NonZeroU32;
use std::time::{Duration, Instant};

use crate::{Clock, Limits, Params};

/// What the search knows at the end of a depth that tells how clear the decision is.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct SearchProgress {
    /// The share of all nodes that went into the best move, 0 to 1.
    pub best_move_share: f64,
    /// For how many depths in a row the best move has been the same.
    pub stable_depths: u32,
    /// For how many depths in a row the score has hardly changed.
    pub stable_scores: u32,
    /// By how much the score has fallen since the depth before, in points; negative if it rose.
    pub score_drop: i32,
    /// By how much it has fallen since the search of the move before.
    pub search_drop: i32,
}

/// The deadlines of one search.
#[derive(Clone, Copy, Debug)]
pub struct TimePlan {
    start: Instant,
    /// Nodes that count as a millisecond, if they count instead of time.
    nodes_per_ms: Option<NonZeroU32>,
    /// Applied after a depth, and stretched by what it found.
    flexible: Option<Duration>,
    /// Applied after a depth, as it is.
    soft: Option<Duration>,
    hard: Option<Duration>,
}

impl TimePlan {
    /// Deadlines for a search that was asked for at `start`.
    pub fn new(start: Instant, limits: &Limits, params: &Params) -> Self {
        let budget = limits.clock.map(|clock| Budget::new(clock, limits.overhead, params));
        let hard = [budget.map(|b| b.hard), limits.move_time].into_iter().flatten().min();
        Self {
            start,
            nodes_per_ms: limits.nodes_per_ms,
            flexible: budget.map(|b| b.soft),
            soft: limits.soft_time,
            hard,
        }
    }

    /// Time since the search was asked for.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// What deadlines are compared with, after so many nodes: the time since the search was asked for, or
    /// the nodes if they count instead.
    fn spent(&self, nodes: u64) -> Duration {
        match self.nodes_per_ms {
            None => self.elapsed(),
            Some(pace) => Duration::from_secs_f64(nodes as f64 / (1000.0 * f64::from(pace.get()))),
        }
    }

    /// Whether the search must break off now, after so many nodes.
    pub fn is_over(&self, nodes: u64) -> bool {
        self.hard.is_some_and(|hard| self.spent(nodes) >= hard)
    }

    /// Time until the search must break off; `None` if it need not.
    pub(crate) fn time_left(&self, nodes: u64) -> Option<Duration> {
        self.hard.map(|hard| hard.saturating_sub(self.spent(nodes)))
    }

    /// Whether the time for which depths may be begun is over, whatever they have found.
    pub(crate) fn is_soft_over(&self, nodes: u64) -> bool {
        self.soft.is_some_and(|soft| self.spent(nodes) >= soft)
    }

    /// Whether no further depth should be begun.
    pub fn is_enough(&self, nodes: u64, progress: SearchProgress, params: &Params) -> bool {
        if self.flexible.is_none() && self.soft.is_none() && self.hard.is_none() {
            return false;
        }
        let elapsed = self.spent(nodes);
        let stretch = stretch(progress, params);
        self.flexible.is_some_and(|soft| elapsed.as_secs_f64() >= soft.as_secs_f64() * stretch)
            || self.soft.is_some_and(|soft| elapsed >= soft)
            || self.hard.is_some_and(|hard| elapsed >= hard)
    }

    /// Whether there is a clock at all: without one there is no reason to hurry.
    pub fn has_clock(&self) -> bool {
        self.flexible.is_some()
    }
}

/// By what factor the decision's clarity changes the soft deadline.
fn stretch(progress: SearchProgress, params: &Params) -> f64 {
    let percent = |value: i32| f64::from(value) / 100.0;
    let effort = if params.time_nodes_on() {
        percent(params.time_nodes_base())
            - percent(params.time_nodes_slope()) * progress.best_move_share
    } else {
        1.0
    };
    let stability = if params.time_stability_on() {
        let depths = f64::from(progress.stable_depths.min(10));
        percent(params.time_stability_base()) - percent(params.time_stability_slope()) * depths
    } else {
        1.0
    };
    let steady = f64::from(progress.stable_scores.min(10));
    let score = percent(params.time_score_base()) - percent(params.time_score_slope()) * steady;
    let drop = f64::from(progress.score_drop.clamp(-20, 60)) * percent(params.time_drop_slope());
    let search_drop =
        f64::from(progress.search_drop.clamp(-20, 60)) * percent(params.time_search_drop_slope());
    effort.max(0.3) * stability.max(0.3) * score.max(0.3) * (1.0 + (drop + search_drop) / 10.0)
}

#[derive(Clone, Copy)]
struct Budget {
    soft: Duration,
    hard: Duration,
}

impl Budget {
    fn new(clock: Clock, overhead: Duration, params: &Params) -> Self {
        let percent = |value: i32| f64::from(value) / 100.0;
        let moves = clock.moves_to_go.map_or(f64::from(params.time_moves()), |moves| {
            f64::from(moves.max(1)).min(f64::from(params.time_moves()))
        });
        // Never plan with the last instant: a clock that has run out loses, whatever the move.
        let overhead = overhead.as_secs_f64();
        let left = (clock.remaining.as_secs_f64() - overhead).max(0.001);
        // Every move that the clock must last for costs the overhead once. A clock that is shorter than
        // that reserve grows again: not even the increment is used up.
        let reserve = overhead * (1.0 + clock.moves_to_go.map_or(RESERVED_MOVES, |_| moves));
        let usable = (left - reserve).max(left * LEAST_USABLE);
        let filled = if left < reserve { left / reserve } else { 1.0 };
        let increment = clock.increment.as_secs_f64() * percent(params.time_increment()) * filled;
        let share = usable / moves + increment;
        let cap_share = percent(params.time_hard_cap());
        let cap = (usable * cap_share + increment).min(left * cap_share.max(LARGEST_SHARE));
        let hard = match clock.moves_to_go {
            Some(1) => (usable * 0.9).min(cap.max(left * LARGEST_SHARE)),
            _ => cap.min(share * percent(params.time_hard_factor())),
        };
        let soft = (share * percent(params.time_soft_factor())).min(hard);
        Self { soft: Duration::from_secs_f64(soft), hard: Duration::from_secs_f64(hard) }
    }
}

/// Moves whose overhead is kept back where the rest of the game must be played: more than are planned for,
/// since on a busy machine a move may cost the overhead several times over.
const RESERVED_MOVES: f64 = 40.0;

/// The part of the clock that is planned with where the overhead of the moves to come takes the rest.
const LEAST_USABLE: f64 = 0.1;

/// The largest part of the clock that one of several moves may take.
const LARGEST_SHARE: f64 = 0.6;

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(remaining_ms: u64, increment_ms: u64, moves_to_go: Option<u32>) -> TimePlan {
        let clock = Clock {
            remaining: Duration::from_millis(remaining_ms),
            increment: Duration::from_millis(increment_ms),
            moves_to_go,
        };
        let overhead = Duration::from_millis(10);
        let limits = Limits { clock: Some(clock), overhead, ..Limits::default() };
        TimePlan::new(Instant::now(), &limits, &Params::default())
    }

    #[test]
    fn no_deadline_lies_beyond_the_clock() {
        for remaining in [0, 1, 5, 11, 50, 1_000, 60_000, 3_600_000] {
            for increment in [0, 10, 1_000, 60_000] {
                for moves in [None, Some(1), Some(2), Some(40)] {
                    let plan = plan(remaining, increment, moves);
                    let hard = plan.hard.unwrap();
                    let usable = Duration::from_millis(remaining.saturating_sub(10).max(1));
                    assert!(hard <= usable, "{remaining} {increment} {moves:?}: {hard:?}");
                    assert!(plan.flexible.unwrap() <= hard);
                }
            }
        }
    }

    /// At a small increment a match goes on for as long as one likes: the clock must settle at a
    /// reserve that covers a machine that is busy for a tenth of a second.
    #[test]
    fn the_clock_settles_at_a_reserve() {
        for (start, increment) in [(500.0, 10.0), (1_000.0, 10.0), (100.0, 10.0), (2_000.0, 20.0)] {
            let mut remaining: f64 = start;
            for _ in 0..200 {
                let plan = plan(remaining as u64, increment as u64, None);
                // The machine takes 5 ms more than planned.
                let spent = plan.flexible.unwrap().as_secs_f64() * 1e3 + 5.0;
                remaining += increment - spent;
                let hard = plan.hard.unwrap().as_secs_f64() * 1e3;
                assert!(remaining > 0.0 && hard < 0.61 * remaining.max(1.0) + spent);
            }
            assert!(remaining >= 150.0, "{start}+{increment}: {remaining}");
        }
    }

    /// Where the clock is long, the reserve is hardly felt.
    #[test]
    fn a_long_clock_is_used() {
        let soft = plan(600_000, 5_000, None).flexible.unwrap().as_secs_f64();
        assert!((26.0..29.0).contains(&soft), "{soft}");
    }

    #[test]
    fn unclear_decisions_get_more_time() {
        let params = Params::default();
        let clear =
            SearchProgress { best_move_share: 0.95, stable_depths: 9, ..SearchProgress::default() };
        let unclear =
            SearchProgress { best_move_share: 0.3, score_drop: 40, ..SearchProgress::default() };
        assert!(stretch(clear, &params) < 1.0);
        assert!(stretch(unclear, &params) > 1.5);
    }

    #[test]
    fn nodes_count_as_time_if_asked_to() {
        let move_time = Some(Duration::from_millis(20));
        let limits = Limits { move_time, nodes_per_ms: NonZeroU32::new(500), ..Limits::default() };
        let plan = TimePlan::new(Instant::now(), &limits, &Params::default());
        assert!(!plan.is_over(9_999) && plan.is_over(10_000));
        std::thread::sleep(Duration::from_millis(25));
        assert!(!plan.is_over(9_999), "the time itself does not count");
    }

    #[test]
    fn a_move_time_is_a_hard_limit() {
        let limits = Limits { move_time: Some(Duration::ZERO), ..Limits::default() };
        assert!(TimePlan::new(Instant::now(), &limits, &Params::default()).is_over(0));
        let free = TimePlan::new(Instant::now(), &Limits::default(), &Params::default());
        assert!(!free.is_over(u64::MAX) && !free.has_clock());
    }
}
