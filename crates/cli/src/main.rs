// SPDX-License-Identifier: GPL-3.0-or-later
//! The `quincunx` binary: UCI without arguments, one sub-command per job with them.
#![allow(clippy::unnecessary_wraps, reason = "all commands are run alike, fallible or not")]

// First: its macros are used by all others.
#[macro_use]
mod output;

mod commands;
mod input;
mod lines;
mod picture;
mod process;
mod screen;

use std::io::{self, IsTerminal};
use std::process::ExitCode;

use anyhow::Result;
use clap::{CommandFactory, Parser, Subcommand};
use engine::{Output, UciSession};

use commands::{
    analyze, bench, completions, compliance, eval, perft, play, report, speedtest, suite, tunables,
    tune,
};

/// Quincunx, a neural chess system. Without arguments it speaks UCI.
#[derive(Parser, Debug)]
#[command(version, about, propagate_version = true, after_help = AFTER_HELP)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const AFTER_HELP: &str = "\
UCI lines may be given as arguments and are run in order:
  quincunx \"position startpos moves e2e4\" \"go depth 8\" hashstats";

#[derive(Subcommand, Debug)]
enum Command {
    Play(play::Play),
    #[command(alias = "analyse")]
    Analyze(analyze::Analyze),
    Eval(eval::Eval),
    Bench(bench::Bench),
    Match(Box<commands::match_::MatchCommand>),
    Sprt(commands::sprt::SprtCommand),
    League(commands::league::LeagueCommand),
    Perft(perft::Perft),
    Book(commands::book::Book),
    Selfplay(commands::selfplay::SelfPlay),
    Data(commands::data_::DataCommand),
    Train(commands::train::Train),
    Net(commands::net_::NetCommand),
    Tb(commands::tb::Tb),
    Tree(commands::tree::Tree),
    Speedtest(speedtest::Speedtest),
    Tunables(tunables::Tunables),
    Compliance(compliance::Compliance),
    Suite(suite::Suite),
    Tune(tune::Tune),
    Screen(commands::screen::Screen),
    Report(report::Report),
    #[cfg(feature = "lichess")]
    Lichess(commands::lichess_::LichessCommand),
    #[cfg(feature = "lichess")]
    ExternalEngine(commands::external_engine::ExternalEngine),
    Completions(completions::Completions),
}

impl Command {
    fn run(self) -> Result<()> {
        match self {
            Self::Play(command) => command.run(),
            Self::Analyze(command) => command.run(),
            Self::Eval(command) => command.run(),
            Self::Bench(command) => command.run(),
            Self::Match(command) => command.run(),
            Self::Sprt(command) => command.run(),
            Self::League(command) => command.run(),
            Self::Perft(command) => command.run(),
            Self::Book(command) => command.run(),
            Self::Selfplay(command) => command.run(),
            Self::Data(command) => command.run(),
            Self::Train(command) => command.run(),
            Self::Net(command) => command.run(),
            Self::Tb(command) => command.run(),
            Self::Tree(command) => command.run(),
            Self::Speedtest(command) => command.run(),
            Self::Tunables(command) => command.run(),
            Self::Compliance(command) => command.run(),
            Self::Suite(command) => command.run(),
            Self::Tune(command) => command.run(),
            Self::Screen(command) => command.run(),
            Self::Report(command) => command.run(),
            #[cfg(feature = "lichess")]
            Self::Lichess(command) => command.run(),
            #[cfg(feature = "lichess")]
            Self::ExternalEngine(command) => command.run(),
            Self::Completions(command) => command.run(&mut Cli::command()),
        }
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let result = match arguments.first() {
        None => speak_uci(),
        Some(first) if lines::is_line(first, &Cli::command()) => lines::run(&arguments),
        Some(_) => Cli::parse().command.run(),
    };
    let Err(error) = result else { return ExitCode::SUCCESS };
    // Whoever read our output has seen enough.
    if is_broken_pipe(&error) {
        return ExitCode::SUCCESS;
    }
    eprintln!("error: {error:#}");
    if error.is::<lines::UsageError>() { ExitCode::from(2) } else { ExitCode::FAILURE }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let kind = |cause: &(dyn std::error::Error + 'static)| {
        cause.downcast_ref::<io::Error>().map(io::Error::kind)
    };
    error.chain().any(|cause| kind(cause) == Some(io::ErrorKind::BrokenPipe))
}

fn speak_uci() -> Result<()> {
    if io::stdin().is_terminal() && io::stdout().is_terminal() {
        println!("{} speaks UCI. `help` lists what it understands,", engine::NAME);
        println!("`quit` leaves; `quincunx play` starts a game, `quincunx --help` shows the rest.");
    }
    UciSession::new(Output::to_stdout()).run(io::stdin().lock());
    Ok(())
}
