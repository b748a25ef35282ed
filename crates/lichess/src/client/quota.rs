// SPDX-License-Identifier: GPL-3.0-or-later
//! Keeping within what the server allows, before it has to say so.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// So much in so long.
#[derive(Clone, Debug)]
pub(crate) struct Quota {
    most: u32,
    per: Duration,
    spent: VecDeque<(Instant, u32)>,
}

impl Quota {
    pub(crate) const fn new(most: u32, per: Duration) -> Self {
        Self { most, per, spent: VecDeque::new() }
    }

    /// How long to wait until this much may be spent.
    pub(crate) fn delay(&mut self, now: Instant, cost: u32) -> Duration {
        while self.spent.front().is_some_and(|&(at, _)| now.duration_since(at) >= self.per) {
            self.spent.pop_front();
        }
        let mut total: u32 = self.spent.iter().map(|&(_, cost)| cost).sum();
        for &(at, freed) in &self.spent {
            if total + cost <= self.most {
                break;
            }
            total -= freed;
            if total + cost <= self.most {
                return (at + self.per).saturating_duration_since(now);
            }
        }
        Duration::ZERO
    }

    /// Spends it.
    pub(crate) fn spend(&mut self, now: Instant, cost: u32) {
        self.spent.push_back((now, cost));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_spent_comes_back_in_time() {
        let (mut quota, start) = (Quota::new(5, Duration::from_mins(1)), Instant::now());
        let at = |seconds| start + Duration::from_secs(seconds);
        quota.spend(at(0), 3);
        quota.spend(at(10), 2);
        assert_eq!(quota.delay(at(20), 1), Duration::from_secs(40));
        assert_eq!(quota.delay(at(20), 4), Duration::from_secs(50));
        assert_eq!(quota.delay(at(60), 3), Duration::ZERO);
        assert_eq!(quota.delay(at(60), 4), Duration::from_secs(10));
        assert_eq!(quota.delay(at(70), 5), Duration::ZERO);
    }
}
