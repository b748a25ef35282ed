// SPDX-License-Identifier: GPL-3.0-or-later
//! When to send a move again.
//!
//! A move that did not get through is a game that is being lost on time. So it is sent again soon and
//! for as long as the game goes on, whatever the error; only a wait that the server asks for, and that
//! the clock can bear, is kept.

use std::time::Duration;

use super::{ApiError, Backoff};

/// How long to wait after this error, with this much on the clock.
pub(crate) fn move_wait(error: &ApiError, left: Duration, backoff: &mut Backoff) -> Duration {
    // Never more than a part of what is left, so that several tries fit in.
    let usual = backoff.next().min(left / 8).max(Duration::from_millis(100));
    match error {
        ApiError::TooMany { wait: Some(wait), .. } if *wait <= left / 4 => usual.max(*wait),
        _ => usual,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wait(asked: Option<u64>, left_ms: u64) -> f64 {
        let mut backoff = Backoff::new(Duration::from_millis(200), Duration::from_secs(2));
        let error = ApiError::TooMany { wait: asked.map(Duration::from_secs), limit: None };
        move_wait(&error, Duration::from_millis(left_ms), &mut backoff).as_secs_f64()
    }

    #[test]
    fn the_clock_bounds_the_wait() {
        assert!((0.1..=0.2).contains(&wait(None, 60_000)));
        assert!((0.1..=0.2).contains(&wait(None, 100)));
        assert!((0.1..=0.2).contains(&wait(Some(60), 60_000)), "a minute would lose the game");
        assert!((1.0..1.01).contains(&wait(Some(1), 60_000)), "a second can be spared");
        assert!((60.0..60.01).contains(&wait(Some(60), 600_000)));
    }

    #[test]
    fn waits_grow_but_stay_short() {
        let mut backoff = Backoff::new(Duration::from_millis(200), Duration::from_secs(2));
        let (error, left) = (ApiError::Server(502), Duration::from_secs(100));
        let waits: Vec<_> = (0..8).map(|_| move_wait(&error, left, &mut backoff)).collect();
        assert!(waits[0] <= Duration::from_millis(200) && waits[7] >= Duration::from_secs(1));
        assert!(waits.iter().all(|wait| *wait <= Duration::from_secs(2)));
    }
}
