// SPDX-License-Identifier: GPL-3.0-or-later
//! The layers that architectures are made of.

use std::fmt;
use std::ops::{Deref, DerefMut};

use chess::{Color, Piece, Square};

use crate::Kernels;
use crate::features::Features;
use crate::file::{Header, NetFileError};
use crate::kernels::float::tanh;

/// Numbers of 16 bits that begin on a cache line.
pub(crate) struct Aligned {
    storage: Vec<i16>,
    start: usize,
    len: usize,
}

impl Aligned {
    /// Bytes of a cache line.
    const LINE: usize = 64;

    pub(crate) fn zeroed(len: usize) -> Self {
        let storage = vec![0i16; len + Self::LINE / size_of::<i16>()];
        // If the platform cannot tell, any start will do: it is only a matter of speed.
        let start = storage.as_ptr().align_offset(Self::LINE).min(storage.len() - len);
        Self { storage, start, len }
    }
}

impl From<&[i16]> for Aligned {
    fn from(values: &[i16]) -> Self {
        let mut aligned = Self::zeroed(values.len());
        aligned.copy_from_slice(values);
        aligned
    }
}

impl Deref for Aligned {
    type Target = [i16];

    #[inline]
    fn deref(&self) -> &[i16] {
        &self.storage[self.start..self.start + self.len]
    }
}

impl DerefMut for Aligned {
    #[inline]
    fn deref_mut(&mut self) -> &mut [i16] {
        &mut self.storage[self.start..self.start + self.len]
    }
}

impl Clone for Aligned {
    fn clone(&self) -> Self {
        Self::from(&**self)
    }
}

impl fmt::Debug for Aligned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Aligned({} lanes)", self.len)
    }
}

/// The first layer: a row of weights for each feature, of which the rows of the pieces are added up.
#[derive(Clone, Debug)]
pub(crate) struct FirstLayer<F> {
    pub(crate) features: F,
    /// `[feature][lane]`.
    pub(crate) rows: Aligned,
    /// The sum for an empty board.
    pub(crate) bias: Aligned,
}

impl<F: Features> FirstLayer<F> {
    /// A layer whose sums fit 16 bits on any board; if they do not, says which.
    pub(crate) fn new(features: F, rows: &[i16], bias: &[i16]) -> Result<Self, NetFileError> {
        let layer = Self { features, rows: rows.into(), bias: bias.into() };
        for (lane, &(low, high)) in layer.bounds().iter().enumerate() {
            if low < i16::MIN.into() || high > i16::MAX.into() {
                return Err(NetFileError::Weight {
                    tensor: "first layer, worst sum over a board",
                    index: lane,
                    found: format!("{low} to {high}"),
                    expected: format!("{} to {}", i16::MIN, i16::MAX),
                });
            }
        }
        Ok(layer)
    }

    pub(crate) fn width(&self) -> usize {
        self.bias.len()
    }

    /// The row of a feature.
    pub(crate) fn row(&self, feature: usize) -> &[i16] {
        &self.rows[feature * self.width()..][..self.width()]
    }

    /// The least and the largest sum that each lane can have on any board, however crowded: on each
    /// of the 64 squares the piece that changes it the most, or none.
    pub(crate) fn bounds(&self) -> Vec<(i32, i32)> {
        let mut bounds = vec![(i32::MAX, i32::MIN); self.width()];
        let mut is_done = vec![false; self.features.slots()];
        for king in Square::all() {
            let slot = self.features.slot(Color::White, king);
            if !std::mem::replace(&mut is_done[slot], true) {
                for (bound, found) in bounds.iter_mut().zip(self.slot_bounds(king)) {
                    *bound = (bound.0.min(found.0), bound.1.max(found.1));
                }
            }
        }
        bounds
    }

    /// The bounds while the own king stands on `king`, or in the same slot.
    fn slot_bounds(&self, king: Square) -> Vec<(i32, i32)> {
        let mut bounds: Vec<_> = self.bias.iter().map(|&b| (i32::from(b), i32::from(b))).collect();
        for square in Square::all() {
            let mut extremes = vec![(0, 0); self.width()];
            for piece in Piece::ALL {
                let index = self.features.index(Color::White, king, piece, square);
                let Some(index) = index else { continue };
                for (extreme, &weight) in extremes.iter_mut().zip(self.row(index)) {
                    *extreme = (weight.min(extreme.0), weight.max(extreme.1));
                }
            }
            for (bound, extreme) in bounds.iter_mut().zip(extremes) {
                *bound = (bound.0 + i32::from(extreme.0), bound.1 + i32::from(extreme.1));
            }
        }
        bounds
    }
}

/// A dense layer of signed bytes on inputs of 0 to 127.
#[derive(Clone, Debug)]
pub(crate) struct Affine {
    /// `[input / 4][output][input % 4]`, the order of the kernel.
    weights: Vec<i8>,
    bias: Vec<i32>,
}

impl Affine {
    /// The largest bias, which leaves room for the sums of any number of inputs.
    pub(crate) const MAX_BIAS: i32 = 1 << 30;

    /// From weights ordered `[output][input]`.
    pub(crate) fn new(weights: &[i8], bias: Vec<i32>) -> Self {
        Self { weights: to_blocks(weights, bias.len()), bias }
    }

    /// The weights ordered `[output][input]`.
    pub(crate) fn weights(&self) -> Vec<i8> {
        from_blocks(&self.weights, self.bias.len())
    }

    pub(crate) fn bias(&self) -> &[i32] {
        &self.bias
    }

    /// `out = bias + weights · input`.
    #[inline]
    pub(crate) fn forward(&self, input: &[u8], out: &mut [i32], kernels: &Kernels) {
        out.copy_from_slice(&self.bias);
        kernels.affine(input, &self.weights, out);
    }

    /// `out = bias + weights · [ours, theirs]`, the two halves of the input side by side.
    #[inline]
    pub(crate) fn forward_halves(&self, input: [&[u8]; 2], out: &mut [i32], kernels: &Kernels) {
        out.copy_from_slice(&self.bias);
        let (ours, theirs) = self.weights.split_at(self.weights.len() / 2);
        kernels.affine(input[0], ours, out);
        kernels.affine(input[1], theirs, out);
    }
}

/// Reorders `[output][input]` to `[input / 4][output][input % 4]`.
pub(crate) fn to_blocks(weights: &[i8], outputs: usize) -> Vec<i8> {
    let inputs = weights.len() / outputs;
    let group = |first: usize| {
        (0..outputs).flat_map(move |output| &weights[output * inputs + first..][..4]).copied()
    };
    (0..inputs).step_by(4).flat_map(group).collect()
}

/// Reorders `[input / 4][output][input % 4]` to `[output][input]`.
pub(crate) fn from_blocks(blocks: &[i8], outputs: usize) -> Vec<i8> {
    let row = |output: usize| {
        blocks.chunks(4 * outputs).flat_map(move |group| &group[4 * output..][..4]).copied()
    };
    (0..outputs).flat_map(row).collect()
}

/// A dense layer of floats whose sums are taken in the order of the inputs, on every path.
#[derive(Clone, Debug)]
pub(crate) struct Dense {
    /// `[input][output]`.
    pub(crate) weights: Vec<f32>,
    pub(crate) bias: Vec<f32>,
}

impl Dense {
    /// The largest weight and bias: sums of thousands of them stay far from infinity.
    pub(crate) const MAX: f32 = 1024.0;

    /// `out = bias + weights · input`.
    #[inline]
    pub(crate) fn forward(&self, input: &[f32], out: &mut [f32], kernels: &Kernels) {
        kernels.dense(input, &self.weights, &self.bias, out);
    }
}

/// The sum of products, taken in order.
#[inline]
pub(crate) fn dot(left: &[f32], right: &[f32]) -> f32 {
    left.iter().zip(right).map(|(a, b)| a * b).sum()
}

/// The sum of products, taken in eight sums side by side and then in order: the same on every path,
/// and several times as fast as one after the other.
#[inline]
pub(crate) fn dot_in_lanes(left: &[f32], right: &[f32]) -> f32 {
    let (left, left_rest) = left.as_chunks::<8>();
    let (right, right_rest) = right.as_chunks::<8>();
    let mut sums = [0.0; 8];
    for (left, right) in left.iter().zip(right) {
        for i in 0..8 {
            sums[i] += left[i] * right[i];
        }
    }
    sums.iter().sum::<f32>() + dot(left_rest, right_rest)
}

/// An output in points, passed through tanh first if the header says so.
#[inline]
pub(crate) fn points_of(output: f32, header: &Header) -> i32 {
    let output = if header.has(Header::BOUNDED) { tanh(output) } else { output };
    points(output, header.scale)
}

/// An output in points. What no search could use is cut off.
#[inline]
pub(crate) fn points(output: f32, scale: u32) -> i32 {
    const MAX: f32 = MAX_POINTS as f32;
    (output * scale as f32).clamp(-MAX, MAX) as i32
}

/// `output · scale / unit` in points, rounded toward zero. What no search could use is cut off.
#[inline]
pub(crate) fn points_from(output: i64, scale: u32, unit: i64) -> i32 {
    (output * i64::from(scale) / unit).clamp(-MAX_POINTS, MAX_POINTS) as i32
}

const MAX_POINTS: i64 = 1_000_000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_inverse() {
        let weights: Vec<i8> = (0..96).collect();
        let blocks = to_blocks(&weights, 4);
        assert_eq!(blocks[..8], [0, 1, 2, 3, 24, 25, 26, 27]);
        assert_eq!(from_blocks(&blocks, 4), weights);
    }

    #[test]
    fn lanes_begin_on_a_cache_line() {
        for len in [0, 1, 16, 1000] {
            let aligned = Aligned::zeroed(len);
            assert_eq!(aligned.len(), len);
            assert_eq!(aligned.as_ptr().align_offset(64), 0);
        }
    }
}
