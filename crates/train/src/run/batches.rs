// SPDX-License-Identifier: GPL-3.0-or-later
//! Batches, read while the one before is learnt from.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::Scope;

use bytemuck::Zeroable;
use data::Record;

use super::phases::Phases;
use crate::error::TrainError;
use crate::recipe::{DataOptions, Recipe};

/// Batches that wait to be learnt from.
const AHEAD: usize = 2;

/// The batches of a run from a step on, in order.
pub(super) struct Batches {
    receiver: Receiver<Result<Vec<Record>, TrainError>>,
}

impl Batches {
    /// Begins to read.
    pub(super) fn begin<'scope>(
        scope: &'scope Scope<'scope, '_>,
        phases: &'scope Phases,
        recipe: &'scope Recipe,
        first: u64,
    ) -> Self {
        let (sender, receiver) = sync_channel(AHEAD);
        scope.spawn(move || read(phases, recipe, first, &sender));
        Self { receiver }
    }

    /// The next batch.
    ///
    /// # Panics
    /// After the run's last batch.
    pub(super) fn next(&self) -> Result<Vec<Record>, TrainError> {
        self.receiver.recv().expect("there is a batch for each step")
    }
}

/// Reads to the end of the run, or until nobody takes batches any more.
fn read(
    phases: &Phases,
    recipe: &Recipe,
    first: u64,
    sender: &SyncSender<Result<Vec<Record>, TrainError>>,
) {
    let mut stream = phases.stream(first, recipe);
    for step in first..phases.steps {
        if step == phases.begin_of_finish {
            stream = phases.stream(step, recipe);
        }
        let mut records = vec![Record::zeroed(); recipe.schedule.batch];
        let batch = stream.read(&mut records).map_err(TrainError::from).and_then(|()| {
            keep_useful(&mut records, &recipe.data);
            if records.is_empty() {
                Err(nothing_left(recipe, "a whole batch"))
            } else {
                Ok(records)
            }
        });
        let is_end = batch.is_err();
        if sender.send(batch).is_err() || is_end {
            return;
        }
    }
}

/// Leaves out the records whose score is beyond the recipe's `data.max_score`.
pub(super) fn keep_useful(records: &mut Vec<Record>, options: &DataOptions) {
    if let Some(max) = options.max_score {
        let is_useful = |record: &Record| record.score().get().unsigned_abs() <= max;
        records.retain(|record| !record.has_score() || is_useful(record));
    }
}

/// The error for records of which none is left.
pub(super) fn nothing_left(recipe: &Recipe, records: &str) -> TrainError {
    let max = recipe.data.max_score.unwrap_or_default();
    let reason = format!("data.max_score is {max}, and no record of {records} is within: raise it");
    TrainError::recipe(recipe.path(), reason)
}
