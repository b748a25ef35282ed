// SPDX-License-Identifier: GPL-3.0-or-later
//! The first layer: about thirty of many rows are added up.
//!
//! Weights are stored in tiles, `[tile][row][lane of the tile]`, so that one tile of all rows stays
//! in the second-level cache while the positions of a sub-batch run through it, and the sums of a
//! tile stay in registers. On the way back the gradients of a row's lists are added up in registers too.

use super::Rows;
use super::lists::{Columns, Lists};
use crate::aligned::Aligned;
use crate::wide::{Work, run_in_widest_vectors};

/// A layer of `rows` rows with `width` lanes each, of which few are active.
#[derive(Clone, Copy, Debug)]
pub struct Sparse {
    /// How many rows there are.
    pub rows: usize,
    /// How many lanes each has.
    pub width: usize,
    lanes: usize,
}

/// Takes the sums of a layer, a tile of one list after another.
pub trait TakeSums {
    /// Takes the sums of a list from `lane` on.
    fn take<const L: usize>(&mut self, list: usize, lane: usize, sums: &[f32; L]);
}

/// Has the gradients of a layer's sums, a tile of some lists at a time.
pub trait Deltas {
    /// The gradients of the lanes from `lane` on, of `lists` lists from `first` on.
    fn tile<const L: usize>(&mut self, lane: usize, first: usize, lists: usize) -> &[[f32; L]];
}

impl Sparse {
    /// A layer with this many rows of a width that is a multiple of 8.
    ///
    /// # Panics
    /// If the width is not a multiple of 8 or there are more rows than lists can name.
    pub fn new(rows: usize, width: usize) -> Self {
        assert!(width > 0 && width.is_multiple_of(8), "lanes come in registers of eight");
        assert!(rows <= 1 << 16, "lists hold numbers of 16 bits");
        let lanes = [64, 32, 16].into_iter().find(|&lanes| width.is_multiple_of(lanes));
        Self { rows, width, lanes: lanes.unwrap_or(8) }
    }

    /// How many weights there are.
    pub const fn len(&self) -> usize {
        self.rows * self.width
    }

    /// Whether there are no weights.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many lanes a tile has.
    pub const fn lanes(&self) -> usize {
        self.lanes
    }

    /// How many tiles there are.
    pub const fn tiles(&self) -> usize {
        self.width / self.lanes
    }

    /// Where the weight of a row and lane is stored.
    #[inline]
    pub const fn place(&self, row: usize, lane: usize) -> usize {
        (lane / self.lanes * self.rows + row) * self.lanes + lane % self.lanes
    }

    /// The weights in the order of files, `[row][lane]`.
    pub fn in_rows(&self, weights: &[f32]) -> Vec<f32> {
        let row = |row| (0..self.width).map(move |lane| weights[self.place(row, lane)]);
        (0..self.rows).flat_map(row).collect()
    }

    /// The other way round: weights as they are stored here, from those in the order of files.
    pub fn from_rows(&self, rows: &[f32]) -> Vec<f32> {
        let mut weights = vec![0.0; self.len()];
        for (row, lanes) in rows.chunks_exact(self.width).enumerate() {
            for (lane, &weight) in lanes.iter().enumerate() {
                weights[self.place(row, lane)] = weight;
            }
        }
        weights
    }

    /// Adds up the rows of each list, on top of the bias.
    pub fn forward(&self, weights: &[f32], bias: &[f32], lists: &mut Lists, sums: &mut Rows) {
        self.forward_to(weights, bias, lists, sums);
    }

    /// The same; the sums go to `sums`, each list's from the first tile to the last.
    pub fn forward_to(
        &self,
        weights: &[f32],
        bias: &[f32],
        lists: &mut Lists,
        sums: &mut impl TakeSums,
    ) {
        let layer = *self;
        match self.lanes {
            64 => run_in_widest_vectors(Forward::<_, 64> { layer, weights, bias, lists, sums }),
            32 => run_in_widest_vectors(Forward::<_, 32> { layer, weights, bias, lists, sums }),
            16 => run_in_widest_vectors(Forward::<_, 16> { layer, weights, bias, lists, sums }),
            _ => run_in_widest_vectors(Forward::<_, 8> { layer, weights, bias, lists, sums }),
        }
    }

    /// Adds the gradients of the sums to those of the rows that they are made of, and to the bias's.
    pub fn backward(
        &self,
        gradients: &mut [f32],
        bias_gradients: &mut [f32],
        lists: &mut Lists,
        deltas: &Rows,
    ) {
        let tile = Aligned::zeroed(Lists::GROUP * self.lanes);
        let mut deltas = RowDeltas { rows: deltas, tile };
        self.backward_from(gradients, bias_gradients, lists, &mut deltas);
    }

    /// The same with gradients that need not stand in rows.
    pub fn backward_from(
        &self,
        gradients: &mut [f32],
        biases: &mut [f32],
        lists: &mut Lists,
        deltas: &mut impl Deltas,
    ) {
        let (layer, len) = (*self, lists.len());
        let columns = lists.columns(self.rows);
        macro_rules! run {
            ($lanes:literal) => {
                run_in_widest_vectors(Backward::<_, $lanes> {
                    layer,
                    gradients,
                    biases,
                    len,
                    columns,
                    deltas,
                })
            };
        }
        match self.lanes {
            64 => run!(64),
            32 => run!(32),
            16 => run!(16),
            _ => run!(8),
        }
    }
}

impl TakeSums for Rows {
    #[inline(always)]
    fn take<const L: usize>(&mut self, list: usize, lane: usize, sums: &[f32; L]) {
        self.row_mut(list)[lane..][..L].copy_from_slice(sums);
    }
}

/// The gradients of sums that stand in rows, copied together tile by tile.
struct RowDeltas<'a> {
    rows: &'a Rows,
    tile: Aligned,
}

impl Deltas for RowDeltas<'_> {
    #[inline(always)]
    fn tile<const L: usize>(&mut self, lane: usize, first: usize, lists: usize) -> &[[f32; L]] {
        let tile = &mut self.tile.as_chunks_mut::<L>().0[..lists];
        for (list, to) in (first..).zip(&mut *tile) {
            to.copy_from_slice(&self.rows.row(list)[lane..][..L]);
        }
        tile
    }
}

/// The way forward in tiles of `L` lanes.
struct Forward<'a, T, const L: usize> {
    layer: Sparse,
    weights: &'a [f32],
    bias: &'a [f32],
    lists: &'a mut Lists,
    sums: &'a mut T,
}

impl<T: TakeSums, const L: usize> Work for Forward<'_, T, L> {
    #[inline(always)]
    fn run(self) {
        let Self { layer, weights, bias, lists, sums } = self;
        lists.sort_by_length();
        let tiles = weights.as_chunks::<L>().0.chunks_exact(layer.rows);
        for (index, (tile, bias)) in tiles.zip(bias.as_chunks::<L>().0).enumerate() {
            for list in lists.by_length() {
                let mut sum = *bias;
                for &row in lists.list(list) {
                    add(&mut sum, &tile[usize::from(row)]);
                }
                sums.take(list, index * L, &sum);
            }
        }
    }
}

/// The way back in tiles of `L` lanes.
///
/// Row by row the gradients of all its lists are added up: what is added to stays in registers, and the
/// gradients of a tile of all lists are read from the nearest caches. For each weight this is the same sum in
/// the same order as list by list.
struct Backward<'a, D, const L: usize> {
    layer: Sparse,
    gradients: &'a mut [f32],
    biases: &'a mut [f32],
    len: usize,
    columns: &'a [Columns],
    deltas: &'a mut D,
}

impl<D: Deltas, const L: usize> Work for Backward<'_, D, L> {
    #[inline(always)]
    fn run(self) {
        let Self { layer, gradients, biases, len, columns, deltas } = self;
        let tiles = gradients.as_chunks_mut::<L>().0.chunks_exact_mut(layer.rows);
        for (index, (tile, bias)) in tiles.zip(biases.as_chunks_mut::<L>().0).enumerate() {
            for (group, columns) in columns.iter().enumerate() {
                let first = group * Lists::GROUP;
                let lists = Lists::GROUP.min(len - first);
                let deltas = deltas.tile::<L>(index * L, first, lists);
                for delta in deltas {
                    add(bias, delta);
                }
                for (row, lists) in columns.iter() {
                    add_column(&mut tile[row], lists, deltas);
                }
            }
        }
    }
}

/// Adds the gradients of a row's lists to the row's.
#[inline(always)]
fn add_column<const L: usize>(gradients: &mut [f32; L], lists: &[u8], deltas: &[[f32; L]]) {
    let mut sum = *gradients;
    for &list in lists {
        add(&mut sum, &deltas[usize::from(list)]);
    }
    *gradients = sum;
}

#[inline(always)]
fn add<const L: usize>(sum: &mut [f32; L], row: &[f32; L]) {
    for (sum, x) in sum.iter_mut().zip(row) {
        *sum += x;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tools::Rng;

    #[test]
    fn tiles_give_the_sums_and_gradients_of_the_definition() {
        for width in [8, 16, 24, 32, 48, 64, 96, 128] {
            check(Sparse::new(20, width));
        }
    }

    fn check(layer: Sparse) {
        let mut random = Rng::new(5);
        let mut draw = |len: usize| (0..len).map(|_| random.signed_unit()).collect::<Vec<_>>();
        let (weights, bias) = (draw(layer.len()), draw(layer.width));
        let mut lists = Lists::default();
        let rows: [&[usize]; 4] = [&[0, 3, 19], &[], &[3], &[7, 8, 9, 10, 11]];
        for list in rows {
            lists.push(list.iter().copied());
        }
        let mut sums = Rows::new(4, layer.width);
        layer.forward(&weights, &bias, &mut lists, &mut sums);
        let mut gradients = vec![0.0; layer.len()];
        let mut bias_gradients = vec![0.0; layer.width];
        layer.backward(&mut gradients, &mut bias_gradients, &mut lists, &sums);
        let flat = layer.in_rows(&weights);
        assert_eq!(layer.from_rows(&flat), weights);
        let flat_gradients = layer.in_rows(&gradients);
        for lane in 0..layer.width {
            for (index, list) in rows.iter().enumerate() {
                let expected: f32 =
                    list.iter().fold(bias[lane], |sum, row| sum + flat[row * layer.width + lane]);
                assert!((sums.row(index)[lane] - expected).abs() < 1e-5);
            }
            let expected = sums.row(0)[lane] + sums.row(2)[lane];
            assert!((flat_gradients[3 * layer.width + lane] - expected).abs() < 1e-5);
            let expected: f32 = (0..4).map(|index| sums.row(index)[lane]).sum();
            assert!((bias_gradients[lane] - expected).abs() < 1e-5);
        }
    }
}
