// SPDX-License-Identifier: GPL-3.0-or-later
//! The house's own: two views, mirrored by the own king, with buckets of kings and of pieces.
//!
//! ```text
//! own view    768 × king bucket ─► N ─┐
//!                                     ├─► SCReLU ──────────────────────────────► 1 per output bucket
//! their view  768 × king bucket ─► N ─┘   or
//!                                         pairwise ─► 16 ─► SCReLU ─► 32 ─► SCReLU ─► 1
//! ```
//! **Laws**: swapping colors and the side to move changes nothing; if mirrored, neither does mirroring
//! the files.
//! **Cost**: 2·N lanes per piece that changes, and a refresh of one view when a king changes its
//! bucket or its half of the board; 2·N products per evaluation with the first head, at most
//! N·16 + 16·32 + 32 with the second.

mod pairwise;

use chess::{Board, Color, Square};

use pairwise::PairwiseHead;

use super::{EvaluatorState, Layer, MAX_OUTPUT_BIAS, scaled};
use crate::Kernels;
use crate::accumulator::Stack;
use crate::features::{Features, HouseFeatures};
use crate::format::{
    Activation, ArchSpec, Architecture, Factor, Header, NetFileError, Sample, Tensor, TensorReader,
    TensorWriter, Width,
};
use crate::layers::{Affine, Dense, FirstLayer, points, points_from};
use crate::weights::FirstWeights;

/// (768 × buckets → N) × 2, then a head for each output bucket.
#[derive(Clone, Debug)]
pub struct House {
    pub(crate) header: Header,
    pub(crate) first: FirstLayer<HouseFeatures>,
    head: Head,
    /// The output bucket of each number of pieces.
    buckets: [u8; 65],
}

/// What follows the accumulators, with a set of weights for each output bucket.
#[derive(Clone, Debug)]
enum Head {
    Screlu(Vec<ScreluHead>),
    Pairwise(Vec<PairwiseHead>),
}

/// The lanes of both views straight to the output.
#[derive(Clone, Debug)]
struct ScreluHead {
    /// The mover's view first.
    weights: Vec<i16>,
    bias: i32,
}

impl House {
    /// The widest first layer.
    pub const MAX_WIDTH: usize = 4096;
    /// The most king buckets.
    pub const MAX_INPUT_BUCKETS: u8 = 16;
    /// The most output buckets.
    pub const MAX_OUTPUT_BUCKETS: u8 = 8;
    /// The widest second and third layer of the pairwise head.
    pub const MAX_SMALL: usize = 64;
    /// The first layer's quantization factor in networks of our own. Products of lanes need it.
    pub const QA: u16 = 255;
    /// The largest one that leaves the kernels' sums within their bits.
    pub const MAX_QA: u16 = 511;

    /// Which output bucket a number of pieces belongs to, out of `buckets`.
    #[inline]
    pub const fn output_bucket(pieces: usize, buckets: usize) -> usize {
        let bucket = pieces.saturating_sub(2) / 32usize.div_ceil(buckets);
        // Crowded boards have more than 32 pieces.
        if bucket < buckets { bucket } else { buckets - 1 }
    }

    /// Its declaration.
    pub const SPEC: ArchSpec = ArchSpec {
        architecture: Architecture::House,
        activations: &[Activation::Screlu, Activation::Pairwise],
        inputs: HouseFeatures::LEN,
        max_input_buckets: Self::MAX_INPUT_BUCKETS,
        max_output_buckets: Self::MAX_OUTPUT_BUCKETS,
        needed_flags: 0,
        allowed_flags: Header::MIRRORED,
        widths: &[
            Width::multiple("first width", 16, Self::MAX_WIDTH),
            Width::multiple("second width", 8, Self::MAX_SMALL).only(Activation::Pairwise),
            Width::multiple("third width", 8, Self::MAX_SMALL).only(Activation::Pairwise),
        ],
        factors: [Factor::Range(1, Self::MAX_QA), Factor::Range(1, 255)],
        max_scale: Header::MAX_SCALE,
        tempo: 0,
        tensors: Self::tensors,
        sample: Sample {
            widths: [64, 0, 0, 0],
            quantization: [Self::QA, 64],
            flags: Header::MIRRORED,
        },
    };

    fn tensors(header: &Header) -> Vec<Tensor> {
        let (n, buckets) = (header.width(0), usize::from(header.output_buckets));
        let [qa, qb] = header.quantization.map(f32::from);
        let mut tensors = vec![
            Tensor::i16("first weights", header.inputs as usize * n).times(qa),
            Tensor::i16("first bias", n).times(qa),
        ];
        if header.activation == Activation::Screlu {
            // The kernel multiplies a lane of at most QA with a weight in 16 bits.
            let max = i16::MAX as u16 / header.quantization[0].max(1);
            tensors.extend([
                Tensor::i16("output weights", buckets * 2 * n).times(qb).within(max.into()),
                Tensor::i32("output bias", buckets).times(qa * qb).within(MAX_OUTPUT_BIAS),
            ]);
            return tensors;
        }
        let [l2, l3] = [1, 2].map(|layer| header.width(layer));
        let product = PairwiseHead::PAIR_DIVISOR / (qa * qa);
        let dense = |name, len| Tensor::f32(name, len).within(Dense::MAX.into());
        tensors.extend([
            Tensor::i8("second weights", buckets * l2 * n).times(qb),
            Tensor::i32("second bias", buckets * l2)
                .times(qb / product)
                .within(Affine::MAX_BIAS.into()),
            dense("third weights", buckets * l2 * l3),
            dense("third bias", buckets * l3),
            dense("output weights", buckets * l3),
            dense("output bias", buckets),
        ]);
        tensors
    }

    pub(crate) fn read(
        header: Header,
        tensors: &mut TensorReader<'_>,
    ) -> Result<Self, NetFileError> {
        let (rows, bias) = (tensors.i16()?, tensors.i16()?);
        let (is_mirrored, buckets) = (header.has(Header::MIRRORED), header.input_buckets.into());
        let features = HouseFeatures::with_buckets(is_mirrored, &header.bucket_map, buckets);
        let first = FirstLayer::new(features, &rows, &bias)?;
        let head = match header.activation {
            Activation::Screlu => Head::Screlu(ScreluHead::read(&header, tensors)?),
            _ => Head::Pairwise(PairwiseHead::read(&header, tensors)?),
        };
        let bucket = |pieces| Self::output_bucket(pieces, header.output_buckets.into()) as u8;
        let buckets = std::array::from_fn(bucket);
        Ok(Self { header, first, head, buckets })
    }

    pub(crate) fn first_weights(&self, bucket: usize) -> Result<FirstWeights, NetFileError> {
        let (units, unit) = (self.header.width(0), f32::from(self.qa()));
        Ok(FirstWeights::of_rows(&self.first, self.king_in(bucket)?, units, unit))
    }

    pub(crate) fn state(&self) -> EvaluatorState {
        EvaluatorState::of(Stack::new(&self.first, 2))
    }

    pub(crate) fn reset(&self, state: &mut EvaluatorState, board: &Board, kernels: &Kernels) {
        state.stack.reset(&self.first, board, kernels);
    }

    pub(crate) fn write(&self, tensors: &mut TensorWriter) {
        tensors.i16(&self.first.rows);
        tensors.i16(&self.first.bias);
        match &self.head {
            Head::Screlu(heads) => ScreluHead::write(heads, tensors),
            Head::Pairwise(heads) => PairwiseHead::write(heads, tensors),
        }
    }

    /// Points for the side to move on a board with so many pieces.
    #[inline(never)]
    pub(crate) fn forward(
        &self,
        EvaluatorState { stack, .. }: &mut EvaluatorState,
        board: &Board,
        pieces: usize,
        kernels: &Kernels,
    ) -> i32 {
        let rows = [board.turn(), !board.turn()]
            .map(|view| stack.update(&self.first, view, board, kernels));
        let views = rows.map(|row| stack.sums(row));
        self.points(self.buckets[pieces].into(), views, kernels)
    }

    pub(crate) fn hidden(
        &self,
        EvaluatorState { stack, .. }: &mut EvaluatorState,
        board: &Board,
        kernels: &Kernels,
    ) -> Vec<Layer> {
        let views = [board.turn(), !board.turn()].map(|view| stack.row(view));
        let activation = |x: f32| match &self.head {
            Head::Screlu(_) => x.clamp(0.0, 1.0).powi(2),
            Head::Pairwise(_) => x.clamp(0.0, 1.0),
        };
        let mut layers = vec![
            Layer::new("own view", scaled(views[0], self.qa(), activation)),
            Layer::new("their view", scaled(views[1], self.qa(), activation)),
        ];
        let bucket = usize::from(self.buckets[board.occupied().len()]);
        if let Head::Pairwise(heads) = &self.head {
            let (second, third) = heads[bucket].hidden(views, kernels);
            layers.push(Layer::new("second", second));
            layers.push(Layer::new("third", third));
        }
        layers.push(Layer::new("output bucket", vec![bucket as f32]));
        let buckets = 0..usize::from(self.header.output_buckets);
        let points = buckets.map(|bucket| self.points(bucket, views, kernels) as f32).collect();
        layers.push(Layer::new("points by output bucket", points));
        layers
    }

    /// Points for the side to move by the weights of one output bucket.
    #[inline]
    fn points(&self, bucket: usize, views: [&[i16]; 2], kernels: &Kernels) -> i32 {
        let scale = self.header.scale;
        match &self.head {
            Head::Screlu(heads) => {
                heads[bucket].forward(views, kernels, scale, self.header.quantization)
            }
            Head::Pairwise(heads) => points(heads[bucket].forward(views, kernels), scale),
        }
    }

    /// What the first layer's weights were multiplied with.
    const fn qa(&self) -> u16 {
        self.header.quantization[0]
    }

    /// A square on which the own king chooses this bucket of inputs.
    fn king_in(&self, bucket: usize) -> Result<Square, NetFileError> {
        let features = &self.first.features;
        let chosen = |king: &Square| features.slot(Color::White, *king) == 2 * bucket;
        Square::all().find(chosen).ok_or_else(|| {
            let expected = match self.header.input_buckets {
                1 => "0".to_owned(),
                buckets => format!("0 to {}, one that the map uses", buckets - 1),
            };
            NetFileError::field("bucket", bucket, expected)
        })
    }
}

impl ScreluHead {
    fn read(header: &Header, tensors: &mut TensorReader<'_>) -> Result<Vec<Self>, NetFileError> {
        let weights = tensors.i16()?;
        let bias = tensors.i32()?;
        let heads = weights.chunks(2 * header.width(0)).zip(bias);
        Ok(heads.map(|(weights, bias)| Self { weights: weights.to_vec(), bias }).collect())
    }

    fn write(heads: &[Self], tensors: &mut TensorWriter) {
        tensors.i16(&heads.iter().flat_map(|head| &head.weights).copied().collect::<Vec<_>>());
        tensors.i32(&heads.iter().map(|head| head.bias).collect::<Vec<_>>());
    }

    /// `(Σ clamp(x, 0, QA)²·w / QA + b) · scale / (QA·QB)`, each division toward zero.
    #[inline]
    fn forward(
        &self,
        views: [&[i16]; 2],
        kernels: &Kernels,
        scale: u32,
        quantization: [u16; 2],
    ) -> i32 {
        let (own, their) = self.weights.split_at(views[0].len());
        let max = quantization[0] as i16;
        let sum = kernels.screlu_dot(views[0], own, max) + kernels.screlu_dot(views[1], their, max);
        let [qa, qb] = quantization.map(i64::from);
        points_from(sum / qa + i64::from(self.bias), scale, qa * qb)
    }
}
