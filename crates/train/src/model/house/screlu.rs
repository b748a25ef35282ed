// SPDX-License-Identifier: GPL-3.0-or-later
//! The plain head: the squared and clipped lanes of both views straight to the output.

use std::ops::Range;

use net::Header;
use net::file::TensorWriter;

use super::{FirstLayer, LIMIT};
use crate::Aligned;
use crate::layers::{Deltas, Lists, ScreluDot, TakeSums, screlu_lanes_backward};
use crate::model::value::SUB_BATCH;
use crate::parameters::{Layout, Tensor};

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

    /// Where the weights of a bucket for a view begin.
    fn start(&self, bucket: usize, view: usize) -> usize {
        self.weights.start + (2 * bucket + view) * self.width
    }

    pub(super) fn export(layout: &Layout, weights: &[f32], tensors: &mut TensorWriter) {
        let [weights, bias] = Self::ranges(layout).map(|range| &weights[range]);
        tensors.rounded(weights);
        tensors.rounded(bias);
    }
}

/// From the active features to the output, a tile of lanes at a time.
///
/// A tile of sums is squared and multiplied with the output's weights while it is in registers, and on the
/// way back replaced by its gradients just before they are added to those of the first layer.
#[derive(Debug)]
pub(super) struct ScreluBody {
    first: FirstLayer,
    head: ScreluHead,
    /// The lanes of all lists, tile by tile: `[tile][list][lane of the tile]`.
    sums: Aligned,
    /// Each list's product with the output's weights.
    dots: Vec<ScreluDot>,
    /// The positions of each group by their buckets: the weights of a bucket stay in registers.
    order: Vec<usize>,
}

impl ScreluBody {
    pub(super) fn new(first: FirstLayer, head: ScreluHead) -> Self {
        let sums = Aligned::zeroed(LISTS * first.layer.width);
        Self { first, head, sums, dots: vec![ScreluDot::default(); LISTS], order: Vec::new() }
    }

    pub(super) fn forward(
        &mut self,
        weights: &[f32],
        lists: &mut Lists,
        buckets: &[usize],
        outputs: &mut [f32],
    ) {
        self.dots.fill(ScreluDot::default());
        let Self { first, head, sums, dots, .. } = self;
        let mut sums = Squaring { weights, head, buckets, sums, dots };
        let (rows, bias) = (&weights[first.weights.clone()], &weights[first.bias.clone()]);
        first.layer.forward_to(rows, bias, lists, &mut sums);
        let bias = &weights[head.bias.clone()];
        let pairs = dots.as_chunks::<2>().0;
        for ((output, [own, their]), &bucket) in outputs.iter_mut().zip(pairs).zip(buckets) {
            *output = own.sum() + their.sum() + bias[bucket];
        }
    }

    pub(super) fn backward(
        &mut self,
        weights: &[f32],
        lists: &mut Lists,
        buckets: &[usize],
        slopes: &[f32],
        gradients: &mut [f32],
    ) {
        let Self { first, head, sums, order, .. } = self;
        for (slope, bucket) in slopes.iter().zip(buckets) {
            gradients[head.bias.start + bucket] += slope;
        }
        order.clear();
        order.extend(0..slopes.len());
        for group in order.chunks_mut(GROUP) {
            group.sort_by_key(|&position| buckets[position]);
        }
        let ranges = [first.weights.clone(), first.bias.clone(), head.weights.clone()];
        let [rows, bias, gradients] =
            gradients.get_disjoint_mut(ranges).expect("tensors do not overlap");
        let weights = &weights[head.weights.clone()];
        let width = head.width;
        let mut deltas = Unsquaring { weights, gradients, width, sums, order, buckets, slopes };
        first.layer.backward_from(rows, bias, lists, &mut deltas);
    }
}

/// The lists of a sub-batch.
const LISTS: usize = 2 * SUB_BATCH;
/// Positions whose gradients are made together.
const GROUP: usize = Lists::GROUP / 2;

/// Multiplies each tile of sums with the output's weights and keeps it.
struct Squaring<'a> {
    weights: &'a [f32],
    head: &'a ScreluHead,
    buckets: &'a [usize],
    sums: &'a mut [f32],
    dots: &'a mut [ScreluDot],
}

impl TakeSums for Squaring<'_> {
    #[inline(always)]
    fn take<const L: usize>(&mut self, list: usize, lane: usize, sums: &[f32; L]) {
        let start = self.head.start(self.buckets[list / 2], list % 2) + lane;
        let weights = self.weights[start..].first_chunk::<L>().expect("a whole tile");
        self.dots[list].add(lane, sums, weights);
        self.sums[lane * LISTS + list * L..][..L].copy_from_slice(sums);
    }
}

/// Makes the gradients of sums when they are asked for, and adds to those of the output's weights.
struct Unsquaring<'a> {
    weights: &'a [f32],
    gradients: &'a mut [f32],
    width: usize,
    sums: &'a mut [f32],
    order: &'a [usize],
    buckets: &'a [usize],
    slopes: &'a [f32],
}

impl Deltas for Unsquaring<'_> {
    #[inline(always)]
    fn tile<const L: usize>(&mut self, lane: usize, first: usize, lists: usize) -> &[[f32; L]] {
        let tile = self.sums[lane * LISTS + first * L..][..lists * L].as_chunks_mut::<L>().0;
        let order = &self.order[first / 2..][..lists / 2];
        for same in order.chunk_by(|&a, &b| self.buckets[a] == self.buckets[b]) {
            for view in 0..2 {
                let start = (2 * self.buckets[same[0]] + view) * self.width + lane;
                let weights = self.weights[start..].first_chunk::<L>().expect("a whole tile");
                let place = self.gradients[start..].first_chunk_mut::<L>().expect("as long");
                let mut gradients = *place;
                for &position in same {
                    let sums = &mut tile[2 * position + view - first];
                    screlu_lanes_backward(sums, weights, &mut gradients, self.slopes[position]);
                }
                *place = gradients;
            }
        }
        tile
    }
}
