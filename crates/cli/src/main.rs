// SPDX-License-Identifier: GPL-3.0-or-later
//! The `quincunx` binary: UCI without arguments, one sub-command per job with them.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "the command line talks to people")]
#![allow(clippy::unnecessary_wraps, reason = "all commands are run alike, fallible or not")]

mod commands;
mod input;
mod output;
mod picture;
mod process;
mod screen;

use std::io::{self, IsTerminal};
use std::process::ExitCode;

use anyhow::Result;
use clap::{CommandFactory, Parser, Subcommand};
use engine::{Output, Reply, UciSession};

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
    Analyze(analyze::Analyze),
    Board(commands::board::BoardCommand),
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
            Self::Board(command) => command.run(),
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
        Some(first) if is_uci_line(first) => run_lines(&arguments),
        Some(_) => Cli::parse().command.run(),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever read our output has seen enough.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let kind = |cause: &(dyn std::error::Error + 'static)| {
        cause.downcast_ref::<io::Error>().map(io::Error::kind)
    };
    error.chain().any(|cause| kind(cause) == Some(io::ErrorKind::BrokenPipe))
}

/// Whether an argument is a line for the engine rather than a sub-command: it holds a blank, or is a
/// bare word of the protocol.
fn is_uci_line(argument: &str) -> bool {
    let is_command = Cli::command().find_subcommand(argument).is_some() || argument == "help";
    let is_understood = || {
        let parsed = uci::Command::parse(argument);
        !matches!(parsed.map(|parsed| parsed.command), Ok(uci::Command::Unknown(_)))
    };
    argument.contains(char::is_whitespace)
        || !is_command && !argument.starts_with('-') && is_understood()
}

fn speak_uci() -> Result<()> {
    if io::stdin().is_terminal() && io::stdout().is_terminal() {
        println!("{} speaks UCI. `help` lists what it understands,", engine::NAME);
        println!("`quit` leaves; `quincunx play` starts a game, `quincunx --help` shows the rest.");
    }
    UciSession::new(Output::to_stdout()).run(io::stdin().lock());
    Ok(())
}

/// Runs arguments as UCI lines, each search to its end.
fn run_lines(lines: &[String]) -> Result<()> {
    let mut session = UciSession::new(Output::to_stdout());
    for line in lines {
        if session.run_line(line) == Reply::Quit {
            break;
        }
        session.wait();
    }
    Ok(())
}
