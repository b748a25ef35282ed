// SPDX-License-Identifier: GPL-3.0-or-later
//! What a finished file really says, by the engine's own inference.

use std::sync::Arc;

use data::Record;
use net::policy::PolicyEvaluator;
use net::{Kernels, Net, NetEvaluator, NetFileError};
use serde::Serialize;

use crate::objective::{Objective, OutputView};

/// Points that a value network's file gives to the side to move, for each record that is a position.
pub fn outputs(bytes: &[u8], records: &[Record]) -> Result<Vec<Option<i32>>, NetFileError> {
    let net = Arc::new(Net::from_bytes(bytes)?);
    let mut evaluator = NetEvaluator::new(net, Kernels::detect());
    let mut points = |record: &Record| {
        let board = record.board().ok()?;
        evaluator.reset(&board);
        Some(evaluator.evaluate(&board))
    };
    Ok(records.iter().map(&mut points).collect())
}

/// The mean loss of points, `scale` of which are a unit of output.
pub fn mean_loss(
    points: &[Option<i32>],
    records: &[Record],
    objective: &Objective,
    scale: f32,
) -> f64 {
    let known = (points.iter().zip(records))
        .filter_map(|(points, record)| points.map(|points| (points, record)));
    let losses = known.map(|(points, record)| {
        let target = objective.target(record, OutputView::Mover);
        f64::from(objective.loss(points as f32 / scale, target).value)
    });
    let (sum, count) = losses.fold((0.0, 0u64), |(sum, count), loss| (sum + loss, count + 1));
    sum / count.max(1) as f64
}

/// How well a policy's file knows the best moves.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct PolicyFigures {
    /// The mean of minus the logarithm of the best move's share.
    pub cross_entropy: f64,
    /// The same if all moves had the same share.
    pub uniform: f64,
    /// How often the best move has the largest share.
    pub top1: f64,
    /// How often it is among the four largest.
    pub top4: f64,
    /// How often it is among the eight largest.
    pub top8: f64,
    /// The loss as it is trained, a part of the target spread over all moves.
    pub smoothed: f64,
}

impl PolicyFigures {
    /// Asks a policy's file about records with a best move.
    pub fn measure(bytes: &[u8], records: &[Record], smoothing: f32) -> Result<Self, NetFileError> {
        let network = Arc::new(net::policy::Policy::from_bytes(bytes)?);
        let mut evaluator = PolicyEvaluator::new(network, Kernels::detect());
        let mut sums = Self::default();
        let mut count = 0;
        for record in records {
            let (Ok(board), Some(best)) = (record.board(), record.best_move()) else { continue };
            let moves = board.legal_moves();
            let Some(best) = moves.iter().position(|&mv| mv == best) else { continue };
            sums.add(evaluator.logits(&board, &moves), best, smoothing.into());
            count += 1;
        }
        Ok(sums.divided(f64::from(count.max(1))))
    }

    fn add(&mut self, logits: &[f32], best: usize, smoothing: f64) {
        let total: f64 = logits.iter().map(|&logit| f64::from(logit).exp()).sum();
        let log = |logit: f32| total.ln() - f64::from(logit);
        let mean = logits.iter().map(|&logit| log(logit)).sum::<f64>() / logits.len() as f64;
        let entropy = log(logits[best]);
        self.cross_entropy += entropy;
        self.smoothed += (1.0 - smoothing) * entropy + smoothing * mean;
        self.uniform += (logits.len() as f64).ln();
        let rank = logits.iter().filter(|&&logit| logit > logits[best]).count();
        for (top, size) in [(&mut self.top1, 1), (&mut self.top4, 4), (&mut self.top8, 8)] {
            *top += f64::from(u8::from(rank < size));
        }
    }

    fn divided(self, by: f64) -> Self {
        Self {
            cross_entropy: self.cross_entropy / by,
            uniform: self.uniform / by,
            top1: self.top1 / by,
            top4: self.top4 / by,
            top8: self.top8 / by,
            smoothed: self.smoothed / by,
        }
    }
}
