// SPDX-License-Identifier: GPL-3.0-or-later
//! Nectar: one hidden layer in White's view.
//!
//! ```text
//! 768 pieces on squares ─► N lanes ─► SCReLU ─► 1
//! ```
//! **Law**: none. The network sees neither who is to move nor that colors are alike.
//! **Cost**: N lanes per piece that changes, N products per evaluation.

use chess::{Board, Color, Square};

use super::{EvaluatorState, Layer, MAX_OUTPUT_BIAS, scaled};
use crate::Kernels;
use crate::accumulator::Stack;
use crate::features::{Features, NectarFeatures};
use crate::format::{
    Activation, ArchSpec, Architecture, Factor, Header, NetFileError, Sample, Tensor, TensorReader,
    TensorWriter, Width,
};
use crate::layers::{FirstLayer, points_from};
use crate::weights::FirstWeights;

/// 768 → N → 1 with SCReLU, quantized by two factors.
#[derive(Clone, Debug)]
pub struct Nectar {
    pub(crate) header: Header,
    pub(crate) first: FirstLayer<NectarFeatures>,
    weights: Vec<i16>,
    bias: i32,
}

impl Nectar {
    /// The widest first layer.
    pub const MAX_WIDTH: usize = 2048;

    /// Its declaration.
    pub const SPEC: ArchSpec = ArchSpec {
        architecture: Architecture::Nectar,
        activations: &[Activation::Screlu],
        inputs: NectarFeatures::LEN,
        max_input_buckets: 0,
        max_output_buckets: 0,
        needed_flags: 0,
        allowed_flags: 0,
        widths: &[Width::multiple("first width", 8, Self::MAX_WIDTH)],
        factors: [Factor::Range(1, 255); 2],
        max_scale: Header::MAX_SCALE,
        tempo: 9,
        tensors: Self::tensors,
        sample: Sample { widths: [16, 0, 0, 0], quantization: [255, 64], flags: 0 },
    };

    fn tensors(header: &Header) -> Vec<Tensor> {
        let (n, [qa, qb]) = (header.width(0), header.quantization.map(f32::from));
        vec![
            Tensor::i16("first weights", NectarFeatures::LEN * n).times(qa),
            Tensor::i16("first bias", n).times(qa),
            Tensor::i16("output weights", n).times(qb),
            Tensor::i32("output bias", 1).times(qa * qb).within(MAX_OUTPUT_BIAS),
        ]
    }

    pub(crate) fn read(
        header: Header,
        tensors: &mut TensorReader<'_>,
    ) -> Result<Self, NetFileError> {
        let (rows, bias) = (tensors.i16()?, tensors.i16()?);
        let first = FirstLayer::new(NectarFeatures, &rows, &bias)?;
        let weights = tensors.i16()?;
        let bias = tensors.i32()?[0];
        Ok(Self { header, first, weights, bias })
    }

    pub(crate) fn first_weights(&self, bucket: usize) -> Result<FirstWeights, NetFileError> {
        Header::check("bucket", bucket, 0..=0)?;
        let (units, unit) = (self.header.width(0), f32::from(self.header.quantization[0]));
        Ok(FirstWeights::of_rows(&self.first, Square::A1, units, unit))
    }

    pub(crate) fn state(&self) -> EvaluatorState {
        EvaluatorState::of(Stack::new(&self.first, 1))
    }

    pub(crate) fn reset(&self, state: &mut EvaluatorState, board: &Board, kernels: &Kernels) {
        state.stack.reset(&self.first, board, kernels);
    }

    pub(crate) fn write(&self, tensors: &mut TensorWriter) {
        tensors.i16(&self.first.rows);
        tensors.i16(&self.first.bias);
        tensors.i16(&self.weights);
        tensors.i32(&[self.bias]);
    }

    /// `(Σ clamp(x, 0, QA)²·w / QA + b) · scale / (QA·QB)`, each division toward zero.
    #[inline(never)]
    pub(crate) fn forward(
        &self,
        EvaluatorState { stack, .. }: &mut EvaluatorState,
        board: &Board,
        _pieces: usize,
        kernels: &Kernels,
    ) -> i32 {
        let [qa, qb] = self.header.quantization.map(i64::from);
        stack.update(&self.first, Color::White, board, kernels);
        let sum = kernels.screlu_dot_wide(stack.row(Color::White), &self.weights, qa as i16);
        let white = points_from(sum / qa + i64::from(self.bias), self.header.scale, qa * qb);
        super::for_mover(white, board)
    }

    /// The hidden lanes after the activation.
    pub(crate) fn hidden(
        &self,
        EvaluatorState { stack, .. }: &mut EvaluatorState,
        _board: &Board,
        _kernels: &Kernels,
    ) -> Vec<Layer> {
        let qa = self.header.quantization[0];
        vec![Layer::new(
            "hidden",
            scaled(stack.row(Color::White), qa, |x| x.clamp(0.0, 1.0).powi(2)),
        )]
    }
}
