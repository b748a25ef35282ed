// SPDX-License-Identifier: GPL-3.0-or-later
//! Floating-point layers, in one fixed order of summation.
//!
//! Every path rounds the same sums in the same order, so that all give the same bits:
//!
//! - lanes hold different outputs, so that no sum is ever taken across a register;
//! - products are rounded before they are added. A fused multiply-add would round once, but a
//!   processor without it would have to imitate it in software, some fifty times slower.
//!
//! The functions here are the definition; `float_avx2` holds what was measured to pay beyond them.
#![expect(unsafe_code, reason = "calls of functions that need processor features")]

use super::Kernels;

type Conv3x3 = unsafe fn(&[PaddedRow], &[f32], &[f32], &mut [f32]);
type Affine = unsafe fn(&[f32], &[Lanes], &[Lanes], &mut [Lanes]);
type Norm = unsafe fn(&mut [f32], &[f32], &[f32], Curve);

/// Squares of a plane.
pub(crate) const PLANE: usize = 64;
/// Weights of one 3×3 filter for one input plane.
pub(crate) const TAPS: usize = 9;
/// Outputs of [`Kernels::affine_f32`] that are computed side by side; layers are padded to multiples of it.
pub(crate) const LANES: usize = 16;
/// One number for each of [`LANES`] outputs.
pub(crate) type Lanes = [f32; LANES];
/// How many partial sums [`Kernels::affine_f32`] keeps for each output, so that additions overlap.
pub(super) const PARTIAL_SUMS: usize = 4;

/// One rank of a plane between zeros, so that its neighbours to both sides can be read without a
/// question: a cache line with the eight squares in the middle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(64))]
pub(crate) struct PaddedRow([f32; 16]);

impl PaddedRow {
    /// Where the eight squares begin.
    const START: usize = 4;

    /// Replaces the squares between the zeros.
    fn set(&mut self, squares: &[f32; 8]) {
        self.0[Self::START..Self::START + 8].copy_from_slice(squares);
    }

    /// The rank's squares moved so that each finds its neighbour in its own place: the left one for
    /// shift 0, itself for 1, the right one for 2.
    #[inline(always)]
    pub(super) fn shifted(&self, shift: usize) -> &[f32; 8] {
        let tail = &self.0[Self::START - 1 + shift..];
        tail.first_chunk().expect("a padded row is wide enough")
    }
}

/// Fills `rows` with the ranks of `planes`, each between zeros.
pub(crate) fn pad(planes: &[f32], rows: &mut [PaddedRow]) {
    for (row, squares) in rows.iter_mut().zip(planes.as_chunks().0) {
        row.set(squares);
    }
}

/// What a layer does to its sums.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Curve {
    /// Nothing.
    Line,
    /// See [`relu`].
    Relu,
    /// See [`tanh`].
    Tanh,
}

/// The kernels of this file.
#[derive(Clone, Copy)]
pub(super) struct FloatKernels {
    pub(super) conv3x3: Conv3x3,
    pub(super) affine: Affine,
    pub(super) norm: Norm,
}

pub(super) const PORTABLE: FloatKernels = FloatKernels { conv3x3, affine, norm };

impl Kernels {
    /// A 3×3 convolution with zeros around the board: planes of eight rows in, planes of 64 out.
    ///
    /// `weights` are `[output][input][rank][file]`, with rank and file from one below to one above.
    /// Each output is its bias, plus the products by input plane, by file and by rank in this order.
    /// Products with squares beyond the first and last rank are left out, those beyond the a and h
    /// files are added as zeros.
    ///
    /// # Panics
    /// If the lengths do not fit together.
    #[inline]
    pub(crate) fn conv3x3_f32(
        &self,
        input: &[PaddedRow],
        weights: &[f32],
        bias: &[f32],
        output: &mut [f32],
    ) {
        assert!(!input.is_empty() && input.len().is_multiple_of(8), "planes have eight rows");
        assert_eq!(output.len(), bias.len() * PLANE, "one bias for each output plane");
        assert_eq!(weights.len(), bias.len() * input.len() / 8 * TAPS, "one filter for each pair");
        // SAFETY: only tables that the processor can run are handed out.
        unsafe { (self.float.conv3x3)(input, weights, bias, output) }
    }

    /// A dense layer: `output = bias + weights · input`, in groups of [`LANES`] outputs.
    ///
    /// `weights` are `[group][input][lane]`. Each output has four sums `s`, of which the one numbered
    /// `i % 4` gets the product of input `i`, first to last; the output is
    /// `((s0 + s1) + (s2 + s3)) + bias`.
    ///
    /// # Panics
    /// If the lengths do not fit together.
    #[inline]
    pub(crate) fn affine_f32(
        &self,
        input: &[f32],
        weights: &[Lanes],
        bias: &[Lanes],
        output: &mut [Lanes],
    ) {
        assert!(!input.is_empty(), "a layer has inputs");
        assert_eq!(bias.len(), output.len(), "one bias for each output");
        assert_eq!(weights.len(), input.len() * output.len(), "one weight for each pair");
        // SAFETY: only tables that the processor can run are handed out.
        unsafe { (self.float.affine)(input, weights, bias, output) }
    }

    /// Replaces each cell `x` of each plane by `curve(x) · factor + shift`, with one factor and one
    /// shift for each plane.
    ///
    /// # Panics
    /// If the lengths do not fit together.
    #[inline]
    pub(crate) fn norm_f32(
        &self,
        planes: &mut [f32],
        factors: &[f32],
        shifts: &[f32],
        curve: Curve,
    ) {
        assert_eq!(planes.len(), factors.len() * PLANE, "one factor for each plane");
        assert_eq!(shifts.len(), factors.len(), "one shift for each plane");
        // SAFETY: only tables that the processor can run are handed out.
        unsafe { (self.float.norm)(planes, factors, shifts, curve) }
    }
}

/// See [`Kernels::conv3x3_f32`].
fn conv3x3(input: &[PaddedRow], weights: &[f32], bias: &[f32], output: &mut [f32]) {
    let (input, _) = input.as_chunks::<8>();
    let filters = weights.chunks_exact(input.len() * TAPS);
    let (output, _) = output.as_chunks_mut::<PLANE>();
    for ((output, filter), &bias) in output.iter_mut().zip(filters).zip(bias) {
        output.fill(bias);
        for (plane, taps) in input.iter().zip(filter.as_chunks().0) {
            add_plane(plane, taps, output.as_chunks_mut().0);
        }
    }
}

/// Adds to an output plane what one input plane contributes.
fn add_plane(plane: &[PaddedRow; 8], taps: &[f32; TAPS], output: &mut [[f32; 8]]) {
    for (rank, output) in output.iter_mut().enumerate() {
        let mut sums = *output;
        for file in 0..3 {
            for step in 0..3 {
                let Some(row) = plane.get((rank + step).wrapping_sub(1)) else { continue };
                let weight = taps[3 * step + file];
                for (sum, square) in sums.iter_mut().zip(row.shifted(file)) {
                    *sum += weight * square;
                }
            }
        }
        *output = sums;
    }
}

/// See [`Kernels::affine_f32`].
fn affine(input: &[f32], weights: &[Lanes], bias: &[Lanes], output: &mut [Lanes]) {
    let groups = weights.chunks_exact(input.len());
    for ((output, rows), bias) in output.iter_mut().zip(groups).zip(bias) {
        let mut sums = [[0.0; LANES]; PARTIAL_SUMS];
        for (i, (&input, row)) in input.iter().zip(rows).enumerate() {
            for (sum, weight) in sums[i % PARTIAL_SUMS].iter_mut().zip(row) {
                *sum += input * weight;
            }
        }
        let [s0, s1, s2, s3] = sums;
        *output = std::array::from_fn(|k| ((s0[k] + s1[k]) + (s2[k] + s3[k])) + bias[k]);
    }
}

/// See [`Kernels::norm_f32`].
#[inline(always)]
pub(super) fn norm(planes: &mut [f32], factors: &[f32], shifts: &[f32], curve: Curve) {
    match curve {
        Curve::Line => norm_with(planes, factors, shifts, |x| x),
        Curve::Relu => norm_with(planes, factors, shifts, relu),
        Curve::Tanh => norm_with(planes, factors, shifts, tanh),
    }
}

#[inline(always)]
fn norm_with(planes: &mut [f32], factors: &[f32], shifts: &[f32], curve: impl Fn(f32) -> f32) {
    let planes = planes.as_chunks_mut::<PLANE>().0.iter_mut();
    for ((plane, factor), shift) in planes.zip(factors).zip(shifts) {
        for cell in plane {
            *cell = curve(*cell) * factor + shift;
        }
    }
}

/// The largest value of [`relu`], far above what trained networks reach: with it, no number of
/// layers can make a sum overflow.
pub(crate) const MAX_RELU: f32 = 65_536.0;

/// max(x, 0), cut off at [`MAX_RELU`].
#[inline(always)]
pub(crate) fn relu(x: f32) -> f32 {
    x.clamp(0.0, MAX_RELU)
}

/// eˣ for |x| up to 87, beyond which it stays at the border; at most 2 units in the last place off.
///
/// The power of two nearest to eˣ is put together from bits, the rest is a polynomial. Only
/// operations that every processor rounds alike are used, and loops over it can be vectorized.
#[inline(always)]
pub(crate) fn exp(x: f32) -> f32 {
    /// Adding this rounds a small number to an integer, which the lowest bits then hold.
    const ROUND: f32 = 12_582_912.0;
    /// ln 2 in two parts, the first with so few digits that its small multiples are exact.
    const LN_2: [f32; 2] = [0.693_359_4, -2.121_944_4e-4];
    /// 1/k!, highest power first.
    const FACTORIALS: [f32; 7] =
        [1.0 / 5040.0, 1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0];
    let x = x.clamp(-87.0, 87.0);
    let shifted = x * std::f32::consts::LOG2_E + ROUND;
    let power = shifted - ROUND;
    let rest = (x - power * LN_2[0]) - power * LN_2[1];
    let series = FACTORIALS.iter().fold(0.0, |sum, factor| sum * rest + factor) * rest + 1.0;
    let exponent = shifted.to_bits().wrapping_shl(23).wrapping_add(series.to_bits());
    f32::from_bits(exponent)
}

/// The hyperbolic tangent, at most 2·10⁻⁷ off.
#[inline(always)]
pub(crate) fn tanh(x: f32) -> f32 {
    let squared = exp(2.0 * x);
    1.0 - 2.0 / (squared + 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers from -2 to 2 that look random.
    fn noise(len: usize, seed: u32) -> Vec<f32> {
        let hash = |i: usize| (i as u32 ^ seed).wrapping_mul(0x9E37_79B1).rotate_left(13);
        (0..len)
            .map(|i| hash(i).wrapping_mul(0x85EB_CA6B) as f32 / 2.0_f32.powi(30) - 2.0)
            .collect()
    }

    #[test]
    fn exp_is_exact_to_the_last_places() {
        for i in -870_000..=870_000 {
            let x = i as f32 / 10_000.0;
            let exact = f64::from(x).exp();
            let error = (f64::from(exp(x)) - exact) / exact;
            assert!(error.abs() < 2.4e-7, "exp({x}) is off by {error:e}");
        }
        assert_eq!(exp(0.0).to_bits(), 1.0_f32.to_bits());
        assert_eq!(exp(1e9).to_bits(), exp(87.0).to_bits());
        assert_eq!(exp(-1e9).to_bits(), exp(-87.0).to_bits());
    }

    #[test]
    fn tanh_is_within_its_bound() {
        for i in -1_000_000..=1_000_000 {
            let x = i as f32 / 20_000.0;
            let error = f64::from(tanh(x)) - f64::from(x).tanh();
            assert!(error.abs() < 2e-7, "tanh({x}) is off by {error:e}");
        }
        assert_eq!((tanh(1e9), tanh(-1e9)), (1.0, -1.0));
    }

    #[test]
    fn a_filter_of_one_tap_moves_the_plane() {
        let plane: [f32; PLANE] = std::array::from_fn(|square| square as f32 + 1.0);
        let mut rows = [PaddedRow::default(); 8];
        pad(&plane, &mut rows);
        for tap in 0..TAPS {
            let mut weights = [0.0; TAPS];
            weights[tap] = 1.0;
            let mut moved = [0.0; PLANE];
            Kernels::portable().conv3x3_f32(&rows, &weights, &[0.5], &mut moved);
            for (square, value) in moved.into_iter().enumerate() {
                let (rank, file) = (square / 8 + tap / 3, square % 8 + tap % 3);
                let on_board = (1..=8).contains(&rank) && (1..=8).contains(&file);
                let expected = if on_board { plane[8 * (rank - 1) + file - 1] } else { 0.0 };
                let expected = expected + 0.5;
                assert_eq!(value.to_bits(), f32::to_bits(expected), "tap {tap}, square {square}");
            }
        }
    }

    #[test]
    fn affine_is_a_product_with_a_matrix() {
        for inputs in [1, 3, 4, 5, 34, 2176] {
            let (input, weights, bias) = (noise(inputs, 1), noise(inputs * 32, 2), noise(32, 3));
            let mut output = [[0.0; LANES]; 2];
            let (rows, bias_rows) = (weights.as_chunks().0, bias.as_chunks().0);
            Kernels::portable().affine_f32(&input, rows, bias_rows, &mut output);
            for (k, output) in output.into_iter().flatten().enumerate() {
                let weight = |i: usize| weights[((k / LANES) * inputs + i) * LANES + k % LANES];
                let product = |i: usize| f64::from(input[i]) * f64::from(weight(i));
                let exact = f64::from(bias[k]) + (0..inputs).map(product).sum::<f64>();
                let magnitude = 1.0 + (0..inputs).map(|i| product(i).abs()).sum::<f64>();
                assert!((f64::from(output) - exact).abs() < 1e-6 * magnitude);
            }
        }
    }

    fn bits(floats: &[f32]) -> Vec<u32> {
        floats.iter().map(|float| float.to_bits()).collect()
    }

    #[test]
    fn every_convolution_equals_the_portable_one() {
        for (inputs, outputs) in (1..=40).map(|n| (n, 41 - n)) {
            let mut rows = vec![PaddedRow::default(); 8 * inputs];
            pad(&noise(inputs * PLANE, 4), &mut rows);
            let (weights, bias) = (noise(outputs * inputs * TAPS, 5), noise(outputs, 6));
            let run = |kernels: Kernels| {
                let mut output = vec![f32::NAN; outputs * PLANE];
                kernels.conv3x3_f32(&rows, &weights, &bias, &mut output);
                bits(&output)
            };
            for kernels in Kernels::available() {
                assert_eq!(run(kernels), run(Kernels::portable()), "{kernels:?}, {inputs} inputs");
            }
        }
    }

    #[test]
    fn every_norm_equals_the_portable_one() {
        for planes in 0..=40 {
            let (cells, shifts) = (noise(planes * PLANE, 10), noise(planes, 11));
            let factors = noise(planes, 12);
            for curve in [Curve::Line, Curve::Relu, Curve::Tanh] {
                let run = |kernels: Kernels| {
                    let mut cells = cells.clone();
                    kernels.norm_f32(&mut cells, &factors, &shifts, curve);
                    bits(&cells)
                };
                for kernels in Kernels::available() {
                    assert_eq!(run(kernels), run(Kernels::portable()), "{kernels:?}, {curve:?}");
                }
            }
        }
    }

    #[test]
    fn a_norm_follows_its_curve() {
        let cases = [(Curve::Line, -3.0), (Curve::Relu, 0.0), (Curve::Tanh, tanh(-3.0))];
        for (curve, bent) in cases {
            let mut planes = [-3.0; 2 * PLANE];
            Kernels::portable().norm_f32(&mut planes, &[2.0, 4.0], &[0.5, 0.25], curve);
            assert_eq!(planes[..PLANE], [bent * 2.0 + 0.5; PLANE]);
            assert_eq!(planes[PLANE..], [bent * 4.0 + 0.25; PLANE]);
        }
        assert_eq!((relu(7.0), relu(1e20)), (7.0, MAX_RELU));
    }

    #[test]
    fn every_dense_layer_equals_the_portable_one() {
        for inputs in (1..70).chain([2176, 2179]) {
            for groups in 0..4 {
                let (input, bias) = (noise(inputs, 7), noise(groups * LANES, 8));
                let weights = noise(groups * inputs * LANES, 9);
                let run = |kernels: Kernels| {
                    let mut output = vec![[f32::NAN; LANES]; groups];
                    let (weights, bias) = (weights.as_chunks().0, bias.as_chunks().0);
                    kernels.affine_f32(&input, weights, bias, &mut output);
                    bits(output.as_flattened())
                };
                for kernels in Kernels::available() {
                    assert_eq!(run(kernels), run(Kernels::portable()), "{kernels:?}, {inputs}");
                }
            }
        }
    }
}
