// SPDX-License-Identifier: GPL-3.0-or-later
//! The deep head: products of halves, then 16 and 32 squared and clipped values, then the output.

use std::ops::Range;

use net::Header;
use net::file::{TensorView, TensorWriter};

use super::super::transposed_sets;
use super::super::value::SUB_BATCH;
use crate::layers::{Dense, Rows, pairwise, pairwise_backward, screlu, screlu_slopes};
use crate::parameters::{Layout, Tensor};

/// How many steps of the second layer's bytes are one. Its weights are small: finer steps cost them nothing
/// of their range, and coarse ones more than a percent of the loss.
pub(super) const QB: u16 = 192;
/// The largest weight that a byte then holds.
const LIMIT: f32 = 127.0 / QB as f32;

/// N → second → third → 1, with weights for each output bucket.
#[derive(Clone, Debug)]
pub(super) struct PairwiseHead {
    second: Dense,
    third: Dense,
    last: Dense,
    values: Vec<Values>,
    deltas: Values,
    /// Slopes at the second layer, one row for each position.
    second_deltas: Vec<f32>,
    /// The positions of a sub-batch by their buckets: weights that are used again are still near.
    order: Vec<usize>,
}

/// The layers of one position; or their gradients.
#[derive(Clone, Debug)]
struct Values {
    /// The products of both views, the mover's first.
    products: Vec<f32>,
    second_sums: Vec<f32>,
    second: Vec<f32>,
    third_sums: Vec<f32>,
    third: Vec<f32>,
}

impl Values {
    fn new([n, l2, l3]: [usize; 3]) -> Self {
        Self {
            products: vec![0.0; n],
            second_sums: vec![0.0; l2],
            second: vec![0.0; l2],
            third_sums: vec![0.0; l3],
            third: vec![0.0; l3],
        }
    }
}

/// The widths of the products and of the two small layers.
fn widths(header: &Header) -> [usize; 3] {
    [0, 1, 2].map(|layer| header.width(layer))
}

impl PairwiseHead {
    /// How many tensors it has.
    const TENSORS: usize = 6;

    pub(super) fn tensors(header: &Header) -> Vec<Tensor> {
        let buckets = usize::from(header.output_buckets);
        let [n, l2, l3] = widths(header);
        let spread = |inputs: usize| 1.0 / (inputs as f32).sqrt();
        vec![
            Tensor::weights("second weights", buckets * l2 * n, spread(n)).within(LIMIT),
            Tensor::bias("second bias", buckets * l2),
            Tensor::weights("third weights", buckets * l2 * l3, spread(l2)).within(100.0),
            Tensor::bias("third bias", buckets * l3).within(100.0),
            Tensor::weights("output weights", buckets * l3, spread(l3)).within(100.0),
            Tensor::bias("output bias", buckets).within(100.0),
        ]
    }

    /// Where its tensors are in a layout that ends with them.
    fn ranges(layout: &Layout) -> [Range<usize>; Self::TENSORS] {
        let last =
            layout.tensors().last_chunk::<{ Self::TENSORS }>().expect("a head has six tensors");
        last.each_ref().map(Tensor::range)
    }

    pub(super) fn new(header: &Header, layout: &Layout) -> Self {
        let [second, second_bias, third, third_bias, last, last_bias] =
            Self::ranges(layout).map(|range| range.start);
        let [n, l2, l3] = widths(header);
        Self {
            second: Dense::new(n, l2, second, Some(second_bias)),
            third: Dense::new(l2, l3, third, Some(third_bias)),
            last: Dense::new(l3, 1, last, Some(last_bias)),
            values: vec![Values::new([n, l2, l3]); SUB_BATCH],
            deltas: Values::new([n, l2, l3]),
            second_deltas: vec![0.0; SUB_BATCH * l2],
            order: Vec::with_capacity(SUB_BATCH),
        }
    }

    /// Values begin in the middle of their clipped range, where every lane learns; the first layer's
    /// bias, which stands before the head, too.
    pub(super) fn initialize(layout: &Layout, parameters: &mut [f32]) {
        let [_, second_bias, _, third_bias, ..] = Self::ranges(layout);
        let first_bias = layout.tensors()[layout.tensors().len() - Self::TENSORS - 1].range();
        for bias in [first_bias, second_bias, third_bias] {
            parameters[bias].fill(0.3);
        }
    }

    pub(super) fn forward(
        &mut self,
        weights: &[f32],
        sums: &Rows,
        buckets: &[usize],
        outputs: &mut [f32],
    ) {
        self.order.clear();
        self.order.extend(0..outputs.len());
        self.order.sort_by_key(|&index| buckets[index]);
        for &index in &self.order {
            let (output, bucket) = (&mut outputs[index], buckets[index]);
            let values = &mut self.values[index];
            let half = values.products.len() / 2;
            let (own, their) = values.products.split_at_mut(half);
            pairwise(sums.row(2 * index), own);
            pairwise(sums.row(2 * index + 1), their);
            values.second_sums.fill(0.0);
            let second = self.second.set(bucket);
            second.forward(weights, &values.products, &mut values.second_sums);
            screlu(&values.second_sums, &mut values.second);
            values.third_sums.fill(0.0);
            self.third.set(bucket).forward(weights, &values.second, &mut values.third_sums);
            screlu(&values.third_sums, &mut values.third);
            *output = 0.0;
            let last = self.last.set(bucket);
            last.forward(weights, &values.third, std::slice::from_mut(output));
        }
    }

    /// Replaces the sums by their gradients.
    pub(super) fn backward(
        &mut self,
        weights: &[f32],
        sums: &mut Rows,
        buckets: &[usize],
        slopes: &[f32],
        gradients: &mut [f32],
    ) {
        let l2 = self.second.outputs();
        for &index in &self.order {
            let (bucket, values) = (buckets[index], &self.values[index]);
            let (deltas, slope) = (&mut self.deltas, std::slice::from_ref(&slopes[index]));
            deltas.third.fill(0.0);
            let last = self.last.set(bucket);
            last.backward(weights, gradients, &values.third, slope, &mut deltas.third);
            screlu_slopes(&values.third_sums, &mut deltas.third);
            let second = &mut self.second_deltas[index * l2..][..l2];
            second.fill(0.0);
            let third = self.third.set(bucket);
            third.backward(weights, gradients, &values.second, &deltas.third, second);
            screlu_slopes(&values.second_sums, second);
            deltas.products.fill(0.0);
            let to = &mut deltas.products;
            self.second.set(bucket).backward_to_inputs(weights, second, to);
            let half = deltas.products.len() / 2;
            pairwise_backward(sums.row_mut(2 * index), &deltas.products[..half]);
            pairwise_backward(sums.row_mut(2 * index + 1), &deltas.products[half..]);
        }
        self.add_second_gradients(buckets, gradients);
    }

    /// The gradients of the widest layer, bucket by bucket.
    fn add_second_gradients(&self, buckets: &[usize], gradients: &mut [f32]) {
        let l2 = self.second.outputs();
        let position = |&index: &usize| {
            let deltas = &self.second_deltas[index * l2..][..l2];
            (self.values[index].products.as_slice(), deltas)
        };
        for same in self.order.chunk_by(|&a, &b| buckets[a] == buckets[b]) {
            let positions: Vec<_> = same.iter().map(position).collect();
            self.second.set(buckets[same[0]]).add_gradients(gradients, &positions);
        }
    }

    pub(super) fn export(
        header: &Header,
        layout: &Layout,
        weights: &[f32],
        tensors: &mut TensorWriter,
    ) {
        let [second, second_bias, third, third_bias, last, last_bias] =
            Self::ranges(layout).map(|range| &weights[range]);
        let [_, l2, l3] = widths(header);
        tensors.rounded(second);
        tensors.rounded(second_bias);
        tensors.f32(&transposed_sets(third, l2, l3));
        tensors.f32(third_bias);
        tensors.f32(last);
        tensors.f32(last_bias);
    }

    pub(super) fn import(header: &Header, tensors: &[TensorView<'_>]) -> Vec<Vec<f32>> {
        const THIRD_WEIGHTS: usize = 2;
        let [_, l2, l3] = widths(header);
        let mut numbers: Vec<_> = tensors.iter().map(TensorView::trained).collect();
        numbers[THIRD_WEIGHTS] = transposed_sets(&numbers[THIRD_WEIGHTS], l3, l2);
        numbers
    }
}
