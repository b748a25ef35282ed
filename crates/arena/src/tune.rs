// SPDX-License-Identifier: GPL-3.0-or-later
//! Tuning runs: [`spsa`](crate::spsa) driven by games, kept in a folder and resumable.
//!
//! A trial is a few pairs of games between two copies of an engine with all parameters shifted
//! against each other. After each trial `state.json` is replaced in one step, so that a run killed
//! at any moment goes on with the last trial that was counted.

mod config;
mod play;
mod state;

use std::fmt::Display;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::thread;

use thiserror::Error;
use uci::ClientError;

pub use config::{Config, ParameterSource};
pub use play::{GamePlayer, read_tunables};
pub use state::{STATE_FILE, State};

use crate::SpecError;
use crate::openings::BookError;
use crate::referee::RuleError;
use crate::spsa::{Parameter, ParameterError, SpsaError, Trial};
use crate::stats::Trinomial;

/// Decides a trial by games, or by anything else that has winners.
pub trait Objective: Sync {
    /// Plays a trial; the result is counted from the plus side's view. `serial` numbers the calls,
    /// for openings to differ.
    fn play(
        &self,
        trial: &Trial,
        parameters: &[Parameter],
        serial: u64,
    ) -> Result<Trinomial, TuneError>;
}

/// Why a tuning run cannot go on.
#[derive(Debug, Error)]
pub enum TuneError {
    /// The configuration makes no sense.
    #[error("cannot read the configuration: {0}")]
    Config(#[from] toml::de::Error),
    /// The engine's description makes no sense.
    #[error(transparent)]
    Engine(#[from] SpecError),
    /// A rule for ending games makes no sense.
    #[error(transparent)]
    Rule(#[from] RuleError),
    /// A field of the configuration makes no sense.
    #[error("bad {field} `{token}`: expected {expected}")]
    Field {
        /// The field.
        field: &'static str,
        /// Its value.
        token: String,
        /// What would be right.
        expected: &'static str,
    },
    /// A parameter line makes no sense.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
    /// The engine printed nothing to tune.
    #[error("`{engine}` printed no tunable parameters: expected OpenBench lines for `tunables`")]
    NoTunables {
        /// The engine.
        engine: String,
    },
    /// The engine has no option to set a parameter by.
    #[error("`{engine}` has no option `{parameter}`: expected one for each parameter")]
    NoOption {
        /// The engine.
        engine: String,
        /// The parameter.
        parameter: String,
    },
    /// The run cannot be set up.
    #[error(transparent)]
    Spsa(#[from] SpsaError),
    /// There is no book.
    #[error(transparent)]
    Book(#[from] BookError),
    /// An engine cannot be run.
    #[error(transparent)]
    Client(#[from] ClientError),
    /// A file cannot be read or written.
    #[error("cannot {action} `{}`", .path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// The folder holds something else.
    #[error("`{}`: {reason}", .path.display())]
    Folder {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
}

impl TuneError {
    fn field(field: &'static str, token: impl Display, expected: &'static str) -> Self {
        Self::Field { field, token: token.to_string(), expected }
    }
}

/// Runs a tuning to its end, `workers` trials at a time, and tells `progress` after each.
///
/// `progress` returns whether to go on. The folder is up to date whenever it is called.
pub fn run(
    folder: &Path,
    state: State,
    objective: &impl Objective,
    workers: usize,
    progress: impl Fn(&State) -> bool + Sync,
) -> Result<State, TuneError> {
    let waiting = state.spsa.pending().to_vec();
    let desk = Mutex::new(Desk { state, waiting, is_open: true });
    thread::scope(|scope| {
        let work = || {
            let result = work(folder, &desk, objective, &progress);
            if result.is_err() {
                lock(&desk).is_open = false;
            }
            result
        };
        let handles: Vec<_> = (0..workers.max(1)).map(|_| scope.spawn(work)).collect();
        let join = |handle: thread::ScopedJoinHandle<'_, _>| handle.join().expect("no panics");
        handles.into_iter().map(join).collect::<Result<Vec<()>, TuneError>>()
    })?;
    Ok(desk.into_inner().unwrap_or_else(PoisonError::into_inner).state)
}

/// What the workers share.
struct Desk {
    state: State,
    /// Trials to be played again after a restart.
    waiting: Vec<Trial>,
    is_open: bool,
}

impl Desk {
    fn next(&mut self) -> Option<(Trial, Vec<Parameter>, u64)> {
        if !self.is_open {
            return None;
        }
        let trial = self.waiting.pop().or_else(|| self.state.spsa.next_trial())?;
        let serial = self.state.serial;
        self.state.serial += 1;
        Some((trial, self.state.spsa.parameters().to_vec(), serial))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn work(
    folder: &Path,
    desk: &Mutex<Desk>,
    objective: &impl Objective,
    progress: &impl Fn(&State) -> bool,
) -> Result<(), TuneError> {
    loop {
        let Some((trial, parameters, serial)) = lock(desk).next() else { return Ok(()) };
        let games = objective.play(&trial, &parameters, serial)?;
        let mut desk = lock(desk);
        desk.state.report(trial.id, games)?;
        desk.state.save(folder)?;
        desk.is_open &= progress(&desk.state);
    }
}
