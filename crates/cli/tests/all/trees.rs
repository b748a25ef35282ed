// SPDX-License-Identifier: GPL-3.0-or-later
//! The commands that search with a tree, as scripts use them.

use std::process::{Command, Output};

use serde_json::Value;

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_quincunx")).args(arguments).output().expect("it starts")
}

fn output_of(arguments: &[&str]) -> String {
    let output = run(arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).expect("output is UTF-8")
}

fn sum(children: &[Value], key: &str) -> f64 {
    children.iter().map(|child| child[key].as_f64().unwrap()).sum()
}

#[test]
fn a_tree_is_printed_as_json_and_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let svg = folder.path().join("tree.svg");
    let path = svg.to_str().unwrap();
    let arguments =
        ["tree", "startpos", "--nodes", "400", "--depth", "2", "--least", "0", "--threads", "1"];
    let text = output_of(&[&arguments[..], &["--json", "--svg", path]].concat());
    let root: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((&root["san"], &root["move"]), (&"root".into(), &Value::Null));
    let children = root["children"].as_array().unwrap();
    assert_eq!((root["visits"].as_u64(), children.len()), (Some(401), 20));
    assert!((sum(children, "visits") - 400.0).abs() < 0.1);
    assert!((sum(children, "prior") - 1.0).abs() < 0.01);
    let drawn = std::fs::read_to_string(&svg).unwrap();
    assert!(drawn.starts_with("<svg ") && drawn.ends_with("</svg>\n"));
    assert!(drawn.matches("<path").count() >= 20);
    let listed = output_of(&arguments);
    assert!(listed.starts_with("root ") && listed.lines().count() > 20, "{listed}");
}

#[test]
fn a_position_without_moves_has_no_tree() {
    let output = run(&["tree", "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("the game is over"));
    let output = run(&["tree", "nonsense"]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn every_mode_analyses_and_is_benched() {
    for mode in ["alphabeta", "mcts", "classic"] {
        let text = output_of(&[
            "analyze",
            "startpos",
            "--mode",
            mode,
            "--nodes",
            "60",
            "--json",
            "--threads",
            "1",
        ]);
        let last: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
        assert_eq!(last["bestmove"], last["pv"][0], "{mode}: {text}");
        let bench = output_of(&["bench", "1", "--mode", mode]);
        let last = bench.lines().last().unwrap();
        assert!(last.contains(" nodes ") && last.ends_with(" nps"), "{mode}: {last}");
    }
    assert_eq!(run(&["analyze", "startpos", "--mode", "guess"]).status.code(), Some(2));
}

#[test]
fn napoleons_search_can_be_analysed_and_its_tree_shown() {
    let classic = ["--mode", "classic", "--network", "material", "--threads", "1"];
    let flags = ["--iterations", "50", "--exploration", "0.5", "--rollout", "value"];
    let all = [&["analyze", "startpos", "--json"][..], &classic, &flags].concat();
    let text = output_of(&all);
    let last: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    assert_eq!(last["nodes"], 50, "{text}");
    let all = [&["tree", "startpos", "--json", "--least", "0"][..], &classic, &flags].concat();
    let tree: Value = serde_json::from_str(&output_of(&all)).unwrap();
    assert_eq!((&tree["visits"], tree["children"].as_array().unwrap().len()), (&50.into(), 20));
    let wrong = run(&["analyze", "startpos", "--iterations", "50"]);
    let error = String::from_utf8_lossy(&wrong.stderr);
    assert!(error.contains("--iterations is only for `--mode classic`"), "{error}");
    let wrong = run(&["tree", "startpos", "--mode", "classic", "--exploration", "2"]);
    assert_eq!(wrong.status.code(), Some(2));
}

/// Draws records from visits, and from a file that has none.
fn draw_records(visits: &str, plies: usize) {
    let records = format!("{visits}.qrec");
    let arguments = ["data", "sample", visits, "--out", &records, "--draws", "3", "--json"];
    let made: Value = serde_json::from_str(&output_of(&arguments)).unwrap();
    assert_eq!((&made["games"][0], &made["problems"]), (&2.into(), &0.into()));
    assert_eq!(made["records"][0].as_u64(), Some(3 * plies as u64));
    let checked = output_of(&["data", "check", &records, "--json"]);
    assert!(checked.contains("\"problems\": 0") || checked.contains("\"problems\":0"), "{checked}");
    let made = output_of(&["data", "sample", &records, "--out", &format!("{visits}.2"), "--json"]);
    let made: Value = serde_json::from_str(&made).unwrap();
    assert_eq!((&made["records"][0], &made["problems"]), (&0.into(), &1.into()));
}

#[test]
fn self_play_writes_visits() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.vis");
    let path = file.to_str().unwrap();
    let arguments =
        ["selfplay", "--mode", "mcts", "--nodes", "20", "--games", "2", "--out", path, "--json"];
    let outcome: Value = serde_json::from_str(&output_of(&arguments)).unwrap();
    assert_eq!((&outcome["games"], &outcome["done"]), (&2.into(), &true.into()));
    let bytes = std::fs::read(&file).unwrap();
    let games: Vec<_> = data::visits::VisitsReader::new(&bytes[..]).unwrap().collect();
    assert_eq!(games.len(), 2);
    let plies: usize = games.iter().map(|game| game.as_ref().unwrap().plies()).sum();
    assert!(games.into_iter().all(|game| game.unwrap().decode().is_ok()));
    draw_records(path, plies);
    let output = run(&["selfplay", "--mode", "classic", "--games", "1", "--out", path]);
    assert_eq!(output.status.code(), Some(2), "its games are not offered as training data");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(error.contains("'classic'") && error.contains("alphabeta, mcts"), "{error}");
}
