// SPDX-License-Identifier: GPL-3.0-or-later
//! A run: from a recipe to a directory with a log, checkpoints and a network.

mod batches;
mod begin;
mod phases;

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;

use data::Record;
use net::Architecture;
use serde::Serialize;
use tools::store::Lock;

use crate::checkpoint::{Checkpoint, replace};
use crate::error::TrainError;
use crate::log::{Log, Row};
use crate::model::NetLabel;
use crate::objective::Objective;
use crate::recipe::Recipe;
use crate::schedule::Schedule;
use crate::trainer::Trainer;
use crate::verify::{self, PolicyFigures};
use batches::{Batches, keep_useful, nothing_left};
use begin::{CHECKPOINT, describe_earlier, first_checkpoint, net_name};
use phases::{Phases, open};

/// How a run is to be made.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where its files go.
    pub out: PathBuf,
    /// How many threads share the work; if not given, as many as before or as there are.
    pub threads: Option<usize>,
    /// What to do with a run that is there already.
    pub start: Start,
}

/// What becomes of a run that is there already.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Start {
    /// It is left alone, and the new one refused.
    #[default]
    New,
    /// It goes on from its last checkpoint; without one it begins.
    Resume,
    /// It is replaced.
    Replace,
}

/// How far a run has come.
#[derive(Clone, Copy, Debug)]
pub struct TrainingProgress {
    /// Steps taken.
    pub step: u64,
    /// Steps of the whole run.
    pub steps: u64,
    /// Positions seen.
    pub positions: u64,
    /// The mean loss since the last row.
    pub train_loss: f64,
    /// The row that was written with this step, if it ended an interval.
    pub row: Option<Row>,
}

/// What came of a run.
#[derive(Clone, Debug, Serialize)]
pub struct TrainingSummary {
    /// The architecture's name.
    pub architecture: &'static str,
    /// Positions seen.
    pub positions_seen: u64,
    /// The mean loss over the last interval.
    pub train_loss: f64,
    /// The loss on held-out positions, of the file that was written.
    pub validation_loss: f64,
    /// The same before rounding.
    pub unrounded_loss: f64,
    /// The loss of a value network's file in the objective in which all are compared: squared error
    /// of the expected score, at 400 points per unit, without results.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub common_loss: Option<f64>,
    /// Positions trained per second.
    pub positions_per_second: f64,
    /// The network.
    pub net: PathBuf,
    /// Whether the run was stopped before its end; then there is no network.
    pub is_stopped: bool,
    /// What a policy's file knows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub policy: Option<PolicyFigures>,
}

/// Opens the data of a recipe and says what in it looks like a mistake. Nothing is written.
pub fn check(recipe: &Recipe) -> Result<Vec<String>, TrainError> {
    let steps = Phases::open(recipe)?.steps;
    let warm_up = recipe.schedule(steps).warm_up;
    let mut warnings = Vec::new();
    if warm_up >= steps {
        warnings.push(format!(
            "schedule.warm_up is {warm_up} steps, but the run has only {steps}: the learning rate never \
             reaches its height"
        ));
    }
    Ok(warnings)
}

/// Runs a recipe to its end, or until `progress` breaks. A checkpoint is left in both cases.
pub fn run(
    recipe: &Recipe,
    options: &Options,
    progress: &mut dyn FnMut(&TrainingProgress) -> ControlFlow<()>,
) -> Result<TrainingSummary, TrainError> {
    let phases = Phases::open(recipe)?;
    let mut run = Run::begin(recipe, options)?;
    let is_stopped = run.train(&phases, progress)?;
    run.end(&phases, is_stopped)
}

struct Run<'a> {
    recipe: &'a Recipe,
    out: &'a Path,
    trainer: Trainer,
    validation: Vec<Record>,
    log: Log,
    step: u64,
    loss_sum: f64,
    loss_positions: u64,
    last_row: Option<Row>,
    trained: u64,
    seconds: f64,
    _lock: Lock,
}

impl<'a> Run<'a> {
    fn begin(recipe: &'a Recipe, options: &'a Options) -> Result<Self, TrainError> {
        let model = recipe.model()?;
        let validation = open(recipe, std::slice::from_ref(&recipe.data.validation))?;
        let mut validation = validation.first(recipe.data.validation_positions)?;
        keep_useful(&mut validation, &recipe.data);
        if validation.is_empty() {
            return Err(nothing_left(recipe, "data.validation"));
        }
        let out = &options.out;
        let is_new = !out.exists();
        let lock = Lock::folder(out)?;
        let checkpoint = first_checkpoint(recipe, &*model, options).inspect_err(|_| {
            if is_new {
                // Best effort: an empty folder does no harm.
                let _ = fs::remove_dir(out);
            }
        })?;
        let threads = checkpoint.threads as usize;
        replace(&out.join("recipe.toml"), recipe.text().as_bytes())?;
        let (log, last_row) = Log::open(&out.join("log.csv"), checkpoint.step)?;
        let (optimizer, objective) = (recipe.optimizer, recipe.objective);
        let state = checkpoint.state;
        Ok(Self {
            recipe,
            out,
            trainer: Trainer::new(model, optimizer, objective, state, threads),
            validation,
            log,
            step: checkpoint.step,
            loss_sum: checkpoint.loss_sum,
            loss_positions: checkpoint.loss_positions,
            last_row,
            trained: 0,
            seconds: 0.0,
            _lock: lock,
        })
    }

    /// Trains to the end; returns whether it was stopped before.
    fn train(
        &mut self,
        phases: &Phases,
        progress: &mut dyn FnMut(&TrainingProgress) -> ControlFlow<()>,
    ) -> Result<bool, TrainError> {
        std::thread::scope(|scope| {
            let batches = Batches::begin(scope, phases, self.recipe, self.step);
            self.train_on(&batches, phases.steps, progress)
        })
    }

    fn train_on(
        &mut self,
        batches: &Batches,
        steps: u64,
        progress: &mut dyn FnMut(&TrainingProgress) -> ControlFlow<()>,
    ) -> Result<bool, TrainError> {
        let schedule = self.recipe.schedule(steps);
        let batch = self.recipe.schedule.batch as u64;
        let (mut begin, mut begin_step) = (Instant::now(), self.step);
        while self.step < steps {
            let records = batches.next()?;
            self.trainer.set_lambda(self.recipe.objective.at_step(self.step, steps).lambda);
            let loss = self.trainer.train(&records, schedule.rate(self.step));
            self.step += 1;
            (self.loss_sum, self.loss_positions) =
                (self.loss_sum + loss, self.loss_positions + records.len() as u64);
            let train_loss = self.loss_sum / self.loss_positions as f64;
            let is_row =
                self.step.is_multiple_of(self.recipe.schedule.interval) || self.step == steps;
            if is_row {
                let (done, seconds) =
                    ((self.step - begin_step) * batch, begin.elapsed().as_secs_f64());
                (self.trained, self.seconds) = (self.trained + done, self.seconds + seconds);
                self.row(&schedule, done as f64 / seconds.max(1e-9))?;
                (begin, begin_step) = (Instant::now(), self.step);
            }
            let now = TrainingProgress {
                step: self.step,
                steps,
                positions: self.step * batch,
                train_loss,
                row: self.last_row.filter(|_| is_row),
            };
            if progress(&now).is_break() && self.step < steps {
                self.checkpoint()?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Ends an interval: validation, a row, a checkpoint.
    fn row(&mut self, schedule: &Schedule, positions_per_second: f64) -> Result<(), TrainError> {
        let objective = self.recipe.objective.at_end();
        let row = Row {
            step: self.step,
            positions: self.step * self.recipe.schedule.batch as u64,
            train_loss: self.loss_sum / self.loss_positions as f64,
            validation_loss: self.trainer.measure(&self.validation, &objective),
            rate: schedule.rate(self.step - 1),
            positions_per_second,
        };
        (self.loss_sum, self.loss_positions) = (0.0, 0);
        self.log.append(&row)?;
        self.last_row = Some(row);
        self.checkpoint()
    }

    fn checkpoint(&self) -> Result<(), TrainError> {
        let checkpoint = Checkpoint {
            recipe: self.recipe.hash(),
            step: self.step,
            threads: self.trainer.threads() as u64,
            loss_sum: self.loss_sum,
            loss_positions: self.loss_positions,
            state: self.trainer.state().clone(),
        };
        checkpoint.write(&self.out.join(CHECKPOINT))
    }

    /// Writes the network and measures what was written.
    fn end(mut self, phases: &Phases, is_stopped: bool) -> Result<TrainingSummary, TrainError> {
        let positions_seen = self.step * self.recipe.schedule.batch as u64;
        let objective = self.recipe.objective.at_end();
        let unrounded_loss = self.trainer.measure(&self.validation, &objective);
        let mut summary = TrainingSummary {
            architecture: self.trainer.model().architecture().name(),
            positions_seen,
            train_loss: self.last_row.map_or(f64::NAN, |row| row.train_loss),
            validation_loss: unrounded_loss,
            unrounded_loss,
            common_loss: None,
            policy: None,
            positions_per_second: self.trained as f64 / self.seconds.max(1e-9),
            net: self.out.join(net_name(self.recipe)),
            is_stopped,
        };
        if !is_stopped {
            let label = self.label(phases, positions_seen)?;
            let parameters = &self.trainer.state().parameters;
            let bytes = self.trainer.model().export(parameters, &label)?;
            self.measure_file(&bytes, &mut summary)?;
            replace(&summary.net, &bytes)?;
            let text = toml::to_string(&summary).expect("a summary can be written");
            replace(&self.out.join("summary.toml"), text.as_bytes())?;
        }
        Ok(summary)
    }

    /// Fills in what the engine's own inference makes of the file.
    fn measure_file(&self, bytes: &[u8], summary: &mut TrainingSummary) -> Result<(), TrainError> {
        let (objective, model) = (&self.recipe.objective.at_end(), self.trainer.model());
        if model.architecture() == Architecture::Policy {
            let figures = PolicyFigures::measure(bytes, &self.validation, objective.smoothing)?;
            (summary.validation_loss, summary.policy) = (figures.smoothed, Some(figures));
        } else {
            let points = verify::outputs(bytes, &self.validation)?;
            let loss = |objective: &Objective, scale: f32| {
                verify::mean_loss(&points, &self.validation, objective, scale)
            };
            summary.validation_loss = loss(objective, model.scale());
            let common = Objective::common();
            summary.common_loss = Some(loss(&common, common.scale));
        }
        Ok(())
    }

    fn label(&self, phases: &Phases, positions_seen: u64) -> Result<NetLabel, TrainError> {
        let earlier = describe_earlier(self.recipe, self.trainer.model())?;
        let (files, labels) = (phases.describe(), &self.recipe.data.labels);
        let hash = self.recipe.hash();
        Ok(NetLabel {
            name: self.recipe.name.clone(),
            provenance: format!(
                "{positions_seen} positions seen of {files}{earlier}; labels: {labels}; \
                 recipe {hash:016x}"
            ),
        })
    }
}
