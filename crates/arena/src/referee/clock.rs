// SPDX-License-Identifier: GPL-3.0-or-later
//! A player's clock.

use std::num::NonZeroU32;
use std::time::Duration;

use driver::{Limit, TimeControl};

/// What is left for one player.
#[derive(Clone, Debug)]
pub(super) struct PlayerClock {
    limit: Limit,
    remaining: Duration,
    moves_to_go: Option<NonZeroU32>,
}

impl PlayerClock {
    pub(super) fn new(limit: &Limit) -> Self {
        let mut clock = Self { limit: limit.clone(), remaining: Duration::ZERO, moves_to_go: None };
        if let Some(TimeControl::Clock { moves, base, .. }) = limit.tc {
            clock.remaining = base;
            clock.moves_to_go = moves.and_then(NonZeroU32::new);
            if base.is_zero() {
                clock.remaining = clock.increment();
            }
        }
        clock
    }

    pub(super) fn limit(&self) -> &Limit {
        &self.limit
    }

    pub(super) fn moves_to_go(&self) -> Option<NonZeroU32> {
        self.moves_to_go
    }

    /// The time left, if there is a clock.
    pub(super) fn left(&self) -> Option<Duration> {
        self.has_time_control().then_some(self.remaining)
    }

    /// Milliseconds left, for a `go`; never less than one.
    pub(super) fn milliseconds(&self) -> Option<i64> {
        self.has_time_control().then(|| (self.remaining.as_millis() as i64).max(1))
    }

    /// The increment in milliseconds, if there is any.
    pub(super) fn increment_milliseconds(&self) -> Option<i64> {
        let increment = self.increment().as_millis() as i64;
        (increment > 0).then_some(increment)
    }

    fn increment(&self) -> Duration {
        match self.limit.tc {
            Some(TimeControl::Clock { increment, .. }) => increment,
            _ => Duration::ZERO,
        }
    }

    fn has_time_control(&self) -> bool {
        matches!(self.limit.tc, Some(TimeControl::Clock { .. }))
    }

    /// The most time that the next move may take; none if only nodes or depth bound it.
    pub(super) fn allowance(&self) -> Option<Duration> {
        let by_clock = self.has_time_control().then_some(self.remaining);
        match (by_clock, self.limit.movetime) {
            (Some(clock), Some(movetime)) => Some(clock.min(movetime)),
            (clock, movetime) => clock.or(movetime),
        }
    }

    /// Takes the time of a move from the clock and adds what the time control grants.
    pub(super) fn punch(&mut self, elapsed: Duration) {
        let Some(TimeControl::Clock { moves, base, increment }) = self.limit.tc else { return };
        self.remaining = self.remaining.saturating_sub(elapsed) + increment;
        if let Some(left) = self.moves_to_go {
            self.moves_to_go = NonZeroU32::new(left.get() - 1);
            if self.moves_to_go.is_none() {
                self.remaining += base;
                self.moves_to_go = moves.and_then(NonZeroU32::new);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(tc: &str) -> PlayerClock {
        PlayerClock::new(&Limit { tc: Some(tc.parse().unwrap()), ..Limit::default() })
    }

    #[test]
    fn increments_and_periods_are_added() {
        let mut clock = clock("2/10+1");
        assert_eq!(clock.milliseconds(), Some(10_000));
        clock.punch(Duration::from_secs(4));
        assert_eq!((clock.milliseconds(), clock.moves_to_go()), (Some(7_000), NonZeroU32::new(1)));
        clock.punch(Duration::from_secs(1));
        assert_eq!((clock.milliseconds(), clock.moves_to_go()), (Some(17_000), NonZeroU32::new(2)));
    }

    #[test]
    fn clocks_never_show_less_than_a_millisecond() {
        let mut clock = clock("1");
        clock.punch(Duration::from_secs(2));
        assert_eq!((clock.milliseconds(), clock.allowance()), (Some(1), Some(Duration::ZERO)));
    }

    #[test]
    fn without_time_there_is_no_allowance() {
        assert_eq!(PlayerClock::new(&Limit::default()).allowance(), None);
        let movetime = Some(Duration::from_millis(5));
        let limit = Limit { movetime, ..Limit::default() };
        assert_eq!(PlayerClock::new(&limit).allowance(), movetime);
        assert_eq!(clock("inf").allowance(), None);
    }
}
