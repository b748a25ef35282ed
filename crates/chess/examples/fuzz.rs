// SPDX-License-Identifier: GPL-3.0-or-later
//! Fuzzes the readers of this workspace, on stable Rust and without instruments.
//!
//! `cargo run -p chess --example fuzz -- [TARGET|all] [SECONDS] [SEED]`
//!
//! What it finds belongs into `tests/all/fuzz.rs`. The targets of `fuzz/` have the same checks.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a program for the terminal")]

#[path = "../tests/common/checks.rs"]
mod checks;
#[path = "../tests/common/mod.rs"]
mod common;
#[path = "../tests/common/fuzzer.rs"]
mod fuzzer;

use std::process::ExitCode;
use std::time::{Duration, Instant};
use std::{env, panic};

use fuzzer::{TARGETS, Target};

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let word = |index: usize, default| arguments.get(index).map_or(default, String::as_str);
    let name = word(0, "all");
    let targets: Vec<&Target> =
        TARGETS.iter().filter(|target| name == "all" || name == target.name).collect();
    let (Ok(seconds), Ok(seed)) = (word(1, "60").parse(), word(2, "1").parse()) else {
        return usage();
    };
    if targets.is_empty() {
        return usage();
    }
    // A finding is printed with its text below; the panic's own message would drown it.
    panic::set_hook(Box::new(|_| ()));
    let is_clean = targets.iter().map(|target| run(target, seconds, seed)).fold(true, |a, b| a & b);
    if is_clean { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn usage() -> ExitCode {
    let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
    eprintln!("usage: fuzz [all|{}] [SECONDS] [SEED]", names.join("|"));
    ExitCode::from(2)
}

/// Fuzzes one target for a while, and tells whether nothing was found.
fn run(target: &Target, seconds: u64, seed: u64) -> bool {
    let end = Instant::now() + Duration::from_secs(seconds);
    let report = target.fuzz(seed, |runs| runs % 256 != 0 || Instant::now() < end);
    println!(
        "{}: {} texts, {} accepted, {} findings",
        target.name,
        report.runs,
        report.accepted,
        report.findings.len()
    );
    for finding in &report.findings {
        println!("\n{:?}\n{}", finding.text, finding.message);
    }
    report.findings.is_empty()
}
