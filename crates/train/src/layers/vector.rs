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

/// Rows are walked in steps of so many; small layers have rows as short as that.
const SHORT: usize = 16;

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
    add_rest(&mut partial, left_rest, right_rest);
    sum(&partial)
}

/// Adds the products of less than a step.
#[inline(always)]
fn add_rest(partial: &mut [f32; LANES], left: &[f32], right: &[f32]) {
    let (left, left_rest) = left.as_chunks::<SHORT>();
    let (right, right_rest) = right.as_chunks::<SHORT>();
    let is_half = !left.is_empty() && !right.is_empty();
    if is_half {
        for lane in 0..SHORT {
            partial[lane] = fused(left[0][lane], right[0][lane], partial[lane]);
        }
    }
    let partial = if is_half { &mut partial[SHORT..] } else { &mut partial[..] };
    for ((partial, a), b) in partial.iter_mut().zip(left_rest).zip(right_rest) {
        *partial = fused(*a, *b, *partial);
    }
}

/// Rows that are added at the same time, so that the sums are loaded and stored once for all of them.
pub(super) const ROWS: usize = 4;

/// `Σ a·b` of two rows with the same values, which are loaded once for both; the bits of [`dot`].
pub(super) fn dot_pair(rows: [&[f32]; 2], values: &[f32]) -> [f32; 2] {
    let [(first, first_rest), (second, second_rest)] =
        rows.map(|row| row[..values.len()].as_chunks::<LANES>());
    let (values, values_rest) = values.as_chunks::<LANES>();
    // Two names instead of an array: the compiler keeps them in registers.
    let (mut one, mut two) = ([0.0; LANES], [0.0; LANES]);
    for ((values, first), second) in values.iter().zip(first).zip(second) {
        for lane in 0..LANES {
            one[lane] = fused(first[lane], values[lane], one[lane]);
            two[lane] = fused(second[lane], values[lane], two[lane]);
        }
    }
    add_rest(&mut one, first_rest, values_rest);
    add_rest(&mut two, second_rest, values_rest);
    [sum(&one), sum(&two)]
}

/// `sums += Σ factor·row`.
pub(super) fn add_scaled_rows(sums: &mut [f32], factors: [f32; ROWS], rows: [&[f32]; ROWS]) {
    let [a, b, c, d] = rows.map(|row| &row[..sums.len()]);
    if let Ok(short) = <&mut [f32; SHORT]>::try_from(&mut *sums) {
        // A loop over few lanes would be done one by one.
        let mut copy = *short;
        for (factor, row) in factors.into_iter().zip([a, b, c, d]) {
            copy = std::array::from_fn(|lane| fused(factor, row[lane], copy[lane]));
        }
        *short = copy;
        return;
    }
    for (index, sum) in sums.iter_mut().enumerate() {
        let half = fused(factors[1], b[index], fused(factors[0], a[index], *sum));
        *sum = fused(factors[3], d[index], fused(factors[2], c[index], half));
    }
}

/// The sum of partial sums, by halves.
#[inline(always)]
pub(super) fn sum(partial: &[f32; LANES]) -> f32 {
    let sixteen: [f32; 16] = std::array::from_fn(|lane| partial[lane] + partial[lane + 16]);
    let eight: [f32; 8] = std::array::from_fn(|lane| sixteen[lane] + sixteen[lane + 8]);
    let four: [f32; 4] = std::array::from_fn(|lane| eight[lane] + eight[lane + 4]);
    (four[0] + four[2]) + (four[1] + four[3])
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
            let both = dot_pair([&left, &right], &right);
            let apart = [dot(&left, &right), dot(&right, &right)];
            assert_eq!(both.map(f32::to_bits), apart.map(f32::to_bits), "{len}");
        }
    }
}
