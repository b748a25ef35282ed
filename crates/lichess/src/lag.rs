// SPDX-License-Identifier: GPL-3.0-or-later
//! How long moves need on their way, as measured.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// How many journeys are remembered.
const REMEMBERED: usize = 32;

/// The round trips of the latest moves, of all games together.
#[derive(Debug)]
pub(crate) struct Lag {
    least: Duration,
    trips: Mutex<VecDeque<Duration>>,
}

impl Lag {
    /// Nothing measured yet; never less than `least` will be reckoned with.
    pub(crate) const fn new(least: Duration) -> Self {
        Self { least, trips: Mutex::new(VecDeque::new()) }
    }

    /// Notes the time from sending a move to the answer.
    pub(crate) fn note(&self, trip: Duration) {
        let mut trips = self.trips.lock().unwrap_or_else(PoisonError::into_inner);
        if trips.len() == REMEMBERED {
            trips.pop_front();
        }
        trips.push_back(trip);
    }

    /// The time to reckon with: nine of ten journeys are no longer, and a quarter more.
    pub(crate) fn overhead(&self) -> Duration {
        const MOST: Duration = Duration::from_secs(5);
        let trips = self.trips.lock().unwrap_or_else(PoisonError::into_inner);
        let mut sorted: Vec<_> = trips.iter().copied().collect();
        sorted.sort_unstable();
        let measured = sorted.get(sorted.len() * 9 / 10).copied().unwrap_or_default();
        (measured * 5 / 4).clamp(self.least, MOST.max(self.least))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slow_journeys_count_and_single_ones_do_not() {
        let lag = Lag::new(Duration::from_millis(50));
        assert_eq!(lag.overhead(), Duration::from_millis(50));
        for _ in 0..31 {
            lag.note(Duration::from_millis(80));
        }
        lag.note(Duration::from_secs(9));
        assert_eq!(lag.overhead(), Duration::from_millis(100));
        for _ in 0..8 {
            lag.note(Duration::from_millis(400));
        }
        assert_eq!(lag.overhead(), Duration::from_millis(500));
    }
}
