// SPDX-License-Identifier: GPL-3.0-or-later
//! Tuning runs: [`spsa`](crate::spsa) driven by games, kept in a folder and resumable.
//!
//! A trial is a few pairs of games between two copies of an engine with all parameters shifted
//! against each other.

mod config;
mod play;
mod state;

use std::collections::VecDeque;
use std::path::Path;

use tools::store::Lock;

pub use config::{Config, ParameterSource};
pub use play::{GamePlayer, read_tunables};
pub use state::TuneState;

use crate::spsa::{Parameter, Trial};
use crate::stats::Trinomial;
use crate::trials::{self, Saved, TrialError, Trials};

/// Decides a trial by games, or by anything else that has winners.
pub trait Objective: Sync {
    /// Plays a trial; the result is counted from the plus side's view. It depends on the trial alone, so
    /// that a trial which was under way when the run was killed comes out the same again.
    fn play(&self, trial: &Trial, parameters: &[Parameter]) -> Result<Trinomial, TrialError>;
}

/// Runs a tuning to its end, `workers` trials at a time, and tells `progress` after each.
///
/// `progress` returns whether to go on. The folder is up to date whenever it is called.
pub fn run(
    folder: &Lock,
    state: TuneState,
    objective: &impl Objective,
    workers: usize,
    progress: impl Fn(&TuneState) -> bool + Sync,
) -> Result<TuneState, TrialError> {
    let waiting = state.spsa.pending().iter().cloned().collect();
    let tuning = Tuning { state, waiting };
    let player = || |step: &Step| objective.play(&step.trial, &step.parameters);
    let done = trials::run(folder, tuning, workers, player, |tuning| progress(&tuning.state))?;
    Ok(done.state)
}

/// A tuning under way.
struct Tuning {
    state: TuneState,
    /// Trials to be played again after a restart.
    waiting: VecDeque<Trial>,
}

/// A trial as a worker needs it.
struct Step {
    trial: Trial,
    parameters: Vec<Parameter>,
}

impl Trials for Tuning {
    type Trial = Step;
    type Games = Trinomial;

    fn next(&mut self) -> Option<Step> {
        let trial = self.waiting.pop_front().or_else(|| self.state.spsa.next_trial())?;
        Some(Step { trial, parameters: self.state.spsa.parameters().to_vec() })
    }

    fn report(&mut self, step: &Step, games: Trinomial) -> Result<(), TrialError> {
        self.state.report(step.trial.id, games)
    }

    fn save(&self, folder: &Path) -> Result<(), TrialError> {
        self.state.save(folder)
    }
}
