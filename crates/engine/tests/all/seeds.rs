// SPDX-License-Identifier: GPL-3.0-or-later
//! What people who come from the five seeds will type.

use engine::{Output, UciSession};
use net::import::write_weights_txt;
use net::{Architecture, Net, random};

/// What is said to these lines, each search to its end.
fn said(lines: &[&str]) -> Vec<String> {
    let (output, heard) = Output::to_memory();
    let mut session = UciSession::new(output);
    for line in lines {
        session.run_line(line);
        session.wait();
    }
    heard.take().lines().map(str::to_owned).collect()
}

fn count(said: &[String], start: &str) -> usize {
    said.iter().filter(|line| line.starts_with(start)).count()
}

#[test]
fn batus_weights_load_as_they_are() {
    let Net::Batu(batu) = random::network(Architecture::Batu, 5) else { unreachable!() };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("weights.txt");
    std::fs::write(&path, write_weights_txt(&batu).unwrap()).unwrap();
    let set = format!("setoption name EvalFile value {}", path.display());
    let said = said(&[&set, "eval"]);
    let taken =
        "is taken for Batu's weights.txt: 768 -> 256 -> 32 -> 1 beside a piece-square table";
    assert!(said.iter().any(|line| line.contains(taken)), "{said:?}");
    assert_eq!(count(&said, "Network: batu, output "), 1, "{said:?}");
}

#[test]
fn material_evaluates_if_the_file_is_missing_and_the_user_wants_that() {
    let missing = "setoption name EvalFile value /no/such/weights.txt";
    let plain = said(&[missing, "eval"]);
    assert!(plain.iter().any(|line| line.contains("stays in use")), "{plain:?}");
    assert_eq!(count(&plain, "Network: material"), 0, "{plain:?}");
    let fallback = said(&["setoption name MaterialFallback value true", missing, "eval"]);
    assert!(fallback.iter().any(|line| line.ends_with("`material` evaluates instead")));
    assert_eq!(count(&fallback, "Network: material"), 1, "{fallback:?}");
}

#[test]
fn every_preset_of_a_seed_can_be_chosen() {
    for (name, architecture) in [
        ("nectar-16", "nectar"),
        ("rengar-seed", "rengar"),
        ("tal-8", "tal"),
        ("tal-8-sum", "tal"),
        ("batu-tanh", "batu"),
        ("napoleon-2", "napoleon"),
    ] {
        let said = said(&[&format!("setoption name Network value {name}"), "eval"]);
        assert_eq!(count(&said, &format!("Network: {architecture}, ")), 1, "{name}: {said:?}");
    }
}

#[test]
fn lines_are_hidden_unless_debug_is_on() {
    let hide = "setoption name LinesOnlyInDebug value true";
    let quiet = said(&[hide, "go depth 5"]);
    assert_eq!((count(&quiet, "info depth "), count(&quiet, "bestmove ")), (1, 1), "{quiet:?}");
    let loud = said(&[hide, "debug on", "go depth 5"]);
    assert!(count(&loud, "info depth ") >= 5, "{loud:?}");
    let again = said(&[hide, "debug on", "debug off", "go depth 5"]);
    assert_eq!(count(&again, "info depth "), 1, "{again:?}");
}

#[test]
fn moveorder_shows_the_bonuses_that_order_moves() {
    let lines = ["setoption name Network value material", "go depth 8", "legal", "moveorder"];
    let said = said(&lines);
    let legal: Vec<(&str, &str)> = (said.iter())
        .filter_map(|line| {
            let words: Vec<&str> = line.split_whitespace().collect();
            (words.len() == 4 && words[2] == "Quiet").then(|| (words[0], words[3]))
        })
        .collect();
    assert!(legal.len() >= 17, "{said:?}");
    let pawns = said.iter().position(|line| line.starts_with("P (")).expect("the pawns' table");
    for (mv, bonus) in legal {
        let rank = mv[3..4].parse::<usize>().unwrap();
        let file = usize::from(mv.as_bytes()[2] - b'a');
        let table = if mv.as_bytes()[1] == b'1' { pawns + 9 } else { pawns };
        let cells: Vec<&str> = said[table + 9 - rank].split_whitespace().collect();
        assert_eq!(cells[1 + file], bonus, "{mv}: {said:?}");
    }
}

#[test]
fn forcing_moves_are_those_of_quiescence() {
    let said = said(&["position startpos moves e2e4 f7f5", "forcing"]);
    assert!(said.iter().any(|line| line.contains("exf5")), "{said:?}");
    assert!(said.iter().any(|line| line.contains("Qh5+")), "{said:?}");
}

#[test]
fn napoleons_tree_can_be_seen_and_ends_by_itself() {
    let classic =
        ["setoption name Network value material", "setoption name SearchMode value classic"];
    let limits = "setoption name ClassicIterations value 60";
    let verbose = "setoption name VerboseMoveStats value true";
    let lines =
        [&classic[..], &[limits, verbose, "go", "tree", "searchstats", "hashstats"]].concat();
    let said = said(&lines);
    assert_eq!(count(&said, "bestmove "), 1, "plain `go` ends: {said:?}");
    assert_eq!(count(&said, "White to move, 60 visits"), 1, "{said:?}");
    assert_eq!(count(&said, "move        visits   share    eval   games"), 1, "{said:?}");
    assert_eq!(count(&said, "iterations: 60"), 1, "{said:?}");
    assert_eq!(count(&said, "null-move cuts: "), 0, "alpha-beta's heuristics: {said:?}");
    let moves = said.iter().filter(|line| line.starts_with("info string ") && line.contains("N:"));
    assert_eq!(moves.count(), 21, "{said:?}");
    assert!(said.iter().any(|line| line.contains("with the tree of `classic`")), "{said:?}");
}
