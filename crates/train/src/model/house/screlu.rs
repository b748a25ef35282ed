// SPDX-License-Identifier: GPL-3.0-or-later
//! The plain head: the squared and clipped lanes of both views straight to the output.

use std::ops::Range;

use net::Header;
use net::file::{TensorView, TensorWriter};

use super::{LIMIT, QB};
use crate::layers::{Rows, screlu_backward, screlu_dot};
use crate::parameters::{Layout, Tensor};
use crate::quantize::{from_file, to_i16, to_i32};

/// `Σ screlu(x)·w + b`, the weights `[bucket][view][lane]`.
#[derive(Clone, Debug)]
pub(super) struct ScreluHead {
    weights: Range<usize>,
    bias: Range<usize>,
    /// Lanes of one view.
    width: usize,
}

impl ScreluHead {
    pub(super) fn tensors(header: &Header) -> Vec<Tensor> {
        let (buckets, inputs) = (usize::from(header.output_buckets), 2 * header.width(0));
        let spread = 1.0 / (inputs as f32).sqrt();
        vec![
            Tensor::weights("output weights", buckets * inputs, spread).within(LIMIT),
            Tensor::bias("output bias", buckets),
        ]
    }

    /// Where its tensors are in a layout that ends with them.
    fn ranges(layout: &Layout) -> [Range<usize>; 2] {
        layout.tensors().last_chunk().expect("a head has two tensors").each_ref().map(Tensor::range)
    }

    pub(super) fn new(header: &Header, layout: &Layout) -> Self {
        let [weights, bias] = Self::ranges(layout);
        Self { weights, bias, width: header.width(0) }
    }

    pub(super) fn forward(
        &self,
        weights: &[f32],
        sums: &Rows,
        buckets: &[usize],
        outputs: &mut [f32],
    ) {
        let bias = &weights[self.bias.clone()];
        for (index, (output, &bucket)) in outputs.iter_mut().zip(buckets).enumerate() {
            let [own, their] = self.views(bucket).map(|view| &weights[view]);
            let own = screlu_dot(sums.row(2 * index), own);
            *output = own + screlu_dot(sums.row(2 * index + 1), their) + bias[bucket];
        }
    }

    /// Replaces the sums by their gradients.
    pub(super) fn backward(
        &self,
        weights: &[f32],
        sums: &mut Rows,
        buckets: &[usize],
        slopes: &[f32],
        gradients: &mut [f32],
    ) {
        for (index, (&slope, &bucket)) in slopes.iter().zip(buckets).enumerate() {
            gradients[self.bias.start + bucket] += slope;
            for (row, view) in (2 * index..).zip(self.views(bucket)) {
                let gradients = &mut gradients[view.clone()];
                screlu_backward(sums.row_mut(row), &weights[view], gradients, slope);
            }
        }
    }

    /// Where the weights of a bucket for both views are.
    fn views(&self, bucket: usize) -> [Range<usize>; 2] {
        let start = self.weights.start + 2 * bucket * self.width;
        [start..start + self.width, start + self.width..start + 2 * self.width]
    }

    pub(super) fn export(layout: &Layout, weights: &[f32], tensors: &mut TensorWriter) {
        let [weights, bias] = Self::ranges(layout).map(|range| &weights[range]);
        let (qa, qb) = (f32::from(net::House::QA), f32::from(QB));
        tensors.i16(&to_i16(weights, qb));
        tensors.i32(&to_i32(bias, qa * qb));
    }

    pub(super) fn import(tensors: &[TensorView<'_>]) -> Vec<Vec<f32>> {
        let (qa, qb) = (f32::from(net::House::QA), f32::from(QB));
        tensors
            .iter()
            .zip([qb, qa * qb])
            .map(|(&tensor, factor)| from_file(tensor, factor))
            .collect()
    }
}
