// SPDX-License-Identifier: GPL-3.0-or-later
//! Tal: no kings among the features; instead both kings choose blocks of the second layer.

use std::ops::Range;

use net::features::TalFeatures;
use net::{Activation, Architecture, Header, NetFileError};
use serde::{Deserialize, Serialize};

use super::value::SUB_BATCH;
use super::{
    GradientWorker, Model, NetLabel, OptionError, ValueNet, ValueWorker, check_width, default_scale,
};
use crate::layers::{Dense, Lists, Rows, Sparse, clamp, clamp_slopes};
use crate::objective::OutputView;
use crate::parameters::{Layout, Tensor};
use crate::position::TrainingPosition;
use crate::quantize::to_i32;

/// What is done with the blocks of the two kings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Join {
    /// Both give the same values, which are added.
    Sum,
    /// Each gives values of its own.
    Concat,
}

/// The choices of this architecture.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TalOptions {
    /// Lanes of the first layer.
    pub width: u16,
    /// Values that each king's block gives.
    pub second: u16,
    /// Values of the third layer.
    #[serde(default = "four")]
    pub third: u16,
    /// How the blocks are joined.
    #[serde(default = "concat")]
    pub join: Join,
    /// Points per unit of output.
    #[serde(default = "default_scale")]
    pub scale: u32,
}

const fn four() -> u16 {
    4
}

const fn concat() -> Join {
    Join::Concat
}

/// What stands for one in the file.
const UNIT: f32 = net::Tal::UNIT as f32;
/// Activations are clamped to 0 and this.
const MAX: f32 = 127.0 / UNIT;
/// The largest weight that a signed byte holds.
const BYTE: f32 = 127.0 / UNIT;
/// The largest first weight of which a full board's sum fits 16 bits.
const FIRST: f32 = 7.5;

/// 640 → N → M or 2·M → K → 1.
#[derive(Debug)]
pub struct Tal {
    header: Header,
    layout: Layout,
    first: Sparse,
}

impl Tal {
    /// The network with these options; refuses what no file could hold.
    pub fn new(options: &TalOptions) -> Result<Self, OptionError> {
        check_width("width", options.width, 8, net::Tal::MAX_WIDTH)?;
        check_width("second", options.second, 4, net::Tal::MAX_SMALL)?;
        check_width("third", options.third, 4, net::Tal::MAX_SMALL)?;
        let mut header = Header::new(Architecture::Tal, Activation::Crelu);
        header.inputs = 640;
        header.widths = [options.width, options.second, options.third, 0];
        header.flags = if options.join == Join::Concat { Header::CONCATENATED } else { 0 };
        header.quantization = [net::Tal::UNIT; 2];
        header.scale = options.scale;
        let [n, m, k] = [0, 1, 2].map(|layer| header.width(layer));
        let joined = joined(&header);
        let first = Sparse::new(640, n);
        let spread = |inputs: usize| 1.0 / (inputs as f32).sqrt();
        let layout = Layout::new(vec![
            Tensor::weights("first weights", first.len(), 0.2).within(FIRST),
            Tensor::bias("first bias", n).within(FIRST),
            Tensor::weights("own king's blocks", 64 * m * n, spread(n)).within(BYTE),
            Tensor::weights("their king's blocks", 64 * m * n, spread(n)).within(BYTE),
            Tensor::bias("second bias", joined),
            Tensor::weights("third weights", k * joined, spread(joined)).within(BYTE),
            Tensor::bias("third bias", k),
            Tensor::weights("output weights", k, spread(k)).within(BYTE),
            Tensor::bias("output bias", 1),
        ]);
        Ok(Self { header, layout, first })
    }
}

/// Values of the second layer.
fn joined(header: &Header) -> usize {
    header.width(1) * if header.has(Header::CONCATENATED) { 2 } else { 1 }
}

impl Model for Tal {
    fn architecture(&self) -> Architecture {
        Architecture::Tal
    }

    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn initial(&self, seed: u64) -> crate::Aligned {
        let mut parameters = self.layout.initial(seed);
        // Values that begin on the flat side of every clamp would never leave it.
        for tensor in [1, 4, 6] {
            parameters[self.layout.tensors()[tensor].range()].fill(0.3);
        }
        parameters
    }

    fn worker(&self) -> Box<dyn GradientWorker> {
        let [rows, bias, own, their, second_bias, third, third_bias, last, last_bias] =
            self.layout.ranges();
        let [n, m, k] = [0, 1, 2].map(|layer| self.header.width(layer));
        let joined = joined(&self.header);
        Box::new(ValueWorker::new(TalNet {
            first_ranges: [rows, bias],
            first: self.first,
            kings: [own, their].map(|blocks| Dense::new(n, m, blocks.start, None)),
            second_bias,
            third: Dense::new(joined, k, third.start, Some(third_bias.start)),
            last: Dense::new(k, 1, last.start, Some(last_bias.start)),
            m,
            lists: Lists::default(),
            sums: Rows::new(SUB_BATCH, n),
            values: vec![Values::new(n, joined, k); SUB_BATCH],
            deltas: Values::new(n, joined, k),
        }))
    }

    fn scale(&self) -> f32 {
        self.header.scale as f32
    }

    fn export(&self, parameters: &[f32], label: &NetLabel) -> Result<Vec<u8>, NetFileError> {
        let [rows, bias, own, their, second_bias, third, third_bias, last, last_bias] =
            self.layout.ranges().map(|range| &parameters[range]);
        // The engine rounds activations down: half a step more makes that the nearest.
        let half = UNIT as i32 / 2;
        let rounded = |bias: &[f32]| -> Vec<i32> {
            to_i32(bias, UNIT * UNIT).into_iter().map(|x| x + half).collect()
        };
        net::file::make(&label.header(&self.header), |tensors| {
            tensors.rounded(&self.first.in_rows(rows));
            tensors.rounded(bias);
            tensors.rounded(own);
            tensors.rounded(their);
            tensors.i32(&rounded(second_bias));
            tensors.rounded(third);
            tensors.i32(&rounded(third_bias));
            tensors.rounded(last);
            tensors.rounded(last_bias);
        })
    }
}

/// The layers of one position; or their gradients.
#[derive(Clone, Debug)]
struct Values {
    /// The squares of the own and of their king, as the mover sees them.
    kings: [usize; 2],
    first: Vec<f32>,
    second_sums: Vec<f32>,
    second: Vec<f32>,
    third_sums: Vec<f32>,
    third: Vec<f32>,
}

impl Values {
    fn new(n: usize, joined: usize, k: usize) -> Self {
        Self {
            kings: [0; 2],
            first: vec![0.0; n],
            second_sums: vec![0.0; joined],
            second: vec![0.0; joined],
            third_sums: vec![0.0; k],
            third: vec![0.0; k],
        }
    }
}

/// One thread's forward and backward.
#[derive(Debug)]
struct TalNet {
    first_ranges: [Range<usize>; 2],
    first: Sparse,
    /// The first of the own and of their king's blocks.
    kings: [Dense; 2],
    second_bias: Range<usize>,
    third: Dense,
    last: Dense,
    /// Values of a block.
    m: usize,
    lists: Lists,
    /// The first layer's sums; on the way back their gradients.
    sums: Rows,
    values: Vec<Values>,
    deltas: Values,
}

impl TalNet {
    /// The blocks that the kings chose, each with the values that it gives.
    fn blocks(&self, values: &Values) -> [(Dense, Range<usize>); 2] {
        let joined = values.second.len();
        let [own, their] = [0, 1].map(|king| self.kings[king].set(values.kings[king]));
        [(own, 0..self.m), (their, joined - self.m..joined)]
    }
}

impl ValueNet for TalNet {
    type Input = TrainingPosition;
    const VIEW: OutputView = OutputView::Mover;

    fn forward(&mut self, weights: &[f32], positions: &[TrainingPosition], outputs: &mut [f32]) {
        self.lists.clear();
        for (position, values) in positions.iter().zip(&mut self.values) {
            let us = position.turn;
            self.lists.push(position.features(&TalFeatures, us));
            values.kings = [us, !us].map(|side| position.kings[side].relative_to(us).index());
        }
        let [rows, bias] = self.first_ranges.clone().map(|range| &weights[range]);
        self.first.forward(rows, bias, &mut self.lists, &mut self.sums);
        for (index, output) in outputs.iter_mut().enumerate() {
            let blocks = self.blocks(&self.values[index]);
            let values = &mut self.values[index];
            clamp(self.sums.row(index), 0.0, MAX, &mut values.first);
            values.second_sums.copy_from_slice(&weights[self.second_bias.clone()]);
            for (block, range) in blocks {
                block.forward(weights, &values.first, &mut values.second_sums[range]);
            }
            clamp(&values.second_sums, 0.0, MAX, &mut values.second);
            values.third_sums.fill(0.0);
            self.third.forward(weights, &values.second, &mut values.third_sums);
            clamp(&values.third_sums, 0.0, MAX, &mut values.third);
            *output = 0.0;
            self.last.forward(weights, &values.third, std::slice::from_mut(output));
        }
    }

    fn backward(&mut self, weights: &[f32], slopes: &[f32], gradients: &mut [f32]) {
        for (index, slope) in slopes.iter().enumerate() {
            let blocks = self.blocks(&self.values[index]);
            let (values, deltas) = (&self.values[index], &mut self.deltas);
            let slope = std::slice::from_ref(slope);
            deltas.third.fill(0.0);
            self.last.backward(weights, gradients, &values.third, slope, &mut deltas.third);
            clamp_slopes(&values.third_sums, 0.0, MAX, &mut deltas.third);
            deltas.second.fill(0.0);
            let to = &mut deltas.second;
            self.third.backward(weights, gradients, &values.second, &deltas.third, to);
            clamp_slopes(&values.second_sums, 0.0, MAX, &mut deltas.second);
            let bias = &mut gradients[self.second_bias.clone()];
            crate::layers::add(bias, &deltas.second);
            deltas.first.fill(0.0);
            for (block, range) in blocks {
                let from = &deltas.second[range];
                block.backward(weights, gradients, &values.first, from, &mut deltas.first);
            }
            let sums = self.sums.row_mut(index);
            clamp_slopes(sums, 0.0, MAX, &mut deltas.first);
            sums.copy_from_slice(&deltas.first);
        }
        let [rows, bias] =
            gradients.get_disjoint_mut(self.first_ranges.clone()).expect("tensors do not overlap");
        self.first.backward(rows, bias, &mut self.lists, &self.sums);
    }
}
