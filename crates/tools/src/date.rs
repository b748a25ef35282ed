// SPDX-License-Identifier: GPL-3.0-or-later
//! Dates of the Gregorian calendar in UTC, as PGN and logs write them.

use std::time::{Duration, SystemTime};

use jiff::Timestamp;

/// A moment, to the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment(Timestamp);

impl Moment {
    /// Now, by the system's clock.
    pub fn now() -> Self {
        SystemTime::now().into()
    }

    /// Seconds since 1970; the last moment that can be written if there are more.
    pub fn from_unix(seconds: u64) -> Self {
        let seconds = i64::try_from(seconds).unwrap_or(i64::MAX);
        Self(Timestamp::from_second(seconds).unwrap_or(Timestamp::MAX))
    }

    /// The day as PGN writes it: `2026.11.19`.
    pub fn pgn_date(self) -> String {
        self.0.strftime("%Y.%m.%d").to_string()
    }

    /// The time of day: `20:15:00`.
    pub fn time_of_day(self) -> String {
        self.0.strftime("%H:%M:%S").to_string()
    }

    /// Date, time and zone: `2026-11-19T20:15:00 +0000`.
    pub fn with_zone(self) -> String {
        self.0.strftime("%Y-%m-%dT%H:%M:%S +0000").to_string()
    }
}

impl From<SystemTime> for Moment {
    fn from(time: SystemTime) -> Self {
        Self::from_unix(time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs())
    }
}

/// A duration as hours, minutes and seconds: `01:02:03`.
pub fn clock(duration: Duration) -> String {
    let seconds = duration.as_secs();
    format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_counted_right() {
        for (seconds, text) in [
            (0, "1970.01.01"),
            (86_399, "1970.01.01"),
            (86_400, "1970.01.02"),
            (951_782_400, "2000.02.29"),
            (951_868_800, "2000.03.01"),
            (1_767_225_599, "2025.12.31"),
            (1_767_225_600, "2026.01.01"),
            (4_107_542_400, "2100.03.01"),
            (1_794_787_200, "2026.11.16"),
            (u64::MAX, "9999.12.30"),
        ] {
            assert_eq!(Moment::from_unix(seconds).pgn_date(), text);
        }
        let moment = Moment::from_unix(1_700_000_000);
        assert_eq!(moment.time_of_day(), "22:13:20");
        assert_eq!(moment.with_zone(), "2023-11-14T22:13:20 +0000");
        assert_eq!(clock(Duration::from_secs(3723)), "01:02:03");
    }
}
