// SPDX-License-Identifier: GPL-3.0-or-later
//! `[matchmaking]`: which challenges are made when nobody comes.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

use super::challenge::{names, range};
use super::reader::{Section, found};
use crate::words::{Mode, Speed, Variant};

/// Which bots are challenged, and when.
#[derive(Clone, PartialEq, Debug)]
pub struct Matchmaking {
    /// Whether any are.
    pub enabled: bool,
    /// How long nothing must have been played.
    pub idle: Duration,
    /// What is offered; one of them by chance.
    pub pools: Vec<Pool>,
    /// Ratings of the opponent.
    pub rating: RangeInclusive<u32>,
    /// By how much the opponent's rating may differ from ours.
    pub rating_difference: Option<u32>,
    /// Challenges in 24 hours. Lichess counts 200, and 100 games with bots.
    pub per_day: usize,
    /// Never these names, in lower case.
    pub block: Vec<String>,
}

/// A kind of game that is offered.
#[derive(Clone, PartialEq, Debug)]
pub struct Pool {
    /// The clock.
    pub clock: ClockSetting,
    /// The variant; never from a position.
    pub variant: Variant,
    /// Rated or casual.
    pub mode: Mode,
    /// How often it is chosen, against the others.
    pub weight: u32,
}

impl Pool {
    /// The speed of its games.
    pub const fn speed(&self) -> Speed {
        Speed::of_clock(self.clock.initial, self.clock.increment)
    }
}

/// A clock, written in minutes and seconds: `3+2`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClockSetting {
    /// Seconds at the start.
    pub initial: u32,
    /// Seconds for each move.
    pub increment: u32,
}

impl ClockSetting {
    /// Whether Lichess allows it in a bot's challenge.
    const fn is_allowed(self) -> bool {
        let is_listed = matches!(self.initial, 0 | 15 | 30 | 45 | 60 | 90)
            || self.initial.is_multiple_of(60) && self.initial <= 10_800;
        let is_quarter = self.initial == 15 && self.increment == 0;
        let is_nothing = self.initial == 0 && self.increment == 0;
        is_listed && self.increment <= 60 && !is_quarter && !is_nothing
    }
}

impl FromStr for ClockSetting {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (minutes, increment) = text.split_once('+').ok_or(())?;
        let minutes: f64 = minutes.trim().parse().map_err(|_| ())?;
        let increment = increment.trim().parse().map_err(|_| ())?;
        let seconds = minutes * 60.0;
        if !(0.0..=10_800.0).contains(&seconds) || seconds.fract() != 0.0 {
            return Err(());
        }
        Some(Self { initial: seconds as u32, increment }).filter(|c| c.is_allowed()).ok_or(())
    }
}

impl fmt::Display for ClockSetting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}+{}", f64::from(self.initial) / 60.0, self.increment)
    }
}

impl Matchmaking {
    pub(super) fn read(section: Section<'_, '_>) -> Self {
        let idle = section.number("idle_seconds", 1..=86_400, 600);
        let rating = range(&section, ["min_rating", "max_rating"], 4000, &(0..=4000));
        let mut pools: Vec<_> = section.sections("pool").into_iter().map(Pool::read).collect();
        if pools.is_empty() {
            pools.push(Pool::default());
        }
        if pools.iter().all(|pool| pool.weight == 0) {
            section.wrong_section("pool", "every pool has weight 0, so none is ever chosen");
        }
        let matchmaking = Self {
            enabled: section.flag("enabled", false),
            idle: Duration::from_secs(idle as u64),
            pools,
            rating,
            rating_difference: section
                .maybe_number("rating_difference", 0..=4000)
                .map(|difference| difference as u32),
            per_day: section.number("per_day", 1..=200, 80) as usize,
            block: names(&section, "block"),
        };
        section.finish();
        matchmaking
    }
}

impl Default for Pool {
    fn default() -> Self {
        let clock = ClockSetting { initial: 180, increment: 2 };
        Self { clock, variant: Variant::Standard, mode: Mode::Rated, weight: 1 }
    }
}

impl Pool {
    fn read(section: Section<'_, '_>) -> Self {
        let default = Self::default();
        let variant = section.word("variant", default.variant);
        if variant == Variant::FromPosition {
            section.wrong_section("variant", "challenges from a position cannot be offered");
        }
        let pool = Self {
            clock: read_clock(&section).unwrap_or(default.clock),
            variant,
            mode: section.word("mode", default.mode),
            weight: section.number("weight", 0..=1000, 1) as u32,
        };
        section.finish();
        pool
    }
}

fn read_clock(section: &Section<'_, '_>) -> Option<ClockSetting> {
    let Some(value) = section.value("clock") else {
        section.wrong_section("clock", "expected a clock such as `3+2`, found nothing");
        return None;
    };
    let clock = value.get_ref().as_str().and_then(|text| text.parse().ok());
    if clock.is_none() {
        let expected = "expected minutes and seconds that Lichess allows, such as `3+2` or `0.5+0`";
        section.wrong("clock", value, format!("{expected}, found {}", found(value)));
    }
    clock
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_clocks_that_lichess_allows_are_read() {
        for (text, clock) in [
            ("3+2", Some((180, 2))),
            ("0.5+0", Some((30, 0))),
            ("1.5 + 1", Some((90, 1))),
            ("0+1", Some((0, 1))),
            ("0.25+1", Some((15, 1))),
            ("0.25+0", None),
            ("0+0", None),
            ("2.5+0", None),
            ("181+0", None),
            ("3+61", None),
            ("3", None),
            ("-3+2", None),
            ("nan+2", None),
            ("3+2+1", None),
        ] {
            let parsed = text.parse::<ClockSetting>().ok();
            assert_eq!(parsed.map(|clock| (clock.initial, clock.increment)), clock, "{text}");
        }
    }
}
