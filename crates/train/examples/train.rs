// SPDX-License-Identifier: GPL-3.0-or-later
//! `train RECIPE OUT [--resume] [key=value …]`: what `quincunx train` does, without the rest.
#![expect(clippy::print_stderr, reason = "it is a program")]

use std::error::Error as _;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;

use train::{Options, Recipe, Start, TrainError, TrainingProgress, run};

fn main() -> ExitCode {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let before = arguments.len();
    arguments.retain(|argument| argument != "--resume");
    let start = if arguments.len() < before { Start::Resume } else { Start::Replace };
    if arguments.len() < 2 {
        eprintln!("usage: train RECIPE OUT [--resume] [key=value ...]");
        return ExitCode::from(2);
    }
    match train(&arguments, start) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let reason = error.source().map_or_else(String::new, |reason| format!(": {reason}"));
            eprintln!("error: {error}{reason}");
            ExitCode::FAILURE
        }
    }
}

fn train(arguments: &[String], start: Start) -> Result<(), TrainError> {
    let recipe = Recipe::read(&PathBuf::from(&arguments[0]), &arguments[2..])?;
    let options = Options { out: PathBuf::from(&arguments[1]), threads: None, start };
    let mut show = |progress: &TrainingProgress| {
        if let Some(row) = progress.row {
            eprintln!(
                "{} of {}: train {:.6} validation {:.6} rate {:.2e} {:.0} positions/s",
                progress.step,
                progress.steps,
                row.train_loss,
                row.validation_loss,
                row.rate,
                row.positions_per_second,
            );
        }
        ControlFlow::Continue(())
    };
    let summary = run(&recipe, &options, &mut show)?;
    eprintln!("{summary:#?}");
    Ok(())
}
