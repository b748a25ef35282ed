// SPDX-License-Identifier: GPL-3.0-or-later
//! The definition of every integer kernel, in plain Rust.
//!
//! The other tables must give the same bits. Where the compiler vectorizes these loops well, they
//! are the other tables' kernels too, compiled again for more modern processors.

use super::Kernels;
use super::tail::Tail;

pub(super) const KERNELS: Kernels = Kernels {
    name: "portable",
    apply,
    screlu_dot,
    screlu_dot_wide,
    crelu,
    pairwise,
    affine,
    relu_affine,
    dense,
    tail,
    float: super::float::PORTABLE,
    rows: super::rows::PORTABLE,
};

/// The sums of products of so many lanes fit 32 bits: 511 · (2¹⁵ − 1) · 128 < 2³¹.
pub(super) const SCRELU_BLOCK: usize = 128;

/// `out = from + rows[on] - rows[off]`, lane by lane, where a row is as long as `out`.
#[inline(always)]
pub(super) fn apply(out: &mut [i16], from: &[i16], table: &[i16], on: &[u32], off: &[u32]) {
    let width = out.len();
    let row = |index: u32| &table[index as usize * width..][..width];
    match (on, off) {
        (&[a], &[b]) => add_sub(out, from, row(a), row(b)),
        (&[a], &[b, c]) => add_sub_sub(out, from, row(a), row(b), row(c)),
        (&[a, b], &[c, d]) => add_add_sub_sub(out, from, [row(a), row(b)], [row(c), row(d)]),
        _ => {
            out.copy_from_slice(from);
            let pairs = on.len().min(off.len());
            let (on, more_on) = on.split_at(pairs);
            let (off, more_off) = off.split_at(pairs);
            for (&a, &b) in on.iter().zip(off) {
                change(out, [row(a), row(b)], |lane, [a, b]| lane.wrapping_add(a).wrapping_sub(b));
            }
            for_pairs(out, more_on, row, i16::wrapping_add);
            for_pairs(out, more_off, row, i16::wrapping_sub);
        }
    }
}

#[inline(always)]
pub(super) fn add_sub(out: &mut [i16], from: &[i16], on: &[i16], off: &[i16]) {
    let n = out.len();
    let (from, on, off) = (&from[..n], &on[..n], &off[..n]);
    for i in 0..n {
        out[i] = from[i].wrapping_add(on[i]).wrapping_sub(off[i]);
    }
}

#[inline(always)]
fn add_sub_sub(out: &mut [i16], from: &[i16], on: &[i16], off: &[i16], more: &[i16]) {
    let n = out.len();
    let (from, on, off, more) = (&from[..n], &on[..n], &off[..n], &more[..n]);
    for i in 0..n {
        out[i] = from[i].wrapping_add(on[i]).wrapping_sub(off[i]).wrapping_sub(more[i]);
    }
}

#[inline(always)]
fn add_add_sub_sub(out: &mut [i16], from: &[i16], on: [&[i16]; 2], off: [&[i16]; 2]) {
    let n = out.len();
    let (from, on, off) = (&from[..n], on.map(|row| &row[..n]), off.map(|row| &row[..n]));
    for i in 0..n {
        let gained = on[0][i].wrapping_add(on[1][i]);
        let lost = off[0][i].wrapping_add(off[1][i]);
        out[i] = from[i].wrapping_add(gained).wrapping_sub(lost);
    }
}

/// Changes every lane by the same lanes of two rows.
#[inline(always)]
fn change(out: &mut [i16], rows: [&[i16]; 2], combine: impl Fn(i16, [i16; 2]) -> i16) {
    let n = out.len();
    let rows = rows.map(|row| &row[..n]);
    for i in 0..n {
        out[i] = combine(out[i], [rows[0][i], rows[1][i]]);
    }
}

/// Applies rows two at a time, which halves the traffic to `out`.
#[inline(always)]
fn for_pairs<'a>(
    out: &mut [i16],
    indices: &[u32],
    row: impl Fn(u32) -> &'a [i16],
    combine: impl Fn(i16, i16) -> i16,
) {
    let (pairs, rest) = indices.as_chunks::<2>();
    for pair in pairs {
        change(out, pair.map(&row), |lane, [a, b]| combine(combine(lane, a), b));
    }
    for &index in rest {
        change(out, [row(index); 2], |lane, [a, _]| combine(lane, a));
    }
}

/// `Σ clamp(value, 0, max)² · weight`.
///
/// Exact if `max · |weight|` fits 16 bits and `max` is at most 511.
#[inline(always)]
pub(super) fn screlu_dot(values: &[i16], weights: &[i16], max: i16) -> i64 {
    let blocks = values.chunks(SCRELU_BLOCK).zip(weights.chunks(SCRELU_BLOCK));
    blocks.map(|(values, weights)| i64::from(screlu_block(values, weights, max))).sum()
}

#[inline(always)]
pub(super) fn screlu_block(values: &[i16], weights: &[i16], max: i16) -> i32 {
    let product = |(&value, &weight): (&i16, &i16)| {
        let value = value.clamp(0, max);
        i32::from(value) * i32::from(value.wrapping_mul(weight))
    };
    values.iter().zip(weights).map(product).fold(0, i32::wrapping_add)
}

/// `Σ clamp(value, 0, max)² · weight` for any weights, if `max` is at most 255.
#[inline(always)]
pub(super) fn screlu_dot_wide(values: &[i16], weights: &[i16], max: i16) -> i64 {
    let product = |(&value, &weight): (&i16, &i16)| {
        let value = i32::from(value.clamp(0, max));
        i64::from(value * value * i32::from(weight))
    };
    values.iter().zip(weights).map(product).sum()
}

/// Clamps to 0 and `max`, which is at most 127.
#[inline(always)]
pub(super) fn crelu(values: &[i16], out: &mut [u8], max: i16) {
    for (out, &value) in out.iter_mut().zip(values) {
        *out = value.clamp(0, max) as u8;
    }
}

/// The products of both halves' lanes, clamped to 0 and 255 before and divided by 512 after, which
/// leaves 0 to 127. `out` is half as long as `values`.
#[inline(always)]
pub(super) fn pairwise(values: &[i16], out: &mut [u8]) {
    let (left, right) = values.split_at(out.len());
    products(left, right, out);
}

/// The same of two rows apart.
#[inline(always)]
pub(super) fn products(left: &[i16], right: &[i16], out: &mut [u8]) {
    let n = out.len();
    let (left, right) = (&left[..n], &right[..n]);
    for i in 0..n {
        let [a, b] = [left[i], right[i]].map(|lane| lane.clamp(0, 255) as u16);
        out[i] = ((a * b) >> 9) as u8;
    }
}

/// `out += weights · input`. Inputs are at most 127; their number is a multiple of four.
///
/// The weights are ordered `[input / 4][output][input % 4]`, so that four inputs of zero, which are
/// common, are skipped at once.
#[inline(always)]
pub(super) fn affine(input: &[u8], weights: &[i8], out: &mut [i32]) {
    let groups = input.as_chunks::<4>().0;
    for (group, columns) in groups.iter().zip(weights.chunks(4 * out.len())) {
        if *group == [0; 4] {
            continue;
        }
        for (out, column) in out.iter_mut().zip(columns.as_chunks::<4>().0) {
            *out += (0..4).map(|i| i32::from(group[i]) * i32::from(column[i])).sum::<i32>();
        }
    }
}

/// `out = bias + weights · input`, the weights ordered `[input][output]`, each sum taken in the order of
/// the inputs. Sixteen or eight outputs are summed up at the same time, in registers.
#[inline(always)]
pub(super) fn dense(input: &[f32], weights: &[f32], bias: &[f32], out: &mut [f32]) {
    let (blocks, rest) = out.as_chunks_mut::<16>();
    let (small_blocks, last) = rest.as_chunks_mut::<8>();
    let mut first = 0;
    for block in blocks {
        *block = dense_sums(input, weights, bias, first);
        first += block.len();
    }
    for block in small_blocks {
        *block = dense_sums(input, weights, bias, first);
        first += block.len();
    }
    for out in last {
        [*out] = dense_sums(input, weights, bias, first);
        first += 1;
    }
}

/// The sums of some outputs from `first` on.
#[inline(always)]
fn dense_sums<const N: usize>(
    input: &[f32],
    weights: &[f32],
    bias: &[f32],
    first: usize,
) -> [f32; N] {
    let mut sums = [0.0; N];
    sums.copy_from_slice(&bias[first..first + N]);
    for (&x, row) in input.iter().zip(weights.chunks_exact(bias.len())) {
        let row = &row[first..first + N];
        for i in 0..N {
            sums[i] += x * row[i];
        }
    }
    sums
}

/// The small layers at a network's end.
pub(super) fn tail(sums: &[i32; Tail::INPUTS], tail: &Tail) -> f32 {
    tail.forward(sums)
}

/// `out += weights · max(values, 0)`, the weights ordered `[output][value]`.
///
/// Exact if no sum leaves 32 bits.
#[inline(always)]
pub(super) fn relu_affine(values: &[i16], weights: &[i16], out: &mut [i32]) {
    for (out, row) in out.iter_mut().zip(weights.chunks(values.len().max(1))) {
        let product = |(&value, &weight): (&i16, &i16)| i32::from(value.max(0)) * i32::from(weight);
        *out = values.iter().zip(row).map(product).fold(*out, i32::wrapping_add);
    }
}
