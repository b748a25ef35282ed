// SPDX-License-Identifier: GPL-3.0-or-later
//! The `quincunx` binary: one sub-command per job.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "the command line talks to people")]

mod commands;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use commands::perft::Perft;

/// Quincunx, a neural chess system.
#[derive(Parser, Debug)]
#[command(version, about, propagate_version = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    Perft(Perft),
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Perft(command) => command.run(),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
