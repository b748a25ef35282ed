// SPDX-License-Identifier: GPL-3.0-or-later
//! Rounding for files: numbers times a factor, to the nearest integer that fits; and back.

use net::file::TensorView;

/// Rounds to 16 bits.
pub(crate) fn to_i16(values: &[f32], factor: f32) -> Vec<i16> {
    values.iter().map(|x| (x * factor).round() as i16).collect()
}

/// Rounds to 8 bits.
pub(crate) fn to_i8(values: &[f32], factor: f32) -> Vec<i8> {
    values.iter().map(|x| (x * factor).round() as i8).collect()
}

/// Rounds to 32 bits.
pub(crate) fn to_i32(values: &[f32], factor: f32) -> Vec<i32> {
    values.iter().map(|x| (f64::from(*x) * f64::from(factor)).round() as i32).collect()
}

/// The numbers of a file's tensor, divided by the factor that they were rounded with.
pub(crate) fn from_file(tensor: TensorView<'_>, factor: f32) -> Vec<f32> {
    tensor.numbers().map(|x| (x / f64::from(factor)) as f32).collect()
}
