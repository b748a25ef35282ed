// SPDX-License-Identifier: GPL-3.0-or-later
//! Screenings from the command line: our own engine, killed in the middle.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;

const BINARY: &str = env!("CARGO_BIN_EXE_quincunx");

/// Short games: a side that sees itself half a pawn behind has lost.
fn file(folder: &Path, games: u64, entries: &str) -> String {
    let text = format!(
        "engine = \"cmd={BINARY} opt.Hash=1\"\nnodes = 60\ngames = {games}\nseed = 3\nconcurrency = 2\n\
         resign = \"movecount=1 score=50\"\ndraw = \"movenumber=20 movecount=2 score=100\"\n{entries}"
    );
    let path = folder.join("screen.toml");
    fs::write(&path, text).unwrap();
    path.display().to_string()
}

const ENTRIES: &str = "[[entry]]\nname = \"Contempt\"\nfrom = 0\nto = 100\n\
    [[entry]]\nname = \"two lines\"\noptions = [{ name = \"MultiPV\", from = 1, to = 2 }]\n";

fn screen(file: &str, out: &Path, more: &[&str]) -> Command {
    let mut command = Command::new(BINARY);
    command.args(["screen", file, "--out"]).arg(out).args(more).stdin(Stdio::null());
    command
}

fn run(file: &str, out: &Path, more: &[&str]) -> Output {
    screen(file, out, more).output().expect("the binary starts")
}

fn state(out: &Path) -> Value {
    let text = fs::read_to_string(out.join("state.json")).unwrap_or_default();
    serde_json::from_str(&text).unwrap_or_default()
}

fn pairs(out: &Path) -> usize {
    state(out)["scores"].as_str().unwrap_or_default().matches(|letter| letter != '.').count()
}

#[test]
fn a_killed_screening_goes_on_exactly() {
    let folder = tempfile::tempdir().unwrap();
    let file = file(folder.path(), 40, ENTRIES);
    let (whole, killed) = (folder.path().join("whole"), folder.path().join("killed"));
    let output = run(&file, &whole, &["--json"]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((&answer["games"], &answer["fault_count"]), (&40.into(), &0.into()));
    assert_eq!(answer["effects"].as_array().map(Vec::len), Some(2));

    for stop_at in [2, 7] {
        let mut child = screen(&file, &killed, &[]).stderr(Stdio::null()).spawn().unwrap();
        let deadline = Instant::now() + Duration::from_mins(2);
        while pairs(&killed) < stop_at && Instant::now() < deadline {
            sleep(Duration::from_millis(1));
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert!(run(&file, &killed, &[]).status.success());
    assert_eq!(state(&whole), state(&killed));

    let shown = run(&file, &killed, &["--show"]);
    let text = String::from_utf8_lossy(&shown.stdout).into_owned();
    assert!(text.contains("| Contempt 0 → 100") && text.contains("| two lines"), "{text}");
    assert!(fs::read_to_string(killed.join("screen.svg")).unwrap().starts_with("<svg"));
}

#[test]
fn what_cannot_be_screened_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    for (entries, part) in [
        ("", "at least one [[entry]]"),
        ("[[entry]]\nname = \"no_such_on\"\nfrom = 1\nto = 0\n", "no option `no_such_on`"),
        ("[[entry]]\nname = \"MultiPV\"\nfrom = 1\nto = 0\n", "MultiPV"),
    ] {
        let output = run(&file(folder.path(), 2, entries), &out, &[]);
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{errors}");
        assert!(errors.contains(part), "{errors}");
        assert!(!out.exists(), "a run that cannot begin leaves a folder");
    }
    let output = run(&file(folder.path(), 2, ENTRIES), &out, &["--show"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("no screening in"));
}
