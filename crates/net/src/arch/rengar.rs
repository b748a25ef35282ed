// SPDX-License-Identifier: GPL-3.0-or-later
//! Rengar: four symmetry classes of lanes, and products that keep them apart.
//!
//! ```text
//!                      ┌─► full symmetry  H ──┐
//! 736 pieces, signed ─►├─► vertical       H ◄─┤ tempo
//!                      ├─► horizontal     H   ├─► even part, M ─┐
//!                      └─► rotational     H ──┴─► odd part,  M ─┴─► u·odd + w·(even∘odd)
//! ```
//! **Laws**: mirroring the files changes nothing; swapping colors and the side to move flips the sign
//! in White's view; doing both flips it too. All hold to the bit: rows are integers, and floats round
//! the same on both sides of zero.
//! **Cost**: 4·H lanes per piece that changes, 7·H·M + 2·M products per evaluation. The signs are part
//! of the rows, so that there is nothing special to update.

use chess::{Board, Color, Square};

use super::{EvaluatorState, Layer};
use crate::Kernels;
use crate::accumulator::Stack;
use crate::features::{Features, RengarFeatures};
use crate::format::{
    Activation, ArchSpec, Architecture, Factor, Header, NetFileError, Sample, Tensor, TensorReader,
    TensorWriter, Width,
};
use crate::layers::{Dense, FirstLayer, points};
use crate::weights::FirstWeights;

/// Four classes of H lanes → M even and M odd values → 1.
#[derive(Clone, Debug)]
pub struct Rengar {
    pub(crate) header: Header,
    /// Rows of four segments: full, vertical, horizontal, rotational.
    pub(crate) first: FirstLayer<RengarFeatures>,
    tempo: Vec<i16>,
    /// From the full class and the absolute values of the other three.
    even: Dense,
    /// From vertical, full∘vertical and horizontal∘rotational; without bias, or the law would fail.
    odd: Dense,
    odd_weights: Vec<f32>,
    product_weights: Vec<f32>,
}

impl Rengar {
    /// The widest class.
    pub const MAX_WIDTH: usize = 256;
    /// The widest second layer.
    pub const MAX_SECOND: usize = 32;

    /// Its declaration.
    pub const SPEC: ArchSpec = ArchSpec {
        architecture: Architecture::Rengar,
        activations: &[Activation::Product],
        inputs: RengarFeatures::LEN,
        max_input_buckets: 0,
        max_output_buckets: 0,
        needed_flags: 0,
        allowed_flags: 0,
        widths: &[
            Width::multiple("first width", 8, Self::MAX_WIDTH),
            Width::multiple("second width", 4, Self::MAX_SECOND),
        ],
        factors: [Factor::PowerOfTwo(128, 4096), Factor::only(1)],
        max_scale: Header::MAX_SCALE,
        tempo: 0,
        tensors: Self::tensors,
        sample: Sample { widths: [32, 4, 0, 0], quantization: [256, 1], flags: 0 },
    };

    fn tensors(header: &Header) -> Vec<Tensor> {
        let [h, m] = [0, 1].map(|layer| header.width(layer));
        let qa = f32::from(header.quantization[0]);
        let dense = |name, len| Tensor::f32(name, len).within(Dense::MAX.into());
        vec![
            Tensor::i16("first weights", RengarFeatures::ORBITS * 4 * h)
                .times(qa)
                .within(i16::MAX.into()),
            Tensor::i16("tempo", h).times(qa),
            dense("even weights", 4 * h * m),
            dense("even bias", m),
            dense("odd weights", 3 * h * m),
            dense("output weights", m),
            dense("product weights", m),
        ]
    }

    pub(crate) fn read(
        header: Header,
        tensors: &mut TensorReader<'_>,
    ) -> Result<Self, NetFileError> {
        let h = header.width(0);
        let orbits = tensors.i16()?;
        let rows: Vec<i16> = (0..RengarFeatures::LEN)
            .flat_map(|feature| signed_row(&orbits[feature / 4 * 4 * h..][..4 * h], feature))
            .collect();
        let tempo = tensors.i16()?;
        let even = tensors.f32()?;
        let even = Dense { weights: even, bias: tensors.f32()? };
        let odd = Dense { weights: tensors.f32()?, bias: vec![0.0; even.bias.len()] };
        Ok(Self {
            header,
            first: FirstLayer::new(RengarFeatures, &rows, &vec![0; 4 * h])?,
            tempo,
            even,
            odd,
            odd_weights: tensors.f32()?,
            product_weights: tensors.f32()?,
        })
    }

    pub(crate) fn first_weights(&self, bucket: usize) -> Result<FirstWeights, NetFileError> {
        Header::check("bucket", bucket, 0..=0)?;
        let (units, unit) = (4 * self.header.width(0), f32::from(self.header.quantization[0]));
        Ok(FirstWeights::of_rows(&self.first, Square::A1, units, unit))
    }

    pub(crate) fn state(&self) -> EvaluatorState {
        EvaluatorState::of(Stack::new(&self.first, 1))
    }

    pub(crate) fn reset(&self, state: &mut EvaluatorState, board: &Board, kernels: &Kernels) {
        state.stack.reset(&self.first, board, kernels);
    }

    pub(crate) fn write(&self, tensors: &mut TensorWriter) {
        // The first feature of every orbit has all signs positive.
        let orbits = (0..RengarFeatures::LEN).step_by(4).flat_map(|f| self.first.row(f));
        tensors.i16(&orbits.copied().collect::<Vec<_>>());
        tensors.i16(&self.tempo);
        tensors.f32(&self.even.weights);
        tensors.f32(&self.even.bias);
        tensors.f32(&self.odd.weights);
        tensors.f32(&self.odd_weights);
        tensors.f32(&self.product_weights);
    }

    /// `scale · Σ (u + w·even)·odd` in White's view, rounded toward zero.
    #[inline(never)]
    pub(crate) fn forward(
        &self,
        EvaluatorState { stack, .. }: &mut EvaluatorState,
        board: &Board,
        _pieces: usize,
        kernels: &Kernels,
    ) -> i32 {
        stack.update(&self.first, Color::White, board, kernels);
        let (even, odd) = self.second_layer(stack, board, kernels);
        let terms = self.odd_weights.iter().zip(&self.product_weights).zip(even.iter().zip(&odd));
        let output: f32 = terms.map(|((u, w), (even, odd))| u * odd + w * (even * odd)).sum();
        super::for_mover(points(output, self.header.scale), board)
    }

    /// The even and the odd values; zeros fill them up.
    fn second_layer(
        &self,
        stack: &Stack,
        board: &Board,
        kernels: &Kernels,
    ) -> ([f32; Self::MAX_SECOND], [f32; Self::MAX_SECOND]) {
        let (h, m) = (self.header.width(0), self.header.width(1));
        let mut classes = [0.0; 4 * Self::MAX_WIDTH];
        self.classes(stack, board, &mut classes[..4 * h]);
        let mut inputs = [0.0; 4 * Self::MAX_WIDTH];
        for (input, class) in inputs.iter_mut().zip(&classes) {
            *input = class.abs();
        }
        inputs[..h].copy_from_slice(&classes[..h]);
        let mut even = [0.0; Self::MAX_SECOND];
        self.even.forward(&inputs[..4 * h], &mut even[..m], kernels);
        let [full, vertical, horizontal, rotational] = [0, 1, 2, 3].map(|i| &classes[i * h..][..h]);
        inputs[..h].copy_from_slice(vertical);
        for i in 0..h {
            inputs[h + i] = full[i] * vertical[i];
            inputs[2 * h + i] = horizontal[i] * rotational[i];
        }
        let mut odd = [0.0; Self::MAX_SECOND];
        self.odd.forward(&inputs[..3 * h], &mut odd[..m], kernels);
        (even.map(|x| x.clamp(-MAX_VALUE, MAX_VALUE)), odd)
    }

    /// The four classes, clamped. The side to move counts as one more vertical feature.
    fn classes(&self, stack: &Stack, board: &Board, out: &mut [f32]) {
        let h = self.header.width(0);
        let unit = self.header.quantization[0];
        let max = i32::from(unit) - i32::from(unit) / 128;
        let value = |sum: i32| sum.clamp(-max, max) as f32 / f32::from(unit);
        let lanes = stack.row(Color::White);
        for (out, &lane) in out.iter_mut().zip(lanes) {
            *out = value(lane.into());
        }
        for (i, &tempo) in self.tempo.iter().enumerate() {
            let tempo = super::for_mover(tempo.into(), board);
            out[h + i] = value(i32::from(lanes[h + i]) + tempo);
        }
    }

    pub(crate) fn hidden(
        &self,
        EvaluatorState { stack, .. }: &mut EvaluatorState,
        board: &Board,
        kernels: &Kernels,
    ) -> Vec<Layer> {
        const CLASSES: [&str; 4] = ["full", "vertical", "horizontal", "rotational"];
        let (h, m) = (self.header.width(0), self.header.width(1));
        let mut classes = vec![0.0; 4 * h];
        self.classes(stack, board, &mut classes);
        let (even, odd) = self.second_layer(stack, board, kernels);
        let first = CLASSES.iter().zip(classes.chunks(h));
        let mut layers: Vec<_> = first.map(|(name, x)| Layer::new(name, x.to_vec())).collect();
        layers.push(Layer::new("even", even[..m].to_vec()));
        layers.push(Layer::new("odd", odd[..m].to_vec()));
        layers
    }
}

/// Values of the first layer and the even values are clamped to this, either way.
const MAX_VALUE: f32 = 127.0 / 128.0;

/// The row of a feature: its orbit's, each class with the feature's sign.
fn signed_row(orbit: &[i16], feature: usize) -> Vec<i16> {
    let signs = RengarFeatures::signs(feature);
    let signs = [1, signs.vertical, signs.horizontal, signs.vertical * signs.horizontal];
    let classes = orbit.chunks(orbit.len() / 4).zip(signs);
    classes.flat_map(|(class, sign)| class.iter().map(move |weight| weight * sign)).collect()
}
