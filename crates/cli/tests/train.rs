// SPDX-License-Identifier: GPL-3.0-or-later
//! `quincunx train` as scripts see it: JSON, files, exit codes, and kill -9.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

const RECIPE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../recipes/smoke.toml");

fn train(out: &Path, more: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quincunx"));
    command.args(["train", RECIPE, "--threads", "2", "--set", "schedule.interval=20", "--out"]);
    command.arg(out).args(more).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn ended(output: &Output) -> Vec<Value> {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{errors}");
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

#[test]
fn json_ends_with_the_result() {
    let dir = tempfile::tempdir().unwrap();
    let short = ["--json", "--set", "schedule.passes=3"];
    let objects = ended(&train(dir.path(), &short).output().unwrap());
    let result = objects.last().unwrap();
    assert_eq!(result["architecture"], "house");
    assert_eq!(result["positions_seen"], 71 * 512);
    for key in ["train_loss", "validation_loss", "positions_per_second"] {
        assert!(result[key].as_f64().unwrap() > 0.0, "{key}");
    }
    let net = result["net"].as_str().unwrap();
    assert!(net::Net::read(net).is_ok());
    let log = fs::read_to_string(dir.path().join("log.csv")).unwrap();
    assert!(log.lines().next().unwrap().split(',').any(|column| column == "validation_loss"));
    assert_eq!(log.lines().count(), objects.len());
}

#[test]
fn killed_and_resumed_it_ends_at_the_same_bits() {
    let dir = tempfile::tempdir().unwrap();
    let (whole, cut) = (dir.path().join("whole"), dir.path().join("cut"));
    ended(&train(&whole, &["--json"]).output().unwrap());
    let mut child = train(&cut, &["--json"]).spawn().unwrap();
    let deadline = Instant::now() + Duration::from_mins(1);
    while !cut.join("checkpoint.bin").exists() && Instant::now() < deadline {
        thread::sleep(Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(!cut.join("smoke.qnet").exists(), "killed too late to prove anything");
    ended(&train(&cut, &["--json", "--resume"]).output().unwrap());
    for name in ["smoke.qnet", "checkpoint.bin"] {
        assert_eq!(fs::read(whole.join(name)).unwrap(), fs::read(cut.join(name)).unwrap());
    }
}

#[test]
fn wrong_recipes_get_a_sentence() {
    let dir = tempfile::tempdir().unwrap();
    let recipe = dir.path().join("wrong.toml");
    fs::write(&recipe, "name = \"x\"\narchitecture = 3\n").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_quincunx"));
    let output = command.arg("train").arg(&recipe).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(errors.contains("wrong.toml") && errors.contains("line 2"), "{errors}");
    assert_eq!(errors.lines().count(), 1, "{errors}");
}
