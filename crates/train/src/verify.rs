// SPDX-License-Identifier: GPL-3.0-or-later
//! What a finished file really says, by the engine's own inference.

use std::sync::Arc;

use data::Record;
use net::{Architecture, Evaluator, Kernels, Net, NetFileError};

use crate::objective::{Objective, View};

/// Points that a value network's file gives to the side to move, for each record that is a position;
/// nothing for a policy.
pub fn outputs(bytes: &[u8], records: &[Record]) -> Result<Option<Vec<Option<i32>>>, NetFileError> {
    if bytes.get(10) == Some(&(Architecture::Policy as u8)) {
        return Ok(None);
    }
    let net = Arc::new(Net::from_bytes(bytes)?);
    let mut evaluator = Evaluator::new(net, Kernels::detect());
    let mut points = |record: &Record| {
        let board = record.board().ok()?;
        evaluator.reset(&board);
        Some(evaluator.evaluate(&board))
    };
    Ok(Some(records.iter().map(&mut points).collect()))
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
        let target = objective.target(record, View::Mover);
        f64::from(objective.loss(points as f32 / scale, target).value)
    });
    let (sum, count) = losses.fold((0.0, 0u64), |(sum, count), loss| (sum + loss, count + 1));
    sum / count.max(1) as f64
}
