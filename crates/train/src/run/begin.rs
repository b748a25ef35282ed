// SPDX-License-Identifier: GPL-3.0-or-later
//! Where a run begins.

use std::path::{Path, PathBuf};

use super::Options;
use crate::checkpoint::Checkpoint;
use crate::error::TrainError;
use crate::model::Model;
use crate::optimizer::State;
use crate::recipe::Recipe;

/// The checkpoint's file within the run's directory.
pub(super) const CHECKPOINT: &str = "checkpoint.bin";

/// Where a run begins: at the checkpoint that it left, or from nothing.
pub(super) fn first_checkpoint(
    recipe: &Recipe,
    model: &dyn Model,
    options: &Options,
) -> Result<Checkpoint, TrainError> {
    let path = options.out.join(CHECKPOINT);
    let old = path.exists().then(|| Checkpoint::read(&path, model.layout().len()));
    match old {
        Some(old) if options.resume => {
            let old = old?;
            check_same(&old, recipe, options, &path)?;
            return Ok(old);
        }
        Some(_) if !options.out.join(net_name(recipe)).exists() => {
            let reason = "a run that has not ended is here: go on with `--resume`, or choose \
                          another directory with `--out`";
            return Err(TrainError::file(&options.out, reason));
        }
        _ => (),
    }
    let machine = || std::thread::available_parallelism().map_or(1, usize::from);
    Ok(Checkpoint {
        recipe: recipe.hash(),
        step: 0,
        threads: options.threads.unwrap_or_else(machine).max(1) as u64,
        loss_sum: 0.0,
        loss_positions: 0,
        state: first_state(recipe, model)?,
    })
}

/// Random parameters, or those of an earlier run; the moments begin anew.
fn first_state(recipe: &Recipe, model: &dyn Model) -> Result<State, TrainError> {
    Ok(State::new(match earlier(recipe, model)? {
        Some(earlier) => earlier.state.parameters,
        None => model.initial(recipe.seed),
    }))
}

/// Where the run that this one builds upon has come to.
fn earlier(recipe: &Recipe, model: &dyn Model) -> Result<Option<Checkpoint>, TrainError> {
    let read = |file: &PathBuf| Checkpoint::read(&recipe.resolve(file), model.layout().len());
    recipe.from.as_ref().map(read).transpose()
}

/// The run that this one builds upon in words, for the network's provenance.
pub(super) fn describe_earlier(recipe: &Recipe, model: &dyn Model) -> Result<String, TrainError> {
    let earlier = earlier(recipe, model)?;
    Ok(earlier.map_or_else(String::new, |earlier| {
        format!(" after {} steps of recipe {:016x}", earlier.step, earlier.recipe)
    }))
}

/// The network's file within the run's directory.
pub(super) fn net_name(recipe: &Recipe) -> String {
    format!("{}.qnet", recipe.name)
}

fn check_same(
    checkpoint: &Checkpoint,
    recipe: &Recipe,
    options: &Options,
    path: &Path,
) -> Result<(), TrainError> {
    if checkpoint.recipe != recipe.hash() {
        let reason = format!(
            "it belongs to recipe {:016x}, but `{}` with its settings is {:016x}",
            checkpoint.recipe,
            recipe.path().display(),
            recipe.hash(),
        );
        return Err(TrainError::file(path, reason));
    }
    if let Some(asked) = options.threads
        && checkpoint.threads != asked as u64
    {
        // Another number would add up gradients in another order.
        let reason =
            format!("the run has {} threads, so it cannot go on with {asked}", checkpoint.threads);
        return Err(TrainError::file(path, reason));
    }
    Ok(())
}
