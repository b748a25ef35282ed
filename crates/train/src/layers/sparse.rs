// SPDX-License-Identifier: GPL-3.0-or-later
//! The first layer: about thirty of many rows are added up.
//!
//! Weights are stored in tiles, `[tile][row][lane of the tile]`, so that one tile of all rows stays
//! in the second-level cache while the positions of a sub-batch run through it, and the sums of a
//! tile stay in registers.

use super::Rows;

/// Which rows each sum is made of.
#[derive(Clone, Debug, Default)]
pub struct Lists {
    rows: Vec<u16>,
    ends: Vec<u32>,
}

impl Lists {
    /// Forgets all lists.
    pub fn clear(&mut self) {
        self.rows.clear();
        self.ends.clear();
    }

    /// Appends a list.
    pub fn push(&mut self, rows: impl Iterator<Item = usize>) {
        self.rows.extend(rows.map(|row| row as u16));
        self.ends.push(self.rows.len() as u32);
    }

    /// How many lists there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no list.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// All lists in order.
    pub fn iter(&self) -> impl Iterator<Item = &[u16]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let list = &self.rows[start..end as usize];
            start = end as usize;
            list
        })
    }
}

/// A layer of `rows` rows with `width` lanes each, of which few are active.
#[derive(Clone, Copy, Debug)]
pub struct Sparse {
    /// How many rows there are.
    pub rows: usize,
    /// How many lanes each has.
    pub width: usize,
    lanes: usize,
}

/// Runs a function with the width of this layer's tiles as a constant.
macro_rules! with_lanes {
    ($self:ident, $function:ident($($argument:expr),*)) => {
        match $self.lanes {
            64 => $self.$function::<64>($($argument),*),
            32 => $self.$function::<32>($($argument),*),
            16 => $self.$function::<16>($($argument),*),
            _ => $self.$function::<8>($($argument),*),
        }
    };
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
    pub fn forward(&self, weights: &[f32], bias: &[f32], lists: &Lists, sums: &mut Rows) {
        with_lanes!(self, forward_tiles(weights, bias, lists, sums));
    }

    /// Adds the gradients of the sums to those of the rows that they are made of, and to the bias's.
    pub fn backward(
        &self,
        gradients: &mut [f32],
        bias_gradients: &mut [f32],
        lists: &Lists,
        deltas: &Rows,
    ) {
        with_lanes!(self, backward_tiles(gradients, bias_gradients, lists, deltas));
    }

    fn forward_tiles<const L: usize>(
        &self,
        weights: &[f32],
        bias: &[f32],
        lists: &Lists,
        sums: &mut Rows,
    ) {
        let tiles = weights.as_chunks::<L>().0.chunks_exact(self.rows);
        for (index, (tile, bias)) in tiles.zip(bias.as_chunks::<L>().0).enumerate() {
            forward_tile(tile, bias, lists, &mut |list, sum: &[f32; L]| {
                sums.row_mut(list)[index * L..][..L].copy_from_slice(sum);
            });
        }
    }

    fn backward_tiles<const L: usize>(
        &self,
        gradients: &mut [f32],
        bias_gradients: &mut [f32],
        lists: &Lists,
        deltas: &Rows,
    ) {
        let tiles = gradients.as_chunks_mut::<L>().0.chunks_exact_mut(self.rows);
        let biases = bias_gradients.as_chunks_mut::<L>().0;
        for (index, (tile, bias)) in tiles.zip(biases).enumerate() {
            let delta = |list| *deltas.row(list)[index * L..].first_chunk().expect("a whole tile");
            backward_tile(tile, bias, lists, delta);
        }
    }
}

#[inline]
fn forward_tile<const L: usize>(
    tile: &[[f32; L]],
    bias: &[f32; L],
    lists: &Lists,
    store: &mut impl FnMut(usize, &[f32; L]),
) {
    for (index, list) in lists.iter().enumerate() {
        let mut sum = *bias;
        for &row in list {
            add(&mut sum, &tile[usize::from(row)]);
        }
        store(index, &sum);
    }
}

#[inline]
fn backward_tile<const L: usize>(
    tile: &mut [[f32; L]],
    bias: &mut [f32; L],
    lists: &Lists,
    delta: impl Fn(usize) -> [f32; L],
) {
    for (index, list) in lists.iter().enumerate() {
        let delta = delta(index);
        for &row in list {
            add(&mut tile[usize::from(row)], &delta);
        }
        add(bias, &delta);
    }
}

#[inline]
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
        for width in [8, 16, 24, 32, 64, 96, 128] {
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
        layer.forward(&weights, &bias, &lists, &mut sums);
        let mut gradients = vec![0.0; layer.len()];
        let mut bias_gradients = vec![0.0; layer.width];
        layer.backward(&mut gradients, &mut bias_gradients, &lists, &sums);
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
