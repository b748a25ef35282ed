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

/// Finished runs stay as they are, and data that is not there is told once.
#[test]
fn finished_runs_are_kept_and_missing_data_is_named_once() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("run");
    ended(&train(&out, &["--json", "--set", "schedule.passes=1"]).output().unwrap());
    let net = fs::read(out.join("smoke.qnet")).unwrap();
    let again = train(&out, &["--set", "schedule.passes=2"]).output().unwrap();
    let errors = String::from_utf8_lossy(&again.stderr);
    assert_eq!(again.status.code(), Some(1), "{errors}");
    assert!(errors.contains("--force") && errors.contains("--out"), "{errors}");
    assert_eq!(fs::read(out.join("smoke.qnet")).unwrap(), net);
    let long = ["--force", "--set", "schedule.passes=2", "--set", "schedule.warm_up=500"];
    let forced = train(&out, &long).output().unwrap();
    let errors = String::from_utf8_lossy(&forced.stderr);
    assert_eq!(forced.status.code(), Some(0), "{errors}");
    assert!(errors.contains("warning: schedule.warm_up is 500 steps"), "{errors}");
    assert_ne!(fs::read(out.join("smoke.qnet")).unwrap(), net);
    let nowhere = dir.path().join("nowhere");
    let missing = ["--set", r#"data.train=["none.qrec"]"#];
    let refused = train(&nowhere, &missing).output().unwrap();
    let errors = String::from_utf8_lossy(&refused.stderr);
    assert_eq!(refused.status.code(), Some(1), "{errors}");
    assert_eq!(errors.matches("No such file").count(), 1, "{errors}");
    assert!(!nowhere.exists(), "{errors}");
}

/// Runs the binary in a folder; it must succeed.
fn quincunx(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quincunx"));
    let output = command.current_dir(folder).args(arguments).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {errors}");
    output
}

/// The three commands of docs/guide/train.md and the match that judges, in small.
#[test]
fn the_loop_closes() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    let play = ["selfplay", "--out", "own.vf", "--games", "24", "--nodes", "40", "--json"];
    let played = ended(&quincunx(here, &play));
    assert_eq!(played[0]["games"], 24);
    quincunx(
        here,
        &["data", "expand", "own.vf", "--out", "own.qrec", "--validation", "0.4", "--json"],
    );
    let validation = fs::metadata(here.join("own-validation.qrec")).unwrap().len();
    assert!(validation > 64, "some games are held out");
    let trained = ended(&quincunx(
        here,
        &[
            "train",
            RECIPE,
            "--json",
            "--out",
            "new",
            "--set",
            "name=new",
            "--set",
            r#"data.train=["own.qrec"]"#,
            "--set",
            "data.validation=own-validation.qrec",
            "--set",
            "schedule.passes=2",
            "--set",
            "schedule.batch=64",
        ],
    ));
    let net = trained.last().unwrap()["net"].as_str().unwrap().to_owned();
    let engine = env!("CARGO_BIN_EXE_quincunx");
    let file = here.join(&net);
    let [cmd, new] = [format!("cmd={engine}"), format!("opt.EvalFile={}", file.to_str().unwrap())];
    let judged = ended(&quincunx(
        here,
        &[
            "match", "--engine", &cmd, "name=new", &new, "nodes=50", "--engine", &cmd, "name=old",
            "nodes=50", "--games", "2", "--out", "judged", "--json",
        ],
    ));
    let result = judged.last().unwrap();
    assert_eq!(result["engines"][0]["games"], 2, "{result}");
    assert_eq!(result["faults"].as_array().map(Vec::len), Some(0), "{result}");
    // A training run has a page too.
    quincunx(here, &["report", "new"]);
    let page = fs::read_to_string(here.join("new/report.html")).unwrap();
    for part in ["Loss", "Learning rate", "First layer", "first weights", "<polyline", "<rect"] {
        assert!(page.contains(part), "no {part}");
    }
}

/// Kill -9 in the middle of self-play: it goes on, and ends at the same bytes, also in several files.
#[test]
fn killed_self_play_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    let arguments = |name: &'static str, rotate: &'static str| {
        ["selfplay", "--out", name, "--games", "30", "--nodes", "60", "--rotate", rotate, "--json"]
    };
    let whole = ended(&quincunx(dir.path(), &arguments("whole.vf", "0")));
    assert_eq!((&whole[0]["files"], &whole[0]["unit"]), (&1.into(), &"centipawns".into()));
    assert!(whole[0]["positions_per_cpu_second"].as_f64().is_none_or(|speed| speed > 0.0));
    let mut command = Command::new(env!("CARGO_BIN_EXE_quincunx"));
    let cut_arguments = [&arguments("cut.vf", "3K")[..], &["--idle"]].concat();
    command.current_dir(dir.path()).args(&cut_arguments).stdout(Stdio::null());
    let mut child = command.spawn().unwrap();
    let second = dir.path().join("cut-0002.vf");
    let deadline = Instant::now() + Duration::from_mins(1);
    while fs::metadata(&second).map_or(0, |file| file.len()) == 0 && Instant::now() < deadline {
        thread::sleep(Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let bytes = |count: u64| -> Vec<u8> {
        let name = |number| match number {
            1 => "cut.vf".to_owned(),
            _ => format!("cut-{number:04}.vf"),
        };
        (1..=count).flat_map(|i| fs::read(dir.path().join(name(i))).unwrap_or_default()).collect()
    };
    let whole = fs::read(dir.path().join("whole.vf")).unwrap();
    assert!(bytes(99).len() < whole.len(), "killed too late to prove anything");
    let end = ended(&quincunx(dir.path(), &cut_arguments));
    let files = end[0]["files"].as_u64().unwrap();
    assert!(files > 3, "{end:?}");
    assert!(bytes(files) == whole, "the bytes differ");
}
