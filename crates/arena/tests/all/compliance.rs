// SPDX-License-Identifier: GPL-3.0-or-later
//! The UCI checker on a sound engine, and on the same engine with one planted fault at a time.
//!
//! The sound engine is Stockfish; where it or Python is missing there is nothing to test.

use std::path::Path;

use arena::compliance::{CaseVerdict, Report, check};
use uci::ClientConfig;

const STOCKFISH: &str = "/usr/games/stockfish";
const PROXY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/compliance_proxy.py");

/// Cases that Stockfish 15.1 fails, all of them known.
const KNOWN: [&str; 15] = [
    "option-bad-number",
    "option-during-search",
    "castling-in-rook",
    "960-in-king",
    "clock-zero",
    "searchmoves-first",
    "newgame-searching",
    "go-searching",
    "position-fen-nothing",
    "fen-few-ranks",
    "fen-text",
    "fen-no-kings",
    "fen-bogus-castling",
    "pv-ends-with-draw",
    "en-croissant",
];

fn is_installed() -> bool {
    let has_python = std::process::Command::new("python3").arg("--version").output().is_ok();
    has_python && Path::new(STOCKFISH).exists()
}

fn run(config: &ClientConfig, names: &[&str]) -> Report {
    check(config, 1, |case| names.contains(&case.name), |_| {}).expect("the engine starts")
}

/// The case must pass on the sound engine and fail with the fault.
fn finds(fault: &str, case: &str) {
    if !is_installed() {
        return;
    }
    let args = [PROXY, fault, STOCKFISH].map(str::to_owned).into();
    let config = ClientConfig { args, ..ClientConfig::new("python3") };
    let judged = &run(&config, &[case]).cases[0];
    assert_eq!(judged.verdict, CaseVerdict::Failed, "{fault}: {judged:?}");
    assert!(judged.reason.contains("; "), "what happened is missing: {}", judged.reason);
}

#[test]
fn a_sound_engine_behind_the_proxy_passes() {
    if !is_installed() {
        return;
    }
    let args = [PROXY, "none", STOCKFISH].map(str::to_owned).into();
    let config = ClientConfig { args, ..ClientConfig::new("python3") };
    let names = [
        "id-author",
        "uciok-last",
        "option-lines",
        "isready-searching",
        "stop-twice",
        "searchmoves",
        "infinite-mate",
        "960-out",
        "info-integers",
        "depth-by-one",
        "pv-legal",
        "bestmove-is-pv",
        "multipv",
        "wdl",
        "mated",
        "mate-in-one",
        "eof",
        "move-garbage",
    ];
    let report = run(&config, &names);
    assert_eq!((report.passed, report.failed), (names.len(), 0), "{report:?}");
    assert_eq!(report.engine, "Stockfish 15.1");
}

#[test]
fn faults_of_the_handshake_are_found() {
    finds("no-author", "id-author");
    finds("late-option", "uciok-last");
    finds("bad-spin", "option-lines");
}

#[test]
fn deaf_and_hasty_searches_are_found() {
    finds("deaf", "isready-searching");
    finds("hasty", "infinite-mate");
    finds("hasty", "ponder-holds");
    finds("two-moves", "stop-twice");
}

#[test]
fn ignored_limits_are_found() {
    finds("no-searchmoves", "searchmoves");
    finds("one-sided", "clock-white-only");
}

#[test]
fn faults_of_moves_are_found() {
    finds("king-castles", "960-out");
    finds("upper-case", "bestmove-line");
    finds("other-move", "bestmove-is-pv");
    finds("always-moves", "mated");
}

#[test]
fn faults_of_the_output_are_found() {
    finds("decimals", "info-integers");
    finds("depth-jumps", "depth-by-one");
    finds("bad-pv", "pv-legal");
    finds("same-lines", "multipv");
    finds("wdl", "wdl");
    finds("long-mate", "mate-in-one");
    finds("chatter", "no-stray-lines");
    finds("unflushed", "flushed");
}

#[test]
fn engines_that_die_or_do_not_are_found() {
    finds("dies", "move-garbage");
    finds("immortal", "eof");
}

#[test]
fn what_stockfish_passes_passes() {
    if !Path::new(STOCKFISH).exists() {
        return;
    }
    let config = ClientConfig::new(STOCKFISH);
    let report = check(&config, 2, |case| !KNOWN.contains(&case.name), |_| {}).unwrap();
    let failed: Vec<_> = report.cases.iter().filter(|case| !case.ok).collect();
    assert!(failed.is_empty(), "{failed:?}");
    assert!(report.cases.len() >= 60);
}

#[test]
fn a_program_that_is_no_engine_is_an_error() {
    let config = ClientConfig::new("/bin/true");
    assert!(check(&config, 1, |_| true, |_| {}).is_err());
    assert!(check(&ClientConfig::new("/no/such/engine"), 1, |_| true, |_| {}).is_err());
}
