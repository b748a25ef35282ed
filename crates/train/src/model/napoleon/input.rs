// SPDX-License-Identifier: GPL-3.0-or-later
//! The planes, weighed by a gate of their own.

use net::features::planes::PLANES;
use net::file::TensorWriter;

use super::gate::{add_gated, export_dense, export_norm, gate_deltas};
use super::{Input, NormMode, Plan, dense_backward, dense_forward};
use crate::layers::{Dense, Norm, PLANE, tanh, tanh_slopes};

/// `norm(tanh(x + x·g))` with `x = norm(planes)` and `g = tanh(dense(tanh(dense(x))))`.
#[derive(Clone, Debug)]
pub(super) struct InputStage {
    norm: Norm,
    squeeze: Dense,
    excite: Dense,
    sum_norm: Norm,
    raw: Vec<f32>,
    x: Vec<f32>,
    squeezed: Vec<f32>,
    gates: Vec<f32>,
    /// After tanh.
    sums: Vec<f32>,
    planes: Vec<f32>,
    deltas: Vec<f32>,
    gate_deltas: Vec<f32>,
    squeezed_deltas: Vec<f32>,
}

impl InputStage {
    pub(super) fn new(plan: &mut Plan, squeezed: usize) -> Self {
        Self {
            norm: plan.norm(PLANES, PLANE),
            squeeze: plan.dense(PLANES * PLANE, squeezed),
            excite: plan.dense(squeezed, PLANES),
            sum_norm: plan.norm(PLANES, PLANE),
            raw: Vec::new(),
            x: Vec::new(),
            squeezed: Vec::new(),
            gates: Vec::new(),
            sums: Vec::new(),
            planes: Vec::new(),
            deltas: Vec::new(),
            gate_deltas: Vec::new(),
            squeezed_deltas: Vec::new(),
        }
    }

    /// What comes out, for all positions.
    pub(super) fn planes(&self) -> &[f32] {
        &self.planes
    }

    pub(super) fn forward(&mut self, weights: &[f32], positions: &[Input], mode: NormMode) {
        self.raw.clear();
        for Input(planes) in positions {
            self.raw.extend_from_slice(planes.as_flattened());
        }
        mode.normalize(&mut self.norm, weights, &self.raw, &mut self.x);
        dense_forward(&self.squeeze, weights, &self.x, &mut self.squeezed);
        tanh(&mut self.squeezed);
        dense_forward(&self.excite, weights, &self.squeezed, &mut self.gates);
        tanh(&mut self.gates);
        self.sums.clone_from(&self.x);
        add_gated(&mut self.sums, &self.x, &self.gates);
        tanh(&mut self.sums);
        mode.normalize(&mut self.sum_norm, weights, &self.sums, &mut self.planes);
    }

    /// The end of the way back: `deltas` are the gradients of the planes, and are used up.
    pub(super) fn backward(&mut self, weights: &[f32], gradients: &mut [f32], deltas: &mut [f32]) {
        self.sum_norm.backward(weights, gradients, &self.sums, deltas);
        tanh_slopes(&self.sums, deltas);
        gate_deltas(deltas, &self.x, &mut self.gate_deltas);
        tanh_slopes(&self.gates, &mut self.gate_deltas);
        self.squeezed_deltas.clear();
        self.squeezed_deltas.resize(self.squeezed.len(), 0.0);
        let (input, to) = (&self.squeezed, &mut self.squeezed_deltas);
        dense_backward(&self.excite, weights, gradients, input, &self.gate_deltas, to);
        tanh_slopes(&self.squeezed, &mut self.squeezed_deltas);
        // The gradients of x: directly, by way of the weighed planes, and by way of the gates.
        self.deltas.clear();
        self.deltas.extend_from_slice(deltas);
        add_gated(&mut self.deltas, deltas, &self.gates);
        let (input, to) = (&self.x, &mut self.deltas);
        dense_backward(&self.squeeze, weights, gradients, input, &self.squeezed_deltas, to);
        self.norm.backward(weights, gradients, &self.raw, &mut self.deltas);
    }

    pub(super) fn export(&self, parameters: &[f32], tensors: &mut TensorWriter) {
        export_norm(&self.norm, parameters, tensors);
        export_dense(&self.squeeze, parameters, tensors);
        export_dense(&self.excite, parameters, tensors);
        export_norm(&self.sum_norm, parameters, tensors);
    }
}
