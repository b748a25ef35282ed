// SPDX-License-Identifier: GPL-3.0-or-later
//! The few loops over floats that all dense work comes down to.

/// How many partial sums a dot product keeps, so that additions need not wait for each other.
const LANES: usize = 32;

/// `a·b + c`, in one rounding where the processor has an instruction for it: elsewhere the one
/// rounding would cost a call.
#[inline(always)]
pub fn fused(a: f32, b: f32, c: f32) -> f32 {
    if cfg!(target_feature = "fma") { a.mul_add(b, c) } else { a * b + c }
}

/// `Σ a·b`.
pub fn dot(left: &[f32], right: &[f32]) -> f32 {
    let (left, left_rest) = left.as_chunks::<LANES>();
    let (right, right_rest) = right.as_chunks::<LANES>();
    let mut partial = [0.0; LANES];
    for (left, right) in left.iter().zip(right) {
        for ((partial, a), b) in partial.iter_mut().zip(left).zip(right) {
            *partial = fused(*a, *b, *partial);
        }
    }
    for ((partial, a), b) in partial.iter_mut().zip(left_rest).zip(right_rest) {
        *partial = fused(*a, *b, *partial);
    }
    sum(&mut partial)
}

/// Rows that are added at the same time, so that the sums are loaded and stored once for all of them.
pub(super) const ROWS: usize = 4;

/// `Σ a·b` of several rows with the same values, which are loaded once for all; the bits of [`dot`].
pub(super) fn dot_rows(rows: [&[f32]; ROWS], values: &[f32]) -> [f32; ROWS] {
    let rows = rows.map(|row| row[..values.len()].as_chunks::<LANES>());
    let (values, values_rest) = values.as_chunks::<LANES>();
    let mut partial = [[0.0; LANES]; ROWS];
    for (index, values) in values.iter().enumerate() {
        for (partial, (row, _)) in partial.iter_mut().zip(rows) {
            for ((partial, a), b) in partial.iter_mut().zip(&row[index]).zip(values) {
                *partial = fused(*a, *b, *partial);
            }
        }
    }
    for (partial, (_, rest)) in partial.iter_mut().zip(rows) {
        for ((partial, a), b) in partial.iter_mut().zip(rest).zip(values_rest) {
            *partial = fused(*a, *b, *partial);
        }
    }
    partial.each_mut().map(sum)
}

/// `sums += Σ factor·row`.
pub(super) fn add_scaled_rows(sums: &mut [f32], factors: [f32; ROWS], rows: [&[f32]; ROWS]) {
    let rows = rows.map(|row| &row[..sums.len()]);
    for (index, sum) in sums.iter_mut().enumerate() {
        for (factor, row) in factors.into_iter().zip(rows) {
            *sum = fused(factor, row[index], *sum);
        }
    }
}

/// The sum of partial sums, by halves.
pub(super) fn sum(partial: &mut [f32; LANES]) -> f32 {
    let mut len = LANES / 2;
    while len > 0 {
        let (low, high) = partial.split_at_mut(len);
        low.iter_mut().zip(high).for_each(|(low, high)| *low += *high);
        len /= 2;
    }
    partial[0]
}

/// `sums += factor · values`.
#[inline]
pub fn add_scaled(sums: &mut [f32], factor: f32, values: &[f32]) {
    for (sum, value) in sums.iter_mut().zip(values) {
        *sum = fused(factor, *value, *sum);
    }
}

/// `sums += values`.
#[inline]
pub fn add(sums: &mut [f32], values: &[f32]) {
    for (sum, value) in sums.iter_mut().zip(values) {
        *sum += value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_of_every_length() {
        for len in 0..100 {
            let left: Vec<f32> = (0..len).map(|i| i as f32 - 3.0).collect();
            let right: Vec<f32> = (0..len).map(|i| 0.5 * i as f32 + 1.0).collect();
            let expected: f32 = left.iter().zip(&right).map(|(a, b)| a * b).sum();
            assert!((dot(&left, &right) - expected).abs() <= 1e-6 * expected.abs(), "{len}");
            let four = dot_rows([&left, &right, &left, &left], &right);
            assert_eq!(
                [four[0], four[1]].map(f32::to_bits),
                [dot(&left, &right), dot(&right, &right)].map(f32::to_bits)
            );
        }
    }
}
