// SPDX-License-Identifier: GPL-3.0-or-later
//! The sizes of a Napoleon network, and what follows from them.

use super::Gate;
use super::layers::{Convolution, Dense, Norm};
use crate::features::planes::PLANES;
use crate::file::{Activation, Architecture, Header, NetFileError, Tensor};
use crate::kernels::float::PLANE;

/// The sizes of a network, as its header gives them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NapoleonShape {
    /// Planes after the first convolution, 34 to 256. The 34 input planes are the first of them in
    /// the first block's sum; there are no others to add to the rest.
    pub channels: usize,
    /// Blocks with a convolution, 1 to 16.
    pub blocks: usize,
    /// What a gate squeezes all cells into, 1 to 64.
    pub squeezed: usize,
    /// The widths of the head's two layers, 1 to 64.
    pub head: usize,
}

impl NapoleonShape {
    /// The sizes of the original.
    pub const ORIGINAL: Self = Self { channels: PLANES, blocks: 2, squeezed: 16, head: 16 };

    /// Reads the sizes from a header and refuses those out of range.
    pub fn from_header(header: &Header) -> Result<Self, NetFileError> {
        super::super::check_activation(header, &[Activation::Tanh])?;
        super::super::check_inputs(header, PLANES, 0)?;
        super::super::check_unused(header, 4, Header::BOUNDED)?;
        Header::check("channels", header.width(0), PLANES..=256)?;
        Header::check("blocks", header.width(1), 1..=16)?;
        Header::check("squeezed width", header.width(2), 1..=64)?;
        Header::check("head's width", header.width(3), 1..=64)?;
        for factor in header.quantization {
            Header::check("quantization factor", factor, 0..=0)?;
        }
        let [channels, blocks, squeezed, head] = header.widths.map(usize::from);
        Ok(Self { channels, blocks, squeezed, head })
    }

    /// The header of a network with these sizes.
    pub fn header(&self) -> Header {
        let mut header = Header::new(Architecture::Napoleon, Activation::Tanh);
        header.inputs = PLANES as u32;
        header.widths =
            [self.channels, self.blocks, self.squeezed, self.head].map(|width| width as u16);
        header
    }

    /// How many planes a block reads.
    pub(super) const fn inputs(&self, block: usize) -> usize {
        if block == 0 { PLANES } else { self.channels }
    }

    /// Multiplications and additions of one evaluation in convolutions and dense layers, without
    /// those beyond the border.
    pub fn multiply_adds(&self) -> usize {
        /// Pairs of neighbours, or of a square and itself, in a line of eight.
        const LINE: usize = 22;
        let gate = |planes: usize| planes * (PLANE + 1) * self.squeezed;
        let conv = |block: usize| self.inputs(block) * self.channels * LINE * LINE;
        let blocks: usize = (0..self.blocks).map(|i| conv(i) + gate(self.channels)).sum();
        let head = self.head * (self.channels * PLANE + self.head + 1);
        gate(PLANES) + blocks + head
    }

    /// The tensors in the order of the file.
    pub(super) fn tensors(&self) -> Vec<Tensor> {
        let (channels, head) = (self.channels, self.head);
        let mut tensors = Vec::new();
        tensors.extend(Norm::tensors(["input.factor", "input.shift"], PLANES));
        tensors.extend(Gate::tensors(PLANES, self.squeezed));
        tensors.extend(Norm::tensors(["input.sum.factor", "input.sum.shift"], PLANES));
        for block in 0..self.blocks {
            let names = ["block.conv.weights", "block.conv.bias"];
            tensors.extend(Convolution::tensors(names, self.inputs(block), channels));
            tensors.extend(Norm::tensors(["block.conv.factor", "block.conv.shift"], channels));
            tensors.extend(Gate::tensors(channels, self.squeezed));
            tensors.extend(Norm::tensors(["block.gate.factor", "block.gate.shift"], channels));
            tensors.extend(Norm::tensors(["block.sum.factor", "block.sum.shift"], channels));
        }
        let first = ["head.first.weights", "head.first.bias"];
        tensors.extend(Dense::tensors(first, channels * PLANE, head));
        tensors.extend(Dense::tensors(["head.second.weights", "head.second.bias"], head, head));
        tensors.extend(Dense::tensors(["head.output.weights", "head.output.bias"], head, 1));
        tensors
    }

    /// The middle and the spread of random weights with which values neither vanish nor explode.
    pub(crate) fn random_weights(header: &Header, tensor: &Tensor) -> (f32, f32) {
        let [channels, _, squeezed, head] = header.widths.map(usize::from);
        let inputs = match tensor.name {
            "block.conv.weights" => tensor.len / channels,
            "gate.squeeze.weights" => tensor.len / squeezed,
            "gate.excite.weights" => squeezed,
            "head.first.weights" => tensor.len / head,
            "head.second.weights" | "head.output.weights" => head,
            name if name.ends_with("factor") => return (1.0, 0.5),
            _ => return (0.0, 0.25),
        };
        (0.0, (12.0 / inputs as f32).sqrt())
    }
}
