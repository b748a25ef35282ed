// SPDX-License-Identifier: GPL-3.0-or-later
//! Kernels for x86-64 processors with AVX-512 (foundation, and bytes and words), and with its instruction for
//! products of bytes (VNNI).
#![expect(unsafe_code, reason = "loads of vectors from arrays of the same size")]

use std::arch::x86_64::{
    __m512i, _mm512_add_epi32, _mm512_add_epi64, _mm512_castsi512_si256, _mm512_cvtepi32_epi64,
    _mm512_dpbusd_epi32, _mm512_extracti64x4_epi64, _mm512_loadu_si512, _mm512_madd_epi16,
    _mm512_maddubs_epi16, _mm512_max_epi16, _mm512_min_epi16, _mm512_mulhi_epi16,
    _mm512_mullo_epi16, _mm512_packus_epi16, _mm512_permutexvar_epi64, _mm512_reduce_add_epi64,
    _mm512_set1_epi16, _mm512_set1_epi32, _mm512_setr_epi64, _mm512_setzero_si512,
    _mm512_slli_epi16, _mm512_storeu_si512, _mm512_test_epi32_mask,
};

use super::tail::Tail;
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
    dense,
    tail,
    float: super::float_avx2::TABLE,
    rows: super::rows_avx2::TABLE,
};

pub(super) const VNNI: Kernels = Kernels { name: "avx512vnni", affine: affine_vnni, ..KERNELS };

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

/// Whole lines of bytes are stored, because the layer behind reads whole lines.
#[target_feature(enable = "avx512f,avx512bw")]
fn pairwise(values: &[i16], out: &mut [u8]) {
    let (left, right) = values.split_at(out.len());
    let (lines, rest) = out.as_chunks_mut::<64>();
    let (left, left_rest) = left.as_chunks::<64>();
    let (right, right_rest) = right.as_chunks::<64>();
    for (i, line) in lines.iter_mut().enumerate() {
        let (left, right) = (left[i].as_chunks::<32>().0, right[i].as_chunks::<32>().0);
        let low = products(&left[0], &right[0]);
        let high = products(&left[1], &right[1]);
        // Packing works within quarters of a register; the permutation brings them into order.
        let order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
        let bytes = _mm512_permutexvar_epi64(order, _mm512_packus_epi16(low, high));
        // SAFETY: 64 bytes are written to an array of 64 bytes.
        unsafe { _mm512_storeu_si512(line.as_mut_ptr().cast(), bytes) };
    }
    portable::products(left_rest, right_rest, rest);
}

/// `left · right / 512`, both clamped to 0 and 255: the upper half of `(128 · left) · right`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn products(left: &[i16; 32], right: &[i16; 32]) -> __m512i {
    let (zero, max) = (_mm512_setzero_si512(), _mm512_set1_epi16(255));
    let left = _mm512_min_epi16(_mm512_max_epi16(load_i16(left), zero), max);
    let right = _mm512_min_epi16(_mm512_max_epi16(load_i16(right), zero), max);
    _mm512_mulhi_epi16(_mm512_slli_epi16::<7>(left), right)
}

#[target_feature(enable = "avx512f,avx512bw")]
fn dense(input: &[f32], weights: &[f32], bias: &[f32], out: &mut [f32]) {
    portable::dense(input, weights, bias, out);
}

#[target_feature(enable = "avx512f,avx512bw")]
fn tail(sums: &[i32; Tail::INPUTS], tail: &Tail) -> f32 {
    tail.forward(sums)
}

#[target_feature(enable = "avx512f,avx512bw")]
fn relu_affine(values: &[i16], weights: &[i16], out: &mut [i32]) {
    portable::relu_affine(values, weights, out);
}

/// Each of sixteen sums of so many lanes fits 32 bits: 511 · (2¹⁵ − 1) · 2048 / 16 < 2³¹.
const SCRELU_BLOCK: usize = 2048;

#[target_feature(enable = "avx512f,avx512bw")]
fn screlu_dot(values: &[i16], weights: &[i16], max: i16) -> i64 {
    let (zero, wide_max) = (_mm512_setzero_si512(), _mm512_set1_epi16(max));
    let mut total = 0;
    let blocks = values.chunks(SCRELU_BLOCK).zip(weights.chunks(SCRELU_BLOCK));
    for (values, weights) in blocks {
        let (values, last_values) = values.as_chunks::<32>();
        let (weights, last_weights) = weights.as_chunks::<32>();
        let mut sum = zero;
        for i in 0..values.len().min(weights.len()) {
            let value = _mm512_min_epi16(_mm512_max_epi16(load_i16(&values[i]), zero), wide_max);
            let product = _mm512_mullo_epi16(value, load_i16(&weights[i]));
            sum = _mm512_add_epi32(sum, _mm512_madd_epi16(value, product));
        }
        let [low, high] = [_mm512_castsi512_si256(sum), _mm512_extracti64x4_epi64::<1>(sum)];
        let wide = _mm512_add_epi64(_mm512_cvtepi32_epi64(low), _mm512_cvtepi32_epi64(high));
        total += _mm512_reduce_add_epi64(wide);
        total += i64::from(portable::screlu_block(last_values, last_weights, max));
    }
    total
}

/// From so many of sixteen groups on that are not zero, multiplying all of them takes less time than
/// looking for those.
const CROWDED: u32 = 6;

/// Defines `out += weights · input` for processors with some features, given how four inputs of all
/// outputs are added. Sixteen outputs, the size that matters, are kept in one register. Others are left
/// to the portable source.
macro_rules! define_affine {
    ($name:ident, $features:literal, $add_products:ident) => {
        #[target_feature(enable = $features)]
        fn $name(input: &[u8], weights: &[i8], out: &mut [i32]) {
            let (blocks, rest) = input.as_chunks::<64>();
            let Ok(sums) = <&mut [i32; 16]>::try_from(&mut *out) else {
                return portable::affine(input, weights, out);
            };
            let columns = weights.as_chunks::<64>().0;
            let mut totals = [_mm512_setzero_si512(); 4];
            // SAFETY: 64 bytes are read from an array of 64 bytes.
            totals[0] = unsafe { _mm512_loadu_si512(sums.as_ptr().cast()) };
            for (block, columns) in blocks.iter().zip(columns.as_chunks::<16>().0) {
                // SAFETY: 64 bytes are read from an array of 64 bytes.
                let bytes = unsafe { _mm512_loadu_si512(block.as_ptr().cast()) };
                let mut bits = _mm512_test_epi32_mask(bytes, bytes);
                let groups = block.as_chunks::<4>().0;
                if bits.count_ones() >= CROWDED {
                    // Several sums, so that one addition need not wait for the other.
                    for group in 0..16 {
                        let total = &mut totals[group % 4];
                        *total = $add_products(*total, groups[group], &columns[group]);
                    }
                    continue;
                }
                while bits != 0 {
                    let group = bits.trailing_zeros() as usize;
                    bits &= bits - 1;
                    totals[0] = $add_products(totals[0], groups[group], &columns[group]);
                }
            }
            let halves = [0, 2].map(|i| _mm512_add_epi32(totals[i], totals[i + 1]));
            let total = _mm512_add_epi32(halves[0], halves[1]);
            // SAFETY: 64 bytes are written to an array of 64 bytes.
            unsafe { _mm512_storeu_si512(sums.as_mut_ptr().cast(), total) };
            portable::affine(rest, columns[16 * blocks.len()..].as_flattened(), sums);
        }
    };
}

define_affine!(affine, "avx512f,avx512bw", add_products);
define_affine!(affine_vnni, "avx512f,avx512bw,avx512vnni", add_products_at_once);

/// Four products for each of sixteen outputs. Bytes of at most 127 keep the sums of two within 16 bits.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn add_products(sum: __m512i, four: [u8; 4], column: &[i8; 64]) -> __m512i {
    let pairs = _mm512_maddubs_epi16(_mm512_set1_epi32(i32::from_le_bytes(four)), load_i8(column));
    _mm512_add_epi32(sum, _mm512_madd_epi16(pairs, _mm512_set1_epi16(1)))
}

/// The same in one instruction.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
fn add_products_at_once(sum: __m512i, four: [u8; 4], column: &[i8; 64]) -> __m512i {
    _mm512_dpbusd_epi32(sum, _mm512_set1_epi32(i32::from_le_bytes(four)), load_i8(column))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn load_i8(lanes: &[i8; 64]) -> __m512i {
    // SAFETY: 64 bytes are read from an array of 64 bytes.
    unsafe { _mm512_loadu_si512(lanes.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn load_i16(lanes: &[i16; 32]) -> __m512i {
    // SAFETY: 64 bytes are read from an array of 64 bytes.
    unsafe { _mm512_loadu_si512(lanes.as_ptr().cast()) }
}
