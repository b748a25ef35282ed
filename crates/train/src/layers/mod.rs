// SPDX-License-Identifier: GPL-3.0-or-later
//! Layers: each computes its outputs, and from the gradients of its outputs those of its weights and
//! inputs.

mod activation;
mod convolution;
mod dense;
mod lists;
mod norm;
mod sparse;
mod vector;

pub use activation::{
    ScreluDot, clamp, clamp_slopes, pairwise, pairwise_backward, relu, relu_in_place, relu_slopes,
    screlu, screlu_backward, screlu_dot, screlu_lanes_backward, screlu_slopes, tanh, tanh_slopes,
};
pub use convolution::{Convolution, PLANE, Padded, pad};
pub use dense::Dense;
pub use lists::Lists;
pub use norm::{Norm, NormPlaces};
pub use sparse::{Deltas, Sparse, TakeSums};
pub use vector::{add, add_scaled, dot, fused};

use crate::aligned::Aligned;

/// Rows of equal width, one for each view of each position in a sub-batch.
///
/// Rows are an odd number of cache lines apart, so that a tile of all rows does not crowd into a few
/// sets of the cache.
#[derive(Clone, Debug)]
pub struct Rows {
    values: Aligned,
    width: usize,
    stride: usize,
}

impl Rows {
    /// So many rows of zeros.
    pub fn new(rows: usize, width: usize) -> Self {
        let lines = width.div_ceil(Aligned::LINE) | 1;
        let stride = lines * Aligned::LINE;
        Self { values: Aligned::zeroed(rows * stride), width, stride }
    }

    /// One row.
    #[inline]
    pub fn row(&self, index: usize) -> &[f32] {
        &self.values[index * self.stride..][..self.width]
    }

    /// One row, to be changed.
    #[inline]
    pub fn row_mut(&mut self, index: usize) -> &mut [f32] {
        &mut self.values[index * self.stride..][..self.width]
    }
}
