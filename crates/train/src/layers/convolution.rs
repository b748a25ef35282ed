// SPDX-License-Identifier: GPL-3.0-or-later
//! Convolutions of 3×3 over boards of 8×8, zeros beyond the edge.

use super::vector::fused;

/// Squares of a plane.
pub const PLANE: usize = 64;
const TAPS: usize = 9;

/// A plane with a border of zeros: ten rows, in each the eight squares after one zero and before
/// others. Neighbours can be read without a question.
pub type Padded = [[f32; 16]; 10];

/// Puts planes between zeros.
pub fn pad(planes: &[f32], padded: &mut [Padded]) {
    for (plane, padded) in planes.as_chunks::<PLANE>().0.iter().zip(padded) {
        for (row, padded) in plane.as_chunks::<8>().0.iter().zip(&mut padded[1..9]) {
            padded[1..9].copy_from_slice(row);
        }
    }
}

/// A convolution with weights `[output][input][rank][file]` and a bias for each output, at its place
/// among all weights of a network.
#[derive(Clone, Debug)]
pub struct Convolution {
    inputs: usize,
    outputs: usize,
    weights: usize,
    bias: usize,
    /// The weights turned by half a turn, `[input][output]`: those of the way back.
    turned: Vec<f32>,
    /// Gradients of the weights, eight partial sums for each.
    partial: Vec<[[f32; 8]; TAPS]>,
}

impl Convolution {
    /// A convolution whose weights and bias begin there.
    pub fn new(inputs: usize, outputs: usize, weights: usize, bias: usize) -> Self {
        let pairs = inputs * outputs;
        let (turned, partial) = (vec![0.0; pairs * TAPS], vec![[[0.0; 8]; TAPS]; pairs]);
        Self { inputs, outputs, weights, bias, turned, partial }
    }

    /// How many weights there are.
    pub const fn len(inputs: usize, outputs: usize) -> usize {
        inputs * outputs * TAPS
    }

    fn weights<'a>(&self, weights: &'a [f32]) -> &'a [f32] {
        &weights[self.weights..][..Self::len(self.inputs, self.outputs)]
    }

    /// The outputs of one position.
    pub fn forward(&self, weights: &[f32], input: &[Padded], output: &mut [f32]) {
        let bias = &weights[self.bias..][..self.outputs];
        convolve(self.weights(weights), input, |index| bias[index], output);
    }

    /// To be called before [`Convolution::backward`], once for the positions of a sub-batch.
    pub fn begin_backward(&mut self, weights: &[f32]) {
        let weights = self.weights(weights);
        for (index, filter) in weights.as_chunks::<TAPS>().0.iter().enumerate() {
            let (output, input) = (index / self.inputs, index % self.inputs);
            let place = (input * self.outputs + output) * TAPS;
            for (tap, weight) in filter.iter().enumerate() {
                self.turned[place + TAPS - 1 - tap] = *weight;
            }
        }
        self.partial.fill([[0.0; 8]; TAPS]);
    }

    /// The gradients of one position's inputs from those of its outputs; the gradients of the
    /// weights are added up aside.
    pub fn backward(&mut self, input: &[Padded], deltas: &[Padded], input_deltas: &mut [f32]) {
        convolve(&self.turned, deltas, |_| 0.0, input_deltas);
        for (deltas, partial) in deltas.iter().zip(self.partial.chunks_exact_mut(self.inputs)) {
            for (plane, partial) in input.iter().zip(partial) {
                correlate(plane, deltas, partial);
            }
        }
    }

    /// Adds what [`Convolution::backward`] added up to the gradients of the weights, and the sums of
    /// all output gradients to those of the bias.
    pub fn end_backward(&self, gradients: &mut [f32], all_deltas: &[f32]) {
        let sums = self.partial.as_flattened().iter().map(|lanes| lanes.iter().sum::<f32>());
        for (gradient, sum) in gradients[self.weights..].iter_mut().zip(sums) {
            *gradient += sum;
        }
        let planes = all_deltas.as_chunks::<PLANE>().0.iter().enumerate();
        for (index, plane) in planes {
            gradients[self.bias + index % self.outputs] += plane.iter().sum::<f32>();
        }
    }
}

/// Output planes from input planes: `bias + Σ filter ∗ input`.
fn convolve(weights: &[f32], input: &[Padded], bias: impl Fn(usize) -> f32, output: &mut [f32]) {
    let filters = weights.as_chunks::<TAPS>().0;
    let (pairs, single) = output.as_chunks_mut::<{ 2 * PLANE }>();
    for (index, planes) in pairs.iter_mut().enumerate() {
        let filters = [0, 1].map(|i| &filters[(2 * index + i) * input.len()..][..input.len()]);
        let bias = [0, 1].map(|i| bias(2 * index + i));
        for half in 0..2 {
            let sums = half_board(filters, input, bias, 4 * half);
            for (i, sums) in sums.iter().enumerate() {
                let place = i * PLANE + half * PLANE / 2;
                planes[place..place + PLANE / 2].copy_from_slice(sums.as_flattened());
            }
        }
    }
    if !single.is_empty() {
        let index = 2 * pairs.len();
        let filters = [&filters[index * input.len()..][..input.len()]];
        for half in 0..2 {
            let [sums] = half_board(filters, input, [bias(index)], 4 * half);
            single[half * PLANE / 2..][..PLANE / 2].copy_from_slice(sums.as_flattened());
        }
    }
}

/// Four ranks of some output planes, whose sums stay in registers.
#[inline]
fn half_board<const N: usize>(
    filters: [&[[f32; TAPS]]; N],
    input: &[Padded],
    bias: [f32; N],
    first: usize,
) -> [[[f32; 8]; 4]; N] {
    let mut sums = bias.map(|bias| [[bias; 8]; 4]);
    for (index, plane) in input.iter().enumerate() {
        for tap in 0..TAPS {
            let (rank, file) = (first + tap / 3, tap % 3);
            for row in 0..4 {
                let squares: &[f32; 8] =
                    plane[rank + row][file..].first_chunk().expect("rows are padded");
                for (sums, filter) in sums.iter_mut().zip(filters) {
                    let weight = filter[index][tap];
                    for (sum, square) in sums[row].iter_mut().zip(squares) {
                        *sum = fused(weight, *square, *sum);
                    }
                }
            }
        }
    }
    sums
}

/// Adds the products of an output plane's gradients with the shifted input plane, by taps.
#[inline]
fn correlate(plane: &Padded, deltas: &Padded, partial: &mut [[f32; 8]; TAPS]) {
    let mut sums = *partial;
    for row in 0..8 {
        let delta: &[f32; 8] = deltas[row + 1][1..].first_chunk().expect("rows are padded");
        for (tap, sums) in sums.iter_mut().enumerate() {
            let squares: &[f32; 8] =
                plane[row + tap / 3][tap % 3..].first_chunk().expect("rows are padded");
            for ((sum, square), delta) in sums.iter_mut().zip(squares).zip(delta) {
                *sum = fused(*delta, *square, *sum);
            }
        }
    }
    *partial = sums;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layers::dot;
    use tools::Rng;

    const INPUTS: usize = 2;
    const OUTPUTS: usize = 3;

    fn padded(planes: &[f32]) -> Vec<Padded> {
        let mut padded = vec![[[0.0; 16]; 10]; planes.len() / PLANE];
        pad(planes, &mut padded);
        padded
    }

    #[test]
    fn a_filter_of_one_tap_shifts_the_board() {
        let mut weights = vec![0.0; 10];
        weights[2] = 2.0; // One rank down and one file to the right, as seen from the output.
        weights[9] = 0.5;
        let input: Vec<f32> = (0..64).map(|square| square as f32).collect();
        let mut output = vec![0.0; 64];
        Convolution::new(1, 1, 0, 9).forward(&weights, &padded(&input), &mut output);
        assert!((output[8] - (2.0 * 1.0 + 0.5)).abs() < 1e-6); // a2 from b1
        assert!((output[0] - 0.5).abs() < 1e-6); // nothing below the first rank
        assert!((output[15] - 0.5).abs() < 1e-6); // nothing beyond the h-file
    }

    #[test]
    fn gradients_are_those_of_finite_differences() {
        let mut random = Rng::new(4);
        let mut draw = |len: usize| (0..len).map(|_| random.signed_unit()).collect::<Vec<_>>();
        let bias = Convolution::len(INPUTS, OUTPUTS);
        let mut layer = Convolution::new(INPUTS, OUTPUTS, 0, bias);
        let (mut weights, mut input) = (draw(bias + OUTPUTS), draw(INPUTS * PLANE));
        let slopes = draw(OUTPUTS * PLANE);
        let value = |layer: &Convolution, weights: &[f32], input: &[f32]| {
            let mut output = vec![0.0; OUTPUTS * PLANE];
            layer.forward(weights, &padded(input), &mut output);
            f64::from(dot(&output, &slopes))
        };
        let (mut gradients, mut deltas) = (vec![0.0; weights.len()], vec![0.0; input.len()]);
        layer.begin_backward(&weights);
        layer.backward(&padded(&input), &padded(&slopes), &mut deltas);
        layer.end_backward(&mut gradients, &slopes);
        for index in 0..weights.len() {
            let before = value(&layer, &weights, &input);
            weights[index] += 0.5;
            let difference = 2.0 * (value(&layer, &weights, &input) - before);
            weights[index] -= 0.5;
            assert!((difference - f64::from(gradients[index])).abs() < 1e-3, "weight {index}");
        }
        for index in (0..input.len()).step_by(5) {
            let before = value(&layer, &weights, &input);
            input[index] += 0.5;
            let difference = 2.0 * (value(&layer, &weights, &input) - before);
            input[index] -= 0.5;
            assert!((difference - f64::from(deltas[index])).abs() < 1e-3, "input {index}");
        }
    }
}
