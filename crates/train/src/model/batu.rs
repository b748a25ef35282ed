// SPDX-License-Identifier: GPL-3.0-or-later
//! Batu: two hidden layers in White's view beside a piece-square table.
//!
//! The file's scale decides what a unit of output is: 600 with tanh as the author published it, 400
//! in logit space.

use std::ops::Range;

use chess::{Color, Piece, Role, Square};
use net::features::{BatuFeatures, Features as _};
use net::{Activation, Architecture, Header, Net, NetFileError};
use serde::{Deserialize, Serialize};

use super::value::SUB_BATCH;
use super::{
    GradientWorker, Model, NetLabel, OptionError, ValueNet, ValueWorker, check_width, default_scale,
};
use crate::Aligned;
use crate::layers::{Dense, Lists, Rows, Sparse, relu, relu_slopes};
use crate::objective::OutputView;
use crate::parameters::{Layout, Tensor};
use crate::position::TrainingPosition;

/// The choices of this architecture.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BatuOptions {
    /// Lanes of the first layer.
    #[serde(default = "width")]
    pub width: u16,
    /// Values of the second layer.
    #[serde(default = "second")]
    pub second: u16,
    /// What the learning rate of the piece-square table is multiplied with.
    #[serde(default = "tenth")]
    pub table_rate: f32,
    /// Points per unit of output.
    #[serde(default = "default_scale")]
    pub scale: u32,
    /// Whether the network's output passes through tanh, as the author's does.
    #[serde(default)]
    pub bounded: bool,
}

const fn width() -> u16 {
    256
}

const fn second() -> u16 {
    32
}

const fn tenth() -> f32 {
    0.1
}

/// The largest value in the table that a file holds.
const TABLE_LIMIT: f32 = 1.99;
/// The largest first weight.
const FIRST_LIMIT: f32 = 1.98;
/// The largest second weight.
const SECOND_LIMIT: f32 = 4.0;
/// Quantization factors, finest first; the finest of which no sum can overflow is used.
const FACTORS: [[u16; 2]; 6] =
    [[1024, 1024], [512, 512], [256, 512], [256, 256], [128, 128], [64, 64]];

/// 768 → N → M → 1 with a piece-square table.
#[derive(Debug)]
pub struct Batu {
    header: Header,
    layout: Layout,
    first: Sparse,
}

impl Batu {
    /// The network with these options; refuses what no file could hold.
    pub fn new(options: &BatuOptions) -> Result<Self, OptionError> {
        check_width("width", options.width, 16, net::Batu::MAX_WIDTH)?;
        check_width("second", options.second, 4, net::Batu::MAX_SECOND)?;
        let mut header = Header::new(Architecture::Batu, Activation::Relu);
        header.inputs = 768;
        header.widths = [options.width, options.second, 0, 0];
        header.scale = options.scale;
        header.flags = if options.bounded { Header::BOUNDED } else { 0 };
        let [n, m] = [0, 1].map(|layer| header.width(layer));
        let first = Sparse::new(768, n);
        let spread = |inputs: usize| 1.0 / (inputs as f32).sqrt();
        let table = Tensor::weights("piece-square table", 768, 0.0);
        let layout = Layout::new(vec![
            table.within(TABLE_LIMIT).at_rate(options.table_rate),
            Tensor::weights("first weights", first.len(), 0.06).within(FIRST_LIMIT),
            Tensor::bias("first bias", n).within(FIRST_LIMIT),
            Tensor::weights("second weights", m * n, spread(n)).within(SECOND_LIMIT),
            Tensor::bias("second bias", m),
            Tensor::weights("output weights", m, spread(m)).within(100.0),
            Tensor::bias("output bias", 1),
        ]);
        Ok(Self { header, layout, first })
    }
}

impl Model for Batu {
    fn architecture(&self) -> Architecture {
        Architecture::Batu
    }

    fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The table begins with what pieces are worth.
    fn initial(&self, seed: u64) -> Aligned {
        let mut parameters = self.layout.initial(seed);
        for piece in Piece::ALL {
            let points = match piece.role() {
                Role::Pawn => 100.0,
                Role::Knight => 320.0,
                Role::Bishop => 330.0,
                Role::Rook => 500.0,
                Role::Queen => 900.0,
                Role::King => 0.0,
            };
            let value = (points / self.scale()).min(TABLE_LIMIT);
            let value = if piece.color() == Color::White { value } else { -value };
            for square in Square::all() {
                let index = BatuFeatures.index(Color::White, Square::E1, piece, square);
                parameters[index.expect("all pieces are features")] = value;
            }
        }
        parameters
    }

    fn worker(&self) -> Box<dyn GradientWorker> {
        let [table, rows, bias, second, second_bias, last, last_bias] = self.layout.ranges();
        let [n, m] = [0, 1].map(|layer| self.header.width(layer));
        Box::new(ValueWorker::new(BatuNet {
            table,
            first_ranges: [rows, bias],
            first: self.first,
            second: Dense::new(n, m, second.start, Some(second_bias.start)),
            last: Dense::new(m, 1, last.start, Some(last_bias.start)),
            lists: Lists::default(),
            sums: Rows::new(SUB_BATCH, n),
            values: vec![Values::new(n, m); SUB_BATCH],
            deltas: Values::new(n, m),
        }))
    }

    fn scale(&self) -> f32 {
        self.header.scale as f32
    }

    fn export(&self, parameters: &[f32], label: &NetLabel) -> Result<Vec<u8>, NetFileError> {
        let [table, rows, bias, second, second_bias, last, last_bias] =
            self.layout.ranges().map(|range| &parameters[range]);
        let mut header = label.header(&self.header);
        let mut with_factors = |factors: [u16; 2]| {
            header.quantization = factors;
            Net::from_tensors(&header, |tensors| {
                tensors.rounded(table);
                tensors.rounded(&self.first.in_rows(rows));
                tensors.rounded(bias);
                tensors.rounded(second);
                tensors.rounded(second_bias);
                tensors.f32(last);
                tensors.f32(last_bias);
            })
        };
        let mut net = with_factors(FACTORS[0]);
        for factors in &FACTORS[1..] {
            if net.is_ok() {
                break;
            }
            net = with_factors(*factors);
        }
        Ok(net?.to_bytes())
    }
}

/// The layers of one position; or their gradients.
#[derive(Clone, Debug)]
struct Values {
    first: Vec<f32>,
    second_sums: Vec<f32>,
    second: Vec<f32>,
}

impl Values {
    fn new(n: usize, m: usize) -> Self {
        Self { first: vec![0.0; n], second_sums: vec![0.0; m], second: vec![0.0; m] }
    }
}

/// One thread's forward and backward.
#[derive(Debug)]
struct BatuNet {
    table: Range<usize>,
    first_ranges: [Range<usize>; 2],
    first: Sparse,
    second: Dense,
    last: Dense,
    lists: Lists,
    /// The first layer's sums; on the way back their gradients.
    sums: Rows,
    values: Vec<Values>,
    deltas: Values,
}

impl ValueNet for BatuNet {
    type Input = TrainingPosition;
    const VIEW: OutputView = OutputView::White;

    fn forward(&mut self, weights: &[f32], positions: &[TrainingPosition], outputs: &mut [f32]) {
        self.lists.clear();
        for position in positions {
            self.lists.push(position.features(&BatuFeatures, Color::White));
        }
        let [rows, bias] = self.first_ranges.clone().map(|range| &weights[range]);
        self.first.forward(rows, bias, &mut self.lists, &mut self.sums);
        let table = &weights[self.table.clone()];
        let lists = self.lists.iter().zip(&mut self.values);
        for (index, (output, (list, values))) in outputs.iter_mut().zip(lists).enumerate() {
            *output = list.iter().map(|&feature| table[usize::from(feature)]).sum();
            relu(self.sums.row(index), &mut values.first);
            values.second_sums.fill(0.0);
            self.second.forward(weights, &values.first, &mut values.second_sums);
            relu(&values.second_sums, &mut values.second);
            self.last.forward(weights, &values.second, std::slice::from_mut(output));
        }
    }

    fn backward(&mut self, weights: &[f32], slopes: &[f32], gradients: &mut [f32]) {
        let lists = self.lists.iter().zip(&self.values);
        for (index, (slope, (list, values))) in slopes.iter().zip(lists).enumerate() {
            let table = &mut gradients[self.table.clone()];
            for &feature in list {
                table[usize::from(feature)] += slope;
            }
            let (deltas, slope) = (&mut self.deltas, std::slice::from_ref(slope));
            deltas.second.fill(0.0);
            self.last.backward(weights, gradients, &values.second, slope, &mut deltas.second);
            relu_slopes(&values.second_sums, &mut deltas.second);
            deltas.first.fill(0.0);
            let to = &mut deltas.first;
            self.second.backward(weights, gradients, &values.first, &deltas.second, to);
            let sums = self.sums.row_mut(index);
            relu_slopes(sums, &mut deltas.first);
            sums.copy_from_slice(&deltas.first);
        }
        let [rows, bias] =
            gradients.get_disjoint_mut(self.first_ranges.clone()).expect("tensors do not overlap");
        self.first.backward(rows, bias, &mut self.lists, &self.sums);
    }
}
