// SPDX-License-Identifier: GPL-3.0-or-later
//! `quincunx train`: from a recipe to a network.

use std::fmt::Write as _;
use std::io::{self, IsTerminal};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use train::{Options, Recipe, Row, Start, TrainingProgress, TrainingSummary};

use super::{Threads, print_json};
use crate::output;

/// Train a network by a recipe.
///
/// Leaves log.csv, a checkpoint, the recipe as it was run, and at the end the network in the run's
/// directory. The run may be killed at any moment; `--resume` continues as if nothing had happened.
#[derive(Args, Debug)]
pub(crate) struct Train {
    /// The recipe as a TOML file
    #[arg(value_name = "RECIPE.toml")]
    recipe: PathBuf,
    /// The run's directory [default: `runs/` and the recipe's name]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Go on from the last checkpoint, if there is one
    #[arg(long)]
    resume: bool,
    /// Replace the run that is in the directory
    #[arg(long, conflicts_with = "resume")]
    force: bool,
    /// Change the recipe, for example `schedule.passes=2`; may be given several times
    #[arg(long = "set", value_name = "KEY=VALUE")]
    settings: Vec<String>,
    #[command(flatten)]
    threads: Threads,
    /// Print a JSON object for each row of the log, and the result as the last one
    #[arg(long)]
    json: bool,
}

impl Train {
    pub(crate) fn run(&self) -> Result<()> {
        let recipe = Recipe::read(&self.recipe, &self.settings)?;
        let out = self.out.clone().unwrap_or_else(|| PathBuf::from("runs").join(&recipe.name));
        for warning in train::check(&recipe)? {
            eprintln!("warning: {warning}");
        }
        eprintln!("kept in `{}`; kill it at any time, `--resume` continues", out.display());
        // A run that goes on keeps its number of threads unless another is asked for.
        let asked = self.threads.threads.map(usize::from);
        let threads = if self.resume { asked } else { Some(self.threads.count()) };
        let start = match (self.resume, self.force) {
            (true, _) => Start::Resume,
            (false, true) => Start::Replace,
            (false, false) => Start::New,
        };
        let options = Options { out, threads, start };
        let is_interrupted = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&is_interrupted);
        ctrlc::set_handler(move || flag.store(true, Ordering::Relaxed))
            .context("listening for Ctrl-C")?;
        let mut display = Display::new(self.json);
        let summary = train::run(&recipe, &options, &mut |progress| {
            display.show(progress);
            if is_interrupted.load(Ordering::Relaxed) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        })?;
        display.bar.finish_and_clear();
        if summary.is_stopped {
            eprintln!("stopped; the same command with `--resume` continues");
        }
        if self.json { print_json(&summary) } else { print_summary(&summary) }
    }
}

/// A bar on a terminal; elsewhere a line for each row of the log.
struct Display {
    bar: ProgressBar,
    is_json: bool,
    is_terminal: bool,
    last: Option<Row>,
}

impl Display {
    fn new(is_json: bool) -> Self {
        let is_terminal = io::stderr().is_terminal();
        let bar = if is_terminal { ProgressBar::no_length() } else { ProgressBar::hidden() };
        let template = "{wide_bar} {pos}/{len} {msg} {eta} left";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        Self { bar, is_json, is_terminal, last: None }
    }

    fn show(&mut self, progress: &TrainingProgress) {
        if let Some(row) = progress.row {
            self.last = Some(row);
            self.show_row(&row, progress.steps);
        }
        if self.is_terminal {
            if self.bar.length().is_none() {
                self.bar.set_length(progress.steps);
                self.bar.reset_eta();
            }
            self.bar.set_position(progress.step);
            let mut message = format!("loss {:.6}", progress.train_loss);
            if let Some(row) = &self.last {
                let (loss, speed) = (row.validation_loss, row.positions_per_second);
                let speed = speed / 1000.0;
                let _ = write!(message, ", validation {loss:.6}, {speed:.0} k/s,");
            }
            self.bar.set_message(message);
        }
    }

    fn show_row(&self, row: &Row, steps: u64) {
        if self.is_json {
            // A reader that has gone away is noticed at the end, with the result.
            let _ = print_json(row);
        } else if !self.is_terminal {
            let Row { step, train_loss, validation_loss, positions_per_second, .. } = row;
            eprintln!(
                "{step} of {steps}: loss {train_loss:.6}, validation {validation_loss:.6}, \
                 {positions_per_second:.0} positions/s"
            );
        }
    }
}

fn print_summary(summary: &TrainingSummary) -> Result<()> {
    if summary.is_stopped {
        return Ok(());
    }
    let TrainingSummary { unrounded_loss, validation_loss, positions_per_second, .. } = summary;
    output::print(&format!(
        "{}: {} positions seen, {positions_per_second:.0} per second\n\
         validation loss {unrounded_loss:.6}, rounded for the file {validation_loss:.6}\n\
         {}\n",
        summary.architecture,
        summary.positions_seen,
        summary.net.display(),
    ))
}
