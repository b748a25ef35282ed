// SPDX-License-Identifier: GPL-3.0-or-later
//! Tuning by simultaneous perturbation stochastic approximation (SPSA).
//!
//! Games are far too noisy to tune parameters one by one. SPSA moves all of them at once: a trial
//! lets the engine play against itself with every parameter shifted by a small step, each up or
//! down at random, the opponent having all shifts reversed. The result is one noisy slope along a
//! random direction, and a step along it. Spall, "Implementation of the simultaneous perturbation
//! algorithm for stochastic optimization", 1998; steps and rates as OpenBench has them.
//!
//! For trial `k` of `N`, with α, γ and A = `a_ratio`·N:
//!
//! ```text
//! c_k = c_end · (N / k)^γ                                  distance of the two sides, halved
//! r_k = r_end · c_end² / c_k² · ((A + N) / (A + k))^α      learning rate
//! θ  += r_k · c_k · (wins − losses) · (1 if plus is up, else −1)
//! ```

mod history;
mod parameter;

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use thiserror::Error;

pub use history::{History, Point};
pub use parameter::{Parameter, ParameterError, ParameterKind};

use crate::stats::Trinomial;
use tools::Rng;

/// More than this is no schedule, and would overflow in long runs.
const MAX_EXPONENT: f64 = 10.0;

/// How steps and rates fall over a run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Schedule {
    /// The number of trials, `N`.
    pub trials: u64,
    /// The exponent of the learning rate.
    pub alpha: f64,
    /// The exponent of the step.
    pub gamma: f64,
    /// The trials over which the learning rate is held back at first, as a share of all.
    pub a_ratio: f64,
}

impl Schedule {
    /// The schedule that OpenBench proposes.
    pub const fn new(trials: u64) -> Self {
        Self { trials, alpha: 0.602, gamma: 0.101, a_ratio: 0.1 }
    }

    /// The step of trial `k` relative to the last one's.
    fn step_growth(&self, k: u64) -> f64 {
        (self.trials as f64 / k as f64).powf(self.gamma)
    }

    /// The numerator of the learning rate of trial `k` relative to the last one's.
    fn rate_growth(&self, k: u64) -> f64 {
        let (trials, k) = (self.trials as f64, k as f64);
        let held_back = self.a_ratio * trials;
        ((held_back + trials) / (held_back + k)).powf(self.alpha)
    }

    fn check(&self) -> Result<(), SpsaError> {
        if self.trials == 0 {
            return Err(SpsaError::NoTrials);
        }
        let fields = [("alpha", self.alpha), ("gamma", self.gamma), ("a_ratio", self.a_ratio)];
        for (field, value) in fields {
            if !(0.0..=MAX_EXPONENT).contains(&value) {
                return Err(SpsaError::Schedule { field, value });
            }
        }
        Ok(())
    }
}

/// Names a trial when its result is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct TrialId(u64);

impl TrialId {
    /// The trial's place among all of the run, from 0.
    pub const fn index(self) -> u64 {
        self.0 - 1
    }
}

/// Two sets of values to be played against each other, in the order of the parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trial {
    /// The trial's name.
    pub id: TrialId,
    /// The values of the side whose wins count.
    pub plus: Vec<f64>,
    /// The values of the other side.
    pub minus: Vec<f64>,
    /// Which parameters are larger on the plus side.
    up: Vec<bool>,
}

/// A tuning run. Saved and read back at any moment it goes on as if nothing had happened.
///
/// Several trials may be under way at once, and their results may come in any order.
///
/// ```
/// use arena::spsa::{Schedule, Spsa};
/// use arena::stats::Trinomial;
///
/// let parameters = vec!["lmr_base, float, 0.8, 0.2, 1.5, 0.1, 0.002".parse()?];
/// let mut spsa = Spsa::new(parameters, Schedule::new(1000), 42)?;
/// let trial = spsa.next_trial().unwrap();
/// // ... games between trial.plus and trial.minus ...
/// spsa.report(trial.id, Trinomial { wins: 1, draws: 1, losses: 0 })?;
/// assert_ne!(spsa.parameters()[0].value(), 0.8);
/// assert!(spsa.report(trial.id, Trinomial::default()).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "RawSpsa")]
pub struct Spsa {
    schedule: Schedule,
    parameters: Vec<Parameter>,
    rng: Rng,
    started: u64,
    pending: Vec<Trial>,
    history: History,
}

impl Spsa {
    /// A new run that starts at the parameters' values.
    pub fn new(
        parameters: Vec<Parameter>,
        schedule: Schedule,
        seed: u64,
    ) -> Result<Self, SpsaError> {
        schedule.check()?;
        check_names(&parameters)?;
        let history = History::new(parameters.iter().map(Parameter::value).collect());
        let rng = Rng::new(seed);
        Ok(Self { schedule, parameters, rng, started: 0, pending: Vec::new(), history })
    }

    /// Starts a trial; none when all of the schedule have been started.
    pub fn next_trial(&mut self) -> Option<Trial> {
        if self.started >= self.schedule.trials {
            return None;
        }
        self.started += 1;
        let growth = self.schedule.step_growth(self.started);
        let count = self.parameters.len();
        let (mut plus, mut minus) = (Vec::with_capacity(count), Vec::with_capacity(count));
        let mut up = Vec::with_capacity(count);
        for parameter in &self.parameters {
            let is_up = self.rng.coin();
            let step = signed(parameter.step(growth), is_up);
            // The same noise on both sides, or rounding would add to the difference between them.
            let noise = self.rng.unit();
            plus.push(parameter.probe(step, noise));
            minus.push(parameter.probe(-step, noise));
            up.push(is_up);
        }
        let trial = Trial { id: TrialId(self.started), plus, minus, up };
        self.pending.push(trial.clone());
        Some(trial)
    }

    /// Learns from a trial's games, counted from the plus side's view.
    ///
    /// Each trial can be reported once. One whose games were lost is reported with none.
    pub fn report(&mut self, id: TrialId, games: Trinomial) -> Result<(), SpsaError> {
        let found = self.pending.iter().position(|trial| trial.id == id);
        let index = found.ok_or(SpsaError::UnknownTrial { trial: id.0 })?;
        let trial = self.pending.remove(index);
        let growth = self.schedule.step_growth(id.0);
        let rate_growth = self.schedule.rate_growth(id.0);
        let surplus = games.wins as f64 - games.losses as f64;
        for (parameter, &is_up) in self.parameters.iter_mut().zip(&trial.up) {
            let step = parameter.step(growth);
            let rate = parameter.r_end() * (parameter.c_end() / step).powi(2) * rate_growth;
            parameter.shift(signed(rate * step * surplus, is_up));
        }
        self.history.record(self.reported(), self.parameters.iter().map(Parameter::value));
        Ok(())
    }

    /// The parameters with their present values.
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    /// The schedule of the run.
    pub const fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// Trials that were started and not yet reported: after a restart they are to be played again.
    pub fn pending(&self) -> &[Trial] {
        &self.pending
    }

    /// How many trials have been reported.
    pub fn reported(&self) -> u64 {
        self.started - self.pending.len() as u64
    }

    /// Whether every trial of the schedule has been reported.
    pub fn is_finished(&self) -> bool {
        self.reported() == self.schedule.trials
    }

    /// The path of the values so far.
    pub const fn history(&self) -> &History {
        &self.history
    }
}

fn signed(value: f64, is_up: bool) -> f64 {
    if is_up { value } else { -value }
}

fn check_names(parameters: &[Parameter]) -> Result<(), SpsaError> {
    if parameters.is_empty() {
        return Err(SpsaError::NoParameters);
    }
    let mut names = HashSet::new();
    match parameters.iter().find(|parameter| !names.insert(parameter.name())) {
        Some(twice) => Err(SpsaError::DuplicateParameter { name: twice.name().to_owned() }),
        None => Ok(()),
    }
}

/// What a run refuses.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum SpsaError {
    /// There is nothing to tune.
    #[error("no parameters to tune, expected at least one")]
    NoParameters,
    /// Two parameters have the same name.
    #[error("parameter `{name}` is given twice, expected different names")]
    DuplicateParameter {
        /// The name.
        name: String,
    },
    /// The schedule is empty.
    #[error("no trials in the schedule, expected at least one")]
    NoTrials,
    /// A field of the schedule is out of range.
    #[error("bad {field} {value} of the schedule, expected 0 to {MAX_EXPONENT}")]
    Schedule {
        /// Which field.
        field: &'static str,
        /// Its value.
        value: f64,
    },
    /// The trial was never started, or was reported before.
    #[error("trial {trial} is not under way, expected one that was started and not yet reported")]
    UnknownTrial {
        /// The trial's number.
        trial: u64,
    },
    /// A saved run contradicts itself.
    #[error("bad saved run: {found} {what}, expected {expected}")]
    Damaged {
        /// What is counted.
        what: &'static str,
        /// How many there are.
        found: u64,
        /// How many there should be, or the most there can be.
        expected: u64,
    },
}

/// An [`Spsa`] as it is read back, before its parts are checked against each other.
#[derive(Deserialize)]
struct RawSpsa {
    schedule: Schedule,
    parameters: Vec<Parameter>,
    rng: Rng,
    started: u64,
    pending: Vec<Trial>,
    history: History,
}

impl TryFrom<RawSpsa> for Spsa {
    type Error = SpsaError;

    fn try_from(raw: RawSpsa) -> Result<Self, SpsaError> {
        let RawSpsa { schedule, parameters, rng, started, pending, history } = raw;
        schedule.check()?;
        check_names(&parameters)?;
        let expected = parameters.len() as u64;
        let values =
            history.points().iter().map(|point| ("values in the history", point.values.len()));
        let shifts = pending.iter().map(|trial| ("shifts in a trial", trial.up.len()));
        for (what, found) in values.chain(shifts).map(|(what, found)| (what, found as u64)) {
            if found != expected {
                return Err(SpsaError::Damaged { what, found, expected });
            }
        }
        let (what, expected) = ("trials started", schedule.trials);
        if started > expected {
            return Err(SpsaError::Damaged { what, found: started, expected });
        }
        let ids: HashSet<TrialId> = pending.iter().map(|trial| trial.id).collect();
        for id in &ids {
            if !(1..=started).contains(&id.0) {
                return Err(SpsaError::UnknownTrial { trial: id.0 });
            }
        }
        let (what, found, expected) = ("trials under way", pending.len() as u64, ids.len() as u64);
        if found != expected {
            return Err(SpsaError::Damaged { what, found, expected });
        }
        Ok(Self { schedule, parameters, rng, started, pending, history })
    }
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "the expected values are exact")]
mod tests;
