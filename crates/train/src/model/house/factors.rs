// SPDX-License-Identifier: GPL-3.0-or-later
//! A first layer by king buckets, trained as a shared part plus a part of each bucket.
//!
//! Most of what a piece on a square is worth does not depend on the king; with the shared part every
//! bucket learns it from all positions.

use std::ops::Range;

use rayon::ThreadPool;

use super::super::Unfolding;
use super::{LIMIT, SPREAD};
use crate::Aligned;
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

    /// The weights of a tile of the shared part.
    const fn tile(&self) -> usize {
        self.shared.len() / self.shared.tiles()
    }

    /// Calls `visit` with matching stretches of the shared part and of a bucket's part.
    fn stretches(&self, mut visit: impl FnMut(Range<usize>, Range<usize>)) {
        // Tiles of both are equally wide, and a tile of the parts holds all buckets.
        let tile = self.tile();
        for index in 0..self.shared.tiles() {
            for bucket in 0..self.buckets {
                let (shared, part) = (index * tile, (index * self.buckets + bucket) * tile);
                visit(shared..shared + tile, part..part + tile);
            }
        }
    }
}

/// One tile of the shared part and the tiles of all buckets, which stand one after another.
struct Tile<'a> {
    shared: &'a mut [f32],
    parts: &'a mut [f32],
    /// The gradients of the merged weights, thread by thread.
    merged: Vec<&'a mut [f32]>,
}

impl Tile<'_> {
    /// Adds the gradients of the merged weights to both parts, and sets them to zero.
    fn fold(self) {
        for merged in self.merged {
            for bucket in merged.chunks_exact(self.shared.len()) {
                add(self.shared, bucket);
            }
            add(self.parts, merged);
            merged.fill(0.0);
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
        self.stretches(|from, to| merge(&shared[from], &parts[to.clone()], &mut first[to]));
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

    fn unfold_in(&self, parameters: &[f32], weights: &mut [f32], pool: &ThreadPool) {
        let shared = &parameters[self.shared_range.clone()];
        let parts = &parameters[self.parts_range.clone()];
        let (first, rest) = weights.split_at_mut(self.rest[1].start);
        let first = &mut first[..self.parts.len()];
        let (tile, tiles) = (self.tile(), self.buckets * self.tile());
        let jobs = shared.chunks_exact(tile).zip(parts.chunks_exact(tiles));
        pool.in_place_scope(|scope| {
            for ((shared, parts), merged) in jobs.zip(first.chunks_exact_mut(tiles)) {
                scope.spawn(move |_| {
                    let buckets = parts.chunks_exact(tile).zip(merged.chunks_exact_mut(tile));
                    buckets.for_each(|(part, merged)| merge(shared, part, merged));
                });
            }
        });
        rest.copy_from_slice(&parameters[self.rest[0].clone()]);
    }

    fn fold_all(&self, all: &mut [Aligned], gradients: &mut [f32], pool: &ThreadPool) {
        let (tile, tiles) = (self.tile(), self.buckets * self.tile());
        let ranges = [&self.shared_range, &self.parts_range, &self.rest[0]].map(Clone::clone);
        let [shared, parts, rest] =
            gradients.get_disjoint_mut(ranges).expect("tensors do not overlap");
        let mut merged = Vec::new();
        for weights in all {
            let (first, last) = weights.split_at_mut(self.rest[1].start);
            add(rest, last);
            last.fill(0.0);
            merged.push(first[..self.parts.len()].chunks_exact_mut(tiles));
        }
        let jobs = shared.chunks_exact_mut(tile).zip(parts.chunks_exact_mut(tiles));
        pool.in_place_scope(|scope| {
            for (shared, parts) in jobs {
                let merged = merged.iter_mut().map(|tiles| tiles.next().expect("as many tiles"));
                let tile = Tile { shared, parts, merged: merged.collect() };
                scope.spawn(move |_| tile.fold());
            }
        });
    }
}

/// `merged = shared + part`.
fn merge(shared: &[f32], part: &[f32], merged: &mut [f32]) {
    let sums = merged.iter_mut().zip(shared).zip(part);
    sums.for_each(|((sum, shared), part)| *sum = shared + part);
}

fn add(sums: &mut [f32], values: &[f32]) {
    sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
}

#[cfg(test)]
mod tests {
    use crate::Aligned;
    use crate::model::build;
    use crate::trainer::pool;
    use tools::Rng;

    #[test]
    fn threads_fold_and_unfold_to_the_same_bits() {
        let map: Vec<u8> = (0..32).map(|square| square / 8).collect();
        let options = format!("width = 80\nking_buckets = {map:?}").parse().unwrap();
        let model = build(net::Architecture::House, &options).unwrap();
        let unfolding = model.unfolding().unwrap();
        let mut random = Rng::new(6);
        let mut draw = |len: usize| {
            let mut numbers = Aligned::zeroed(len);
            numbers.iter_mut().for_each(|number| *number = random.signed_unit());
            numbers
        };
        let (parameters, pool) = (draw(model.layout().len()), pool(2));
        let mut weights = [draw(unfolding.len()), draw(unfolding.len())];
        let mut expected = Aligned::zeroed(parameters.len());
        for gradients in &weights {
            unfolding.fold(gradients, &mut expected);
        }
        let mut found = Aligned::zeroed(parameters.len());
        unfolding.fold_all(&mut weights, &mut found, &pool);
        // Gaps between tensors belong to nobody.
        let ranges = || model.layout().tensors().iter().map(crate::parameters::Tensor::range);
        assert!(ranges().all(|range| found[range.clone()] == expected[range]));
        let used = unfolding.len() - weights[0].iter().filter(|&&gradient| gradient == 0.0).count();
        assert!(used < 16 * ranges().count(), "{used} gradients are left");
        let [one, other] = &mut weights;
        unfolding.unfold(&parameters, one);
        unfolding.unfold_in(&parameters, other, &pool);
        assert!(one[..4 * 768 * 80] == other[..4 * 768 * 80]);
    }
}
