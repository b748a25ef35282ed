// SPDX-License-Identifier: GPL-3.0-or-later
//! A run: from a recipe to a directory with a log, checkpoints and a network.

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;

use bytemuck::Zeroable;
use data::Record;
use serde::Serialize;

use crate::checkpoint::{Checkpoint, replace};
use crate::error::TrainError;
use crate::log::{Log, Row};
use crate::model::{Label, Model};
use crate::objective::Objective;
use crate::optimizer::State;
use crate::recipe::Recipe;
use crate::schedule::Schedule;
use crate::source::{Source, Stream};
use crate::trainer::Trainer;
use crate::verify;

const CHECKPOINT: &str = "checkpoint.bin";

/// How a run is to be made.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where its files go.
    pub out: PathBuf,
    /// How many threads share the work; if not given, as many as before or as there are.
    pub threads: Option<usize>,
    /// Whether to go on from the last checkpoint, if there is one.
    pub resume: bool,
}

/// How far a run has come.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
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
pub struct Summary {
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
    /// The loss of the file in the objective in which all networks are compared.
    pub common_loss: f64,
    /// Positions trained per second.
    pub positions_per_second: f64,
    /// The network.
    pub net: PathBuf,
    /// Whether the run was stopped before its end; then there is no network.
    pub is_stopped: bool,
}

/// Runs a recipe to its end, or until `progress` breaks. A checkpoint is left in both cases.
pub fn run(
    recipe: &Recipe,
    options: &Options,
    progress: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
) -> Result<Summary, TrainError> {
    let mut run = Run::begin(recipe, options)?;
    let train = open(recipe, &recipe.data.train)?;
    let finish = recipe.data.finish.as_ref();
    let finish_source = finish.map(|finish| open(recipe, &finish.train)).transpose()?;
    let steps = recipe.steps(train.len());
    let phases = Phases {
        steps,
        begin_of_finish: finish.map_or(steps, |finish| steps - (finish.share * steps as f64) as u64),
        train: &train,
        finish: finish_source.as_ref().unwrap_or(&train),
    };
    let is_stopped = run.train(&phases, progress)?;
    run.end(&phases, is_stopped)
}

fn open(recipe: &Recipe, files: &[PathBuf]) -> Result<Source, TrainError> {
    let paths: Vec<_> = files.iter().map(|file| recipe.resolve(file)).collect();
    let source = Source::open(&paths)?;
    if source.is_empty() {
        return Err(TrainError::file(&paths[0], "there are no records to learn from"));
    }
    Ok(source)
}

/// Which records a run learns from, and when.
struct Phases<'a> {
    steps: u64,
    /// The first step on the finishing records.
    begin_of_finish: u64,
    train: &'a Source,
    finish: &'a Source,
}

impl<'a> Phases<'a> {
    /// The records from a step on.
    fn stream(&self, step: u64, recipe: &Recipe) -> Stream<'a> {
        let batch = recipe.schedule.batch as u64;
        if step < self.begin_of_finish {
            self.train.stream(recipe.seed, step * batch)
        } else {
            let seed = recipe.seed.wrapping_add(1);
            self.finish.stream(seed, (step - self.begin_of_finish) * batch)
        }
    }
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
}

impl<'a> Run<'a> {
    fn begin(recipe: &'a Recipe, options: &'a Options) -> Result<Self, TrainError> {
        let model = recipe.model()?;
        let validation = open(recipe, std::slice::from_ref(&recipe.data.validation))?;
        let validation = validation.first(recipe.data.validation_positions)?;
        let out = &options.out;
        fs::create_dir_all(out).map_err(TrainError::io("creating", out))?;
        let checkpoint = first_checkpoint(recipe, &*model, options)?;
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
        })
    }

    /// Trains to the end; returns whether it was stopped before.
    fn train(
        &mut self,
        phases: &Phases<'_>,
        progress: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
    ) -> Result<bool, TrainError> {
        let schedule = self.recipe.schedule(phases.steps);
        let batch = self.recipe.schedule.batch;
        let mut records = vec![Record::zeroed(); batch];
        let mut stream = phases.stream(self.step, self.recipe);
        let (mut begin, mut begin_step) = (Instant::now(), self.step);
        while self.step < phases.steps {
            if self.step == phases.begin_of_finish {
                stream = phases.stream(self.step, self.recipe);
            }
            stream.read(&mut records)?;
            let loss = self.trainer.train(&records, self.step, schedule.rate(self.step));
            self.step += 1;
            (self.loss_sum, self.loss_positions) =
                (self.loss_sum + loss, self.loss_positions + batch as u64);
            let train_loss = self.loss_sum / self.loss_positions as f64;
            let is_row =
                self.step.is_multiple_of(self.recipe.schedule.interval) || self.step == phases.steps;
            if is_row {
                let (done, seconds) =
                    ((self.step - begin_step) * batch as u64, begin.elapsed().as_secs_f64());
                (self.trained, self.seconds) = (self.trained + done, self.seconds + seconds);
                self.row(&schedule, done as f64 / seconds.max(1e-9))?;
                (begin, begin_step) = (Instant::now(), self.step);
            }
            let now = Progress {
                step: self.step,
                steps: phases.steps,
                positions: self.step * batch as u64,
                train_loss,
                row: self.last_row.filter(|_| is_row),
            };
            if progress(&now).is_break() && self.step < phases.steps {
                self.checkpoint()?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Ends an interval: validation, a row, a checkpoint.
    fn row(&mut self, schedule: &Schedule, positions_per_second: f64) -> Result<(), TrainError> {
        let objective = *self.trainer.objective();
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
    fn end(mut self, phases: &Phases<'_>, is_stopped: bool) -> Result<Summary, TrainError> {
        let path = self.out.join(net_name(self.recipe));
        let positions_seen = self.step * self.recipe.schedule.batch as u64;
        let objective = *self.trainer.objective();
        let unrounded_loss = self.trainer.measure(&self.validation, &objective);
        let (mut validation_loss, mut common_loss) = (unrounded_loss, f64::NAN);
        if !is_stopped {
            let label = self.label(phases, positions_seen);
            let parameters = &self.trainer.state().parameters;
            let bytes = self.trainer.model().export(parameters, &label)?;
            if let Some(outputs) = verify::outputs(&bytes, &self.validation)? {
                let losses = |objective: &Objective, scale: f32| {
                    verify::mean_loss(&outputs, &self.validation, objective, scale)
                };
                validation_loss = losses(&objective, self.trainer.model().scale());
                let common = Objective::common();
                common_loss = losses(&common, common.scale);
            }
            replace(&path, &bytes)?;
        }
        let summary = Summary {
            architecture: self.trainer.model().architecture().name(),
            positions_seen,
            train_loss: self.last_row.map_or(f64::NAN, |row| row.train_loss),
            validation_loss,
            unrounded_loss,
            common_loss,
            positions_per_second: self.trained as f64 / self.seconds.max(1e-9),
            net: path,
            is_stopped,
        };
        if !is_stopped {
            let text = toml::to_string(&summary).expect("a summary can be written");
            replace(&self.out.join("summary.toml"), text.as_bytes())?;
        }
        Ok(summary)
    }

    fn label(&self, phases: &Phases<'_>, positions_seen: u64) -> Label {
        let mut files: Vec<_> = phases.train.files().iter().collect();
        if self.recipe.data.finish.is_some() {
            files.extend(phases.finish.files());
        }
        let files: Vec<String> = files
            .iter()
            .map(|file| {
                let name = file.path().file_name().unwrap_or_default().to_string_lossy();
                let header = file.header();
                let (records, games, sum) = (header.records, header.games, header.checksum);
                format!("{name} ({records} positions of {games} games, checksum {sum:016x})")
            })
            .collect();
        Label {
            name: self.recipe.name.clone(),
            provenance: format!(
                "{positions_seen} positions seen of {}; labels: {}; recipe {:016x}",
                files.join(", "),
                self.recipe.data.labels,
                self.recipe.hash(),
            ),
        }
    }
}

/// Where a run begins: at the checkpoint that it left, or from nothing.
fn first_checkpoint(
    recipe: &Recipe,
    model: &dyn Model,
    options: &Options,
) -> Result<Checkpoint, TrainError> {
    let path = options.out.join(CHECKPOINT);
    let old = match path.exists() {
        true => Some(Checkpoint::read(&path, model.layout().len())),
        false => None,
    };
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
        state: State::new(model.initial(recipe.seed)),
    })
}

fn net_name(recipe: &Recipe) -> String {
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
        let reason = format!("the run has {} threads, so it cannot go on with {asked}", checkpoint.threads);
        return Err(TrainError::file(path, reason));
    }
    Ok(())
}
