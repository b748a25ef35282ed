// SPDX-License-Identifier: GPL-3.0-or-later
//! Kernels: the few loops where the time goes, in a table chosen once by what the processor can do.
//!
//! Each kernel has one portable definition. The files for AVX2, AVX-512 and NEON replace only what
//! was measured to pay and compile the rest of the portable source again. All integer kernels give
//! the same bits on every path, so that a search counts the same nodes everywhere.
#![expect(unsafe_code, reason = "calls of functions that need processor features")]

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
pub(crate) mod float;
#[cfg(target_arch = "x86_64")]
mod float_avx2;
#[cfg(target_arch = "aarch64")]
mod neon;
mod portable;
pub(crate) mod rows;
#[cfg(target_arch = "x86_64")]
mod rows_avx2;
pub(crate) mod tail;

use std::fmt;

use tail::Tail;

type Apply = unsafe fn(&mut [i16], &[i16], &[i16], &[u32], &[u32]);
type ScreluDot = unsafe fn(&[i16], &[i16], i16) -> i64;
type Crelu = unsafe fn(&[i16], &mut [u8], i16);
type Pairwise = unsafe fn(&[i16], &mut [u8]);
type Affine = unsafe fn(&[u8], &[i8], &mut [i32]);
type ReluAffine = unsafe fn(&[i16], &[i16], &mut [i32]);
type TailForward = unsafe fn(&[i32; Tail::INPUTS], &Tail) -> f32;
type Dense = unsafe fn(&[f32], &[f32], &[f32], &mut [f32]);

/// A table of kernels, all for the same kind of processor.
///
/// Only this module makes tables, and only those that the processor can run.
///
/// ```
/// use net::Kernels;
/// let (best, plain) = (Kernels::detect(), Kernels::portable());
/// let (values, weights) = ([300, 100, -5], [10, -20, 30]);
/// assert_eq!(plain.screlu_dot(&values, &weights, 255), 255 * 255 * 10 - 100 * 100 * 20);
/// assert_eq!(best.screlu_dot(&values, &weights, 255), plain.screlu_dot(&values, &weights, 255));
/// ```
#[derive(Clone, Copy)]
pub struct Kernels {
    name: &'static str,
    apply: Apply,
    screlu_dot: ScreluDot,
    screlu_dot_wide: ScreluDot,
    crelu: Crelu,
    pairwise: Pairwise,
    affine: Affine,
    relu_affine: ReluAffine,
    dense: Dense,
    tail: TailForward,
    float: float::FloatKernels,
    rows: rows::RowKernels,
}

/// A name that no table of kernels has, or that of one which this processor cannot run.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("this processor does not support kernels `{found}`, expected {expected}")]
pub struct KernelsError {
    /// What was asked for.
    pub found: String,
    /// What this processor has.
    pub expected: String,
}

impl Kernels {
    /// The fastest table that this processor can run.
    pub fn detect() -> Self {
        Self::available().pop().expect("the portable table is always there")
    }

    /// The table that every processor can run.
    pub const fn portable() -> Self {
        portable::KERNELS
    }

    /// The table of this name: `auto`, `portable`, `avx2`, `avx512`, `avx512vnni` or `neon`.
    pub fn by_name(name: &str) -> Result<Self, KernelsError> {
        if name == "auto" {
            return Ok(Self::detect());
        }
        let available = Self::available();
        available.iter().copied().find(|kernels| kernels.name == name).ok_or_else(|| {
            let names: Vec<_> = available.iter().map(|kernels| kernels.name).collect();
            let expected = format!("auto or one of: {}", names.join(", "));
            KernelsError { found: name.to_owned(), expected }
        })
    }

    /// All tables that this processor can run, the slowest first.
    pub fn available() -> Vec<Self> {
        let mut tables = vec![Self::portable()];
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") {
                tables.push(avx2::KERNELS);
            }
            if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw") {
                tables.push(avx512::KERNELS);
                if is_x86_feature_detected!("avx512vnni") {
                    tables.push(avx512::VNNI);
                }
            }
        }
        #[cfg(target_arch = "aarch64")]
        tables.push(neon::KERNELS);
        tables
    }

    /// What the option `Kernels` calls this table.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// `out = from + rows[on] - rows[off]`, lane by lane and modulo 2¹⁶; a row of `table` is as long
    /// as `out`.
    #[inline]
    pub fn apply(&self, out: &mut [i16], from: &[i16], table: &[i16], on: &[u32], off: &[u32]) {
        // SAFETY: only tables that the processor can run are handed out.
        unsafe { (self.apply)(out, from, table, on, off) }
    }

    /// `Σ clamp(value, 0, max)² · weight`. Exact if `max` is at most 511 and `max · |weight|` at most
    /// 32,767.
    #[inline]
    pub fn screlu_dot(&self, values: &[i16], weights: &[i16], max: i16) -> i64 {
        // SAFETY: only tables that the processor can run are handed out.
        unsafe { (self.screlu_dot)(values, weights, max) }
    }

    /// `Σ clamp(value, 0, max)² · weight` for any weights. `max` is at most 255.
    #[inline]
    pub fn screlu_dot_wide(&self, values: &[i16], weights: &[i16], max: i16) -> i64 {
        // SAFETY: only tables that the processor can run are handed out.
        unsafe { (self.screlu_dot_wide)(values, weights, max) }
    }

    /// Clamps to 0 and `max`, which is at most 127.
    #[inline]
    pub fn crelu(&self, values: &[i16], out: &mut [u8], max: i16) {
        // SAFETY: only tables that the processor can run are handed out.
        unsafe { (self.crelu)(values, out, max) }
    }

    /// Multiplies the two halves of `values`, clamped to 0 and 255, and divides by 512. `out` is half
    /// as long as `values`.
    #[inline]
    pub fn pairwise(&self, values: &[i16], out: &mut [u8]) {
        // SAFETY: only tables that the processor can run are handed out.
        unsafe { (self.pairwise)(values, out) }
    }

    /// `out += weights · input`, the weights ordered `[input / 4][output][input % 4]`. Inputs are at
    /// most 127, and their number is a multiple of four.
    #[inline]
    pub fn affine(&self, input: &[u8], weights: &[i8], out: &mut [i32]) {
        // SAFETY: only tables that the processor can run are handed out.
        unsafe { (self.affine)(input, weights, out) }
    }

    /// `out += weights · max(values, 0)`, the weights ordered `[output][value]`. Exact if no sum
    /// leaves 32 bits.
    #[inline]
    pub fn relu_affine(&self, values: &[i16], weights: &[i16], out: &mut [i32]) {
        // SAFETY: only tables that the processor can run are handed out.
        unsafe { (self.relu_affine)(values, weights, out) }
    }

    /// `out = bias + weights · input`, the weights ordered `[input][output]`. Each sum is taken in the
    /// order of the inputs, so that every table gives the same bits.
    #[inline]
    pub fn dense(&self, input: &[f32], weights: &[f32], bias: &[f32], out: &mut [f32]) {
        // SAFETY: only tables that the processor can run are handed out.
        unsafe { (self.dense)(input, weights, bias, out) }
    }

    /// The output of the small layers behind these sums; every table gives the same bits.
    #[inline]
    pub(crate) fn tail(&self, sums: &[i32; Tail::INPUTS], tail: &Tail) -> f32 {
        // SAFETY: only tables that the processor can run are handed out.
        unsafe { (self.tail)(sums, tail) }
    }
}

impl Default for Kernels {
    fn default() -> Self {
        Self::detect()
    }
}

impl fmt::Debug for Kernels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Kernels({})", self.name)
    }
}
