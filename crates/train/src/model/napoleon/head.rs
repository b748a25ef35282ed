// SPDX-License-Identifier: GPL-3.0-or-later
//! The head: two small layers, then the output.

use net::file::TensorWriter;

use super::gate::{export_dense, export_dense_behind};
use super::{NormMode, Plan, dense_backward, dense_forward};
use crate::layers::{Dense, Norm, PLANE, relu_in_place, relu_slopes};

/// `dense(norm(relu(dense(norm(relu(dense(planes)))))))`.
#[derive(Clone, Debug)]
pub(super) struct Head {
    layers: [Dense; 3],
    norms: [Norm; 2],
    /// After relu.
    hidden: [Vec<f32>; 2],
    normalized: [Vec<f32>; 2],
    outputs: Vec<f32>,
    deltas: [Vec<f32>; 2],
}

impl Head {
    pub(super) fn new(plan: &mut Plan, channels: usize, width: usize) -> Self {
        Self {
            layers: [
                plan.dense(channels * PLANE, width),
                plan.dense(width, width),
                plan.dense(width, 1),
            ],
            norms: [plan.norm(width, 1), plan.norm(width, 1)],
            hidden: Default::default(),
            normalized: Default::default(),
            outputs: Vec::new(),
            deltas: Default::default(),
        }
    }

    pub(super) fn forward(
        &mut self,
        weights: &[f32],
        planes: &[f32],
        mode: NormMode,
        outputs: &mut [f32],
    ) {
        for layer in 0..2 {
            let (before, after) = self.normalized.split_at_mut(layer);
            let input = before.last().map_or(planes, Vec::as_slice);
            dense_forward(&self.layers[layer], weights, input, &mut self.hidden[layer]);
            relu_in_place(&mut self.hidden[layer]);
            let hidden = &self.hidden[layer];
            mode.normalize(&mut self.norms[layer], weights, hidden, &mut after[0]);
        }
        dense_forward(&self.layers[2], weights, &self.normalized[1], &mut self.outputs);
        outputs.copy_from_slice(&self.outputs);
    }

    /// Fills `deltas` with the gradients of the planes.
    pub(super) fn backward(
        &mut self,
        weights: &[f32],
        gradients: &mut [f32],
        planes: &[f32],
        slopes: &[f32],
        deltas: &mut Vec<f32>,
    ) {
        let [first, second] = &mut self.deltas;
        for deltas in [&mut *first, &mut *second] {
            deltas.clear();
            deltas.resize(self.hidden[0].len(), 0.0);
        }
        dense_backward(&self.layers[2], weights, gradients, &self.normalized[1], slopes, second);
        self.norms[1].backward(weights, gradients, &self.hidden[1], second);
        relu_slopes(&self.hidden[1], second);
        dense_backward(&self.layers[1], weights, gradients, &self.normalized[0], second, first);
        self.norms[0].backward(weights, gradients, &self.hidden[0], first);
        relu_slopes(&self.hidden[0], first);
        deltas.clear();
        deltas.resize(planes.len(), 0.0);
        dense_backward(&self.layers[0], weights, gradients, planes, first, deltas);
    }

    pub(super) fn export(&self, parameters: &[f32], tensors: &mut TensorWriter) {
        export_dense(&self.layers[0], parameters, tensors);
        export_dense_behind(&self.norms[0], &self.layers[1], parameters, tensors);
        export_dense_behind(&self.norms[1], &self.layers[2], parameters, tensors);
    }
}
