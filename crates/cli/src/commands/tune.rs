// SPDX-License-Identifier: GPL-3.0-or-later
//! `quincunx tune`: SPSA over an engine's parameters.

use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::sync::atomic::Ordering;

use anyhow::{Context, Result};
use arena::spsa::{Parameter, Spsa};
use arena::trials::Saved;
use arena::tune::{self, Config, GamePlayer, ParameterSource, TuneState};
use clap::Args;
use serde::Serialize;
use tools::store::Lock;

use super::{match_, print_json};
use crate::{input, output};

/// Tune an engine's parameters by games against itself (SPSA).
///
/// The run may be killed at any moment; the same command continues it.
#[derive(Args, Debug)]
pub(crate) struct Tune {
    /// The run as a TOML file: engine, tc or nodes, book, games, trials, parameters
    #[arg(value_name = "FILE.toml")]
    file: PathBuf,
    /// The run's folder [default: `out` of the file, or the file's name without its ending]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Trials at the same time [default: `concurrency` of the file]
    #[arg(long, value_name = "N")]
    concurrency: Option<usize>,
    /// Print one JSON document at the end
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Answer {
    trials: u64,
    games: u64,
    finished: bool,
    parameters: Vec<Tuned>,
}

#[derive(Serialize)]
struct Tuned {
    name: String,
    start: f64,
    value: f64,
    line: String,
}

impl Tune {
    pub(crate) fn run(&self) -> Result<()> {
        let name = self.file.display();
        let text = input::read_text(&self.file)?;
        let config = Config::parse(&text).with_context(|| format!("reading `{name}`"))?;
        let folder = self.out.clone().unwrap_or_else(|| config.duel.folder(&self.file));
        let engine = config.duel.engine()?;
        let given = match config.parameters()? {
            ParameterSource::Given(parameters) => parameters,
            ParameterSource::Engine => Vec::new(),
        };
        let parameters = config.wanted(tune::read_tunables(&engine, given)?);
        let spsa = Spsa::new(parameters, config.schedule(), config.duel.seed)?;
        let folder = Lock::folder(&folder)?;
        let state = TuneState::resume_or(&folder, TuneState::new(&config.purpose(), spsa))?;
        if state.spsa.reported() > 0 {
            eprintln!("going on after {} trials", state.spsa.reported());
        }
        let folder_name = folder.path().display();
        eprintln!("kept in `{folder_name}`; Ctrl-C ends it after the trials under way");
        let player = GamePlayer { duel: config.duel.duel()?, pairs: u64::from(config.games / 2) };
        let workers = self.concurrency.unwrap_or(config.duel.concurrency);
        let should_stop = match_::stop_on_interrupt()?;
        let state = tune::run(&folder, state, &player, workers, |state| {
            show_progress(state);
            !should_stop.load(Ordering::Relaxed)
        })?;
        if !state.spsa.is_finished() {
            eprintln!("\nstopped; the same command continues:\n  {}", match_::command_line());
        }
        if self.json { print_json(&answer(&state)) } else { print_table(&state) }
    }
}

/// A line that is rewritten on a terminal, and a line now and then elsewhere.
fn show_progress(state: &TuneState) {
    let (done, all) = (state.spsa.reported(), state.spsa.schedule().trials);
    let line = format!("{done} of {all} trials, {} games", games(state));
    if io::stderr().is_terminal() {
        eprint!("\r{line}");
        // A terminal that cannot be written to shows nothing, which is all there is to do.
        let _ = io::stderr().flush();
    } else if done.is_multiple_of(50) || done == all {
        eprintln!("{line}");
    }
}

fn games(state: &TuneState) -> u64 {
    state.games.wins + state.games.draws + state.games.losses
}

fn answer(state: &TuneState) -> Answer {
    let spsa = &state.spsa;
    let starts = spsa.history().points().first().map(|point| point.values.clone());
    let starts = starts.unwrap_or_default();
    let value = |(parameter, start): (&Parameter, f64)| Tuned {
        name: parameter.name().to_owned(),
        start,
        value: parameter.final_value(),
        line: parameter.to_string(),
    };
    Answer {
        trials: spsa.reported(),
        games: games(state),
        finished: spsa.is_finished(),
        parameters: spsa.parameters().iter().zip(starts).map(value).collect(),
    }
}

fn print_table(state: &TuneState) -> Result<()> {
    let answer = answer(state);
    eprintln!();
    let mut text = format!("{:<28} {:>12} {:>12}\n", "parameter", "start", "value");
    for Tuned { name, start, value, .. } in &answer.parameters {
        let _ = writeln!(text, "{name:<28} {start:>12} {value:>12}");
    }
    let _ = writeln!(text, "{} trials, {} games", answer.trials, answer.games);
    output::print(&text)
}
