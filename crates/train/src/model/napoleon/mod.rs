// SPDX-License-Identifier: GPL-3.0-or-later
//! Napoleon: convolutions with squeeze and excitation on planes of attacks.
//!
//! Every layer runs over all positions of a sub-batch before the next, because the normalizations
//! between them use the statistics of these positions. Running means of the statistics are kept for
//! use after training; at export they are folded into factors and shifts, or into the layer behind.

mod block;
mod gate;
mod head;
mod input;

use data::Record;
use net::features::planes::{self, PLANES, Plane};
use net::{Architecture, Header, NapoleonShape, NetFileError};
use serde::{Deserialize, Serialize};

use self::block::Block;
use self::head::Head;
use self::input::InputStage;
use super::{GradientWorker, Model, NetLabel, OptionError, ValueNet, ValueWorker, default_scale};
use crate::Aligned;
use crate::layers::{Dense, Norm, NormPlaces, PLANE};
use crate::objective::OutputView;
use crate::parameters::{Layout, LayoutBuilder, Tensor};

/// The choices of this architecture.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct NapoleonOptions {
    /// Planes after the first convolution.
    pub channels: u16,
    /// Blocks with a convolution.
    pub blocks: u16,
    /// What a gate squeezes all cells into.
    pub squeezed: u16,
    /// The widths of the head's two layers.
    pub head: u16,
    /// Points per unit of output.
    pub scale: u32,
    /// Whether the network's output passes through tanh, as the author's does.
    pub bounded: bool,
}

impl Default for NapoleonOptions {
    fn default() -> Self {
        let NapoleonShape { channels, blocks, squeezed, head } = NapoleonShape::ORIGINAL;
        let [channels, blocks, squeezed, head] =
            [channels, blocks, squeezed, head].map(|size| size as u16);
        Self { channels, blocks, squeezed, head, scale: default_scale(), bounded: false }
    }
}

/// How far a step moves the running statistics.
const STATISTICS_RATE: f32 = 0.02;

/// The network and its layers' places among the parameters.
#[derive(Debug)]
pub struct Napoleon {
    header: Header,
    layout: Layout,
    graph: Graph,
}

impl Napoleon {
    /// The network with these options; refuses what no file could hold.
    pub fn new(options: &NapoleonOptions) -> Result<Self, OptionError> {
        let check = |key, found: u16, least: usize, most: usize| {
            if (least..=most).contains(&usize::from(found)) {
                return Ok(usize::from(found));
            }
            Err(OptionError::new(key, found, format!("{least} to {most}")))
        };
        let shape = NapoleonShape {
            channels: check("channels", options.channels, PLANES, 256)?,
            blocks: check("blocks", options.blocks, 1, 16)?,
            squeezed: check("squeezed", options.squeezed, 1, 64)?,
            head: check("head", options.head, 1, 64)?,
        };
        let mut header = shape.header();
        header.scale = options.scale;
        header.flags = if options.bounded { Header::BOUNDED } else { 0 };
        let mut plan = Plan::default();
        let graph = Graph {
            input: InputStage::new(&mut plan, shape.squeezed),
            blocks: (0..shape.blocks)
                .map(|index| {
                    let inputs = if index == 0 { PLANES } else { shape.channels };
                    Block::new(&mut plan, inputs, shape.channels, shape.squeezed)
                })
                .collect(),
            head: Head::new(&mut plan, shape.channels, shape.head),
            deltas: Vec::new(),
        };
        Ok(Self { header, layout: plan.0.finish(), graph })
    }
}

impl Model for Napoleon {
    fn architecture(&self) -> Architecture {
        Architecture::Napoleon
    }

    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn initial(&self, seed: u64) -> Aligned {
        let mut parameters = self.layout.initial(seed);
        for name in ["norm factor", "norm variance"] {
            for range in self.layout.named(name) {
                parameters[range].fill(1.0);
            }
        }
        parameters
    }

    fn worker(&self) -> Box<dyn GradientWorker> {
        Box::new(ValueWorker::new(self.graph.clone()))
    }

    fn scale(&self) -> f32 {
        self.header.scale as f32
    }

    fn export(&self, parameters: &[f32], label: &NetLabel) -> Result<Vec<u8>, NetFileError> {
        net::file::make(&label.header(&self.header), |tensors| {
            let Graph { input, blocks, head, .. } = &self.graph;
            input.export(parameters, tensors);
            for block in blocks {
                block.export(parameters, tensors);
            }
            head.export(parameters, tensors);
        })
    }
}

/// Places layers one after another.
#[derive(Default)]
struct Plan(LayoutBuilder);

impl Plan {
    fn dense(&mut self, inputs: usize, outputs: usize) -> Dense {
        let spread = (6.0 / (inputs + outputs) as f32).sqrt();
        let weights = Tensor::weights("dense weights", inputs * outputs, spread);
        let weights = self.0.add(weights.within(1000.0));
        let bias = self.0.add(Tensor::bias("dense bias", outputs).within(1000.0));
        Dense::new(inputs, outputs, weights, Some(bias))
    }

    fn norm(&mut self, channels: usize, cells: usize) -> Norm {
        let mut average = |name| self.0.add(Tensor::average(name, channels, STATISTICS_RATE));
        let (mean, variance) = (average("norm mean"), average("norm variance"));
        let factor = self.0.add(Tensor::bias("norm factor", channels).within(1000.0));
        let shift = self.0.add(Tensor::bias("norm shift", channels).within(1000.0));
        Norm::new(channels, cells, NormPlaces { factor, shift, mean, variance })
    }
}

/// Whether normalizations use the positions at hand or what was learnt of all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum NormMode {
    Training,
    Finished,
}

impl NormMode {
    fn normalize(self, norm: &mut Norm, weights: &[f32], input: &[f32], output: &mut Vec<f32>) {
        output.resize(input.len(), 0.0);
        match self {
            Self::Training => norm.forward_training(weights, input, output),
            Self::Finished => norm.forward(weights, input, output),
        }
    }
}

/// A dense layer over all positions.
fn dense_forward(layer: &Dense, weights: &[f32], input: &[f32], output: &mut Vec<f32>) {
    output.clear();
    output.resize(input.len() / layer.inputs() * layer.outputs(), 0.0);
    let outputs = output.chunks_exact_mut(layer.outputs());
    for (input, output) in input.chunks_exact(layer.inputs()).zip(outputs) {
        layer.forward(weights, input, output);
    }
}

/// The way back through a dense layer over all positions; adds to `input_deltas`.
fn dense_backward(
    layer: &Dense,
    weights: &[f32],
    gradients: &mut [f32],
    input: &[f32],
    deltas: &[f32],
    input_deltas: &mut [f32],
) {
    let inputs = input.chunks_exact(layer.inputs());
    let input_deltas = input_deltas.chunks_exact_mut(layer.inputs());
    let deltas = deltas.chunks_exact(layer.outputs());
    for ((input, deltas), input_deltas) in inputs.zip(deltas).zip(input_deltas) {
        layer.backward(weights, gradients, input, deltas, input_deltas);
    }
}

/// The planes of a position; zeros if the record holds none.
struct Input(Box<[Plane; PLANES]>);

impl From<&Record> for Input {
    fn from(record: &Record) -> Self {
        let mut planes = Box::new([[0.0; PLANE]; PLANES]);
        if let Ok(board) = record.board() {
            planes::fill(&board, &mut planes);
        }
        Self(planes)
    }
}

/// One thread's forward and backward.
#[derive(Clone, Debug)]
struct Graph {
    input: InputStage,
    blocks: Vec<Block>,
    head: Head,
    deltas: Vec<f32>,
}

impl Graph {
    fn run(&mut self, weights: &[f32], positions: &[Input], mode: NormMode, outputs: &mut [f32]) {
        self.input.forward(weights, positions, mode);
        let mut planes = self.input.planes();
        for block in &mut self.blocks {
            block.forward(weights, planes, mode);
            planes = block.planes();
        }
        self.head.forward(weights, planes, mode, outputs);
    }
}

impl ValueNet for Graph {
    type Input = Input;
    const VIEW: OutputView = OutputView::Mover;

    fn forward(&mut self, weights: &[f32], positions: &[Input], outputs: &mut [f32]) {
        self.run(weights, positions, NormMode::Finished, outputs);
    }

    fn forward_training(&mut self, weights: &[f32], positions: &[Input], outputs: &mut [f32]) {
        self.run(weights, positions, NormMode::Training, outputs);
    }

    fn backward(&mut self, weights: &[f32], slopes: &[f32], gradients: &mut [f32]) {
        let Self { input, blocks, head, deltas } = self;
        let last = blocks.last().map_or(input.planes(), Block::planes);
        head.backward(weights, gradients, last, slopes, deltas);
        for index in (0..blocks.len()).rev() {
            let (before, rest) = blocks.split_at_mut(index);
            let planes = before.last().map_or(input.planes(), Block::planes);
            rest[0].backward(weights, gradients, planes, deltas);
        }
        input.backward(weights, gradients, deltas);
    }
}
