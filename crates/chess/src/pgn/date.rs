// SPDX-License-Identifier: GPL-3.0-or-later
//! Days as the `Date` tag writes them.

/// The day in UTC, so many seconds after the first of January 1970, as in `2026.11.19`.
///
/// ```
/// assert_eq!(chess::pgn::date(951_782_400), "2000.02.29");
/// ```
pub fn date(seconds: u64) -> String {
    // Counts in cycles of 400 years from the first of March of the year 0.
    const DAYS_TO_EPOCH: u64 = 719_468;
    let days = seconds / 86_400 + DAYS_TO_EPOCH;
    let (cycle, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day_of_year = day - (365 * year + year / 4 - year / 100);
    let march_month = (5 * day_of_year + 2) / 153;
    let month = if march_month < 10 { march_month + 3 } else { march_month - 9 };
    let day_of_month = day_of_year - (153 * march_month + 2) / 5 + 1;
    let year = 400 * cycle + year + u64::from(month <= 2);
    format!("{year:04}.{month:02}.{day_of_month:02}")
}

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn days_follow_each_other() {
        for (seconds, text) in [
            (0, "1970.01.01"),
            (86_399, "1970.01.01"),
            (86_400, "1970.01.02"),
            (951_868_800, "2000.03.01"),
            (1_767_225_599, "2025.12.31"),
            (1_767_225_600, "2026.01.01"),
            (4_107_542_400, "2100.03.01"),
        ] {
            assert_eq!(date(seconds), text);
        }
    }
}
