// SPDX-License-Identifier: GPL-3.0-or-later
//! Dense layers, one position at a time: buckets and kings choose other weights for every position.

use std::ops::Range;

use super::vector::{ROWS, add, add_scaled, add_scaled_rows, dot, dot_pair};

/// `W·x + b` or `W·x`, the weights `[output][input]`, at its place among all weights of a network.
#[derive(Clone, Copy, Debug)]
pub struct Dense {
    inputs: usize,
    outputs: usize,
    weights: usize,
    bias: Option<usize>,
}

impl Dense {
    /// A layer whose weights begin at `weights`, and its bias, if it has one, at `bias`.
    pub const fn new(inputs: usize, outputs: usize, weights: usize, bias: Option<usize>) -> Self {
        Self { inputs, outputs, weights, bias }
    }

    /// The layer of the same size that follows so many others: its weights behind their weights, its
    /// bias behind their biases.
    #[inline]
    #[must_use]
    pub fn set(self, index: usize) -> Self {
        Self {
            weights: self.weights + index * self.inputs * self.outputs,
            bias: self.bias.map(|bias| bias + index * self.outputs),
            ..self
        }
    }

    /// How many inputs it has.
    pub const fn inputs(&self) -> usize {
        self.inputs
    }

    /// How many outputs it has.
    pub const fn outputs(&self) -> usize {
        self.outputs
    }

    /// Its weights among all.
    pub fn weights_of<'a>(&self, weights: &'a [f32]) -> &'a [f32] {
        &weights[self.weight_range()]
    }

    /// Its bias among all weights; nothing if it has none.
    pub fn bias_of<'a>(&self, weights: &'a [f32]) -> &'a [f32] {
        self.bias.map_or(&[], |bias| &weights[bias..bias + self.outputs])
    }

    const fn weight_range(&self) -> Range<usize> {
        self.weights..self.weights + self.inputs * self.outputs
    }

    /// `output += W·input + b`.
    pub fn forward(&self, weights: &[f32], input: &[f32], output: &mut [f32]) {
        if let Some(bias) = self.bias {
            add(output, &weights[bias..bias + self.outputs]);
        }
        let weights = &weights[self.weight_range()];
        let (pairs, rest) = output.as_chunks_mut::<2>();
        let (pairs_of_rows, last) = weights.split_at(2 * pairs.len() * self.inputs);
        for (pair, rows) in pairs.iter_mut().zip(pairs_of_rows.chunks_exact(2 * self.inputs)) {
            let (first, second) = rows.split_at(self.inputs);
            add(pair, &dot_pair([first, second], input));
        }
        for output in rest {
            *output += dot(last, input);
        }
    }

    /// Adds the gradients of weights and bias, given those of the outputs, and adds those of the
    /// inputs to `input_deltas`.
    pub fn backward(
        &self,
        weights: &[f32],
        gradients: &mut [f32],
        input: &[f32],
        deltas: &[f32],
        input_deltas: &mut [f32],
    ) {
        self.backward_to_inputs(weights, deltas, input_deltas);
        self.add_gradients(gradients, &[(input, deltas)]);
    }

    /// Adds the gradients of the inputs to `input_deltas`, given those of the outputs.
    pub fn backward_to_inputs(&self, weights: &[f32], deltas: &[f32], input_deltas: &mut [f32]) {
        let weights = &weights[self.weight_range()];
        let (groups, rest) = deltas.as_chunks::<ROWS>();
        let done = groups.len() * ROWS;
        for (index, &group) in groups.iter().enumerate() {
            add_scaled_rows(input_deltas, group, self.rows(weights, index));
        }
        let rows = weights[done * self.inputs..].chunks_exact(self.inputs);
        for (&delta, row) in rest.iter().zip(rows) {
            add_scaled(input_deltas, delta, row);
        }
    }

    /// Adds the gradients of weights and bias for positions that this layer has seen: the inputs of
    /// each, and the gradients of its outputs. Several positions at once cost little more than one.
    pub fn add_gradients(&self, gradients: &mut [f32], positions: &[(&[f32], &[f32])]) {
        if let Some(bias) = self.bias {
            let bias = &mut gradients[bias..bias + self.outputs];
            for (_, deltas) in positions {
                add(bias, deltas);
            }
        }
        let rows = gradients[self.weight_range()].chunks_exact_mut(self.inputs);
        let (groups, rest) = positions.as_chunks::<ROWS>();
        for (output, row) in rows.enumerate() {
            for group in groups {
                let factors = group.map(|(_, deltas)| deltas[output]);
                // Outputs that are cut off have no slope, and are common.
                if factors.iter().any(|&factor| factor != 0.0) {
                    add_scaled_rows(row, factors, group.map(|(input, _)| input));
                }
            }
            for (input, deltas) in rest {
                if deltas[output] != 0.0 {
                    add_scaled(row, deltas[output], input);
                }
            }
        }
    }

    /// The rows of a group of outputs.
    fn rows<'a>(&self, weights: &'a [f32], group: usize) -> [&'a [f32]; ROWS] {
        std::array::from_fn(|row| &weights[(group * ROWS + row) * self.inputs..][..self.inputs])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tools::Rng;

    #[test]
    fn gradients_are_those_of_finite_differences() {
        let mut random = Rng::new(4);
        let mut draw = |len: usize| (0..len).map(|_| random.signed_unit()).collect::<Vec<_>>();
        let layer = Dense::new(5, 3, 2, Some(40)).set(1);
        let (mut weights, mut input, slopes) = (draw(60), draw(5), draw(3));
        let (mut gradients, mut input_deltas) = (vec![0.0; 60], vec![0.0; 5]);
        layer.backward(&weights, &mut gradients, &input, &slopes, &mut input_deltas);
        let value = |weights: &[f32], input: &[f32]| {
            let mut output = vec![0.0; 3];
            layer.forward(weights, input, &mut output);
            f64::from(dot(&output, &slopes))
        };
        let step = 0.125;
        for index in 0..60 {
            let before = value(&weights, &input);
            weights[index] += step;
            let difference = (value(&weights, &input) - before) / f64::from(step);
            weights[index] -= step;
            assert!((difference - f64::from(gradients[index])).abs() < 1e-4, "weight {index}");
        }
        for index in 0..5 {
            let before = value(&weights, &input);
            input[index] += step;
            let difference = (value(&weights, &input) - before) / f64::from(step);
            input[index] -= step;
            assert!((difference - f64::from(input_deltas[index])).abs() < 1e-4, "input {index}");
        }
    }
}
