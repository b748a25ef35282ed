// SPDX-License-Identifier: GPL-3.0-or-later
//! Napoleon: convolutions with squeeze and excitation on planes of attacks.
//!
//! ```text
//! 34 planes ─ norm ─┬─ gate (tanh, tanh) ─┐
//!                   └──────── x ──────────┴─ tanh(x + x·g) ─ norm ─ a
//!  a ─┬─ conv 3×3 ─ relu ─ norm ─┬─ gate (relu, relu, norm) ─┐            each block,
//!     │                          └──────── y ────────────────┴─ y·g ┐     two of them
//!     └──────────────────────────────── + ──────────────────────────┴─ relu ─ norm ─ a
//!  a ─ dense relu ─ dense relu ─ dense ─ logit
//! ```
//!
//! A gate squeezes all cells of all planes into a few numbers, and excites from these one factor `g`
//! for each plane. Nothing of this is incremental: every evaluation starts from scratch, which only a
//! tree search can afford. See `docs/concepts/napoleon.md` for what differs from the original.

mod layers;
mod shape;
mod state;

pub use shape::NapoleonShape;
pub(crate) use state::NapoleonState;

use chess::{Board, Castling, Setup, Square};

use super::{EvaluatorState, Layer};
use crate::accumulator::Stack;
use crate::features::planes::{self, PLANES};
use crate::format::{ArchSpec, Header, NetFileError, Tensor, TensorReader, TensorWriter};
use crate::kernels::Kernels;
use crate::kernels::float::{Curve, Lanes, PLANE, relu, tanh};
use crate::layers::points_of;
use crate::weights::FirstWeights;
use layers::{Convolution, Dense, Norm};
use state::Scratch;

/// All cells of all planes to a few numbers, and from these to one for each plane.
#[derive(Clone, Debug)]
struct Gate {
    squeeze: Dense,
    excite: Dense,
}

impl Gate {
    fn tensors(planes: usize, squeezed: usize) -> impl Iterator<Item = Tensor> {
        let squeeze = ["gate.squeeze.weights", "gate.squeeze.bias"];
        let excite = ["gate.excite.weights", "gate.excite.bias"];
        Dense::tensors(squeeze, planes * PLANE, squeezed)
            .into_iter()
            .chain(Dense::tensors(excite, squeezed, planes))
    }

    fn read(
        reader: &mut TensorReader<'_>,
        planes: usize,
        squeezed: usize,
    ) -> Result<Self, NetFileError> {
        let squeeze = Dense::read(reader, planes * PLANE, squeezed)?;
        Ok(Self { squeeze, excite: Dense::read(reader, squeezed, planes)? })
    }

    fn write(&self, writer: &mut TensorWriter) {
        self.squeeze.write(writer);
        self.excite.write(writer);
    }

    /// One number for each plane, before the last activation.
    fn run<'a>(
        &self,
        kernels: &Kernels,
        planes: &[f32],
        squeezed: &mut [Lanes],
        gates: &'a mut [Lanes],
        activation: impl Fn(f32) -> f32,
    ) -> &'a mut [f32] {
        let squeezed = self.squeeze.run(kernels, planes, squeezed);
        bend(squeezed, activation);
        self.excite.run(kernels, squeezed, gates)
    }
}

/// A convolution whose planes are weighed by a gate and added to what came in.
#[derive(Clone, Debug)]
struct Block {
    conv: Convolution,
    conv_norm: Norm,
    gate: Gate,
    gate_norm: Norm,
    sum_norm: Norm,
}

impl Block {
    fn read(reader: &mut TensorReader<'_>, shape: NapoleonShape) -> Result<Self, NetFileError> {
        Ok(Self {
            conv: Convolution::read(reader)?,
            conv_norm: Norm::read(reader)?,
            gate: Gate::read(reader, shape.channels, shape.squeezed)?,
            gate_norm: Norm::read(reader)?,
            sum_norm: Norm::read(reader)?,
        })
    }

    fn write(&self, writer: &mut TensorWriter) {
        self.conv.write(writer);
        self.conv_norm.write(writer);
        self.gate.write(writer);
        self.gate_norm.write(writer);
        self.sum_norm.write(writer);
    }

    fn run(&self, kernels: &Kernels, scratch: &mut Scratch) {
        let Scratch { planes, filtered, padded, squeezed, gates } = scratch;
        self.conv.run(kernels, planes, padded, filtered);
        self.conv_norm.run(kernels, filtered, Curve::Relu);
        let gates = self.gate.run(kernels, filtered, squeezed, gates, relu);
        self.gate_norm.run_channels(gates);
        add_gated(planes, filtered, gates);
        self.sum_norm.run(kernels, planes, Curve::Relu);
    }
}

/// The network: weights only, to be shared by any number of evaluators.
#[derive(Clone, Debug)]
pub struct Napoleon {
    pub(crate) header: Header,
    shape: NapoleonShape,
    input_norm: Norm,
    input_gate: Gate,
    input_sum_norm: Norm,
    blocks: Vec<Block>,
    head: [Dense; 3],
}

impl Napoleon {
    /// The sizes.
    pub const fn shape(&self) -> NapoleonShape {
        self.shape
    }

    /// Its declaration.
    pub const SPEC: ArchSpec = NapoleonShape::SPEC;

    pub(crate) fn read(
        header: Header,
        reader: &mut TensorReader<'_>,
    ) -> Result<Self, NetFileError> {
        let shape = NapoleonShape::from_header(&header)?;
        let (cells, head) = (shape.channels * PLANE, shape.head);
        Ok(Self {
            header,
            shape,
            input_norm: Norm::read(reader)?,
            input_gate: Gate::read(reader, PLANES, shape.squeezed)?,
            input_sum_norm: Norm::read(reader)?,
            blocks: (0..shape.blocks)
                .map(|_| Block::read(reader, shape))
                .collect::<Result<_, _>>()?,
            head: [
                Dense::read(reader, cells, head)?,
                Dense::read(reader, head, head)?,
                Dense::read(reader, head, 1)?,
            ],
        })
    }

    pub(crate) fn write(&self, writer: &mut TensorWriter) {
        self.input_norm.write(writer);
        self.input_gate.write(writer);
        self.input_sum_norm.write(writer);
        self.blocks.iter().for_each(|block| block.write(writer));
        self.head.iter().for_each(|layer| layer.write(writer));
    }

    /// The value in points from the view of the side to move: the logit of its expected score times
    /// the header's scale. If the header says so, tanh bounds it as the original does.
    #[inline(never)]
    pub(crate) fn forward(
        &self,
        state: &mut EvaluatorState,
        board: &Board,
        _pieces: usize,
        kernels: &Kernels,
    ) -> i32 {
        self.memory(state).remember(board.key(), |scratch| {
            points_of(self.logit(scratch, board, kernels), &self.header)
        })
    }

    /// The logit of the expected score of the side to move.
    fn logit(&self, scratch: &mut Scratch, board: &Board, kernels: &Kernels) -> f32 {
        self.run_input(kernels, board, scratch);
        for block in &self.blocks {
            block.run(kernels, scratch);
        }
        let Scratch { planes, squeezed, gates, .. } = scratch;
        let [first, second, output] = &self.head;
        let hidden = first.run(kernels, planes, squeezed);
        bend(hidden, relu);
        let hidden = second.run(kernels, hidden, gates);
        bend(hidden, relu);
        output.run(kernels, hidden, squeezed)[0]
    }

    /// The mean of each plane after the last block, and the head's second layer.
    pub(crate) fn hidden(
        &self,
        state: &mut EvaluatorState,
        board: &Board,
        kernels: &Kernels,
    ) -> Vec<Layer> {
        let scratch = self.memory(state).scratch();
        self.logit(scratch, board, kernels);
        let mean = |plane: &[f32; PLANE]| plane.iter().sum::<f32>() / PLANE as f32;
        let means = scratch.planes.as_chunks().0.iter().map(mean).collect();
        let head = scratch.gates.as_flattened()[..self.shape.head].to_vec();
        vec![Layer::new("planes", means), Layer::new("head", head)]
    }

    /// What the first gate squeezes out of each cell of each plane.
    pub(crate) fn first_weights(&self, bucket: usize) -> Result<FirstWeights, NetFileError> {
        Header::check("bucket", bucket, 0..=0)?;
        Ok(FirstWeights::new(planes::names(), self.shape.squeezed, |unit, plane, square| {
            Some(self.input_gate.squeeze.weight(plane * PLANE + square.index(), unit))
        }))
    }

    pub(crate) fn state(&self) -> EvaluatorState {
        let mut state = EvaluatorState::of(Stack::empty());
        self.memory(&mut state);
        state
    }

    /// Forgets the moves: nothing is followed.
    #[expect(clippy::unused_self, reason = "all networks have the same methods")]
    pub(crate) fn reset(&self, state: &mut EvaluatorState, _board: &Board, _kernels: &Kernels) {
        state.stack = Stack::empty();
    }

    /// What this network keeps from one evaluation to the next.
    fn memory<'a>(&self, state: &'a mut EvaluatorState) -> &'a mut NapoleonState {
        let make = || Box::new(NapoleonState::new(self.shape(), NapoleonState::ENTRIES));
        state.napoleon.get_or_insert_with(make)
    }

    /// The planes, weighed by a gate of their own; there are no planes yet beyond the first 34.
    fn run_input(&self, kernels: &Kernels, board: &Board, scratch: &mut Scratch) {
        let Scratch { planes, squeezed, gates, .. } = scratch;
        let (input, others) = planes.split_at_mut(PLANES * PLANE);
        others.fill(0.0);
        let cells = input.as_chunks_mut().0.try_into().expect("34 planes of 64 cells");
        planes::fill(board, cells);
        self.input_norm.run(kernels, input, Curve::Line);
        let gates = self.input_gate.run(kernels, input, squeezed, gates, tanh);
        for (plane, gate) in input.as_chunks_mut::<PLANE>().0.iter_mut().zip(gates) {
            let gate = tanh(*gate);
            bend(plane, |cell| cell + cell * gate);
        }
        self.input_sum_norm.run(kernels, input, Curve::Tanh);
    }
}

/// Replaces each value by its value on a curve.
fn bend(values: &mut [f32], curve: impl Fn(f32) -> f32) {
    for value in values {
        *value = curve(*value);
    }
}

/// `planes += gate · filtered`, with one gate for each plane.
fn add_gated(planes: &mut [f32], filtered: &[f32], gates: &[f32]) {
    let pairs = planes.as_chunks_mut::<PLANE>().0.iter_mut().zip(filtered.as_chunks::<PLANE>().0);
    for ((plane, filtered), gate) in pairs.zip(gates) {
        for (cell, filtered) in plane.iter_mut().zip(filtered) {
            *cell += gate * filtered;
        }
    }
}

/// The board without the piece on a square, if it is legal so. Castling rights are dropped, which
/// the network does not see.
pub(crate) fn without(board: &Board, square: Square) -> Option<Board> {
    let mut setup = Setup { turn: board.turn(), castling: Castling::NONE, ..Setup::EMPTY };
    setup.pieces = std::array::from_fn(|i| board.piece_on(Square::try_from_index(i)?));
    setup.pieces[square.index()] = None;
    setup.board().ok()
}
