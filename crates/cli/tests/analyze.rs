// SPDX-License-Identifier: GPL-3.0-or-later
//! `quincunx analyze` with files of games.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use chess::pgn::{PgnGame, PgnReader};
use serde_json::Value;

/// Three games; the second one has a move that cannot be, the third a blunder and a mate.
const GAMES: &str = "\
[White \"Paul\"]
[Black \"Duke\"]
[Result \"1-0\"]

1. e4 e5 2. Nf3 d6 (2... Nc6 {[%clk 0:01:00] usual}) 3. d4 Bg4 1-0

[White \"Anna\"]
[Black \"Ben\"]

1. d4 d5 2. Ke4 c6 *

[White \"Fool\"]
[Black \"Other\"]

1. f3 e5 2. g4 Qh4# 0-1
";

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quincunx"));
    command.current_dir(folder).arg("analyze").args(arguments);
    command.args(["--network", "material", "--hash", "1"]);
    command
}

fn analyze(folder: &Path, arguments: &[&str]) -> Output {
    command(folder, arguments).output().expect("the binary starts")
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn games(path: &Path) -> Vec<PgnGame> {
    let text = fs::read(path).unwrap();
    PgnReader::new(&text[..]).collect::<Result<_, _>>().unwrap()
}

#[test]
fn games_get_evaluations_marks_and_accuracy_and_bad_ones_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("games.pgn"), GAMES).unwrap();
    let output =
        analyze(folder.path(), &["games.pgn", "--nodes", "3000", "--json", "--threads", "2"]);
    let said = errors(&output);
    assert!(output.status.success(), "{said}");
    assert!(said.contains("game 2, 2. `Ke4`"), "{said}");
    let told: Vec<Value> = String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(told.len(), 3);
    assert_eq!((&told[0]["game"], &told[0]["plies"]), (&1.into(), &6.into()));
    assert!(told[1]["faults"][0].as_str().unwrap().contains("Ke4"));
    let found = games(&path("games.analyzed.pgn"));
    assert!(found.len() == 3 && found.iter().all(|game| game.errors.is_empty()));
    let comments = |game: usize, ply: usize| found[game].mainline.moves[ply].comments.join(" ");
    assert!(comments(0, 0).starts_with("[%eval "));
    assert!(comments(1, 1).contains("Not read: game 2, 2. `Ke4`"), "{}", comments(1, 1));
    // 2. g4 allows a mate: a blunder with the better move behind it. The mate itself needs no number.
    let blunder = &found[2].mainline.moves[2];
    assert_eq!(blunder.nags, [4]);
    assert!(comments(2, 2).starts_with("[%eval #-1] Blunder. "), "{}", comments(2, 2));
    assert!(!blunder.variations.is_empty() && !comments(2, 3).contains("%eval"));
    let accuracy = |tag| found[2].tag(tag).unwrap().parse::<f64>().unwrap();
    assert!(accuracy("BlackAccuracy") > accuracy("WhiteAccuracy"));
    let text = fs::read_to_string(path("games.analyzed.pgn")).unwrap();
    assert!(
        text.contains("[%clk 0:01:00] usual") && text.contains("(material, 3000 nodes)"),
        "{text}"
    );
    // A second run would destroy the first.
    let again = analyze(folder.path(), &["games.pgn", "--nodes", "3000"]);
    assert!(
        !again.status.success() && errors(&again).contains("is there already"),
        "{}",
        errors(&again)
    );
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
}

#[test]
fn a_killed_job_goes_on_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("games.pgn"), GAMES.replace("2. Ke4", "2. c4").repeat(30)).unwrap();
    let arguments = |out| ["games.pgn", "--nodes", "4000", "--threads", "2", "--out", out];
    assert!(analyze(folder.path(), &arguments("whole.pgn")).status.success());
    let mut child = command(folder.path(), &arguments("killed.pgn")).spawn().unwrap();
    let state = path("killed.pgn.state.json");
    let began = Instant::now();
    while !state.exists() && child.try_wait().unwrap().is_none() {
        assert!(began.elapsed() < Duration::from_mins(1));
        std::thread::sleep(Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(state.exists() && !path("killed.pgn").exists(), "it was too fast to be killed");
    let other = analyze(folder.path(), &["games.pgn", "--nodes", "9", "--out", "killed.pgn"]);
    assert!(errors(&other).contains("begun with other settings"), "{}", errors(&other));
    let output = analyze(folder.path(), &arguments("killed.pgn"));
    assert!(
        output.status.success() && errors(&output).contains("going on after"),
        "{}",
        errors(&output)
    );
    assert_eq!(fs::read(path("killed.pgn")).unwrap(), fs::read(path("whole.pgn")).unwrap());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
}

#[test]
fn files_and_positions_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let missing = analyze(folder.path(), &["no-such.pgn"]);
    assert!(errors(&missing).contains("no file `no-such.pgn`"), "{}", errors(&missing));
    fs::write(folder.path().join("empty.pgn"), "").unwrap();
    let empty = analyze(folder.path(), &["empty.pgn"]);
    assert!(errors(&empty).contains("holds no game"), "{}", errors(&empty));
    let out = analyze(folder.path(), &["startpos", "--out", "x.pgn"]);
    assert!(errors(&out).contains("--out is for the games"), "{}", errors(&out));
    let piped = analyze(folder.path(), &["-"]);
    assert!(errors(&piped).contains("holds no game"), "{}", errors(&piped));
}
