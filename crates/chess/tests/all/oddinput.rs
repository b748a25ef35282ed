// SPDX-License-Identifier: GPL-3.0-or-later
//! Odd FENs, EPDs, PGNs and drawn games, answered as their files say.
//!
//! The files are copied into `tests/data/oddinput`; those of the shared collection are read too if
//! it is there.

use std::fs;
use std::path::{Path, PathBuf};

use chess::pgn::{PgnGame, PgnReader};
use chess::{Board, Epd, Game, GameResult, Reason, perft};
use serde_json::Value;

/// Counts of more nodes are not checked.
const MAX_NODES: u64 = 3_000_000;

/// The folders with the files, the copied one first.
fn folders() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = [root.join("tests/data/oddinput"), root.join("../../../shared/data/oddinput")];
    folders.into_iter().filter(|folder| folder.exists()).collect()
}

/// The entries of this file in all folders.
fn entries(name: &str) -> Vec<Value> {
    let read = |folder: PathBuf| {
        let text = fs::read_to_string(folder.join(name)).unwrap();
        serde_json::from_str::<Vec<Value>>(&text).unwrap()
    };
    let entries: Vec<Value> = folders().into_iter().flat_map(read).collect();
    assert!(entries.len() > 20, "{name} has {} entries", entries.len());
    entries
}

fn text<'a>(entry: &'a Value, name: &str) -> &'a str {
    entry[name].as_str().unwrap_or_else(|| panic!("no text `{name}` in {entry}"))
}

fn number(entry: &Value, name: &str) -> usize {
    entry[name].as_u64().unwrap_or_else(|| panic!("no number `{name}` in {entry}")) as usize
}

fn is(entry: &Value, name: &str) -> bool {
    entry[name].as_bool().unwrap_or_else(|| panic!("no flag `{name}` in {entry}"))
}

/// Compares an answer with what is expected of it.
fn check(entry: &Value, error: Option<&str>) {
    match text(entry, "expect") {
        "accept" => assert_eq!(error, None, "{entry}"),
        "reject" => assert!(error.is_some_and(|error| !error.is_empty()), "{entry}"),
        "lenient" => (),
        other => panic!("unknown expectation `{other}` in {entry}"),
    }
}

#[test]
fn bad_fens_are_refused_or_repaired() {
    for entry in entries("bad_fens.json") {
        let board = text(&entry, "fen").parse::<Board>();
        check(&entry, board.as_ref().err().map(ToString::to_string).as_deref());
        if let Ok(board) = board {
            let written = board.fen().to_string();
            assert_eq!(written.parse::<Board>().as_ref(), Ok(&board), "{entry}");
            for mv in board.legal_moves() {
                let mut next = board;
                next.play(mv);
                assert_eq!(*next.keys(), next.recomputed_keys(), "{entry}");
            }
        }
    }
}

#[test]
fn strange_fens_have_the_right_moves() {
    for entry in entries("strange_fens.json") {
        let board: Board = text(&entry, "fen").parse().unwrap();
        let moves = board.legal_moves();
        let count =
            |is_meant: fn(&chess::Move) -> bool| moves.iter().filter(|mv| is_meant(mv)).count();
        assert_eq!(moves.len(), number(&entry, "legal_moves"), "{entry}");
        assert_eq!(count(|mv| mv.is_castle()), number(&entry, "castling_moves"), "{entry}");
        assert_eq!(count(|mv| mv.is_capture()), number(&entry, "captures"), "{entry}");
        assert_eq!(count(|mv| mv.is_promotion()), number(&entry, "promotions"), "{entry}");
        assert_eq!(board.is_checkmate(), is(&entry, "checkmate"), "{entry}");
        assert_eq!(board.is_stalemate(), is(&entry, "stalemate"), "{entry}");
        assert_eq!(board.in_check(), is(&entry, "in_check"), "{entry}");
        assert_eq!(board.en_passant().is_some(), is(&entry, "legal_ep"), "{entry}");
        let is_insufficient = board.is_insufficient_material();
        assert_eq!(is_insufficient, is(&entry, "insufficient_material"), "{entry}");
        let counts = entry["perft"].as_object().unwrap();
        for (depth, nodes) in counts.iter().map(|(depth, nodes)| (depth, nodes.as_u64().unwrap())) {
            if nodes <= MAX_NODES {
                assert_eq!(
                    perft(&board, depth.parse().unwrap()),
                    nodes,
                    "depth {depth} of {entry}"
                );
            }
        }
    }
}

#[test]
fn draws_are_seen_when_they_happen_and_not_before() {
    for entry in entries("draw_rules.json") {
        let mut game = Game::new(text(&entry, "fen").parse().unwrap());
        for mv in entry["moves"].as_array().unwrap() {
            game.play(game.board().parse_uci(mv.as_str().unwrap()).unwrap());
        }
        let expect = &entry["expect"];
        let board = game.board();
        let claim = game.claim().map(|ending| ending.reason);
        let reason = game.ending().map(|ending| ending.reason);
        assert_eq!(*board, text(expect, "final_fen").parse().unwrap(), "{entry}");
        // The file counts no further than five.
        assert_eq!(game.occurrences().min(5), number(expect, "occurrences"), "{entry}");
        assert_eq!(board.halfmove_clock(), number(expect, "halfmove"), "{entry}");
        assert_eq!(board.legal_moves().len(), number(expect, "legal_moves"), "{entry}");
        assert_eq!(board.in_check(), is(expect, "in_check"), "{entry}");
        assert_eq!(claim == Some(Reason::FiftyMoves), is(expect, "fifty"), "{entry}");
        assert_eq!(claim.is_some(), is(expect, "fifty") || is(expect, "threefold"), "{entry}");
        assert_eq!(game.occurrences() >= 5, is(expect, "fivefold"), "{entry}");
        assert_eq!(reason == Some(Reason::Checkmate), is(expect, "checkmate"), "{entry}");
        assert_eq!(reason == Some(Reason::Stalemate), is(expect, "stalemate"), "{entry}");
        assert_eq!(board.is_insufficient_material(), is(expect, "insufficient"), "{entry}");
        if reason == Some(Reason::SeventyFiveMoves) {
            assert!(is(expect, "seventyfive"), "{entry}");
        }
        let result = expect["automatic_result"].as_str().unwrap_or("*");
        assert_eq!(GameResult(game.outcome()).to_string(), result, "{entry}");
    }
}

#[test]
fn odd_epds_are_answered() {
    for entry in entries("odd_epd.json") {
        let epd = Epd::read_line(text(&entry, "line"));
        check(&entry, epd.as_ref().err().map(ToString::to_string).as_deref());
        if let Ok(Some(epd)) = epd {
            assert_eq!(epd.to_string().parse::<Epd>().as_ref(), Ok(&epd), "{entry}");
            let _ = (epd.principal_variation(), epd.mate_distance(), epd.id());
        }
    }
}

/// Each line says after its last semicolon what should become of it.
#[test]
fn destruction_test_is_survived() {
    for folder in folders() {
        let lines = fs::read_to_string(folder.join("destruction-test.epd")).unwrap();
        let (mut accepted, mut refused) = (0, 0);
        for line in lines.lines().filter(|line| !line.trim().is_empty()) {
            let epd = line.parse::<Epd>();
            let verdict = line.rsplit(';').next().unwrap_or_default().trim();
            if verdict.contains("should be OK") || verdict.contains("not a problem") {
                assert!(epd.is_ok(), "{line}: {epd:?}");
                accepted += 1;
            } else if matches!(verdict, "cull" | "garbage") || verdict.starts_with("bad EPD") {
                assert!(epd.is_err(), "{line}");
                refused += 1;
            }
            if line.contains(" bm ") {
                assert_eq!(epd.unwrap().best_moves().len(), 1, "{line}");
            }
        }
        assert!(accepted > 10 && refused > 30, "{accepted} accepted, {refused} refused");
    }
}

#[test]
fn odd_pgns_are_answered() {
    for entry in entries("odd_pgn.json") {
        let bytes = text(&entry, "pgn").as_bytes();
        let games: Vec<PgnGame> = PgnReader::new(bytes).collect::<Result<_, _>>().unwrap();
        let error = games.iter().flat_map(|game| &game.errors).map(ToString::to_string).next();
        check(&entry, error.as_deref());
        if text(&entry, "expect") == "accept" {
            let plies: usize = games.iter().map(|game| game.mainline.moves.len()).sum();
            let found = format!("games {}, mainline plies {plies}, errors 0", games.len());
            assert_eq!(found, text(&entry, "python_chess"), "{}", text(&entry, "kind"));
        }
        for game in games {
            let written = game.to_string();
            let again = PgnReader::new(written.as_bytes()).next().unwrap().unwrap();
            assert_eq!(again.mainline, game.mainline, "{written}");
            assert_eq!((again.start, again.result), (game.start, game.result), "{written}");
        }
    }
}
