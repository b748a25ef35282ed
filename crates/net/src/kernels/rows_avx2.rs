// SPDX-License-Identifier: GPL-3.0-or-later
//! The kernels on rows of bytes in AVX2, equal to their definitions in `rows`.
#![expect(unsafe_code, reason = "loads and stores of vectors")]

use std::arch::x86_64::{
    __m128i, __m256i, _mm_add_epi32, _mm_cvtsi128_si32, _mm_loadu_si128, _mm_shuffle_epi32,
    _mm256_add_epi16, _mm256_add_epi32, _mm256_castsi256_si128, _mm256_cvtepi8_epi16,
    _mm256_extracti128_si256, _mm256_loadu_si256, _mm256_madd_epi16, _mm256_maddubs_epi16,
    _mm256_set1_epi16, _mm256_setzero_si256, _mm256_storeu_si256,
};

use super::rows::{self, RowKernels, WIDTH_STEP};

pub(super) const TABLE: RowKernels = RowKernels { add_rows, multiply_halves, row_dots };

/// Registers that hold one tile of sums.
const REGISTERS: usize = WIDTH_STEP / 16;

/// See [`Kernels::add_rows`](super::Kernels::add_rows). A tile of sums stays in registers while all
/// rows are added to it.
#[target_feature(enable = "avx2")]
fn add_rows(sums: &mut [i16], table: &[i8], rows: &[u16]) {
    let width = sums.len();
    let (tiles, _) = sums.as_chunks_mut::<WIDTH_STEP>();
    for (tile, lanes) in tiles.iter_mut().enumerate() {
        let (lanes, _) = lanes.as_chunks_mut::<16>();
        let mut sums: [__m256i; REGISTERS] = std::array::from_fn(|i| load_i16(&lanes[i]));
        for &row in rows {
            let row = &table[usize::from(row) * width + tile * WIDTH_STEP..][..WIDTH_STEP];
            for (sum, weights) in sums.iter_mut().zip(row.as_chunks::<16>().0) {
                *sum = _mm256_add_epi16(*sum, widen(weights));
            }
        }
        for (lanes, sum) in lanes.iter_mut().zip(sums) {
            // SAFETY: 32 bytes are written to an array of 32 bytes.
            unsafe { _mm256_storeu_si256(lanes.as_mut_ptr().cast(), sum) };
        }
    }
}

#[target_feature(enable = "avx2")]
fn multiply_halves(sums: &[i16], products: &mut [u8]) {
    rows::multiply_halves(sums, products);
}

/// See [`Kernels::row_dots`](super::Kernels::row_dots). Two products of at most 127 · 128 fit 16
/// bits.
#[target_feature(enable = "avx2")]
fn row_dots(input: &[u8], table: &[i8], rows: &[u16], dots: &mut [i32]) {
    let width = input.len();
    let (input, _) = input.as_chunks::<32>();
    let ones = _mm256_set1_epi16(1);
    for (dot, &row) in dots.iter_mut().zip(rows) {
        let row = &table[usize::from(row) * width..][..width];
        let mut sum = _mm256_setzero_si256();
        for (input, weights) in input.iter().zip(row.as_chunks::<32>().0) {
            let pairs = _mm256_maddubs_epi16(load_u8(input), load_i8(weights));
            sum = _mm256_add_epi32(sum, _mm256_madd_epi16(pairs, ones));
        }
        *dot += sum_i32(sum);
    }
}

/// Sixteen bytes as sixteen words.
#[inline]
#[target_feature(enable = "avx2")]
fn widen(bytes: &[i8; 16]) -> __m256i {
    // SAFETY: 16 bytes are read from an array of 16 bytes.
    let bytes: __m128i = unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) };
    _mm256_cvtepi8_epi16(bytes)
}

#[inline]
#[target_feature(enable = "avx2")]
fn load_i16(lanes: &[i16; 16]) -> __m256i {
    // SAFETY: 32 bytes are read from an array of 32 bytes.
    unsafe { _mm256_loadu_si256(lanes.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn load_u8(bytes: &[u8; 32]) -> __m256i {
    // SAFETY: 32 bytes are read from an array of 32 bytes.
    unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn load_i8(bytes: &[i8; 32]) -> __m256i {
    // SAFETY: 32 bytes are read from an array of 32 bytes.
    unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn sum_i32(lanes: __m256i) -> i32 {
    let four = _mm_add_epi32(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256::<1>(lanes));
    let two = _mm_add_epi32(four, _mm_shuffle_epi32::<0b01_00_11_10>(four));
    _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32::<0b10_11_00_01>(two)))
}
