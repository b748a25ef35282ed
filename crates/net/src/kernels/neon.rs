// SPDX-License-Identifier: GPL-3.0-or-later
//! Kernels for 64-bit ARM, all of which have NEON.
//!
//! The compiler vectorizes the portable source for NEON already; only the products of 16 bits need
//! help.
#![expect(unsafe_code, reason = "loads of vectors from arrays of the same size")]

use std::arch::aarch64::{
    int16x8_t, vaddvq_s32, vdupq_n_s16, vdupq_n_s32, vget_low_s16, vld1q_s16, vmaxq_s16, vminq_s16,
    vmlal_high_s16, vmlal_s16, vmulq_s16,
};

use super::{Kernels, portable};

pub(super) const KERNELS: Kernels = Kernels { name: "neon", screlu_dot, ..portable::KERNELS };

#[target_feature(enable = "neon")]
fn screlu_dot(values: &[i16], weights: &[i16], max: i16) -> i64 {
    let mut total = 0;
    let blocks = values.chunks(portable::SCRELU_BLOCK).zip(weights.chunks(portable::SCRELU_BLOCK));
    for (values, weights) in blocks {
        let (values, last_values) = values.as_chunks::<8>();
        let (weights, last_weights) = weights.as_chunks::<8>();
        let mut sum = vdupq_n_s32(0);
        for (value, weight) in values.iter().zip(weights) {
            let value = vminq_s16(vmaxq_s16(load(value), vdupq_n_s16(0)), vdupq_n_s16(max));
            let product = vmulq_s16(value, load(weight));
            sum = vmlal_s16(sum, vget_low_s16(value), vget_low_s16(product));
            sum = vmlal_high_s16(sum, value, product);
        }
        total += i64::from(vaddvq_s32(sum));
        total += i64::from(portable::screlu_block(last_values, last_weights, max));
    }
    total
}

#[inline]
#[target_feature(enable = "neon")]
fn load(lanes: &[i16; 8]) -> int16x8_t {
    // SAFETY: 16 bytes are read from an array of 16 bytes.
    unsafe { vld1q_s16(lanes.as_ptr()) }
}
