// SPDX-License-Identifier: GPL-3.0-or-later
//! The `quincunx` binary: UCI without arguments, one sub-command per job with them.
#![allow(clippy::unnecessary_wraps, reason = "all commands are run alike, fallible or not")]

// First: its macros are used by all others.
#[macro_use]
mod output;

mod commands;
mod input;
mod levels;
mod lines;
mod picture;
mod process;
mod screen;
mod version;

use std::io::{self, IsTerminal};
use std::process::ExitCode;

use anyhow::Result;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use engine::{Output, UciSession};
use tools::text::printable_lines;

/// Quincunx, a neural chess system. Without arguments it speaks UCI.
#[derive(Parser, Debug)]
#[command(version, about, propagate_version = true, after_help = lines::HELP)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// Makes of a list of commands what clap reads and what runs them.
macro_rules! commands {
    ($($(#[cfg($cfg:meta)])? $(#[command($($extra:tt)+)])? $name:ident($command:ty),)+) => {
        #[derive(Subcommand, Debug)]
        enum Command {
            $($(#[cfg($cfg)])? $(#[command($($extra)+)])? $name(Box<$command>),)+
        }

        impl Command {
            fn run(self) -> Result<()> {
                match self {
                    $($(#[cfg($cfg)])? Self::$name(command) => command.run(),)+
                }
            }
        }
    };
}

commands! {
    Play(commands::play::Play),
    #[command(alias = "analyse")]
    Analyze(commands::analyze::Analyze),
    Board(commands::board::BoardCommand),
    Eval(commands::eval::Eval),
    Bench(commands::bench::Bench),
    Match(commands::match_::MatchCommand),
    Sprt(commands::sprt::SprtCommand),
    League(commands::league::LeagueCommand),
    Perft(commands::perft::Perft),
    Book(commands::book::BookCommand),
    Selfplay(commands::selfplay::SelfPlay),
    Data(commands::data_::DataCommand),
    Train(commands::train::Train),
    Net(commands::net_::NetCommand),
    Tb(commands::tb::Tb),
    Tree(commands::tree::TreeCommand),
    Speedtest(commands::speedtest::Speedtest),
    Tunables(commands::tunables::Tunables),
    Compliance(commands::compliance::Compliance),
    Suite(commands::suite::Suite),
    Tune(commands::tune::Tune),
    Screen(commands::screen::Screen),
    Plan(commands::plan::Plan),
    Report(commands::report::Report),
    #[cfg(feature = "lichess")]
    Lichess(commands::lichess_::LichessCommand),
    #[cfg(feature = "lichess")]
    ExternalEngine(commands::external_engine::ExternalEngine),
    Completions(commands::completions::Completions),
    Manual(commands::manual::Manual),
}

fn main() -> ExitCode {
    levels::run_faster_build();
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let result = match arguments.first().map(String::as_str) {
        None => speak_uci(),
        Some("--version") => output::print(&version::text()),
        Some(first) if lines::is_line(first, &Cli::command()) => lines::run(&arguments),
        Some(_) => parse().and_then(|cli| cli.command.run()),
    };
    let Err(error) = result else { return ExitCode::SUCCESS };
    // Whoever read our output has seen enough.
    if is_broken_pipe(&error) {
        return ExitCode::SUCCESS;
    }
    // The text may hold what an engine or a file said.
    eprintln!("error: {}", printable_lines(format_args!("{error:#}")));
    if error.is::<lines::UsageError>() { ExitCode::from(2) } else { ExitCode::FAILURE }
}

/// Reads the command line, or answers it: with help, with the version, or with what is wrong.
fn parse() -> Result<Cli> {
    let matches = with_negative_numbers(Cli::command()).try_get_matches();
    let answer = match matches.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => return Ok(cli),
        Err(answer) => answer,
    };
    answer.print()?;
    std::process::exit(answer.exit_code())
}

/// Takes `-3` for a number, not for an unknown flag: what is wrong with it is then said of the number.
fn with_negative_numbers(command: clap::Command) -> clap::Command {
    let allow = |argument: clap::Arg| {
        let takes_value = argument.get_action().takes_values();
        if takes_value { argument.allow_negative_numbers(true) } else { argument }
    };
    command.mut_args(allow).mut_subcommands(with_negative_numbers)
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
