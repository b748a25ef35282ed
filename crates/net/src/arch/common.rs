// SPDX-License-Identifier: GPL-3.0-or-later
//! What the architectures share: checks of headers, and values for people to look at.

use chess::{Board, Color};

use crate::file::{Activation, Architecture, Header, NetFileError};

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

/// White's points as the side to move sees them.
#[inline]
pub(super) fn for_mover(white: i32, board: &Board) -> i32 {
    match board.turn() {
        Color::White => white,
        Color::Black => -white,
    }
}

pub(super) fn check_activation(
    header: &Header,
    allowed: &[Activation],
) -> Result<(), NetFileError> {
    if allowed.contains(&header.activation) {
        return Ok(());
    }
    let names: Vec<_> = allowed.iter().map(|activation| activation.name()).collect();
    Err(NetFileError::field("activation", header.activation.name(), names.join(" or ")))
}

/// Checks the number of inputs: `len` per input bucket, of which there are at most `max_buckets`.
pub(super) fn check_inputs(
    header: &Header,
    len: usize,
    max_buckets: u8,
) -> Result<(), NetFileError> {
    let least = u8::from(max_buckets > 0);
    Header::check("input buckets", header.input_buckets, least..=max_buckets)?;
    let expected = (len * usize::from(header.input_buckets.max(1))) as u32;
    Header::check("inputs", header.inputs, expected..=expected)
}

/// Checks that widths from `layer` on, output buckets, and all flags but some are zero.
pub(super) fn check_unused(header: &Header, layer: usize, flags: u16) -> Result<(), NetFileError> {
    for &width in &header.widths[layer..] {
        Header::check("width of a layer that is not there", width, 0..=0)?;
    }
    Header::check("flags of other architectures", header.flags & !flags, 0..=0)?;
    if header.architecture != Architecture::House {
        Header::check("output buckets", header.output_buckets, 0..=0)?;
    }
    Ok(())
}
