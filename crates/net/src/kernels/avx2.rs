// SPDX-License-Identifier: GPL-3.0-or-later
//! Kernels for x86-64 processors with AVX2.
//!
//! Adding rows is the portable source compiled again, which is as fast as intrinsics. Products of 8
//! and 16 bits are not: the compiler widens them too early.
#![expect(unsafe_code, reason = "loads of vectors from arrays of the same size")]

use std::arch::x86_64::{
    __m256i, _mm_add_epi64, _mm_cvtsi128_si64, _mm_extract_epi64, _mm256_add_epi32,
    _mm256_add_epi64, _mm256_castsi256_ps, _mm256_castsi256_si128, _mm256_cmpeq_epi32,
    _mm256_cvtepi32_epi64, _mm256_extracti128_si256, _mm256_loadu_si256, _mm256_madd_epi16,
    _mm256_maddubs_epi16, _mm256_max_epi16, _mm256_min_epi16, _mm256_movemask_ps,
    _mm256_mullo_epi16, _mm256_set1_epi16, _mm256_set1_epi32, _mm256_setzero_si256,
    _mm256_storeu_si256,
};

use super::tail::Tail;
use super::{Kernels, portable};

pub(super) const KERNELS: Kernels = Kernels {
    name: "avx2",
    apply,
    screlu_dot,
    screlu_dot_wide,
    crelu,
    pairwise,
    affine,
    relu_affine,
    dense,
    tail,
    float: super::float_avx2::TABLE,
    rows: super::rows_avx2::TABLE,
};

/// Quiet moves, the most common of all, are kept apart: their few registers need not be saved.
#[target_feature(enable = "avx2")]
fn apply(out: &mut [i16], from: &[i16], table: &[i16], on: &[u32], off: &[u32]) {
    let (&[on], &[off]) = (on, off) else { return apply_any(out, from, table, on, off) };
    let width = out.len();
    let row = |index: u32| &table[index as usize * width..][..width];
    portable::add_sub(out, from, row(on), row(off));
}

#[inline(never)]
#[target_feature(enable = "avx2")]
fn apply_any(out: &mut [i16], from: &[i16], table: &[i16], on: &[u32], off: &[u32]) {
    portable::apply(out, from, table, on, off);
}

#[target_feature(enable = "avx2")]
fn screlu_dot_wide(values: &[i16], weights: &[i16], max: i16) -> i64 {
    portable::screlu_dot_wide(values, weights, max)
}

#[target_feature(enable = "avx2")]
fn crelu(values: &[i16], out: &mut [u8], max: i16) {
    portable::crelu(values, out, max);
}

#[target_feature(enable = "avx2")]
fn pairwise(values: &[i16], out: &mut [u8]) {
    portable::pairwise(values, out);
}

#[target_feature(enable = "avx2")]
fn dense(input: &[f32], weights: &[f32], bias: &[f32], out: &mut [f32]) {
    portable::dense(input, weights, bias, out);
}

#[target_feature(enable = "avx2")]
fn tail(sums: &[i32; Tail::INPUTS], tail: &Tail) -> f32 {
    tail.forward(sums)
}

#[target_feature(enable = "avx2")]
fn relu_affine(values: &[i16], weights: &[i16], out: &mut [i32]) {
    portable::relu_affine(values, weights, out);
}

/// Each of eight sums of so many lanes fits 32 bits: 511 · (2¹⁵ − 1) · 256 / 8 < 2³¹.
const SCRELU_BLOCK: usize = 256;

#[target_feature(enable = "avx2")]
fn screlu_dot(values: &[i16], weights: &[i16], max: i16) -> i64 {
    let (blocks, rest) = values.as_chunks::<SCRELU_BLOCK>();
    let (weight_blocks, weight_rest) = weights.as_chunks::<SCRELU_BLOCK>();
    let wide_max = _mm256_set1_epi16(max);
    let mut total = _mm256_setzero_si256();
    // Plain indices: iterators over two slices at once are not inlined into such a function.
    for i in 0..blocks.len().min(weight_blocks.len()) {
        let sum = screlu_block(&blocks[i], &weight_blocks[i], wide_max);
        total = _mm256_add_epi64(total, widened(sum));
    }
    let sum = sum_i64(total);
    if rest.is_empty() { sum } else { sum + screlu_rest(rest, weight_rest, max) }
}

/// Less than a block, apart so that the common widths need not save registers for it.
#[inline(never)]
#[target_feature(enable = "avx2")]
fn screlu_rest(values: &[i16], weights: &[i16], max: i16) -> i64 {
    let (values, last_values) = values.as_chunks::<16>();
    let (weights, last_weights) = weights.as_chunks::<16>();
    let wide_max = _mm256_set1_epi16(max);
    let mut sum = _mm256_setzero_si256();
    for i in 0..values.len().min(weights.len()) {
        sum = _mm256_add_epi32(sum, screlu_term(&values[i], &weights[i], wide_max));
    }
    let last = portable::screlu_block(last_values, last_weights, max);
    sum_i64(widened(sum)) + i64::from(last)
}

/// The sums of eight classes of 256 lanes.
#[inline]
#[target_feature(enable = "avx2")]
fn screlu_block(
    values: &[i16; SCRELU_BLOCK],
    weights: &[i16; SCRELU_BLOCK],
    max: __m256i,
) -> __m256i {
    let (values, weights) = (values.as_chunks::<16>().0, weights.as_chunks::<16>().0);
    let mut sums = [_mm256_setzero_si256(); 2];
    for i in 0..8 {
        let [even, odd] = [2 * i, 2 * i + 1];
        sums[0] = _mm256_add_epi32(sums[0], screlu_term(&values[even], &weights[even], max));
        sums[1] = _mm256_add_epi32(sums[1], screlu_term(&values[odd], &weights[odd], max));
    }
    _mm256_add_epi32(sums[0], sums[1])
}

/// Sums of pairs of lanes, in twice as many bits.
#[inline]
#[target_feature(enable = "avx2")]
fn widened(sums: __m256i) -> __m256i {
    let low = _mm256_cvtepi32_epi64(_mm256_castsi256_si128(sums));
    let high = _mm256_cvtepi32_epi64(_mm256_extracti128_si256::<1>(sums));
    _mm256_add_epi64(low, high)
}

#[inline]
#[target_feature(enable = "avx2")]
fn screlu_term(value: &[i16; 16], weight: &[i16; 16], max: __m256i) -> __m256i {
    let value = _mm256_max_epi16(load_i16(value), _mm256_setzero_si256());
    let value = _mm256_min_epi16(value, max);
    _mm256_madd_epi16(value, _mm256_mullo_epi16(value, load_i16(weight)))
}

/// Sixteen outputs, the size that matters, are kept in two registers. Others are left to the portable
/// source.
#[target_feature(enable = "avx2")]
fn affine(input: &[u8], weights: &[i8], out: &mut [i32]) {
    let (blocks, rest) = input.as_chunks::<32>();
    let Ok(sums) = <&mut [i32; 16]>::try_from(&mut *out) else {
        return portable::affine(input, weights, out);
    };
    let columns = weights.as_chunks::<64>().0;
    let (low, high) = sums.split_at(8);
    let mut total = [load_i32(low), load_i32(high)];
    for (index, block) in blocks.iter().enumerate() {
        let columns = &columns[8 * index..8 * index + 8];
        let groups = block.as_chunks::<4>().0;
        let mut bits = nonzero_groups(block);
        if bits.count_ones() >= CROWDED {
            for group in 0..8 {
                total = add_products(total, groups[group], &columns[group]);
            }
            continue;
        }
        while bits != 0 {
            let group = bits.trailing_zeros() as usize;
            bits &= bits - 1;
            total = add_products(total, groups[group], &columns[group]);
        }
    }
    store_i32(&mut sums[..8], total[0]);
    store_i32(&mut sums[8..], total[1]);
    portable::affine(rest, columns[8 * blocks.len()..].as_flattened(), sums);
}

/// A bit for each of the eight groups of four bytes that is not zero.
#[inline]
#[target_feature(enable = "avx2")]
fn nonzero_groups(block: &[u8; 32]) -> u32 {
    // SAFETY: 32 bytes are read from an array of 32 bytes.
    let bytes = unsafe { _mm256_loadu_si256(block.as_ptr().cast()) };
    let is_zero = _mm256_cmpeq_epi32(bytes, _mm256_setzero_si256());
    !_mm256_movemask_ps(_mm256_castsi256_ps(is_zero)) as u32 & 0xFF
}

/// From so many of eight groups on that are not zero, multiplying all of them takes less time than
/// looking for those.
const CROWDED: u32 = 4;

/// Four products for each of sixteen outputs.
#[inline]
#[target_feature(enable = "avx2")]
fn add_products([low, high]: [__m256i; 2], four: [u8; 4], column: &[i8; 64]) -> [__m256i; 2] {
    let four = _mm256_set1_epi32(i32::from_le_bytes(four));
    let (first, second) = column.split_at(32);
    [_mm256_add_epi32(low, dot_u8i8(four, first)), _mm256_add_epi32(high, dot_u8i8(four, second))]
}

/// Four products for each of eight outputs. Bytes of at most 127 keep the sums of two within 16 bits.
#[inline]
#[target_feature(enable = "avx2")]
fn dot_u8i8(four: __m256i, column: &[i8]) -> __m256i {
    assert!(column.len() == 32, "eight outputs by four inputs");
    // SAFETY: 32 bytes are read from a slice of 32 bytes.
    let column = unsafe { _mm256_loadu_si256(column.as_ptr().cast()) };
    _mm256_madd_epi16(_mm256_maddubs_epi16(four, column), _mm256_set1_epi16(1))
}

#[inline]
#[target_feature(enable = "avx2")]
fn load_i16(lanes: &[i16; 16]) -> __m256i {
    // SAFETY: 32 bytes are read from an array of 32 bytes.
    unsafe { _mm256_loadu_si256(lanes.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn load_i32(lanes: &[i32]) -> __m256i {
    assert!(lanes.len() == 8, "eight lanes make a register");
    // SAFETY: 32 bytes are read from a slice of 32 bytes.
    unsafe { _mm256_loadu_si256(lanes.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn store_i32(lanes: &mut [i32], values: __m256i) {
    assert!(lanes.len() == 8, "eight lanes make a register");
    // SAFETY: 32 bytes are written to a slice of 32 bytes.
    unsafe { _mm256_storeu_si256(lanes.as_mut_ptr().cast(), values) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn sum_i64(lanes: __m256i) -> i64 {
    let two = _mm_add_epi64(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256::<1>(lanes));
    _mm_cvtsi128_si64(two) + _mm_extract_epi64::<1>(two)
}
