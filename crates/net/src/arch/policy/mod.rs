// SPDX-License-Identifier: GPL-3.0-or-later
//! The policy: how promising each legal move looks before anything is searched.
//!
//! ```text
//! 3072 pieces on squares,   ─► N lanes ─► products of halves ─┬─ · row of (piece, to, exchange) ─┐
//! attacked and defended        i8 rows     N/2 numbers         └─ · row of (from, to) ────────────┴─ + ─ logit
//! ```
//!
//! The board is turned so that the side to move plays upwards with its king on the files a to d. All
//! sums are of integers, so that every path gives the same logits.
//!
//! **Laws**: swapping colors changes no prior, mirroring files none without castling rights.
//! **Cost**: N lanes per piece and N bytes per move.

mod evaluator;
mod rows;

pub use evaluator::PolicyEvaluator;
pub use rows::{FROM_TO, MoveRows, PIECE_TO, SEE_THRESHOLD, SEE_VALUES};

use std::path::Path;

use super::{open, save, to_file};
use crate::features::{names::kinds, threats};
use crate::format::{
    self, Activation, ArchSpec, Architecture, Factor, Header, NetFileError, Sample, Tensor,
    TensorReader, TensorWriter, Width,
};
use crate::kernels::rows::{MAX_LANE, WIDTH_STEP};
use crate::weights::FirstWeights;

/// The policy network: weights only, to be shared by any number of evaluators.
#[derive(Clone, Debug)]
pub struct Policy {
    pub(crate) header: Header,
    /// `[feature][lane]`.
    features: Vec<i8>,
    bias: Vec<i16>,
    piece_to: Rows,
    from_to: Rows,
}

/// A row of output weights and a bias for each kind of move.
#[derive(Clone, Debug)]
struct Rows {
    /// `[row][product]`.
    weights: Vec<i8>,
    bias: Vec<i32>,
}

impl Rows {
    /// The largest bias: two of them and two products still fit 32 bits.
    const MAX_BIAS: i32 = 1 << 24;

    fn read(tensors: &mut TensorReader<'_>) -> Result<Self, NetFileError> {
        let weights = tensors.i8()?;
        Ok(Self { weights, bias: tensors.i32()? })
    }

    fn write(&self, tensors: &mut TensorWriter) {
        tensors.i8(&self.weights);
        tensors.i32(&self.bias);
    }
}

impl Policy {
    /// The widest first layer.
    pub const MAX_WIDTH: usize = 2048;
    /// The largest bias of the first layer: 64 pieces on top of it still fit 16 bits.
    const MAX_BIAS: i16 = 16_384;

    /// The header of a network with a first layer of this width.
    pub fn header_of(width: usize) -> Header {
        let mut header = Self::SPEC.sample_header();
        header.widths[0] = width as u16;
        header
    }

    /// Reads a network file's bytes, and checks all that the kernels rely on.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetFileError> {
        let (header, mut tensors) = open(bytes)?;
        if header.architecture != Architecture::Policy {
            return Err(NetFileError::field("architecture", header.architecture.name(), "policy"));
        }
        Self::build(header, &mut tensors)
    }

    /// Reads a network file.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, NetFileError> {
        Self::from_bytes(&format::read(path)?)
    }

    /// A network from a header and a closure that writes the tensors that the header declares, as a
    /// trainer has them.
    ///
    /// # Panics
    /// If other tensors are written.
    pub fn from_tensors(
        header: &Header,
        write: impl FnOnce(&mut TensorWriter),
    ) -> Result<Self, NetFileError> {
        Self::from_bytes(&to_file(header, write)?)
    }

    /// The network as the bytes of a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        save(&self.header, |tensors| self.write(tensors))
    }

    /// All but the weights.
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// Its declaration.
    pub const SPEC: ArchSpec = ArchSpec {
        architecture: Architecture::Policy,
        activations: &[Activation::Pairwise],
        inputs: threats::LEN,
        max_input_buckets: 0,
        max_output_buckets: 0,
        needed_flags: Header::MIRRORED,
        allowed_flags: 0,
        widths: &[Width::multiple("first width", WIDTH_STEP, Self::MAX_WIDTH)],
        factors: [Factor::only(MAX_LANE as u16), Factor::Range(1, 255)],
        max_scale: 1,
        tempo: 0,
        tensors: Self::tensors,
        sample: Sample { widths: [128, 0, 0, 0], quantization: [MAX_LANE as u16, 64], flags: 0 },
    };

    fn tensors(header: &Header) -> Vec<Tensor> {
        let (n, [lane, weight]) = (header.width(0), header.quantization.map(f32::from));
        // Products of two lanes are divided by 128.
        let unit = lane * lane * weight / 128.0;
        let bias = |name, len| Tensor::i32(name, len).times(unit).within(Rows::MAX_BIAS.into());
        vec![
            Tensor::i8("first weights", threats::LEN * n).times(lane),
            Tensor::i16("first bias", n).times(lane).within(Self::MAX_BIAS.into()),
            Tensor::i8("piece-to weights", PIECE_TO * n / 2).times(weight),
            bias("piece-to bias", PIECE_TO),
            Tensor::i8("from-to weights", FROM_TO * n / 2).times(weight),
            bias("from-to bias", FROM_TO),
        ]
    }

    fn build(header: Header, tensors: &mut TensorReader<'_>) -> Result<Self, NetFileError> {
        let (features, bias) = (tensors.i8()?, tensors.i16()?);
        let (piece_to, from_to) = (Rows::read(tensors)?, Rows::read(tensors)?);
        Ok(Self { header, features, bias, piece_to, from_to })
    }

    fn write(&self, tensors: &mut TensorWriter) {
        tensors.i8(&self.features);
        tensors.i16(&self.bias);
        self.piece_to.write(tensors);
        self.from_to.write(tensors);
    }

    /// What the first layer makes of each kind of piece on each square, for people to look at: of
    /// pieces that are neither attacked nor defended (0), defended (1), attacked (2), or both (3).
    pub fn first_weights(&self, case: usize) -> Result<FirstWeights, NetFileError> {
        Header::check("bucket", case, 0..=3)?;
        let (width, first) = (self.header.width(0), case * threats::LEN / 4);
        Ok(FirstWeights::new(kinds(), width, |unit, kind, square| {
            let feature = first + 64 * kind + square.index();
            Some(f32::from(self.features[feature * width + unit]) / MAX_LANE as f32)
        }))
    }

    /// What one unit of the integer sums is as a logit. Products of two lanes were divided by 128.
    fn unit(&self) -> f32 {
        let [lane, weight] = self.header.quantization.map(f32::from);
        128.0 / (lane * lane * weight)
    }
}
