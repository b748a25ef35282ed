// SPDX-License-Identifier: GPL-3.0-or-later
//! Rengar: four symmetry classes of lanes, and products that keep them apart.
//!
//! The first layer is trained by orbits: four features that mirroring and swapping colors carry into
//! each other share a row, up to signs. For the passes the rows are unfolded to one per feature, and
//! two more for the side to move.

mod rows;
mod values;

use std::ops::Range;

use chess::Color;
use net::features::{Features as _, RengarFeatures};
use net::{Activation, Architecture, Header, NetFileError};
use rows::SignedRows;
use serde::{Deserialize, Serialize};
use values::Values;

use super::value::SUB_BATCH;
use super::{
    GradientWorker, Model, NetLabel, OptionError, Unfolding, ValueNet, ValueWorker, check_width,
    transposed,
};
use crate::layers::{Dense, Lists, Rows, Sparse, clamp, clamp_slopes};
use crate::objective::OutputView;
use crate::parameters::{Layout, Tensor};
use crate::position::TrainingPosition;

/// The choices of this architecture.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RengarOptions {
    /// Lanes of each class.
    pub width: u16,
    /// Values of each kind in the second layer.
    #[serde(default = "four")]
    pub second: u16,
    /// Points per unit of output.
    #[serde(default = "author_scale")]
    pub scale: u32,
}

const fn four() -> u16 {
    4
}

const fn author_scale() -> u32 {
    128
}

/// Values of the first layer and the even values are clamped to this, either way.
const MAX_VALUE: f32 = 127.0 / 128.0;
/// Weights are clamped to this, either way, as the author did.
const LIMIT: f32 = 127.0 / 64.0;
/// The quantization factor of the first layer.
const UNIT: u16 = 256;
/// Rows of the unfolded first layer: the features, then White and Black to move.
const ROWS: usize = RengarFeatures::LEN + 2;

/// Four classes of H lanes → M even and M odd values → 1.
#[derive(Debug)]
pub(super) struct Rengar {
    header: Header,
    layout: Layout,
    signs: SignedRows,
}

impl Rengar {
    /// The network with these options; refuses what no file could hold.
    pub(super) fn new(options: &RengarOptions) -> Result<Self, OptionError> {
        check_width("width", options.width, 8, net::Rengar::MAX_WIDTH)?;
        check_width("second", options.second, 4, net::Rengar::MAX_SECOND)?;
        let mut header = Header::new(Architecture::Rengar, Activation::Product);
        header.inputs = RengarFeatures::LEN as u32;
        header.widths = [options.width, options.second, 0, 0];
        header.quantization = [UNIT, 1];
        header.scale = options.scale;
        let [h, m] = [0, 1].map(|layer| header.width(layer));
        let orbits = Sparse::new(RengarFeatures::ORBITS, 4 * h);
        let spread = |inputs: usize| 1.0 / (inputs as f32).sqrt();
        let head = [
            Tensor::weights("even weights", 4 * h * m, spread(4 * h)).within(LIMIT),
            Tensor::bias("even bias", m).within(LIMIT),
            Tensor::weights("odd weights", 3 * h * m, spread(3 * h)).within(LIMIT),
            Tensor::weights("output weights", m, 1.0).within(LIMIT),
            Tensor::weights("product weights", m, 1.0).within(LIMIT),
        ];
        let first = [
            Tensor::weights("first weights", orbits.len(), 0.15).within(LIMIT),
            Tensor::weights("tempo", h, 0.05).within(LIMIT),
        ];
        let rows = Tensor::weights("rows", ROWS * 4 * h, 0.0);
        let layout = Layout::new(first.into_iter().chain(head.clone()).collect());
        let weights = Layout::new([rows].into_iter().chain(head).collect());
        let signs = SignedRows {
            h,
            orbits,
            rows: Sparse::new(ROWS, 4 * h),
            layout: layout.clone(),
            weights,
        };
        Ok(Self { header, layout, signs })
    }
}

impl Model for Rengar {
    fn architecture(&self) -> Architecture {
        Architecture::Rengar
    }

    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn unfolding(&self) -> Option<&dyn Unfolding> {
        Some(&self.signs)
    }

    fn worker(&self) -> Box<dyn GradientWorker> {
        let [rows, even, even_bias, odd, u, w] = self.signs.weights.ranges();
        let [h, m] = [0, 1].map(|layer| self.header.width(layer));
        Box::new(ValueWorker::new(RengarNet {
            rows,
            first: self.signs.rows,
            even: Dense::new(4 * h, m, even.start, Some(even_bias.start)),
            odd: Dense::new(3 * h, m, odd.start, None),
            output: [u, w],
            lists: Lists::default(),
            sums: Rows::new(SUB_BATCH, 4 * h),
            no_bias: vec![0.0; 4 * h],
            values: vec![Values::new(h, m); SUB_BATCH],
            deltas: Values::new(h, m),
        }))
    }

    fn scale(&self) -> f32 {
        self.header.scale as f32
    }

    fn export(&self, parameters: &[f32], label: &NetLabel) -> Result<Vec<u8>, NetFileError> {
        let [first, tempo, even, even_bias, odd, u, w] =
            self.layout.ranges().map(|range| &parameters[range]);
        let m = self.header.width(1);
        net::file::make(&label.header(&self.header), |tensors| {
            tensors.rounded(&self.signs.orbits.in_rows(first));
            tensors.rounded(tempo);
            tensors.f32(&transposed(even, m));
            tensors.f32(even_bias);
            tensors.f32(&transposed(odd, m));
            tensors.f32(u);
            tensors.f32(w);
        })
    }
}

/// One thread's forward and backward.
#[derive(Debug)]
struct RengarNet {
    rows: Range<usize>,
    first: Sparse,
    even: Dense,
    odd: Dense,
    /// Where the weights of odd values and of products are.
    output: [Range<usize>; 2],
    lists: Lists,
    /// The first layer's sums; on the way back their gradients.
    sums: Rows,
    no_bias: Vec<f32>,
    values: Vec<Values>,
    deltas: Values,
}

impl ValueNet for RengarNet {
    type Input = TrainingPosition;
    const VIEW: OutputView = OutputView::White;

    fn forward(&mut self, weights: &[f32], positions: &[TrainingPosition], outputs: &mut [f32]) {
        self.lists.clear();
        for position in positions {
            let tempo = RengarFeatures::LEN + position.turn.index();
            let features = position.features(&RengarFeatures, Color::White);
            self.lists.push(features.chain([tempo]));
        }
        self.no_bias.fill(0.0);
        let rows = &weights[self.rows.clone()];
        self.first.forward(rows, &self.no_bias, &mut self.lists, &mut self.sums);
        let [u, w] = self.output.clone().map(|range| &weights[range]);
        for (index, (output, values)) in outputs.iter_mut().zip(&mut self.values).enumerate() {
            clamp(self.sums.row(index), -MAX_VALUE, MAX_VALUE, &mut values.classes);
            values.pool();
            values.even_sums.fill(0.0);
            self.even.forward(weights, &values.even_inputs, &mut values.even_sums);
            clamp(&values.even_sums, -MAX_VALUE, MAX_VALUE, &mut values.even);
            values.odd.fill(0.0);
            self.odd.forward(weights, &values.odd_inputs, &mut values.odd);
            let terms = values.odd.iter().zip(&values.even).zip(u.iter().zip(w));
            *output = terms.map(|((odd, even), (u, w))| odd * (u + w * even)).sum();
        }
    }

    fn backward(&mut self, weights: &[f32], slopes: &[f32], gradients: &mut [f32]) {
        let [u, w] = self.output.clone();
        for (index, (&slope, values)) in slopes.iter().zip(&self.values).enumerate() {
            let deltas = &mut self.deltas;
            for (i, (even, odd)) in values.even.iter().zip(&values.odd).enumerate() {
                gradients[u.start + i] += slope * odd;
                gradients[w.start + i] += slope * even * odd;
                let weight = weights[w.start + i];
                deltas.odd[i] = slope * (weights[u.start + i] + weight * even);
                deltas.even[i] = slope * weight * odd;
            }
            clamp_slopes(&values.even_sums, -MAX_VALUE, MAX_VALUE, &mut deltas.even);
            deltas.even_inputs.fill(0.0);
            let (inputs, to) = (&values.even_inputs, &mut deltas.even_inputs);
            self.even.backward(weights, gradients, inputs, &deltas.even, to);
            deltas.odd_inputs.fill(0.0);
            let (inputs, to) = (&values.odd_inputs, &mut deltas.odd_inputs);
            self.odd.backward(weights, gradients, inputs, &deltas.odd, to);
            deltas.unpool(values);
            let sums = self.sums.row_mut(index);
            clamp_slopes(sums, -MAX_VALUE, MAX_VALUE, &mut deltas.classes);
            sums.copy_from_slice(&deltas.classes);
        }
        let rows = &mut gradients[self.rows.clone()];
        // The first layer has no bias, whose gradients go where nobody looks.
        self.first.backward(rows, &mut self.no_bias, &mut self.lists, &self.sums);
    }
}
