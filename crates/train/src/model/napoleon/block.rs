// SPDX-License-Identifier: GPL-3.0-or-later
//! A convolution whose planes are weighed by a gate and added to what came in.

use net::file::TensorWriter;

use super::gate::{add_gated, export_dense, export_dense_behind, export_norm, gate_deltas};
use super::{NormMode, Plan, dense_backward, dense_forward};
use crate::layers::{Convolution, Dense, Norm, PLANE, Padded, pad, relu_in_place, relu_slopes};
use crate::parameters::Tensor;

/// `norm(relu(x + y·g))` with `y = norm(relu(conv(x)))` and
/// `g = norm(relu(dense(norm(relu(dense(y))))))`.
#[derive(Clone, Debug)]
pub(super) struct Block {
    inputs: usize,
    channels: usize,
    conv: Convolution,
    conv_places: [std::ops::Range<usize>; 2],
    conv_norm: Norm,
    squeeze: Dense,
    squeeze_norm: Norm,
    excite: Dense,
    gate_norm: Norm,
    sum_norm: Norm,
    values: Values,
    deltas: Values,
    padded: Vec<Padded>,
    padded_deltas: Vec<Padded>,
}

/// What the layers give for all positions of a sub-batch; or the gradients of it.
#[derive(Clone, Debug, Default)]
struct Values {
    /// After relu.
    filtered: Vec<f32>,
    /// The same, normalized.
    y: Vec<f32>,
    /// After relu.
    squeezed: Vec<f32>,
    squeezed_norm: Vec<f32>,
    /// After relu.
    excited: Vec<f32>,
    gates: Vec<f32>,
    /// After relu.
    sums: Vec<f32>,
    planes: Vec<f32>,
}

impl Block {
    pub(super) fn new(plan: &mut Plan, inputs: usize, channels: usize, squeezed: usize) -> Self {
        let len = Convolution::len(inputs, channels);
        let spread = (6.0 / (9 * (inputs + channels)) as f32).sqrt();
        let weights = Tensor::weights("convolution weights", len, spread).within(1000.0);
        let weights = plan.0.add(weights);
        let bias = plan.0.add(Tensor::bias("convolution bias", channels).within(1000.0));
        Self {
            inputs,
            channels,
            conv: Convolution::new(inputs, channels, weights, bias),
            conv_places: [weights..weights + len, bias..bias + channels],
            conv_norm: plan.norm(channels, PLANE),
            squeeze: plan.dense(channels * PLANE, squeezed),
            squeeze_norm: plan.norm(squeezed, 1),
            excite: plan.dense(squeezed, channels),
            gate_norm: plan.norm(channels, 1),
            sum_norm: plan.norm(channels, PLANE),
            values: Values::default(),
            deltas: Values::default(),
            padded: vec![[[0.0; 16]; 10]; inputs],
            padded_deltas: vec![[[0.0; 16]; 10]; channels],
        }
    }

    /// What comes out, for all positions.
    pub(super) fn planes(&self) -> &[f32] {
        &self.values.planes
    }

    pub(super) fn forward(&mut self, weights: &[f32], input: &[f32], mode: NormMode) {
        let values = &mut self.values;
        let positions = input.len() / (self.inputs * PLANE);
        values.filtered.resize(positions * self.channels * PLANE, 0.0);
        let outputs = values.filtered.chunks_exact_mut(self.channels * PLANE);
        for (input, output) in input.chunks_exact(self.inputs * PLANE).zip(outputs) {
            pad(input, &mut self.padded);
            self.conv.forward(weights, &self.padded, output);
        }
        relu_in_place(&mut values.filtered);
        mode.normalize(&mut self.conv_norm, weights, &values.filtered, &mut values.y);
        dense_forward(&self.squeeze, weights, &values.y, &mut values.squeezed);
        relu_in_place(&mut values.squeezed);
        let to = &mut values.squeezed_norm;
        mode.normalize(&mut self.squeeze_norm, weights, &values.squeezed, to);
        dense_forward(&self.excite, weights, &values.squeezed_norm, &mut values.excited);
        relu_in_place(&mut values.excited);
        mode.normalize(&mut self.gate_norm, weights, &values.excited, &mut values.gates);
        widen(input, self.inputs, self.channels, &mut values.sums);
        add_gated(&mut values.sums, &values.y, &values.gates);
        relu_in_place(&mut values.sums);
        mode.normalize(&mut self.sum_norm, weights, &values.sums, &mut values.planes);
    }

    /// Replaces the gradients of what comes out by those of what came in.
    pub(super) fn backward(
        &mut self,
        weights: &[f32],
        gradients: &mut [f32],
        input: &[f32],
        deltas: &mut Vec<f32>,
    ) {
        let Values { filtered, y, squeezed, squeezed_norm, excited, gates, sums, .. } =
            &self.values;
        let own = &mut self.deltas;
        self.sum_norm.backward(weights, gradients, sums, deltas);
        relu_slopes(sums, deltas);
        // The gates.
        gate_deltas(deltas, y, &mut own.gates);
        self.gate_norm.backward(weights, gradients, excited, &mut own.gates);
        relu_slopes(excited, &mut own.gates);
        own.squeezed.clear();
        own.squeezed.resize(squeezed.len(), 0.0);
        let to = &mut own.squeezed;
        dense_backward(&self.excite, weights, gradients, squeezed_norm, &own.gates, to);
        self.squeeze_norm.backward(weights, gradients, squeezed, &mut own.squeezed);
        relu_slopes(squeezed, &mut own.squeezed);
        // The filtered planes: weighed by the gates, and seen by them.
        own.y.clear();
        own.y.resize(y.len(), 0.0);
        add_gated(&mut own.y, deltas, gates);
        dense_backward(&self.squeeze, weights, gradients, y, &own.squeezed, &mut own.y);
        self.conv_norm.backward(weights, gradients, filtered, &mut own.y);
        relu_slopes(filtered, &mut own.y);
        self.filter_backward(weights, gradients, input, deltas);
    }

    /// The way back through the convolution: adds to the gradients that go straight to the input.
    fn filter_backward(
        &mut self,
        weights: &[f32],
        gradients: &mut [f32],
        input: &[f32],
        deltas: &mut Vec<f32>,
    ) {
        let own = &mut self.deltas;
        widen(deltas, self.channels, self.inputs, &mut own.sums);
        self.conv.begin_backward(weights);
        let size = self.inputs * PLANE;
        own.planes.resize(size, 0.0);
        let filtered = own.y.chunks_exact(self.channels * PLANE);
        let inputs = input.chunks_exact(size).zip(own.sums.chunks_exact_mut(size));
        for ((input, sums), filtered) in inputs.zip(filtered) {
            pad(input, &mut self.padded);
            pad(filtered, &mut self.padded_deltas);
            self.conv.backward(&self.padded, &self.padded_deltas, &mut own.planes);
            crate::layers::add(sums, &own.planes);
        }
        self.conv.end_backward(gradients, &own.y);
        std::mem::swap(deltas, &mut own.sums);
    }

    pub(super) fn export(&self, parameters: &[f32], tensors: &mut TensorWriter) {
        let [weights, bias] = self.conv_places.clone();
        tensors.f32(&parameters[weights]);
        tensors.f32(&parameters[bias]);
        export_norm(&self.conv_norm, parameters, tensors);
        export_dense(&self.squeeze, parameters, tensors);
        export_dense_behind(&self.squeeze_norm, &self.excite, parameters, tensors);
        export_norm(&self.gate_norm, parameters, tensors);
        export_norm(&self.sum_norm, parameters, tensors);
    }
}

/// The planes of all positions with more channels, which are zero, or without the last ones.
fn widen(planes: &[f32], from: usize, to: usize, out: &mut Vec<f32>) {
    let kept = from.min(to) * PLANE;
    out.clear();
    for position in planes.chunks_exact(from * PLANE) {
        out.extend_from_slice(&position[..kept]);
        out.resize(out.len() + to * PLANE - kept, 0.0);
    }
}
