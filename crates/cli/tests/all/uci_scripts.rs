// SPDX-License-Identifier: GPL-3.0-or-later
//! Conversations with the real binary: the project's collections of odd sessions and bad positions,
//! and what the common clients say.

use std::path::Path;
use std::time::Duration;
use std::{fs, thread};

use crate::common::Engine;
use regex_lite::Regex;
use serde_json::Value;

/// Own copies; tests/data/README.md names their source.
const OWN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data");
/// The collection itself; absent outside the project's machines.
const SHARED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data/oddinput");

/// Scripts and positions from our copy, and what the collection has beyond it.
fn entries(file: &str) -> Vec<Value> {
    let read = |directory: &str| -> Option<Vec<Value>> {
        let text = fs::read_to_string(Path::new(directory).join(file)).ok()?;
        Some(serde_json::from_str(&text).expect("a list of objects"))
    };
    let mut entries = read(OWN).expect("our copy exists");
    let more = read(SHARED).unwrap_or_default();
    let new: Vec<Value> = more.into_iter().filter(|entry| !entries.contains(entry)).collect();
    entries.extend(new);
    entries
}

fn text<'a>(entry: &'a Value, key: &str) -> &'a str {
    entry[key].as_str().expect("a string")
}

fn texts(value: &Value) -> impl Iterator<Item = &str> {
    value.as_array().expect("a list").iter().map(|item| item.as_str().expect("a string"))
}

fn is_go(line: &str) -> bool {
    line.split_whitespace().next() == Some("go")
}

fn count(lines: &[String], start: &str) -> usize {
    lines.iter().filter(|line| line.starts_with(start)).count()
}

#[test]
fn every_script_is_answered_as_it_says() {
    let scripts = entries("uci_scripts.json");
    assert!(scripts.len() >= 59, "{}", scripts.len());
    for script in &scripts {
        run_script(script);
    }
}

fn run_script(script: &Value) {
    let id = text(script, "id");
    let mut engine = Engine::start();
    for line in texts(&script["lines"]) {
        if let Some(millis) = line.strip_prefix('~') {
            thread::sleep(Duration::from_millis(millis.parse().expect("milliseconds")));
        } else if let Some(start) = line.strip_prefix('@') {
            engine.wait_for(start);
        } else if id == "non-utf8" {
            engine.send_bytes(&line.chars().map(|c| c as u8).collect::<Vec<_>>());
        } else {
            engine.send(line);
        }
    }
    let (status, said) = engine.finish();
    assert!(status.success(), "{id}: {status}");
    for check in texts(&script["checks"]) {
        let pattern = check.trim_start_matches('!');
        let regex = Regex::new(pattern).expect("a regular expression");
        let is_matched = said.iter().any(|line| regex.is_match(line));
        assert_eq!(is_matched, pattern == check, "{id}: {check} in {said:#?}");
    }
    let asked = texts(&script["lines"]).filter(|line| is_go(line)).count();
    assert_eq!(count(&said, "bestmove"), asked, "{id}: {said:#?}");
}

#[test]
fn bad_positions_are_refused_and_the_next_good_one_is_searched() {
    let mut engine = Engine::start();
    let bad_fens = entries("bad_fens.json");
    let rejected: Vec<&Value> =
        bad_fens.iter().filter(|entry| entry["expect"] == "reject").collect();
    assert!(rejected.len() >= 58, "{}", rejected.len());
    for entry in rejected {
        let kind = text(entry, "kind");
        // A good position before: the bad one must not leave it standing.
        engine.send("position startpos");
        engine.send(&format!("position fen {}", text(entry, "fen")));
        engine.said.clear();
        engine.send("go depth 1");
        assert_eq!(engine.wait_for("bestmove"), "bestmove (none)", "{kind}");
        assert!(engine.said[0].starts_with("info string "), "{kind}: {:?}", engine.said);
        engine.send("position fen 7k/8/6K1/8/8/8/8/R7 w - - 0 1");
        engine.send("go depth 2");
        assert_eq!(engine.wait_for("bestmove"), "bestmove a1a8", "{kind}");
    }
    assert!(engine.finish().0.success());
}

#[test]
fn doubtful_positions_are_refused_or_searched() {
    let mut engine = Engine::start();
    let mut tried = 0;
    for entry in entries("bad_fens.json").iter().filter(|entry| entry["expect"] != "reject") {
        tried += 1;
        engine.send(&format!("position fen {}", text(entry, "fen")));
        engine.send("go depth 2 nodes 10000");
        let best = engine.wait_for("bestmove");
        if entry["expect"] == "accept" {
            assert_ne!(best, "bestmove (none)", "{entry}");
        }
        engine.send("isready");
        engine.wait_for("readyok");
    }
    assert!(tried >= 54, "{tried}");
    assert!(engine.finish().0.success());
}

#[test]
fn refusals_name_the_field_and_the_token() {
    let mut engine = Engine::start();
    for (fen, field, token) in [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1", "side to move", "`x`"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e9 0 1", "en passant", "`e9`"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w 18 - 0 1", "castling", "1"),
        ("rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "pieces", "`9`"),
    ] {
        engine.send(&format!("position fen {fen}"));
        let refusal = engine.wait_for("info string").to_ascii_lowercase();
        assert!(refusal.contains(field) && refusal.contains(token), "{fen}: {refusal}");
    }
}

#[test]
fn the_end_of_input_quits_even_during_a_search() {
    for lines in [&["go infinite"][..], &["go ponder wtime 1000 btime 1000"], &["uci"], &[]] {
        let mut engine = Engine::start();
        for line in lines {
            engine.send(line);
        }
        let (status, said) = engine.finish();
        assert!(status.success(), "{lines:?}: {status}");
        assert_eq!(count(&said, "bestmove"), lines.iter().filter(|line| is_go(line)).count());
    }
}

/// The names of the options that the engine declares.
fn handshake(engine: &mut Engine) -> Vec<String> {
    engine.send("uci");
    engine.wait_for("uciok");
    let options = engine.said.iter().filter_map(|line| line.strip_prefix("option name "));
    options.map(|rest| rest.split(" type ").next().unwrap_or_default().to_owned()).collect()
}

fn ready(engine: &mut Engine) {
    engine.send("isready");
    engine.wait_for("readyok");
}

fn is_move(text: &str) -> bool {
    Regex::new("^[a-h][1-8][a-h][1-8][qrbn]?$").expect("a pattern").is_match(text)
}

fn best_move(engine: &mut Engine) -> String {
    let line = engine.wait_for("bestmove ");
    let mv = line.split_whitespace().nth(1).expect("a move").to_owned();
    assert!(is_move(&mv), "{line}");
    mv
}

#[test]
fn fastchess_is_answered() {
    let mut engine = Engine::start();
    let options = handshake(&mut engine);
    for (name, value) in [("Threads", "2"), ("Hash", "8"), ("Move Overhead", "20")] {
        assert!(options.iter().any(|option| option == name), "{name} in {options:?}");
        engine.send(&format!("setoption name {name} value {value}"));
    }
    engine.send("setoption name UCI_Chess960 value true");
    engine.send("ucinewgame");
    ready(&mut engine);
    let mut moves = String::new();
    let fen = "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1";
    for go in [
        "go nodes 500 depth 5 movetime 1000",
        "go wtime 100 btime 100 winc 100 binc 100",
        "go wtime 100 btime 100",
        "go wtime 100 btime 100 movestogo 2",
        "go wtime 100",
        "go btime 100",
    ] {
        ready(&mut engine);
        engine.send(&format!("position fen {fen}{moves}"));
        ready(&mut engine);
        engine.said.clear();
        engine.send(go);
        let mv = best_move(&mut engine);
        let last_info = engine.said.iter().rfind(|line| line.starts_with("info depth"));
        let last_info = last_info.unwrap_or_else(|| panic!("no info line for {go}"));
        assert!(last_info.contains(" score "), "{go}: {last_info}");
        let shown = last_info.split(" pv ").nth(1).expect("a pv").split(' ').next();
        assert_eq!(shown, Some(mv.as_str()), "{go}: the last line shows another move");
        assert!(!last_info.contains('.'), "{go}: {last_info}");
        moves = if moves.is_empty() { format!(" moves {mv}") } else { format!("{moves} {mv}") };
    }
    engine.send("quit");
    assert!(engine.finish().0.success());
}

#[test]
fn cutechess_is_answered() {
    let mut engine = Engine::start();
    let options = handshake(&mut engine);
    assert!(options.iter().any(|option| option == "Ponder"), "{options:?}");
    for line in engine.said.iter().filter(|line| line.contains(" type string")) {
        assert!(line.contains(" default"), "cutechess drops it: {line}");
    }
    for line in [
        "ucinewgame",
        "setoption name Ponder value true",
        "setoption name UCI_Opponent value none none computer Some Engine 1.0",
        "position startpos",
        "go wtime 500 btime 500 winc 10 binc 10",
    ] {
        engine.send(line);
    }
    let first = best_move(&mut engine);
    // A hit: the answer comes after it, never before.
    engine.send(&format!("position startpos moves {first} e7e5"));
    engine.said.clear();
    engine.send("go ponder wtime 500 btime 500 winc 10 binc 10");
    thread::sleep(Duration::from_millis(300));
    ready(&mut engine);
    assert_eq!(count(&engine.said, "bestmove"), 0, "premature: {:?}", engine.said);
    engine.send("ponderhit");
    let second = best_move(&mut engine);
    // A miss: the answer comes at the stop.
    engine.send(&format!("position startpos moves {first} e7e5 {second} a7a6"));
    engine.send("go ponder wtime 500 btime 500");
    engine.send("stop");
    best_move(&mut engine);
    ready(&mut engine);
    // An endless game.
    engine.send("position startpos moves e2e4");
    engine.said.clear();
    engine.send("go infinite");
    thread::sleep(Duration::from_millis(200));
    ready(&mut engine);
    assert_eq!(count(&engine.said, "bestmove"), 0, "premature: {:?}", engine.said);
    engine.send("stop");
    best_move(&mut engine);
    ready(&mut engine);
    engine.send("quit");
    assert!(engine.finish().0.success());
}

#[test]
fn nibbler_is_answered() {
    let mut engine = Engine::start();
    // Before `uciok` was read, and for standard chess too.
    engine.send("uci");
    engine.send("setoption name UCI_Chess960 value true");
    engine.wait_for("uciok");
    for line in [
        "setoption name MultiPV value 500",
        "setoption name VerboseMoveStats value true",
        "setoption name LogLiveStats value true",
        "setoption name SmartPruningFactor value 0",
        "setoption name UCI_ShowWDL value true",
        "ucinewgame",
    ] {
        engine.send(line);
    }
    ready(&mut engine);
    engine.send("position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    engine.send("go nodes 20000 searchmoves e1h1 e1a1");
    let best = best_move(&mut engine);
    assert!(["e1h1", "e1a1"].contains(&best.as_str()), "king takes rook: {best}");
    engine.send("position startpos");
    engine.said.clear();
    engine.send("go infinite");
    engine.wait_for("info depth 4");
    engine.send("stop");
    best_move(&mut engine);
    let of_depth_3 = engine.said.iter().filter(|line| line.starts_with("info depth 3 "));
    let of_depth_3: Vec<&String> = of_depth_3.collect();
    assert_eq!(of_depth_3.len(), 20, "a line for every move: {of_depth_3:#?}");
    assert!(of_depth_3.iter().all(|line| line.contains(" wdl ")), "{of_depth_3:#?}");
    engine.send("quit");
    assert!(engine.finish().0.success());
}

#[test]
fn the_lichess_client_is_answered() {
    let mut engine = Engine::start();
    handshake(&mut engine);
    engine.said.clear();
    for line in [
        "setoption name UCI_AnalyseMode value true",
        "setoption name Analysis Contempt value Off",
        "setoption name UCI_Chess960 value true",
        "setoption name UCI_Variant value chess",
        "ucinewgame",
    ] {
        engine.send(line);
    }
    ready(&mut engine);
    for line in ["Threads value 2", "Hash value 16", "MultiPV value 3"] {
        engine.send(&format!("setoption name {line}"));
    }
    engine.send("position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves ");
    engine.send("go depth 9");
    best_move(&mut engine);
    let is_fatal = |line: &&String| line.to_ascii_lowercase().starts_with("info string error");
    assert_eq!(engine.said.iter().find(is_fatal), None);
    let first: Vec<&String> =
        engine.said.iter().filter(|line| line.contains(" multipv 1 ")).collect();
    let depths: Vec<&str> = first.iter().filter_map(|line| line.split(' ').nth(2)).collect();
    let expected: Vec<String> = (1..=9).map(|depth: u32| depth.to_string()).collect();
    assert_eq!(depths, expected, "depths one by one from 1");
    for line in first {
        for key in [" nodes ", " time ", " score "] {
            assert!(line.contains(key), "{key} in {line}");
        }
    }
    engine.send("position fen r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 4 4 moves d2d3");
    engine.send("go movetime 100");
    best_move(&mut engine);
    engine.send("go nodes 2000");
    best_move(&mut engine);
    engine.send("quit");
    assert!(engine.finish().0.success());
}

#[test]
fn bytes_that_are_no_text_do_no_harm() {
    let mut engine = Engine::start();
    engine.send_bytes(b"setoption name Hash value \xff\xfe\x00");
    engine.send_bytes(b"position fen \xe9\xe8 w - - 0 1");
    engine.send_bytes(&b"x".repeat(100_000));
    ready(&mut engine);
    engine.send("position startpos");
    engine.send("go depth 1");
    best_move(&mut engine);
    assert!(engine.finish().0.success());
}
