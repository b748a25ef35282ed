// SPDX-License-Identifier: GPL-3.0-or-later
//! Kernels for x86-64 processors with AVX-512 (foundation, and bytes and words).
#![expect(unsafe_code, reason = "loads of vectors from arrays of the same size")]

use std::arch::x86_64::{
    __m512i, _mm512_add_epi32, _mm512_loadu_si512, _mm512_madd_epi16, _mm512_maddubs_epi16,
    _mm512_max_epi16, _mm512_min_epi16, _mm512_mullo_epi16, _mm512_reduce_add_epi32,
    _mm512_set1_epi16, _mm512_set1_epi32, _mm512_setzero_si512, _mm512_storeu_si512,
    _mm512_test_epi32_mask,
};

use super::{Kernels, portable};

pub(super) const KERNELS: Kernels = Kernels {
    name: "avx512",
    apply,
    screlu_dot,
    screlu_dot_wide,
    crelu,
    pairwise,
    affine,
    relu_affine,
    float: super::float_avx2::TABLE,
    rows: super::rows_avx2::TABLE,
};

#[target_feature(enable = "avx512f,avx512bw")]
fn apply(out: &mut [i16], from: &[i16], table: &[i16], on: &[u32], off: &[u32]) {
    portable::apply(out, from, table, on, off);
}

#[target_feature(enable = "avx512f,avx512bw")]
fn screlu_dot_wide(values: &[i16], weights: &[i16], max: i16) -> i64 {
    portable::screlu_dot_wide(values, weights, max)
}

#[target_feature(enable = "avx512f,avx512bw")]
fn crelu(values: &[i16], out: &mut [u8], max: i16) {
    portable::crelu(values, out, max);
}

#[target_feature(enable = "avx512f,avx512bw")]
fn pairwise(values: &[i16], out: &mut [u8]) {
    portable::pairwise(values, out);
}

#[target_feature(enable = "avx512f,avx512bw")]
fn relu_affine(values: &[i16], weights: &[i16], out: &mut [i32]) {
    portable::relu_affine(values, weights, out);
}

#[target_feature(enable = "avx512f,avx512bw")]
fn screlu_dot(values: &[i16], weights: &[i16], max: i16) -> i64 {
    let (zero, wide_max) = (_mm512_setzero_si512(), _mm512_set1_epi16(max));
    let mut total = 0;
    let blocks = values.chunks(portable::SCRELU_BLOCK).zip(weights.chunks(portable::SCRELU_BLOCK));
    for (values, weights) in blocks {
        let (values, last_values) = values.as_chunks::<32>();
        let (weights, last_weights) = weights.as_chunks::<32>();
        let mut sum = zero;
        for i in 0..values.len().min(weights.len()) {
            let value = _mm512_min_epi16(_mm512_max_epi16(load_i16(&values[i]), zero), wide_max);
            let product = _mm512_mullo_epi16(value, load_i16(&weights[i]));
            sum = _mm512_add_epi32(sum, _mm512_madd_epi16(value, product));
        }
        total += i64::from(_mm512_reduce_add_epi32(sum));
        total += i64::from(portable::screlu_block(last_values, last_weights, max));
    }
    total
}

/// Sixteen outputs, the size that matters, are kept in one register. Others are left to the portable
/// source.
#[target_feature(enable = "avx512f,avx512bw")]
fn affine(input: &[u8], weights: &[i8], out: &mut [i32]) {
    let (blocks, rest) = input.as_chunks::<64>();
    let Ok(sums) = <&mut [i32; 16]>::try_from(&mut *out) else {
        return portable::affine(input, weights, out);
    };
    let columns = weights.as_chunks::<64>().0;
    // SAFETY: 64 bytes are read from an array of 64 bytes.
    let mut total = unsafe { _mm512_loadu_si512(sums.as_ptr().cast()) };
    for (index, block) in blocks.iter().enumerate() {
        let columns = &columns[16 * index..16 * index + 16];
        // SAFETY: 64 bytes are read from an array of 64 bytes.
        let bytes = unsafe { _mm512_loadu_si512(block.as_ptr().cast()) };
        let mut bits = _mm512_test_epi32_mask(bytes, bytes);
        while bits != 0 {
            let group = bits.trailing_zeros() as usize;
            bits &= bits - 1;
            let four = i32::from_le_bytes([0, 1, 2, 3].map(|i| block[4 * group + i]));
            // SAFETY: 64 bytes are read from an array of 64 bytes.
            let column = unsafe { _mm512_loadu_si512(columns[group].as_ptr().cast()) };
            let pairs = _mm512_maddubs_epi16(_mm512_set1_epi32(four), column);
            total = _mm512_add_epi32(total, _mm512_madd_epi16(pairs, _mm512_set1_epi16(1)));
        }
    }
    // SAFETY: 64 bytes are written to an array of 64 bytes.
    unsafe { _mm512_storeu_si512(sums.as_mut_ptr().cast(), total) };
    portable::affine(rest, columns[16 * blocks.len()..].as_flattened(), sums);
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn load_i16(lanes: &[i16; 32]) -> __m512i {
    // SAFETY: 64 bytes are read from an array of 64 bytes.
    unsafe { _mm512_loadu_si512(lanes.as_ptr().cast()) }
}
