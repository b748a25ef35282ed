// SPDX-License-Identifier: GPL-3.0-or-later
//! Mates of known length: the right score, and a line that ends in mate.

use std::fs;

use crate::common::{position, search};
use search::{Limits, Position, Searcher};

const OWN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/mates.epd");
/// The whole collection; absent outside the project's machines.
const SHARED: [&str; 2] = [
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data/mates/matetrack.epd"),
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data/mates/mates2000.epd"),
];

/// A mate in three that takes more nodes than a test has, except under `go mate`, which switches
/// pruning off.
const TOO_HARD: &str = "8/1B6/8/5p2/8/8/5Qrq/1K1R2bk w - - 0 1";

/// Enough for every other mate of the files.
const NODES: u64 = 1_000_000;

/// Positions with the moves to mate, negative if the side to move is mated.
fn mates(path: &str) -> Vec<(Position, i32)> {
    let text = fs::read_to_string(path).unwrap_or_default();
    let read = |line: &str| {
        let (fen, rest) = line.split_once(" dm ").expect("a mate's length");
        let moves = rest.split(';').next().and_then(|number| number.parse().ok());
        (fen.to_owned(), moves.expect("a number of moves"))
    };
    text.lines().map(read).map(|(fen, moves)| (position(&fen), moves)).collect()
}

/// Looks for a mate until it is found in as few moves as it takes. The line's moves are checked
/// with every report.
fn find(searcher: &mut Searcher, position: &Position, moves: i32) -> Result<(), String> {
    searcher.clear();
    let limits = Limits { mate: Some(moves.unsigned_abs()), ..Limits::of_nodes(NODES) };
    let (answer, _) = search(searcher, position, &limits);
    let best = answer.best.expect("mates need moves");
    if best.score.mate_moves() == Some(moves) {
        return Ok(());
    }
    Err(format!("{}: {moves}, found {:?}", position.board().fen(), best.score))
}

#[test]
fn short_mates_are_found_and_shown_to_the_end() {
    let mut searcher = Searcher::new(1, 16);
    let mates = mates(OWN);
    for length in [2, 3, -1, -2] {
        let of_length: Vec<_> = mates.iter().filter(|(_, moves)| *moves == length).collect();
        assert!(of_length.len() >= if length > 0 { 39 } else { 10 }, "{length}");
        let results =
            of_length.iter().map(|(position, moves)| find(&mut searcher, position, *moves));
        let missed: Vec<String> = results.filter_map(Result::err).collect();
        assert!(missed.is_empty(), "{missed:#?}");
    }
}

#[test]
fn shared_mates_are_found_and_shown_to_the_end() {
    let mut searcher = Searcher::new(1, 16);
    let all = SHARED.into_iter().flat_map(mates).filter(|(_, moves)| (-2..=3).contains(moves));
    let possible = all.filter(|(position, _)| position.board().fen().to_string() != TOO_HARD);
    let results = possible.map(|(position, moves)| find(&mut searcher, &position, moves));
    let missed: Vec<String> = results.filter_map(Result::err).collect();
    assert!(missed.is_empty(), "{missed:#?}");
}

#[test]
fn a_fixed_depth_finds_mates_too_and_keeps_them() {
    let mut searcher = Searcher::new(1, 16);
    for (fen, moves) in [
        ("7k/8/6K1/8/8/8/8/R7 w - - 0 1", 1),
        ("6k1/pp4p1/2p5/2bp4/8/P5Pb/1P3rrP/2BRRN1K b - - 0 1", 2),
        ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3),
    ] {
        searcher.clear();
        let (_, reports) = search(&mut searcher, &position(fen), &Limits::to_depth(10));
        let found = reports.iter().filter_map(|(line, _)| line.score.mate_moves());
        let lengths: Vec<i32> = found.collect();
        assert_eq!(lengths.last(), Some(&moves), "{fen}: {lengths:?}");
        assert!(lengths.is_sorted_by(|a, b| a >= b), "never longer again: {fen}: {lengths:?}");
    }
}

#[test]
fn a_mate_limit_ends_the_search() {
    let mut searcher = Searcher::new(1, 1);
    let mate_in_3 = position("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1");
    let limits = Limits { mate: Some(3), ..Limits::default() };
    let (answer, _) = search(&mut searcher, &mate_in_3, &limits);
    assert_eq!(answer.best.unwrap().score.mate_moves(), Some(3));
}
