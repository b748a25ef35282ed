// SPDX-License-Identifier: GPL-3.0-or-later
//! The floating-point layers in AVX2, equal to their definitions in `float` bit by bit.
//!
//! The same source compiled for AVX2 takes twice the instructions for a convolution: the compiler
//! does not keep the eight rows of an output plane in registers.
#![expect(unsafe_code, reason = "loads and stores of vectors")]

use std::arch::x86_64::{
    __m256, _mm256_add_ps, _mm256_loadu_ps, _mm256_mul_ps, _mm256_set1_ps, _mm256_setzero_ps,
    _mm256_storeu_ps,
};

use super::float::{self, Curve, FloatKernels, Lanes, PARTIAL_SUMS, PLANE, PaddedRow, TAPS};

pub(super) const TABLE: FloatKernels = FloatKernels { conv3x3, affine, norm };

#[inline]
#[target_feature(enable = "avx2")]
fn load(floats: &[f32; 8]) -> __m256 {
    // SAFETY: the reference is valid for 32 bytes, and the load needs no alignment.
    unsafe { _mm256_loadu_ps(floats.as_ptr()) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn store(floats: &mut [f32; 8], vector: __m256) {
    // SAFETY: the reference is valid for writing 32 bytes, and the store needs no alignment.
    unsafe { _mm256_storeu_ps(floats.as_mut_ptr(), vector) }
}

/// `sum + a * b`, rounded twice.
#[inline]
#[target_feature(enable = "avx2")]
fn add_product(sum: __m256, a: __m256, b: __m256) -> __m256 {
    _mm256_add_ps(sum, _mm256_mul_ps(a, b))
}

/// See [`Kernels::conv3x3_f32`](super::Kernels::conv3x3_f32). One output plane fills eight registers; each
/// input row is loaded once and goes into the three output rows that it borders on.
#[target_feature(enable = "avx2")]
fn conv3x3(input: &[PaddedRow], weights: &[f32], bias: &[f32], output: &mut [f32]) {
    let (input, _) = input.as_chunks::<8>();
    let filters = weights.chunks_exact(input.len() * TAPS);
    let (output, _) = output.as_chunks_mut::<PLANE>();
    for ((output, filter), &bias) in output.iter_mut().zip(filters).zip(bias) {
        let mut sums = [_mm256_set1_ps(bias); 8];
        for (plane, taps) in input.iter().zip(filter.as_chunks::<TAPS>().0) {
            for file in 0..3 {
                let [below, here, above] = [0, 3, 6].map(|step| _mm256_set1_ps(taps[step + file]));
                for (rank, row) in plane.iter().enumerate() {
                    let row = load(row.shifted(file));
                    if rank < 7 {
                        sums[rank + 1] = add_product(sums[rank + 1], below, row);
                    }
                    sums[rank] = add_product(sums[rank], here, row);
                    if rank > 0 {
                        sums[rank - 1] = add_product(sums[rank - 1], above, row);
                    }
                }
            }
        }
        for (output, sum) in output.as_chunks_mut().0.iter_mut().zip(sums) {
            store(output, sum);
        }
    }
}

#[target_feature(enable = "avx2")]
fn norm(planes: &mut [f32], factors: &[f32], shifts: &[f32], curve: Curve) {
    float::norm(planes, factors, shifts, curve);
}

/// See [`Kernels::affine_f32`](super::Kernels::affine_f32). Four sums of two vectors fill eight registers.
#[target_feature(enable = "avx2")]
fn affine(input: &[f32], weights: &[Lanes], bias: &[Lanes], output: &mut [Lanes]) {
    let groups = weights.chunks_exact(input.len());
    for ((output, rows), bias) in output.iter_mut().zip(groups).zip(bias) {
        let mut sums = [[_mm256_setzero_ps(); 2]; PARTIAL_SUMS];
        let (quads, rest) = input.as_chunks::<PARTIAL_SUMS>();
        let (row_quads, row_rest) = rows.as_chunks::<PARTIAL_SUMS>();
        for (inputs, rows) in quads.iter().zip(row_quads) {
            add_products(inputs, rows, &mut sums);
        }
        add_products(rest, row_rest, &mut sums);
        let [s0, s1, s2, s3] = sums;
        let (output, bias) = (output.as_chunks_mut().0, bias.as_chunks().0);
        for v in 0..2 {
            let sum = _mm256_add_ps(_mm256_add_ps(s0[v], s1[v]), _mm256_add_ps(s2[v], s3[v]));
            store(&mut output[v], _mm256_add_ps(sum, load(&bias[v])));
        }
    }
}

/// Adds up to [`PARTIAL_SUMS`] inputs times their weights, one to each sum.
#[inline]
#[target_feature(enable = "avx2")]
fn add_products(inputs: &[f32], rows: &[Lanes], sums: &mut [[__m256; 2]; PARTIAL_SUMS]) {
    for ((&input, row), sums) in inputs.iter().zip(rows).zip(sums) {
        let input = _mm256_set1_ps(input);
        for (sum, weights) in sums.iter_mut().zip(row.as_chunks().0) {
            *sum = add_product(*sum, input, load(weights));
        }
    }
}
