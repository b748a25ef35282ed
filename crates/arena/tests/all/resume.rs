// SPDX-License-Identifier: GPL-3.0-or-later
//! A match that is killed again and again loses nothing, counts nothing twice and leaves no engine
//! behind.

use std::fs;
use std::io::BufReader;
use std::path::Path;
use std::process::{Command, Stdio};

use arena::pgn::read_results;
use arena::run::{GAMES_FILE, LOG_FILE, RunFolder, STATE_FILE, read_log};
use serde_json::Value;

const RUNNER: &str = env!("CARGO_BIN_EXE_mock-runner");
const ENGINE: &str = env!("CARGO_BIN_EXE_mock-engine");
const GAMES: u64 = 200;

fn runner(folder: &Path, token: &str) -> Command {
    let mut command = Command::new(RUNNER);
    command.arg(ENGINE).arg(folder).arg(GAMES.to_string()).arg(token);
    command.stdout(Stdio::piped());
    command
}

fn finished_pairs(folder: &Path) -> u64 {
    let text = fs::read_to_string(folder.join(STATE_FILE)).unwrap_or_default();
    let state: Value = serde_json::from_str(&text).unwrap_or_default();
    state["pairs"].as_u64().unwrap_or(0)
}

#[test]
fn killed_three_times_the_tables_equal_the_games() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("run");
    let token = format!("resume-{}", std::process::id());
    for stop_at in [10, 30, 60] {
        let mut child = runner(&folder, &token).spawn().unwrap();
        assert!(crate::common::wait_for(|| finished_pairs(&folder) >= stop_at));
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(crate::common::are_all_gone(&token), "engines outlive the killed runner");
        // What a kill between two writes would leave.
        let junk = |name: &str| {
            let text = fs::read_to_string(folder.join(name)).unwrap();
            fs::write(folder.join(name), text + "half a ga").unwrap();
        };
        junk(GAMES_FILE);
        junk(LOG_FILE);
    }
    let before = finished_pairs(&folder);
    assert!(before < GAMES / 2, "the match ended before it was killed");
    let output = runner(&folder, &token).output().unwrap();
    assert!(output.status.success());
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(finished_pairs(&folder), GAMES / 2);
    assert_same_as_pgn(&folder, &result);
    assert_each_pair_once(&folder);
}

fn assert_same_as_pgn(folder: &Path, result: &Value) {
    let file = BufReader::new(fs::File::open(folder.join(GAMES_FILE)).unwrap());
    let (mut games, mut wins, mut draws) = (0, 0, 0);
    read_results(file, |tags| {
        games += 1;
        let outcome = tags.outcome.expect("all games are finished").to_string();
        let is_win = outcome == if tags.white == "A" { "1-0" } else { "0-1" };
        wins += u64::from(is_win);
        draws += u64::from(outcome == "1/2-1/2");
    })
    .unwrap();
    let engine = &result["engines"][0];
    assert_eq!(games, GAMES);
    assert_eq!(engine["games"], games);
    assert_eq!((&engine["wins"], &engine["draws"]), (&wins.into(), &draws.into()));
}

fn assert_each_pair_once(folder: &Path) {
    let lines = read_log(&fs::read_to_string(folder.join(LOG_FILE)).unwrap()).unwrap();
    let mut games: Vec<usize> = lines.iter().map(|line| line.game).collect();
    games.sort_unstable();
    assert!(games.into_iter().eq(1..=GAMES as usize));
}

#[test]
fn other_settings_are_refused_and_named() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("run");
    let settings = crate::common::settings(ENGINE, ["sound", "sound"], 2, "settings");
    drop(RunFolder::open(&folder, &settings).unwrap());
    let more = crate::common::settings(ENGINE, ["sound", "sound"], 4, "settings");
    drop(RunFolder::open(&folder, &more).unwrap());
    let mut other = more.clone();
    other.max_moves = Some(99);
    let error = RunFolder::open(&folder, &other).unwrap_err().to_string();
    assert!(error.ends_with("other settings: max_moves was 30, now 99"), "{error}");
    assert!(RunFolder::open(&folder, &settings).is_err(), "fewer games than before");
}

#[test]
fn folders_are_locked_and_foreign_ones_left_alone() {
    let parent = tempfile::tempdir().unwrap();
    let settings = crate::common::settings(ENGINE, ["sound", "sound"], 2, "lock");
    let folder = parent.path().join("run");
    let _first = RunFolder::open(&folder, &settings).unwrap();
    let error = RunFolder::open(&folder, &settings).unwrap_err().to_string();
    assert!(error.ends_with("in use by another process"), "{error}");
    let error = RunFolder::open(parent.path(), &settings).unwrap_err().to_string();
    assert!(error.contains("is not empty"), "{error}");
}
