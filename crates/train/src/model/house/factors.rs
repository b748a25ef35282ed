// SPDX-License-Identifier: GPL-3.0-or-later
//! A first layer by king buckets, trained as a shared part plus a part of each bucket.
//!
//! Most of what a piece on a square is worth does not depend on the king; with the shared part every
//! bucket learns it from all positions.

use std::ops::Range;

use super::super::Unfolding;
use super::{LIMIT, SPREAD};
use crate::layers::Sparse;
use crate::parameters::{Layout, Tensor};

const FEATURES: usize = 768;
/// The largest weight of the shared part and of a bucket's.
const PART_LIMIT: f32 = 0.5 * LIMIT;

/// `weights[bucket][feature] = shared[feature] + part[bucket][feature]`.
#[derive(Debug)]
pub(super) struct Factors {
    buckets: usize,
    shared: Sparse,
    parts: Sparse,
    /// Where the shared part and the buckets' parts are among the parameters.
    shared_range: Range<usize>,
    parts_range: Range<usize>,
    /// All that follows the first layer, among the parameters and among the weights.
    rest: [Range<usize>; 2],
}

impl Factors {
    /// The shared part and the parts of the buckets. Each is kept within half of the limit, so that
    /// their sum fits. The parts begin at zero: they are differences.
    pub(super) fn tensors(buckets: usize, width: usize) -> [Tensor; 2] {
        let len = FEATURES * width;
        [
            Tensor::weights("shared weights", len, SPREAD).within(PART_LIMIT),
            Tensor::weights("bucket weights", buckets * len, 0.0).within(PART_LIMIT),
        ]
    }

    pub(super) fn new(buckets: usize, width: usize, trained: &Layout, used: &Layout) -> Self {
        let [shared, parts, first_of_rest, ..] = trained.tensors() else {
            unreachable!("the first layer has two parts and a bias")
        };
        Self {
            buckets,
            shared: Sparse::new(FEATURES, width),
            parts: Sparse::new(buckets * FEATURES, width),
            shared_range: shared.range(),
            parts_range: parts.range(),
            rest: [
                first_of_rest.range().start..trained.len(),
                used.tensors()[1].range().start..used.len(),
            ],
        }
    }

    /// Divides rows that all buckets are to begin with: what does not fit into the shared part goes into
    /// each bucket's own.
    pub(super) fn divide(&self, rows: &[f32], parameters: &mut [f32]) {
        let (shared_start, parts_start) = (self.shared_range.start, self.parts_range.start);
        self.stretches(|shared, part| {
            for (from, to) in shared.zip(part) {
                let fitting = rows[from].clamp(-PART_LIMIT, PART_LIMIT);
                parameters[shared_start + from] = fitting;
                parameters[parts_start + to] = rows[from] - fitting;
            }
        });
    }

    /// Calls `visit` with matching stretches of the shared part and of a bucket's part.
    fn stretches(&self, mut visit: impl FnMut(Range<usize>, Range<usize>)) {
        // Tiles of both are equally wide, and a tile of the parts holds all buckets.
        let tile = self.shared.len() / self.shared.tiles();
        for index in 0..self.shared.tiles() {
            for bucket in 0..self.buckets {
                let (shared, part) = (index * tile, (index * self.buckets + bucket) * tile);
                visit(shared..shared + tile, part..part + tile);
            }
        }
    }
}

impl Unfolding for Factors {
    fn len(&self) -> usize {
        self.rest[1].end
    }

    fn unfold(&self, parameters: &[f32], weights: &mut [f32]) {
        let shared = &parameters[self.shared_range.clone()];
        let parts = &parameters[self.parts_range.clone()];
        let (first, rest) = weights.split_at_mut(self.rest[1].start);
        self.stretches(|from, to| {
            let sums = first[to.clone()].iter_mut().zip(&shared[from]).zip(&parts[to]);
            sums.for_each(|((sum, shared), part)| *sum = shared + part);
        });
        rest.copy_from_slice(&parameters[self.rest[0].clone()]);
    }

    fn fold(&self, weight_gradients: &[f32], gradients: &mut [f32]) {
        let (first, rest) = weight_gradients.split_at(self.rest[1].start);
        self.stretches(|to, from| {
            let to = self.shared_range.start + to.start..self.shared_range.start + to.end;
            add(&mut gradients[to], &first[from]);
        });
        add(&mut gradients[self.parts_range.clone()], &first[..self.parts.len()]);
        add(&mut gradients[self.rest[0].clone()], rest);
    }
}

fn add(sums: &mut [f32], values: &[f32]) {
    sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
}
