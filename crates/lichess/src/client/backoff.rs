// SPDX-License-Identifier: GPL-3.0-or-later
//! How long to wait before trying again.

use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

/// Waits that double, with chance in them, so that many clients do not come back all at once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Backoff {
    first: Duration,
    longest: Duration,
    tries: u32,
}

impl Backoff {
    pub(crate) const fn new(first: Duration, longest: Duration) -> Self {
        Self { first, longest, tries: 0 }
    }

    /// The next wait: half of it is certain, half of it chance.
    pub(crate) fn next(&mut self) -> Duration {
        let full = self.first.saturating_mul(1 << self.tries.min(16)).min(self.longest);
        self.tries += 1;
        full.mul_f64(0.5 + 0.5 * random())
    }

    /// It worked: the next wait is short again.
    pub(crate) const fn reset(&mut self) {
        self.tries = 0;
    }
}

/// A random number from 0 to 1.
pub(crate) fn random() -> f64 {
    // Hash maps are seeded by the system, which is all the chance that is needed here.
    let bits = RandomState::new().hash_one(0u8) >> 11;
    bits as f64 / (1u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_up_to_a_limit() {
        let mut backoff = Backoff::new(Duration::from_secs(1), Duration::from_mins(1));
        for full in [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 60.0, 60.0] {
            let wait = backoff.next().as_secs_f64();
            assert!((full / 2.0..=full).contains(&wait), "{wait} of {full}");
        }
        for _ in 0..100 {
            assert!(backoff.next() <= Duration::from_mins(1));
        }
        backoff.reset();
        assert!(backoff.next() <= Duration::from_secs(1));
    }
}
