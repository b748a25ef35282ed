// SPDX-License-Identifier: GPL-3.0-or-later
//! Polyglot books: keys against published ones and shakmaty's, books read whole, and books made.
//!
//! One book is copied into `tests/data/polyglot`; those of the shared collection are read too if it
//! is there.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use chess::Board;
use chess::pgn::PgnReader;
use chess::polyglot::{Book, BookError, BookMaker, EntryError, Found};
use serde_json::Value;
use shakmaty::fen::Fen;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position};

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/polyglot").join(name)
}

/// The file in the shared collection, if it is there.
fn shared(name: &str) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/books/polyglot");
    Some(folder.join(name)).filter(|path| path.exists())
}

fn play(board: &mut Board, moves: &[&str]) {
    for mv in moves {
        board.play(board.parse_san(mv).unwrap());
    }
}

/// Moves with weights, in the order of the book.
fn list(found: &Found, board: &Board) -> Vec<(String, u16)> {
    assert_eq!(found.errors, []);
    found.moves.iter().map(|entry| (board.san(entry.mv).to_string(), entry.weight)).collect()
}

#[test]
fn keys_are_the_published_ones() {
    let text = fs::read_to_string(data("zobrist_vectors.json")).unwrap();
    let vectors: Vec<Value> = serde_json::from_str(&text).unwrap();
    assert_eq!(vectors.len(), 10);
    for vector in vectors {
        let board: Board = vector["fen"].as_str().unwrap().parse().unwrap();
        let key = format!("{:016x}", board.polyglot_key());
        assert_eq!(key, vector["polyglot_key"].as_str().unwrap(), "{vector}");
    }
}

#[test]
fn keys_are_those_of_shakmaty() {
    let mut random = 1_u64;
    let mut next = |below: usize| {
        random =
            random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as usize % below
    };
    let mut double_steps = 0;
    for _ in 0..300 {
        let mut board = Board::default();
        for _ in 0..120 {
            let moves = board.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = moves[next(moves.len())];
            board.play(mv);
            // The FEN keeps en passant only if it is legal; Polyglot wants to know more.
            let mut fen = board.fen().to_string();
            if mv.kind() == chess::MoveKind::DoublePush {
                let passed = if mv.to() > mv.from() { '3' } else { '6' };
                let square = format!(" {}{passed} ", mv.to().file().letter());
                fen = fen.replacen(" - 0 ", &format!("{square}0 "), 1);
                double_steps += 1;
            }
            let fen = Fen::from_ascii(fen.as_bytes()).unwrap();
            let theirs: Chess = fen.clone().into_position(CastlingMode::Standard).unwrap();
            let Zobrist64(key) = theirs.zobrist_hash(EnPassantMode::PseudoLegal);
            assert_eq!(board.polyglot_key(), key, "{fen}");
        }
    }
    assert!(double_steps > 1000, "only {double_steps} double steps");
}

#[test]
fn en_passant_counts_although_a_pin_forbids_it() {
    let mut pinned: Board = "8/8/8/8/k3p2Q/8/3P4/3K4 w - - 0 1".parse().unwrap();
    play(&mut pinned, &["d4"]);
    assert_eq!(pinned.en_passant(), None);
    let without: Board = pinned.fen().to_string().parse().unwrap();
    assert_eq!(pinned.key(), without.key());
    assert_ne!(pinned.polyglot_key(), without.polyglot_key());
}

#[test]
fn the_lasker_trap_is_read() {
    let book = Book::open(data("lasker-trap.bin")).unwrap();
    assert_eq!(book.len(), 7);
    let mut board = Board::default();
    for (white, black) in [
        ("d4", "d5"),
        ("c4", "e5"),
        ("dxe5", "d4"),
        ("e3", "Bb4+"),
        ("Bd2", "dxe3"),
        ("Bxb4", "exf2+"),
        ("Ke2", "fxg1=N+"),
    ] {
        assert_eq!(book.find(&board), Found::default());
        play(&mut board, &[white]);
        let found = book.find(&board);
        assert_eq!(list(&found, &board), [(black.to_owned(), 2)]);
        play(&mut board, &[black]);
    }
}

/// Walks through a book from the starting position. Returns positions and moves that were found.
fn walk(book: &Book, limit: usize) -> (usize, usize) {
    let mut seen = HashSet::new();
    let mut open = vec![Board::default()];
    let mut moves = 0;
    while let Some(board) = open.pop().filter(|_| seen.len() < limit) {
        let found = book.find(&board);
        assert_eq!(found.errors, [], "{board:?}");
        if found.moves.is_empty() || !seen.insert(board.polyglot_key()) {
            continue;
        }
        moves += found.moves.len();
        for entry in found.moves {
            let mut next = board;
            next.play(entry.mv);
            open.push(next);
        }
    }
    (seen.len(), moves)
}

#[test]
fn whole_books_hold_legal_moves_only() {
    for (name, len) in [("performance.bin", 92_954), ("cutechess_book_small.bin", 31_467)] {
        if let Some(path) = shared(name) {
            let book = Book::open(path).unwrap();
            assert_eq!(book.len(), len);
            let (positions, moves) = walk(&book, 20_000);
            assert!(positions > 3000 && moves > positions, "{name}: {positions} and {moves}");
        }
    }
}

/// The bytes of an entry.
fn entry(key: u64, mv: u16, weight: u16) -> [u8; 16] {
    (u128::from(key) << 64 | u128::from(mv) << 48 | u128::from(weight) << 32 | 7).to_be_bytes()
}

const fn bits(from: u16, to: u16) -> u16 {
    from << 6 | to
}

#[test]
fn castling_is_understood_in_both_spellings() {
    let board: Board = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1".parse().unwrap();
    let key = board.polyglot_key();
    let bytes = [entry(key, bits(4, 7), 3), entry(key, bits(4, 2), 1)].concat();
    let found = Book::read(&bytes[..]).unwrap().find(&board);
    assert_eq!(list(&found, &board), [("O-O".to_owned(), 3), ("O-O-O".to_owned(), 1)]);
    assert_eq!(found.moves[0].uci(&board), "e1g1");
    assert_eq!(found.moves[0].learn, 7);
}

#[test]
fn corrupt_books_are_reported() {
    let board = Board::default();
    let key = board.polyglot_key();
    let good = entry(key, bits(12, 28), 1);
    let illegal = entry(key, bits(12, 36), 1);
    let nonsense = entry(key, 7 << 12, 1);
    // Not in order: the second position's key is below the first one's.
    let bytes = [good, illegal, nonsense, entry(0, 0, 0)].concat();
    let found = Book::read(&bytes[..]).unwrap().find(&board);
    assert_eq!(found.moves.len(), 1);
    assert!(matches!(found.errors[..], [EntryError::Illegal(_), EntryError::NotAMove(0x7000)]));
    assert_eq!(found.errors[0].to_string(), "`e2e5` is not a legal move here");
    assert!(matches!(Book::read(&bytes[..20]), Err(BookError::Truncated(4))));
    assert!(matches!(Book::open(data("none.bin")), Err(BookError::Io(_))));
}

#[test]
fn moves_are_chosen_by_weight() {
    let board = Board::default();
    let key = board.polyglot_key();
    let weights = [(bits(12, 28), 3), (bits(11, 27), 1), (bits(10, 26), 0)];
    let bytes = weights.map(|(mv, weight)| entry(key, mv, weight)).concat();
    let found = Book::read(&bytes[..]).unwrap().find(&board);
    let mut counts = [0; 3];
    for step in 0..256_u64 {
        let mv = found.choose(step << 56).unwrap();
        counts[found.moves.iter().position(|entry| entry.mv == mv).unwrap()] += 1;
    }
    assert_eq!(counts, [192, 64, 0]);
    assert_eq!(found.choose(u64::MAX), Some(found.moves[1].mv));
    assert_eq!(found.best(), Some(found.moves[0].mv));
    assert_eq!(Found::default().choose(0), None);
}

#[test]
fn books_are_made_from_results() {
    let games = "1. e4 e5 2. Nf3 1-0\n\n1. e4 c5 0-1\n\n1. e4 e5 1/2-1/2\n\n1. d4 *\n\n1. h4 0-1\n";
    let make = |max_ply, min_games| {
        let mut maker = BookMaker::new(max_ply, min_games);
        PgnReader::mainline(games.as_bytes()).for_each(|game| maker.add(&game.unwrap()));
        assert_eq!(maker.games(), 5);
        maker.finish()
    };
    let named = |moves: &[(&str, u16)]| -> Vec<(String, u16)> {
        moves.iter().map(|&(san, weight)| (san.to_owned(), weight)).collect()
    };
    let start = Board::default();
    let book = make(40, 1);
    assert_eq!(list(&book.find(&start), &start), named(&[("e4", 3), ("d4", 1)]));
    let mut after = start;
    play(&mut after, &["e4"]);
    assert_eq!(list(&book.find(&after), &after), named(&[("c5", 2), ("e5", 1)]));
    let common = make(1, 2);
    assert_eq!(list(&common.find(&start), &start), named(&[("e4", 3)]));
    assert_eq!((book.len(), book.positions(), common.len()), (5, 3, 1));
}

#[test]
fn written_books_are_read_back() {
    let mut maker = BookMaker::default();
    PgnReader::mainline("1. e4 e5 2. Nf3 Nc6 3. Bb5 *".as_bytes())
        .for_each(|game| maker.add(&game.unwrap()));
    let book = maker.finish();
    let mut bytes = Vec::new();
    book.write(&mut bytes).unwrap();
    assert_eq!(Book::read(&bytes[..]).unwrap(), book);
    assert!(!book.is_empty());
}

#[test]
#[cfg(unix)]
fn what_is_no_book_is_not_read_without_end() {
    let error = Book::open("/dev/zero").unwrap_err().to_string();
    assert_eq!(error, "expected a file of book entries, found a folder, a device or a pipe");
    let error = Book::read(std::io::repeat(0)).unwrap_err().to_string();
    assert_eq!(error, "expected a book of at most 256 MiB, found a longer file");
}
