// SPDX-License-Identifier: GPL-3.0-or-later
//! Nectar: one hidden layer in White's view, squared and clipped, then the output.

use std::ops::Range;

use chess::Color;
use net::features::NectarFeatures;
use net::{Activation, Architecture, Header, NetFileError};
use serde::{Deserialize, Serialize};

use super::value::SUB_BATCH;
use super::{
    GradientWorker, Model, NetLabel, OptionError, ValueNet, ValueWorker, check_width, default_scale,
};
use crate::layers::{Lists, Rows, Sparse, screlu_backward, screlu_dot};
use crate::objective::OutputView;
use crate::parameters::{Layout, Tensor};
use crate::position::TrainingPosition;

/// The choices of this architecture.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NectarOptions {
    /// Lanes of the hidden layer.
    pub width: u16,
    /// Points per unit of output.
    #[serde(default = "default_scale")]
    pub scale: u32,
}

/// 768 → N → 1.
#[derive(Debug)]
pub struct Nectar {
    header: Header,
    layout: Layout,
    first: Sparse,
}

/// Both quantization factors, as the author chose them.
const UNIT: u16 = 255;
/// The largest first weight that quantization leaves room for.
const LIMIT: f32 = 1.98;

impl Nectar {
    /// The network with these options; refuses what no file could hold.
    pub fn new(options: &NectarOptions) -> Result<Self, OptionError> {
        check_width("width", options.width, 8, net::Nectar::MAX_WIDTH)?;
        let mut header = Header::new(Architecture::Nectar, Activation::Screlu);
        header.inputs = 768;
        header.widths[0] = options.width;
        header.quantization = [UNIT, UNIT];
        header.scale = options.scale;
        let first = Sparse::new(768, options.width.into());
        let spread = 1.0 / f32::from(options.width).sqrt();
        let layout = Layout::new(vec![
            Tensor::weights("first weights", first.len(), 0.1).within(LIMIT),
            Tensor::bias("first bias", first.width).within(LIMIT),
            Tensor::weights("output weights", first.width, spread).within(100.0),
            Tensor::bias("output bias", 1),
        ]);
        Ok(Self { header, layout, first })
    }
}

impl Model for Nectar {
    fn architecture(&self) -> Architecture {
        Architecture::Nectar
    }

    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn worker(&self) -> Box<dyn GradientWorker> {
        Box::new(ValueWorker::new(NectarNet {
            ranges: self.layout.ranges(),
            first: self.first,
            lists: Lists::default(),
            sums: Rows::new(SUB_BATCH, self.first.width),
        }))
    }

    fn scale(&self) -> f32 {
        self.header.scale as f32
    }

    fn export(&self, parameters: &[f32], label: &NetLabel) -> Result<Vec<u8>, NetFileError> {
        let [rows, bias, output, output_bias] =
            self.layout.ranges().map(|range| &parameters[range]);
        net::file::make(&label.header(&self.header), |tensors| {
            tensors.rounded(&self.first.in_rows(rows));
            tensors.rounded(bias);
            tensors.rounded(output);
            tensors.rounded(output_bias);
        })
    }
}

/// One thread's forward and backward.
#[derive(Debug)]
struct NectarNet {
    ranges: [Range<usize>; 4],
    first: Sparse,
    lists: Lists,
    /// The first layer's sums; on the way back their gradients.
    sums: Rows,
}

impl ValueNet for NectarNet {
    type Input = TrainingPosition;
    const VIEW: OutputView = OutputView::White;

    fn forward(&mut self, weights: &[f32], positions: &[TrainingPosition], outputs: &mut [f32]) {
        self.lists.clear();
        for position in positions {
            self.lists.push(position.features(&NectarFeatures, Color::White));
        }
        let [rows, bias, output, output_bias] = self.ranges.clone().map(|range| &weights[range]);
        self.first.forward(rows, bias, &mut self.lists, &mut self.sums);
        for (index, out) in outputs.iter_mut().enumerate() {
            *out = screlu_dot(self.sums.row(index), output) + output_bias[0];
        }
    }

    fn backward(&mut self, weights: &[f32], slopes: &[f32], gradients: &mut [f32]) {
        let output = &weights[self.ranges[2].clone()];
        let [rows, bias, output_gradients, output_bias] =
            gradients.get_disjoint_mut(self.ranges.clone()).expect("tensors do not overlap");
        for (index, &slope) in slopes.iter().enumerate() {
            screlu_backward(self.sums.row_mut(index), output, output_gradients, slope);
            output_bias[0] += slope;
        }
        self.first.backward(rows, bias, &mut self.lists, &self.sums);
    }
}
