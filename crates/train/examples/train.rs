// SPDX-License-Identifier: GPL-3.0-or-later
//! `train RECIPE OUT [--resume] [key=value …]`: what `quincunx train` does, without the rest.
#![expect(clippy::print_stderr, reason = "it is a program")]

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;

use train::{Options, Progress, Recipe, TrainError, run};

fn main() -> ExitCode {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let before = arguments.len();
    arguments.retain(|argument| argument != "--resume");
    let resume = arguments.len() < before;
    if arguments.len() < 2 {
        eprintln!("usage: train RECIPE OUT [--resume] [key=value ...]");
        return ExitCode::from(2);
    }
    match train(&arguments, resume) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn train(arguments: &[String], resume: bool) -> Result<(), TrainError> {
    let recipe = Recipe::read(&PathBuf::from(&arguments[0]), &arguments[2..])?;
    let options = Options { out: PathBuf::from(&arguments[1]), threads: None, resume };
    let mut show = |progress: &Progress| {
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
