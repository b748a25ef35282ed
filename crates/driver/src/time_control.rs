// SPDX-License-Identifier: GPL-3.0-or-later
//! How much time a player has: `moves/time+increment`, as match runners write it.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Longest time that is accepted, in seconds: a year.
const MAX_SECONDS: f64 = 366.0 * 24.0 * 3600.0;

/// A time control.
///
/// ```
/// use driver::TimeControl;
///
/// let tc: TimeControl = "40/1:30+0.5".parse()?;
/// assert_eq!(tc.to_string(), "40/90+0.5");
/// assert_eq!("inf".parse(), Ok(TimeControl::Unlimited));
/// assert_eq!("1+x".parse::<TimeControl>().unwrap_err().to_string(),
///     "bad time control `1+x`: expected `moves/seconds+increment`, such as 10+0.1, or `inf`");
/// # Ok::<(), driver::TimeControlError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum TimeControl {
    /// No clock at all; `inf`.
    Unlimited,
    /// A clock.
    Clock {
        /// Moves until `base` is added again; none for the whole game.
        moves: Option<u32>,
        /// Time at the start and after each period.
        base: Duration,
        /// Time added after each move.
        increment: Duration,
    },
}

/// A text that is no [`TimeControl`].
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("bad time control `{token}`: expected `moves/seconds+increment`, such as 10+0.1, or `inf`")]
pub struct TimeControlError {
    /// The whole text.
    pub token: String,
}

impl FromStr for TimeControl {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<Self, TimeControlError> {
        if text == "inf" {
            return Ok(Self::Unlimited);
        }
        parse_clock(text).ok_or_else(|| TimeControlError { token: text.to_owned() })
    }
}

fn parse_clock(text: &str) -> Option<TimeControl> {
    let (moves, rest) = match text.split_once('/') {
        Some((moves, rest)) => (Some(moves.parse().ok().filter(|&moves| moves > 0)?), rest),
        None => (None, text),
    };
    let (base, increment) = rest.split_once('+').unwrap_or((rest, "0"));
    let base = match base.split_once(':') {
        Some((minutes, seconds)) => parse_seconds(minutes)? * 60 + parse_seconds(seconds)?,
        None => parse_seconds(base)?,
    };
    let increment = parse_seconds(increment)?;
    let has_time = base > Duration::ZERO || (increment > Duration::ZERO && moves.is_none());
    has_time.then_some(TimeControl::Clock { moves, base, increment })
}

/// A number of seconds, perhaps with a fraction.
pub fn parse_seconds(text: &str) -> Option<Duration> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let seconds: f64 = text.parse().ok().filter(|_| is_plain)?;
    (seconds <= MAX_SECONDS).then(|| Duration::from_secs_f64(seconds))
}

impl TryFrom<String> for TimeControl {
    type Error = TimeControlError;

    fn try_from(text: String) -> Result<Self, TimeControlError> {
        text.parse()
    }
}

impl From<TimeControl> for String {
    fn from(tc: TimeControl) -> Self {
        tc.to_string()
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::Clock { moves, base, increment } = self else { return f.write_str("inf") };
        if let Some(moves) = moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", base.as_secs_f64())?;
        if increment.is_zero() { Ok(()) } else { write!(f, "+{}", increment.as_secs_f64()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_printed_is_read_again() {
        for text in ["inf", "1+0.01", "10", "40/60", "40/60+0.6", "0+0.1"] {
            assert_eq!(text.parse::<TimeControl>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn nonsense_is_refused() {
        for text in ["", "0", "0+0", "-1", "1+-1", "0/10", "x/10", "1e3", "NaN", "1:2:3", "9e99"] {
            assert!(text.parse::<TimeControl>().is_err(), "{text}");
        }
    }
}
