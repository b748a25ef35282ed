// SPDX-License-Identifier: GPL-3.0-or-later
//! The layers that Napoleon is made of, all in floats.
//!
//! Each knows how it lies in a file and what it computes. No sum can overflow: with weights and
//! activations of at most 2¹⁶, what a norm gives is below 2³³, a product of two such below 2⁶⁶, and the
//! sum of 256 · 64 of them with weights below 2⁶³.

use crate::format::{NetFileError, Tensor, TensorReader, TensorWriter};
use crate::kernels::Kernels;
use crate::kernels::float::{Curve, LANES, Lanes, PaddedRow, TAPS, pad, relu};

/// The largest weight, either way.
const MAX_WEIGHT: f64 = 65_536.0;

/// A tensor of so many weights.
const fn tensor((name, len): (&'static str, usize)) -> Tensor {
    Tensor::f32(name, len).within(MAX_WEIGHT)
}

/// A dense layer.
#[derive(Clone, Debug)]
pub(super) struct Dense {
    inputs: usize,
    outputs: usize,
    /// `[group][input][lane]`, the last group filled up with zeros.
    weights: Vec<Lanes>,
    bias: Vec<Lanes>,
}

impl Dense {
    /// How it lies in a file: weights `[input][output]`, then the bias.
    pub(super) fn tensors(names: [&'static str; 2], inputs: usize, outputs: usize) -> [Tensor; 2] {
        [(names[0], inputs * outputs), (names[1], outputs)].map(tensor)
    }

    pub(super) fn read(
        reader: &mut TensorReader<'_>,
        inputs: usize,
        outputs: usize,
    ) -> Result<Self, NetFileError> {
        let flat = reader.f32()?;
        let bias = reader.f32()?;
        let groups = outputs.div_ceil(LANES);
        let mut weights = vec![[0.0; LANES]; groups * inputs];
        for (input, row) in flat.chunks_exact(outputs).enumerate() {
            for (group, lanes) in row.chunks(LANES).enumerate() {
                weights[group * inputs + input][..lanes.len()].copy_from_slice(lanes);
            }
        }
        let mut padded = vec![[0.0; LANES]; groups];
        padded.as_flattened_mut()[..outputs].copy_from_slice(&bias);
        Ok(Self { inputs, outputs, weights, bias: padded })
    }

    /// What an output takes of an input.
    pub(super) fn weight(&self, input: usize, output: usize) -> f32 {
        self.weights[output / LANES * self.inputs + input][output % LANES]
    }

    pub(super) fn write(&self, writer: &mut TensorWriter) {
        let row = |input: usize| (0..self.outputs).map(move |output| self.weight(input, output));
        writer.f32(&(0..self.inputs).flat_map(row).collect::<Vec<_>>());
        writer.f32(&self.bias.as_flattened()[..self.outputs]);
    }

    /// Computes the outputs into the front of `output` and hands them back.
    pub(super) fn run<'a>(
        &self,
        kernels: &Kernels,
        input: &[f32],
        output: &'a mut [Lanes],
    ) -> &'a mut [f32] {
        let output = &mut output[..self.bias.len()];
        kernels.affine_f32(input, &self.weights, &self.bias, output);
        &mut output.as_flattened_mut()[..self.outputs]
    }
}

/// A 3×3 convolution with as many outputs as biases.
#[derive(Clone, Debug)]
pub(super) struct Convolution {
    /// `[output][input][rank][file]`.
    weights: Vec<f32>,
    bias: Vec<f32>,
}

impl Convolution {
    pub(super) fn tensors(names: [&'static str; 2], inputs: usize, outputs: usize) -> [Tensor; 2] {
        [(names[0], outputs * inputs * TAPS), (names[1], outputs)].map(tensor)
    }

    pub(super) fn read(reader: &mut TensorReader<'_>) -> Result<Self, NetFileError> {
        let weights = reader.f32()?;
        Ok(Self { weights, bias: reader.f32()? })
    }

    pub(super) fn write(&self, writer: &mut TensorWriter) {
        writer.f32(&self.weights);
        writer.f32(&self.bias);
    }

    /// Computes planes from planes, by way of `padded`.
    pub(super) fn run(
        &self,
        kernels: &Kernels,
        input: &[f32],
        padded: &mut [PaddedRow],
        output: &mut [f32],
    ) {
        let padded = &mut padded[..8 * self.inputs()];
        pad(input, padded);
        kernels.conv3x3_f32(padded, &self.weights, &self.bias, output);
    }

    /// How many planes it reads.
    fn inputs(&self) -> usize {
        self.weights.len() / (self.bias.len() * TAPS)
    }
}

/// What is left of a batch normalization that cannot be folded into a neighbour: a factor and a
/// shift for each channel.
#[derive(Clone, Debug)]
pub(super) struct Norm {
    factors: Vec<f32>,
    shifts: Vec<f32>,
}

impl Norm {
    pub(super) fn tensors(names: [&'static str; 2], channels: usize) -> [Tensor; 2] {
        names.map(|name| tensor((name, channels)))
    }

    pub(super) fn read(reader: &mut TensorReader<'_>) -> Result<Self, NetFileError> {
        let factors = reader.f32()?;
        Ok(Self { factors, shifts: reader.f32()? })
    }

    pub(super) fn write(&self, writer: &mut TensorWriter) {
        writer.f32(&self.factors);
        writer.f32(&self.shifts);
    }

    /// Replaces each cell of the planes by its value on the curve, normalized.
    pub(super) fn run(&self, kernels: &Kernels, planes: &mut [f32], curve: Curve) {
        kernels.norm_f32(planes, &self.factors, &self.shifts, curve);
    }

    /// The same for one number for each channel, after a [`relu`].
    pub(super) fn run_channels(&self, channels: &mut [f32]) {
        for ((value, factor), shift) in channels.iter_mut().zip(&self.factors).zip(&self.shifts) {
            *value = relu(*value) * factor + shift;
        }
    }
}
