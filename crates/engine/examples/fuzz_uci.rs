// SPDX-License-Identifier: GPL-3.0-or-later
//! Fuzzes the UCI loop: bursts of odd lines, after each of which the engine must be ready and have
//! given one best move for each `go`.
//!
//! `cargo run --release -p engine --example fuzz_uci -- [SECONDS] [SEED]`
//!
//! What it finds belongs into the engine's tests.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a program for the terminal")]

#[path = "../tests/common/mod.rs"]
mod common;

use std::process::ExitCode;
use std::time::{Duration, Instant};
use std::{env, panic};

use common::fuzzer;

fn main() -> ExitCode {
    let mut arguments = env::args().skip(1);
    let mut number = |default: u64| arguments.next().map_or(Ok(default), |text| text.parse());
    let (Ok(seconds), Ok(seed)) = (number(60), number(1)) else {
        eprintln!("usage: fuzz_uci [SECONDS] [SEED]");
        return ExitCode::from(2);
    };
    // In the release profile a panic ends the program, so the burst must be told here.
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        usual(info);
        if let Ok(burst) = fuzzer::BURST.try_lock() {
            eprintln!("seed {seed}, burst {:#?}", *burst);
        }
    }));
    let deadline = Instant::now() + Duration::from_secs(seconds);
    match fuzzer::run(seed, |_| Instant::now() < deadline) {
        Ok(bursts) => {
            println!("{bursts} bursts, nothing found");
            ExitCode::SUCCESS
        }
        Err(finding) => {
            println!("seed {seed}: {finding}");
            ExitCode::FAILURE
        }
    }
}
