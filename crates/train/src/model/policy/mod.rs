// SPDX-License-Identifier: GPL-3.0-or-later
//! The policy: the share of each legal move, learnt from best moves.
//!
//! A move's logit is the product of the hidden values with the sum of two rows, one by piece, target
//! and exchange, one by origin and target. The loss is the cross-entropy with a target that is the
//! best move, a small share of it spread over all legal moves.

mod moves;

use std::ops::Range;

use data::Record;
use moves::{Moves, softmax};
use net::features::threats;
use net::file::{Contents, TensorView};
use net::policy::{FROM_TO, PIECE_TO};
use net::{Architecture, Header, NetFileError};
use serde::{Deserialize, Serialize};

use super::value::SUB_BATCH;
use super::{GradientWorker, Model, NetLabel, OptionError, check_form, check_width, filled};
use crate::layers::{Lists, Rows, Sparse, add_scaled, dot, pairwise, pairwise_backward};
use crate::objective::Objective;
use crate::parameters::{Layout, Tensor};

/// The choices of this architecture.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PolicyOptions {
    /// Lanes of the first layer; half as many products come out of them.
    pub width: u16,
}

/// The largest first weight that a byte holds.
const FIRST_LIMIT: f32 = 0.99;
/// The largest output weight that a byte holds.
const ROW_LIMIT: f32 = 1.98;
/// Rows and biases of both kinds.
const TENSORS: usize = 6;

/// 3072 → N → N/2 products → a row for each kind of move.
#[derive(Debug)]
pub struct PolicyModel {
    header: Header,
    layout: Layout,
    first: Sparse,
}

impl PolicyModel {
    /// The network with these options; refuses what no file could hold.
    pub fn new(options: &PolicyOptions) -> Result<Self, OptionError> {
        check_width("width", options.width, 128, net::policy::Policy::MAX_WIDTH)?;
        let width = usize::from(options.width);
        let (first, products) = (Sparse::new(threats::LEN, width), width / 2);
        let spread = 1.0 / (products as f32).sqrt();
        let layout = Layout::new(vec![
            Tensor::weights("first weights", first.len(), 0.06).within(FIRST_LIMIT),
            Tensor::bias("first bias", width).within(FIRST_LIMIT),
            Tensor::weights("piece-to weights", PIECE_TO * products, spread).within(ROW_LIMIT),
            Tensor::bias("piece-to bias", PIECE_TO).within(100.0),
            Tensor::weights("from-to weights", FROM_TO * products, 0.0).within(ROW_LIMIT),
            Tensor::bias("from-to bias", FROM_TO).within(100.0),
        ]);
        Ok(Self { header: net::policy::Policy::header_of(width), layout, first })
    }
}

impl Model for PolicyModel {
    fn architecture(&self) -> Architecture {
        Architecture::Policy
    }

    fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Lanes begin in the middle of their clipped range, or their products would hardly learn.
    fn initial(&self, seed: u64) -> crate::Aligned {
        let mut parameters = self.layout.initial(seed);
        parameters[self.layout.tensors()[1].range()].fill(0.3);
        parameters
    }

    fn worker(&self) -> Box<dyn GradientWorker> {
        Box::new(PolicyWorker {
            ranges: self.layout.ranges(),
            first: self.first,
            lists: Lists::default(),
            sums: Rows::new(SUB_BATCH, self.first.width),
            products: Rows::new(SUB_BATCH, self.first.width / 2),
            deltas: vec![0.0; self.first.width / 2],
            moves: Moves::default(),
        })
    }

    fn scale(&self) -> f32 {
        1.0
    }

    fn export(&self, parameters: &[f32], label: &NetLabel) -> Result<Vec<u8>, NetFileError> {
        let [first, bias, piece_to, piece_to_bias, from_to, from_to_bias] =
            self.layout.ranges().map(|range| &parameters[range]);
        net::file::make(&label.header(&self.header), |tensors| {
            tensors.rounded(&self.first.in_rows(first));
            tensors.rounded(bias);
            tensors.rounded(piece_to);
            tensors.rounded(piece_to_bias);
            tensors.rounded(from_to);
            tensors.rounded(from_to_bias);
        })
    }

    fn import(&self, contents: &Contents<'_>, _seed: u64) -> Result<crate::Aligned, String> {
        check_form(&self.header, contents)?;
        let mut tensors: Vec<_> = contents.tensors.iter().map(TensorView::trained).collect();
        tensors[0] = self.first.from_rows(&tensors[0]);
        Ok(filled(&self.layout, &tensors))
    }
}

/// One thread's forward and backward.
#[derive(Debug)]
struct PolicyWorker {
    ranges: [Range<usize>; TENSORS],
    first: Sparse,
    lists: Lists,
    /// The first layer's sums; on the way back their gradients.
    sums: Rows,
    products: Rows,
    /// The gradients of one position's products.
    deltas: Vec<f32>,
    moves: Moves,
}

impl PolicyWorker {
    /// The losses of at most a sub-batch of records; the shares' slopes are kept.
    fn forward(&mut self, weights: &[f32], records: &[Record], smoothing: f32) -> f64 {
        self.lists.clear();
        self.moves.clear();
        for record in records {
            self.moves.push(record, &mut self.lists);
        }
        let [first, bias, piece_to, piece_to_bias, from_to, from_to_bias] =
            self.ranges.clone().map(|range| &weights[range]);
        self.first.forward(first, bias, &mut self.lists, &mut self.sums);
        let width = self.deltas.len();
        let mut loss = 0.0;
        for (index, position) in self.moves.positions().enumerate() {
            let products = self.products.row_mut(index);
            pairwise(self.sums.row(index), products);
            for mv in &mut *position.moves {
                let (piece, from) = (usize::from(mv.piece_to), usize::from(mv.from_to));
                mv.value = piece_to_bias[piece]
                    + from_to_bias[from]
                    + dot(&piece_to[piece * width..][..width], products)
                    + dot(&from_to[from * width..][..width], products);
            }
            loss += softmax(position.moves, position.best, smoothing);
        }
        loss
    }

    fn backward(&mut self, weights: &[f32], gradients: &mut [f32]) {
        let [_, _, piece_to, _, from_to, _] = self.ranges.clone().map(|range| &weights[range]);
        let [first, bias, piece_rows, piece_bias, from_rows, from_bias] =
            gradients.get_disjoint_mut(self.ranges.clone()).expect("tensors do not overlap");
        let width = self.deltas.len();
        for (index, position) in self.moves.positions().enumerate() {
            let products = self.products.row(index);
            self.deltas.fill(0.0);
            for mv in &*position.moves {
                let (piece, from) = (usize::from(mv.piece_to), usize::from(mv.from_to));
                piece_bias[piece] += mv.value;
                from_bias[from] += mv.value;
                let (piece, from) =
                    (piece * width..(piece + 1) * width, from * width..(from + 1) * width);
                add_scaled(&mut self.deltas, mv.value, &piece_to[piece.clone()]);
                add_scaled(&mut self.deltas, mv.value, &from_to[from.clone()]);
                add_scaled(&mut piece_rows[piece], mv.value, products);
                add_scaled(&mut from_rows[from], mv.value, products);
            }
            pairwise_backward(self.sums.row_mut(index), &self.deltas);
        }
        self.first.backward(first, bias, &mut self.lists, &self.sums);
    }
}

impl GradientWorker for PolicyWorker {
    fn train(
        &mut self,
        weights: &[f32],
        records: &[Record],
        objective: &Objective,
        gradients: &mut [f32],
    ) -> f64 {
        let mut sum = 0.0;
        for records in records.chunks(SUB_BATCH) {
            sum += self.forward(weights, records, objective.smoothing);
            self.backward(weights, gradients);
        }
        sum
    }

    fn measure(&mut self, weights: &[f32], records: &[Record], objective: &Objective) -> f64 {
        let measure = |records| self.forward(weights, records, objective.smoothing);
        records.chunks(SUB_BATCH).map(measure).sum()
    }

    fn outputs(&mut self, _: &[f32], _: &[Record]) -> Vec<f32> {
        Vec::new()
    }
}
