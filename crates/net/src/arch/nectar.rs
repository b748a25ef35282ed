// SPDX-License-Identifier: GPL-3.0-or-later
//! Nectar: one hidden layer in White's view.
//!
//! ```text
//! 768 pieces on squares ─► N lanes ─► SCReLU ─► 1
//! ```
//! **Law**: none. The network sees neither who is to move nor that colors are alike.
//! **Cost**: N lanes per piece that changes, N products per evaluation.

use chess::{Board, Color};

use super::{Layer, scaled};
use crate::Kernels;
use crate::accumulator::Stack;
use crate::features::{Features, NectarFeatures};
use crate::file::{Activation, Header, NetFileError, Tensor, TensorReader, TensorWriter};
use crate::layers::{FirstLayer, points_from};

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

    /// What a file of this architecture holds after its header, if the header is valid.
    pub(crate) fn tensors(header: &Header) -> Result<Vec<Tensor>, NetFileError> {
        super::check_activation(header, &[Activation::Screlu])?;
        super::check_inputs(header, NectarFeatures::LEN, 0)?;
        super::check_unused(header, 1, 0)?;
        header.check_width(0, 8, Self::MAX_WIDTH)?;
        Header::check("first quantization factor", header.quantization[0], 1..=255)?;
        Header::check("second quantization factor", header.quantization[1], 1..=255)?;
        let width = header.width(0);
        Ok(vec![
            Tensor::i16("first weights", NectarFeatures::LEN * width),
            Tensor::i16("first bias", width),
            Tensor::i16("output weights", width),
            Tensor::i32("output bias", 1),
        ])
    }

    pub(crate) fn read(
        header: Header,
        tensors: &mut TensorReader<'_>,
    ) -> Result<Self, NetFileError> {
        let (rows, bias) = (tensors.i16(), tensors.i16());
        let first = FirstLayer::new(NectarFeatures, &rows, &bias)?;
        let weights = tensors.i16();
        let bias = tensors.i32_within(1 << 30)?[0];
        Ok(Self { header, first, weights, bias })
    }

    pub(crate) fn write(&self, tensors: &mut TensorWriter) {
        tensors.i16(&self.first.rows);
        tensors.i16(&self.first.bias);
        tensors.i16(&self.weights);
        tensors.i32(&[self.bias]);
    }

    /// `(Σ clamp(x, 0, QA)²·w / QA + b) · scale / (QA·QB)`, each division toward zero.
    pub(crate) fn forward(&self, stack: &mut Stack, board: &Board, kernels: &Kernels) -> i32 {
        let [qa, qb] = self.header.quantization.map(i64::from);
        stack.update(&self.first, Color::White, board, kernels);
        let sum = kernels.screlu_dot_wide(stack.row(Color::White), &self.weights, qa as i16);
        let white = points_from(sum / qa + i64::from(self.bias), self.header.scale, qa * qb);
        super::for_mover(white, board)
    }

    /// The hidden lanes after the activation.
    pub(crate) fn hidden(&self, stack: &Stack) -> Vec<Layer> {
        let qa = self.header.quantization[0];
        vec![Layer::new(
            "hidden",
            scaled(stack.row(Color::White), qa, |x| x.clamp(0.0, 1.0).powi(2)),
        )]
    }
}
