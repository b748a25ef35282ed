// SPDX-License-Identifier: GPL-3.0-or-later
//! Integers as foreign programs write them.
//!
//! A clock of `1000.5` or of twenty digits is still a clock: losing the number would be worse than
//! changing it. So a reading is moved into its range, and says that it was.

/// An integer and whether the text said exactly that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reading<T> {
    pub(crate) value: T,
    /// False if the text was out of range or had a decimal point.
    pub(crate) is_exact: bool,
}

/// Reads a decimal integer, clamped to `min..=max`; `None` if the token is no number at all.
pub(crate) fn read<T>(token: &str, min: T, max: T) -> Option<Reading<T>>
where
    T: Into<i128> + TryFrom<i128>,
{
    let (is_negative, digits) = match token.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, token.strip_prefix('+').unwrap_or(token)),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !is_number(whole) || !is_number(fraction) {
        return None;
    }

    let magnitude = whole.bytes().fold(0_i128, |value, byte| {
        value.saturating_mul(10).saturating_add(i128::from(byte - b'0'))
    });
    let written = if is_negative { -magnitude } else { magnitude };
    let value = written.clamp(min.into(), max.into());
    let is_exact = value == written && !digits.contains('.');
    Some(Reading { value: T::try_from(value).ok()?, is_exact })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_i32(token: &str) -> Option<(i32, bool)> {
        read(token, i32::MIN, i32::MAX).map(|reading| (reading.value, reading.is_exact))
    }

    #[test]
    fn plain_integers_are_exact() {
        assert_eq!(read_i32("0"), Some((0, true)));
        assert_eq!(read_i32("-0"), Some((0, true)));
        assert_eq!(read_i32("+17"), Some((17, true)));
        assert_eq!(read_i32("-2147483648"), Some((i32::MIN, true)));
    }

    #[test]
    fn points_and_overflow_are_adjusted() {
        assert_eq!(read_i32("13.7"), Some((13, false)));
        assert_eq!(read_i32("13."), Some((13, false)));
        assert_eq!(read_i32("99999999999"), Some((i32::MAX, false)));
        assert_eq!(read_i32(&"9".repeat(500)), Some((i32::MAX, false)));
        assert_eq!(read_i32(&format!("-{}", "9".repeat(500))), Some((i32::MIN, false)));
        assert_eq!(read("-3", 0_u64, u64::MAX), Some(Reading { value: 0, is_exact: false }));
    }

    #[test]
    fn text_is_no_number() {
        for token in ["", "-", "+", ".", ".5", "abc", "1e6", "1.2.3", "--1", "0x10", "1,000", "٣"]
        {
            assert_eq!(read_i32(token), None, "{token}");
        }
    }
}
