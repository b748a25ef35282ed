// SPDX-License-Identifier: GPL-3.0-or-later
//! Rounding where an architecture does not round as it declares.

/// Rounds numbers times a factor to 32 bits.
pub(crate) fn to_i32(values: &[f32], factor: f32) -> Vec<i32> {
    values.iter().map(|x| (f64::from(*x) * f64::from(factor)).round() as i32).collect()
}
