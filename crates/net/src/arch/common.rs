// SPDX-License-Identifier: GPL-3.0-or-later
//! What the architectures share: values for people to look at, and whose points they are.

use chess::{Board, Color};

/// Values of a hidden layer, for people to look at.
#[derive(Clone, PartialEq, Debug)]
pub struct Layer {
    /// What the architecture calls it.
    pub name: &'static str,
    /// One value per lane, in the units of training.
    pub values: Vec<f32>,
}

impl Layer {
    pub(crate) const fn new(name: &'static str, values: Vec<f32>) -> Self {
        Self { name, values }
    }
}

/// Lanes as numbers, divided by their quantization factor and passed through an activation.
pub(super) fn scaled(lanes: &[i16], factor: u16, activation: impl Fn(f32) -> f32) -> Vec<f32> {
    lanes.iter().map(|&lane| activation(f32::from(lane) / f32::from(factor))).collect()
}

/// The largest bias of an integer output: the sum with it fits 32 bits.
pub(super) const MAX_OUTPUT_BIAS: f64 = (1u32 << 30) as f64;

/// White's points as the side to move sees them.
#[inline]
pub(super) fn for_mover(white: i32, board: &Board) -> i32 {
    match board.turn() {
        Color::White => white,
        Color::Black => -white,
    }
}
