// SPDX-License-Identifier: GPL-3.0-or-later
//! Gates: one factor for each plane, out of all cells of all planes.

use net::file::TensorWriter;

use super::super::transposed;
use crate::layers::{Dense, Norm, PLANE};

/// `planes += gate · filtered`, with one gate for each plane, over all positions.
pub(super) fn add_gated(planes: &mut [f32], filtered: &[f32], gates: &[f32]) {
    let filtered = filtered.as_chunks::<PLANE>().0;
    for ((plane, filtered), gate) in
        planes.as_chunks_mut::<PLANE>().0.iter_mut().zip(filtered).zip(gates)
    {
        for (cell, filtered) in plane.iter_mut().zip(filtered) {
            *cell += gate * filtered;
        }
    }
}

/// The gradients of gates from those of planes that they weigh.
pub(super) fn gate_deltas(deltas: &[f32], filtered: &[f32], gates: &mut Vec<f32>) {
    let dot = |(a, b): (&[f32; PLANE], &[f32; PLANE])| crate::layers::dot(a, b);
    gates.clear();
    let planes = deltas.as_chunks::<PLANE>().0.iter().zip(filtered.as_chunks::<PLANE>().0);
    gates.extend(planes.map(dot));
}

/// Writes a dense layer as files hold it.
pub(super) fn export_dense(layer: &Dense, parameters: &[f32], tensors: &mut TensorWriter) {
    tensors.f32(&transposed(layer.weights_of(parameters), layer.outputs()));
    tensors.f32(layer.bias_of(parameters));
}

/// Writes a dense layer that takes in the normalization before it.
pub(super) fn export_dense_behind(
    norm: &Norm,
    layer: &Dense,
    parameters: &[f32],
    tensors: &mut TensorWriter,
) {
    let (factors, shifts) = norm.folded(parameters);
    let mut weights = layer.weights_of(parameters).to_vec();
    let mut bias = layer.bias_of(parameters).to_vec();
    for (row, bias) in weights.chunks_exact_mut(layer.inputs()).zip(&mut bias) {
        *bias += crate::layers::dot(row, &shifts);
        row.iter_mut().zip(&factors).for_each(|(weight, factor)| *weight *= factor);
    }
    tensors.f32(&transposed(&weights, layer.outputs()));
    tensors.f32(&bias);
}

/// Writes what a normalization comes to.
pub(super) fn export_norm(norm: &Norm, parameters: &[f32], tensors: &mut TensorWriter) {
    let (factors, shifts) = norm.folded(parameters);
    tensors.f32(&factors);
    tensors.f32(&shifts);
}
