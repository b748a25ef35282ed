// SPDX-License-Identifier: GPL-3.0-or-later
//! Orbits unfolded to features.

use std::ops::Range;

use net::features::{Features as _, RengarFeatures};

use super::super::Unfolding;
use crate::layers::{Sparse, add};
use crate::parameters::Layout;

/// Unfolds orbits to features, each class with the feature's sign.
#[derive(Debug)]
pub(super) struct SignedRows {
    pub(super) h: usize,
    pub(super) orbits: Sparse,
    pub(super) rows: Sparse,
    pub(super) layout: Layout,
    pub(super) weights: Layout,
}

impl SignedRows {
    /// Calls `visit` with the place of a parameter, the place of a weight that is made of it, and
    /// the sign, for all of the first layer.
    fn places(&self, mut visit: impl FnMut(usize, usize, f32)) {
        for feature in 0..RengarFeatures::LEN {
            let signs = RengarFeatures::signs(feature);
            let signs = [1, signs.vertical, signs.horizontal, signs.vertical * signs.horizontal];
            for lane in 0..4 * self.h {
                let (from, to) =
                    (self.orbits.place(feature / 4, lane), self.rows.place(feature, lane));
                visit(from, to, f32::from(signs[lane / self.h]));
            }
        }
        let tempo = self.layout.tensors()[1].range().start;
        for lane in 0..self.h {
            for (row, sign) in [(RengarFeatures::LEN, 1.0), (RengarFeatures::LEN + 1, -1.0)] {
                visit(tempo + lane, self.rows.place(row, self.h + lane), sign);
            }
        }
    }

    /// What follows the first layer, among the parameters and among the weights.
    fn rest(&self) -> [Range<usize>; 2] {
        [
            self.layout.tensors()[2].range().start..self.layout.len(),
            self.weights.tensors()[1].range().start..self.weights.len(),
        ]
    }
}

impl Unfolding for SignedRows {
    fn len(&self) -> usize {
        self.weights.len()
    }

    fn unfold(&self, parameters: &[f32], weights: &mut [f32]) {
        self.places(|from, to, sign| weights[to] = sign * parameters[from]);
        let [from, to] = self.rest();
        weights[to].copy_from_slice(&parameters[from]);
    }

    fn fold(&self, weight_gradients: &[f32], gradients: &mut [f32]) {
        self.places(|to, from, sign| gradients[to] += sign * weight_gradients[from]);
        let [to, from] = self.rest();
        add(&mut gradients[to], &weight_gradients[from]);
    }
}
