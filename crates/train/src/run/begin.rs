// SPDX-License-Identifier: GPL-3.0-or-later
//! Where a run begins.

use std::path::Path;

use net::file::Contents;

use super::{Options, Start};
use crate::checkpoint::Checkpoint;
use crate::error::TrainError;
use crate::model::Model;
use crate::optimizer::OptimizerState;
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
        Some(old) if options.start == Start::Resume => {
            let old = old?;
            check_same(&old, recipe, options, &path)?;
            return Ok(old);
        }
        _ if options.start == Start::Replace => (),
        _ if options.out.join(net_name(recipe)).exists() => {
            let reason = "a finished run is here: choose another directory with `--out`, or replace \
                          it with `--force`";
            return Err(TrainError::file(&options.out, reason));
        }
        Some(_) => {
            let reason = "a run that has not ended is here: go on with `--resume`, choose another \
                          directory with `--out`, or replace it with `--force`";
            return Err(TrainError::file(&options.out, reason));
        }
        None => (),
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

/// What a run builds upon.
struct Earlier {
    state: OptimizerState,
    /// Where they come from, for the network's provenance.
    origin: String,
}

/// Random parameters, or those of an earlier run or network.
fn first_state(recipe: &Recipe, model: &dyn Model) -> Result<OptimizerState, TrainError> {
    let earlier = earlier(recipe, model)?;
    Ok(earlier
        .map_or_else(|| OptimizerState::new(model.initial(recipe.seed)), |earlier| earlier.state))
}

/// What this run builds upon, if anything.
fn earlier(recipe: &Recipe, model: &dyn Model) -> Result<Option<Earlier>, TrainError> {
    let Some(file) = recipe.from.as_ref().map(|file| recipe.resolve(file)) else { return Ok(None) };
    let is_network = file.extension().is_some_and(|extension| extension == "qnet");
    let earlier = if is_network {
        network(&file, model, recipe.seed)
    } else {
        checkpoint(&file, model, recipe.keep_moments)
    };
    earlier.map(Some)
}

/// An earlier run's parameters as they are, unrounded and with the parts of factorised layers apart.
fn checkpoint(file: &Path, model: &dyn Model, keep_moments: bool) -> Result<Earlier, TrainError> {
    let Checkpoint { step, recipe, state, .. } = Checkpoint::read(file, model.layout().len())?;
    let state = if keep_moments { state } else { OptimizerState::new(state.parameters) };
    Ok(Earlier { state, origin: format!(" after {step} steps of recipe {recipe:016x}") })
}

fn network(file: &Path, model: &dyn Model, seed: u64) -> Result<Earlier, TrainError> {
    let bad = |reason: String| TrainError::file(file, reason);
    let bytes = net::file::read(file).map_err(|error| bad(error.to_string()))?;
    let contents = Contents::read(&bytes).map_err(|error| bad(error.to_string()))?;
    let state = OptimizerState::new(model.import(&contents, seed).map_err(bad)?);
    let (name, hash) = (&contents.header.name, contents.hash);
    Ok(Earlier { state, origin: format!(" after network `{name}` {hash:016x}") })
}

/// What this run builds upon in words, for the network's provenance.
pub(super) fn describe_earlier(recipe: &Recipe, model: &dyn Model) -> Result<String, TrainError> {
    Ok(earlier(recipe, model)?.map_or_else(String::new, |earlier| earlier.origin))
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
