// SPDX-License-Identifier: GPL-3.0-or-later
//! Tal: no kings among the features; instead both kings choose the second layer.
//!
//! ```text
//!                              own king ─► block A ─┐
//! 640 pieces, mover's view ─► N, 0..127             ├ sum or concatenate ─► K ─► 1
//!                            their king ─► block B ─┘
//! ```
//! **Law**: swapping colors and the side to move changes nothing. King moves leave all rows alone.
//! **Cost**: N lanes per view and piece that changes, none for a king; 2·N·M + 2·M·K + K products per
//! evaluation (2·N·M + M·K + K if summed).

use chess::{Board, ByColor, Color, Square};

use super::{EvaluatorState, Layer, scaled};
use crate::Kernels;
use crate::accumulator::Stack;
use crate::features::{Features, TalFeatures};
use crate::format::{
    Activation, ArchSpec, Architecture, Factor, Header, NetFileError, Sample, Tensor, TensorReader,
    TensorWriter, Width,
};
use crate::layers::{Affine, FirstLayer, from_blocks, points_from, to_blocks};
use crate::weights::FirstWeights;

/// 640 → N → M or 2·M → K → 1, with second-layer weights for every square of both kings.
#[derive(Clone, Debug)]
pub struct Tal {
    pub(crate) header: Header,
    pub(crate) first: FirstLayer<TalFeatures>,
    /// A block for each square of the own king, in the order of the kernel.
    own: Vec<Vec<i8>>,
    /// A block for each square of their king.
    their: Vec<Vec<i8>>,
    second_bias: Vec<i32>,
    third: Affine,
    last: Affine,
}

impl Tal {
    /// The widest first layer.
    pub const MAX_WIDTH: usize = 1024;
    /// The widest second and third layer.
    pub const MAX_SMALL: usize = 64;
    /// Weights and activations of 64 stand for one.
    pub const UNIT: u16 = 64;
    const SHIFT: u32 = Self::UNIT.trailing_zeros();
    /// Activations are clamped to 0 and this.
    const MAX_ACTIVATION: i16 = 127;

    /// Its declaration.
    pub const SPEC: ArchSpec = ArchSpec {
        architecture: Architecture::Tal,
        activations: &[Activation::Crelu],
        inputs: TalFeatures::LEN,
        max_input_buckets: 0,
        max_output_buckets: 0,
        needed_flags: 0,
        allowed_flags: Header::CONCATENATED,
        widths: &[
            Width::multiple("first width", 8, Self::MAX_WIDTH),
            Width::multiple("second width", 4, Self::MAX_SMALL),
            Width::multiple("third width", 4, Self::MAX_SMALL),
        ],
        factors: [Factor::only(Self::UNIT); 2],
        max_scale: Header::MAX_SCALE,
        tempo: 0,
        tensors: Self::tensors,
        sample: Sample {
            widths: [8, 4, 4, 0],
            quantization: [Self::UNIT; 2],
            flags: Header::CONCATENATED,
        },
    };

    fn tensors(header: &Header) -> Vec<Tensor> {
        let [n, m, k] = [0, 1, 2].map(|layer| header.width(layer));
        let joined = if header.has(Header::CONCATENATED) { 2 * m } else { m };
        let one = f32::from(Self::UNIT);
        let bias =
            |name, len| Tensor::i32(name, len).times(one * one).within(Affine::MAX_BIAS.into());
        vec![
            Tensor::i16("first weights", TalFeatures::LEN * n).times(one),
            Tensor::i16("first bias", n).times(one),
            Tensor::i8("own king's blocks", 64 * m * n).times(one),
            Tensor::i8("their king's blocks", 64 * m * n).times(one),
            bias("second bias", joined),
            Tensor::i8("third weights", k * joined).times(one),
            bias("third bias", k),
            Tensor::i8("output weights", k).times(one),
            bias("output bias", 1),
        ]
    }

    pub(crate) fn read(
        header: Header,
        tensors: &mut TensorReader<'_>,
    ) -> Result<Self, NetFileError> {
        let [n, m] = [0, 1].map(|layer| header.width(layer));
        let (rows, bias) = (tensors.i16()?, tensors.i16()?);
        let first = FirstLayer::new(TalFeatures, &rows, &bias)?;
        let blocks = |weights: &[i8]| weights.chunks(m * n).map(|b| to_blocks(b, m)).collect();
        let (own, their) = (blocks(&tensors.i8()?), blocks(&tensors.i8()?));
        let second_bias = tensors.i32()?;
        let third = tensors.i8()?;
        let third = Affine::new(&third, tensors.i32()?);
        let last = tensors.i8()?;
        let last = Affine::new(&last, tensors.i32()?);
        Ok(Self { header, first, own, their, second_bias, third, last })
    }

    pub(crate) fn first_weights(&self, bucket: usize) -> Result<FirstWeights, NetFileError> {
        Header::check("bucket", bucket, 0..=0)?;
        let (units, unit) = (self.header.width(0), f32::from(self.header.quantization[0]));
        Ok(FirstWeights::of_rows(&self.first, Square::A1, units, unit))
    }

    pub(crate) fn state(&self) -> EvaluatorState {
        EvaluatorState::of(Stack::new(&self.first, 2))
    }

    pub(crate) fn reset(&self, state: &mut EvaluatorState, board: &Board, kernels: &Kernels) {
        state.stack.reset(&self.first, board, kernels);
    }

    pub(crate) fn write(&self, tensors: &mut TensorWriter) {
        let m = self.header.width(1);
        let weights = |blocks: &[Vec<i8>]| -> Vec<i8> {
            blocks.iter().flat_map(|block| from_blocks(block, m)).collect()
        };
        tensors.i16(&self.first.rows);
        tensors.i16(&self.first.bias);
        tensors.i8(&weights(&self.own));
        tensors.i8(&weights(&self.their));
        tensors.i32(&self.second_bias);
        for layer in [&self.third, &self.last] {
            tensors.i8(&layer.weights());
            tensors.i32(layer.bias());
        }
    }

    /// Every layer is `clamp(x / 64, 0, 127)` rounded down but the last, whose unit is 64·64.
    #[inline(never)]
    pub(crate) fn forward(
        &self,
        EvaluatorState { stack, .. }: &mut EvaluatorState,
        board: &Board,
        _pieces: usize,
        kernels: &Kernels,
    ) -> i32 {
        stack.update(&self.first, board.turn(), board, kernels);
        let (_, third) = self.small_layers(stack, board, kernels);
        let mut output = [0];
        self.last.forward(&third[..self.header.width(2)], &mut output, kernels);
        let unit = i64::from(Self::UNIT).pow(2);
        points_from(output[0].into(), self.header.scale, unit)
    }

    /// The activations of the second and the third layer.
    fn small_layers(
        &self,
        stack: &Stack,
        board: &Board,
        kernels: &Kernels,
    ) -> ([u8; 2 * Self::MAX_SMALL], [u8; Self::MAX_SMALL]) {
        let (m, joined) = (self.header.width(1), self.second_bias.len());
        let mut first = [0; Self::MAX_WIDTH];
        let first = &mut first[..self.header.width(0)];
        kernels.crelu(stack.row(board.turn()), first, Self::MAX_ACTIVATION);
        let [own, their] = self.blocks(board);
        let mut sums = [0; 2 * Self::MAX_SMALL];
        sums[..joined].copy_from_slice(&self.second_bias);
        kernels.affine(first, own, &mut sums[..m]);
        kernels.affine(first, their, &mut sums[joined - m..joined]);
        let second = sums.map(Self::activate);
        let mut sums = [0; Self::MAX_SMALL];
        self.third.forward(&second[..joined], &mut sums[..self.header.width(2)], kernels);
        (second, sums.map(Self::activate))
    }

    /// The blocks that the kings choose, each king seen from the mover's side.
    fn blocks(&self, board: &Board) -> [&[i8]; 2] {
        let us = board.turn();
        let kings: ByColor<Square> = ByColor(Color::ALL.map(|color| board.king(color)));
        let square = |color| kings[color].relative_to(us).index();
        [&self.own[square(us)], &self.their[square(!us)]]
    }

    #[inline]
    fn activate(sum: i32) -> u8 {
        (sum >> Self::SHIFT).clamp(0, Self::MAX_ACTIVATION.into()) as u8
    }

    pub(crate) fn hidden(
        &self,
        EvaluatorState { stack, .. }: &mut EvaluatorState,
        board: &Board,
        kernels: &Kernels,
    ) -> Vec<Layer> {
        let (second, third) = self.small_layers(stack, board, kernels);
        let values = |layer: &[u8]| {
            layer.iter().map(|&x| f32::from(x) / f32::from(Self::UNIT)).collect::<Vec<_>>()
        };
        let max = f32::from(Self::MAX_ACTIVATION) / f32::from(Self::UNIT);
        let first = scaled(stack.row(board.turn()), Self::UNIT, |x| x.clamp(0.0, max));
        vec![
            Layer::new("first", first),
            Layer::new("second", values(&second[..self.second_bias.len()])),
            Layer::new("third", values(&third[..self.header.width(2)])),
        ]
    }
}
