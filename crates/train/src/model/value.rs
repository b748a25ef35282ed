// SPDX-License-Identifier: GPL-3.0-or-later
//! What all value networks share: one number comes out, and one slope goes back.

use chess::Color;
use data::Record;

use super::GradientWorker;
use crate::objective::{Objective, OutputView};

/// How many positions run through all layers together: few enough that their activations stay in
/// the cache, many enough that a tile of weights is worth loading.
pub(super) const SUB_BATCH: usize = 128;

/// Forward and backward of a value network over the positions of a sub-batch.
pub trait ValueNet: Send {
    /// What it sees of a position.
    type Input: for<'a> From<&'a Record> + Send;
    /// Whose eyes the output is meant for.
    const VIEW: OutputView;

    /// Computes an output for each position, as the network does when it is finished.
    fn forward(&mut self, weights: &[f32], positions: &[Self::Input], outputs: &mut [f32]);

    /// Computes an output for each position, and remembers what the way back needs.
    fn forward_training(
        &mut self,
        weights: &[f32],
        positions: &[Self::Input],
        outputs: &mut [f32],
    ) {
        self.forward(weights, positions, outputs);
    }

    /// Adds the gradients of the positions of the last [`ValueNet::forward_training`], whose outputs have
    /// these slopes.
    fn backward(&mut self, weights: &[f32], slopes: &[f32], gradients: &mut [f32]);
}

/// Runs a value network over records, sub-batch by sub-batch.
#[expect(missing_debug_implementations, reason = "thousands of numbers tell nobody anything")]
pub struct ValueWorker<N: ValueNet> {
    net: N,
    positions: Vec<N::Input>,
    outputs: [f32; SUB_BATCH],
    slopes: [f32; SUB_BATCH],
}

impl<N: ValueNet> ValueWorker<N> {
    /// A worker for this network.
    pub fn new(net: N) -> Self {
        let positions = Vec::with_capacity(SUB_BATCH);
        Self { net, positions, outputs: [0.0; SUB_BATCH], slopes: [0.0; SUB_BATCH] }
    }

    /// The outputs for at most a sub-batch of records.
    fn forward(&mut self, weights: &[f32], records: &[Record]) {
        self.decode(records);
        self.net.forward(weights, &self.positions, &mut self.outputs[..records.len()]);
    }

    fn decode(&mut self, records: &[Record]) {
        self.positions.clear();
        self.positions.extend(records.iter().map(N::Input::from));
    }

    /// The losses of the last outputs, whose slopes are kept.
    fn losses(&mut self, records: &[Record], objective: &Objective) -> f64 {
        let outputs = self.outputs.iter().zip(&mut self.slopes);
        let losses = records.iter().zip(outputs).map(|(record, (&output, slope))| {
            let loss = objective.loss(output, objective.target(record, N::VIEW));
            *slope = loss.slope;
            f64::from(loss.value)
        });
        losses.sum()
    }
}

impl<N: ValueNet> GradientWorker for ValueWorker<N> {
    fn train(
        &mut self,
        weights: &[f32],
        records: &[Record],
        objective: &Objective,
        gradients: &mut [f32],
    ) -> f64 {
        let mut sum = 0.0;
        for records in records.chunks(SUB_BATCH) {
            self.decode(records);
            let outputs = &mut self.outputs[..records.len()];
            self.net.forward_training(weights, &self.positions, outputs);
            sum += self.losses(records, objective);
            self.net.backward(weights, &self.slopes[..records.len()], gradients);
        }
        sum
    }

    fn measure(&mut self, weights: &[f32], records: &[Record], objective: &Objective) -> f64 {
        let mut sum = 0.0;
        for records in records.chunks(SUB_BATCH) {
            self.forward(weights, records);
            sum += self.losses(records, objective);
        }
        sum
    }

    fn outputs(&mut self, weights: &[f32], records: &[Record]) -> Vec<f32> {
        let mut outputs = Vec::with_capacity(records.len());
        for records in records.chunks(SUB_BATCH) {
            self.forward(weights, records);
            outputs.extend(records.iter().zip(&self.outputs).map(|(record, &output)| {
                match (N::VIEW, record.side_to_move()) {
                    (OutputView::White, Color::Black) => -output,
                    _ => output,
                }
            }));
        }
        outputs
    }
}
