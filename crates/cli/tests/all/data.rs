// SPDX-License-Identifier: GPL-3.0-or-later
//! `quincunx data` as scripts see it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

const BINARY: &str = env!("CARGO_BIN_EXE_quincunx");

/// 36 games, see the README beside it.
const GAMES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../data/tests/data/small.vf");

/// Runs `quincunx data …` in a folder.
fn run(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(BINARY);
    command.arg("data").args(arguments).current_dir(folder);
    command.output().expect("the binary starts")
}

fn json(folder: &Path, arguments: &[&str]) -> Value {
    let output = run(folder, &[arguments, &["--json"]].concat());
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {errors}");
    serde_json::from_slice(&output.stdout).expect("one JSON document")
}

fn failure(folder: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let output = run(folder, arguments);
    assert!(!output.status.success(), "{arguments:?} succeeds");
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

fn write(folder: &TempDir, name: &str, text: &str) -> PathBuf {
    let path = folder.path().join(name);
    fs::write(&path, text).expect("the folder can be written to");
    path
}

#[test]
fn from_games_to_records_and_statistics() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let info = json(at, &["info", GAMES, "--html", "page.html"]);
    assert_eq!(info["games"], 36);
    let results = info["results"].as_object().unwrap();
    assert_eq!(results.keys().collect::<Vec<_>>(), ["black", "draw", "white"]);
    assert_eq!(results.values().map(|count| count.as_u64().unwrap()).sum::<u64>(), 36);
    assert!(fs::read_to_string(at.join("page.html")).unwrap().contains("<svg"));

    let made = json(at, &["expand", GAMES, "--out", "t.qrec", "--validation", "0.3", "--all"]);
    let records = [&made["records"][0], &made["records"][1]].map(|count| count.as_u64().unwrap());
    assert_eq!(Value::from(records[0] + records[1]), info["positions"]);
    assert!(records[1] > 0);
    let sides = json(at, &["info", "t.qrec", "t-validation.qrec"]);
    assert_eq!(sides["positions"], info["positions"]);
    assert_eq!(sides["quiet"], info["quiet"]);
    let checked = json(at, &["check", "t.qrec", GAMES]);
    assert_eq!((&checked["games"], &checked["problems"]), (&36.into(), &0.into()));

    let shuffled = json(at, &["shuffle", "t.qrec", "t-validation.qrec", "--out", "s.qrec"]);
    assert_eq!(shuffled["written"], info["positions"]);
    let split =
        ["split", GAMES, "--validation", "0.3", "--out", "a.vf", "--validation-out", "b.vf"];
    let split = json(at, &split);
    assert_eq!([&split["training"], &split["validation"]], [&made["games"][0], &made["games"][1]]);
}

#[test]
fn imports_name_bad_lines_and_keep_the_good_ones() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    write(&folder, "a.csv", &format!("FEN,Evaluation\n{fen},+25\n{fen},NaN\nx,3\n{fen},#-4\n"));
    let arguments = ["import", "a.csv", "--from", "csv", "--out", "a.qrec", "--errors", "bad.txt"];
    let output = run(at, &arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{errors}");
    assert!(
        errors.contains("a.csv:3: expected a score like `+56` or `#-3`, found `NaN`"),
        "{errors}"
    );
    assert!(errors.contains("a.csv:4: FEN: "), "{errors}");
    assert!(output.stdout.is_empty());
    assert_eq!(fs::read_to_string(at.join("bad.txt")).unwrap().lines().count(), 2);
    let text = run(at, &["export", "a.qrec", "--to", "csv"]).stdout;
    let text = String::from_utf8(text).unwrap();
    assert_eq!(text, format!("FEN,evaluation\n{fen},+25\n{fen},#-4\n"));
}

#[test]
fn wrong_usage_is_told_apart_from_bad_data() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    write(&folder, "bad.vf", "this is no game at all, but text that goes on for a while");
    write(&folder, "empty.csv", "");
    for (arguments, code, expected) in [
        (&["info", "no-such-file.vf"][..], 1, "`no-such-file.vf`"),
        (&["check", "bad.vf"], 1, "bad.vf:game 1 at byte 0: "),
        (&["import", "empty.csv", "--out", "a.qrec"], 1, "expected positions in `empty.csv`"),
        (&["import", "bad.vf", "--out", "a.qrec"], 1, "expected `--from csv|tsv|text|pgn|epd|"),
        (&["import", "empty.csv", "--from", "xml", "--out", "a.qrec"], 2, "xml"),
        (
            &["expand", GAMES, "--out", "a.qrec", "--validation", "7"],
            2,
            "expected a share from 0 to 1",
        ),
        (&["relabel", GAMES, "--out", "a.vf", "--engine", "no-such", "--nodes", "0"], 2, "--nodes"),
        (&["relabel", GAMES, "--out", "a.vf", "--engine", "no-such", "--nodes", "9"], 1, "no-such"),
    ] {
        let (found, message) = failure(at, arguments);
        assert_eq!(found, Some(code), "{arguments:?}: {message}");
        assert!(message.contains(expected), "{arguments:?}: {message}");
    }
}

#[test]
fn our_own_engine_labels_positions() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    write(&folder, "a.epd", "4k3/8/8/8/8/8/8/4KQ2 w - -\n4k3/8/8/8/8/8/8/4KQ2 b - -\n");
    json(at, &["import", "a.epd", "--out", "a.qrec"]);
    let engine = ["relabel", "a.qrec", "--out", "b.qrec", "--engine", BINARY, "--nodes", "200"];
    assert_eq!(json(at, &engine)["written"], 2);
    let text = String::from_utf8(run(at, &["export", "b.qrec", "--to", "text"]).stdout).unwrap();
    for line in text.lines() {
        let score: i32 = line.split(" | ").nth(1).unwrap().parse().unwrap();
        assert!(score > 200, "{line}");
    }
    assert_eq!(text.lines().count(), 2);
}
