// SPDX-License-Identifier: GPL-3.0-or-later
//! Broken files: each gets sentences with the file, the place and the reason, and what is good in it
//! survives.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{SMALL, Workshop, load, random_games};
use data::check::check;
use data::expand::{Expansion, expand};
use data::import::{Format, Reading, import};
use data::qrec::RecordFile;
use data::{Label, Record};

const GOOD: [&str; 4] = [
    "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9",
];

/// Positions that are none.
const BAD_FENS: [&str; 18] = [
    "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP b KQkq - 0 1",
    "rnbqkbnr/pppppppp/9/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
    "rnbqkbnr/ppppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
    "rnbqkbnr/ppppxppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
    "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR x KQkq - 0 1",
    "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b ZZZZ - 0 1",
    "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq z9 0 1",
    "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - -4 1",
    "rnbqqbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
    "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBKR b KQkq - 0 1",
    "8/8/8/8/8/8/8/8 w - - 0 1",
    "4k3/4R3/8/8/8/8/8/4K3 w - - 0 1",
    "P3k3/8/8/8/8/8/8/4K3 w - - 0 1",
    "startpos",
    "not a position",
    "\u{1f3f3}/♔",
    "rnbqkbnr",
    "rnbqkbnr/pppppppp/p7/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
];

const BAD_SCORES: [&str; 16] = [
    "NaN", "inf", "-inf", "abc", "", "+", "-", "#", "#x", "#--3", "1.5.2", "12cp", "99999999",
    "0x10", "0.35", "--5",
];

fn reading(format: Format) -> Reading {
    Reading::new(format)
}

/// Imports a file and returns the records; its problems are in the workshop.
fn import_file(workshop: &mut Workshop, path: PathBuf, format: Format) -> Option<Vec<Record>> {
    let out = workshop.path("out.qrec");
    let _ = fs::remove_file(&out);
    workshop.problems = data::Problems::default();
    let imported = workshop.run(|observer| import(&[path], &out, reading(format), observer));
    match imported {
        Ok(_) => Some(load(&out)),
        Err(error) => {
            assert!(fs::metadata(&out).is_err(), "{error} left a file behind");
            assert!(error.to_string().contains("nothing was imported"), "{error}");
            None
        }
    }
}

/// Puts a bad line between good ones and sees that only it is missed.
fn check_line(workshop: &mut Workshop, format: Format, good: &[String], bad: &[u8]) {
    let mut bytes = format!("{}\n{}\n", good[0], good[1]).into_bytes();
    bytes.extend(bad);
    bytes.extend(format!("\n{}\n{}", good[2], good[3]).bytes());
    let path = workshop.write("bad.file", bytes);
    let shown = String::from_utf8_lossy(&bad[..bad.len().min(80)]).into_owned();
    let records = import_file(workshop, path, format).expect("the good lines are imported");
    assert_eq!(records.len(), 4, "{format:?}: {shown}");
    assert_eq!(workshop.problems.count(), 1, "{format:?}: {shown}");
    let sentence = &workshop.problems.first()[0];
    let (_, rest) = sentence.split_once("bad.file:").expect("the file is named");
    let (line, reason) = rest.split_once(": ").expect("the line is named");
    assert_eq!(line, "3", "{sentence}");
    assert!(reason.len() > 15 && reason.len() < 400, "{sentence}");
}

fn good_lines(line: impl Fn(&str) -> String) -> Vec<String> {
    GOOD.iter().map(|fen| line(fen)).collect()
}

#[test]
fn bad_lines_of_tables() {
    let mut workshop = Workshop::new();
    let mut cases = 0;
    for (format, separator) in [(Format::Csv, ","), (Format::Tsv, "\t")] {
        let good = good_lines(|fen| format!("{fen}{separator}+35"));
        let row = |fen: &str, score: &str| format!("{fen}{separator}{score}").into_bytes();
        let mut bad: Vec<Vec<u8>> = BAD_FENS.iter().map(|fen| row(fen, "+35")).collect();
        bad.extend(BAD_SCORES.iter().map(|score| row(GOOD[0], score)));
        bad.extend([
            GOOD[0].into(),
            row(GOOD[0], &format!("5{separator}6")),
            row(&format!("\"{}", GOOD[0]), "5"),
            row(&format!("\"{}\"x", GOOD[0]), "5"),
            row(",", "x"),
            row("5", GOOD[0]),
            vec![0xff, 0xfe, 0x00, 0x80],
            vec![b'r'; 100_000],
        ]);
        for line in bad {
            check_line(&mut workshop, format, &good, &line);
            cases += 1;
        }
    }
    assert!(cases > 80, "{cases}");
}

#[test]
fn bad_lines_of_text() {
    let mut workshop = Workshop::new();
    let good = good_lines(|fen| format!("{fen} | 35 | 0.5"));
    let mut bad: Vec<Vec<u8>> =
        BAD_FENS.iter().map(|fen| format!("{fen} | 35 | 0.5").into_bytes()).collect();
    let scored = |score: &&str| format!("{} | {score} | 0.5", GOOD[0]).into_bytes();
    bad.extend(BAD_SCORES.iter().map(scored));
    for result in ["0.7", "2-0", "x", "", "*", "NaN", "1.5"] {
        bad.push(format!("{} | 35 | {result}", GOOD[0]).into_bytes());
    }
    for rest in [" | ", " | 1 | 2 | 3", " | 0.25", " | 35 | 0.5 | 0.5", ",35"] {
        bad.push(format!("{}{rest}", GOOD[0]).into_bytes());
    }
    bad.push(vec![0x80; 20]);
    bad.push(vec![b'|'; 70_000]);
    for line in bad {
        check_line(&mut workshop, Format::Text, &good, &line);
    }
}

#[test]
fn bad_lines_of_epd() {
    let mut workshop = Workshop::new();
    let good = good_lines(|fen| {
        let fields: Vec<_> = fen.split(' ').take(4).collect();
        format!("{} ce 35; c9 \"1-0\";", fields.join(" "))
    });
    let fens = BAD_FENS.iter().filter(|fen| !fen.contains("- -4"));
    let mut bad: Vec<Vec<u8>> = fens.map(|fen| format!("{fen} ce 35;").into_bytes()).collect();
    for operation in ["ce NaN;", "ce;", "dm x;", "bm Ke9;", "bm Qh5;", "ce 1.5;"] {
        let position = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -";
        bad.push(format!("{position} {operation}").into_bytes());
    }
    bad.push(b"\xff\xff\xff".to_vec());
    bad.push(vec![b'8'; 80_000]);
    for line in bad {
        check_line(&mut workshop, Format::Epd, &good, &line);
    }
}

#[test]
fn bad_whole_files() {
    let mut workshop = Workshop::new();
    let good = good_lines(|fen| format!("{fen},+35")).join("\n");
    let packed = zstd::encode_all(good.as_bytes(), 1).unwrap();
    let long = vec![b'x'; 300_000];
    let empty: &[(&str, &[u8])] = &[
        ("empty.csv", b""),
        ("newlines.csv", b"\n\n\n"),
        ("header.csv", b"FEN,Evaluation\n"),
        ("rubbish.csv", &[0x93; 5000]),
        ("zeros.csv", &[0; 5000]),
        ("one-line.csv", &long),
        ("not-packed.csv.zst", b"this is not compressed"),
        ("not-packed.csv.xz", b"this is not compressed"),
        ("cut.csv.zst", &packed[..packed.len() / 2]),
    ];
    for (name, bytes) in empty {
        let path = workshop.write(name, bytes);
        assert_eq!(import_file(&mut workshop, path, Format::Csv), None, "{name}");
        let is_blank = bytes.is_empty() || bytes[0] == b'\n' || bytes[0] == b'F';
        assert_eq!(workshop.problems.count() == 0, is_blank, "{name}");
        let is_named = |sentence: &String| sentence.contains(&format!("{name}:1: "));
        assert!(workshop.problems.first().iter().take(1).all(is_named), "{name}");
    }
    for (name, bytes) in [
        ("bom.csv", format!("\u{feff}{good}").into_bytes()),
        ("mac.csv", good.replace('\n', "\r").into_bytes()),
        ("dos.csv", good.replace('\n', "\r\n").into_bytes()),
        ("no-end.csv", good.clone().into_bytes()),
        ("packed.csv.zst", packed),
    ] {
        let path = workshop.write(name, bytes);
        assert_eq!(import_file(&mut workshop, path, Format::Csv).unwrap().len(), 4, "{name}");
        assert_eq!(workshop.problems.count(), 0, "{name}");
    }
    let missing = workshop.path("no/such.csv");
    let out = workshop.path("out.qrec");
    let failed = workshop.run(|observer| import(&[missing], &out, reading(Format::Csv), observer));
    assert!(failed.unwrap_err().to_string().contains("no/such.csv"));
}

#[test]
fn bad_games_of_pgn() {
    let mut workshop = Workshop::new();
    let game = "[Event \"?\"]\n[Result \"1-0\"]\n\n1. e4 {+0.30/5 0.1s} e5 {-0.20/5 0.1s} 1-0\n\n";
    let bad = [
        "1. e4 {+0.30/5} Ke7 {-0.20/5} 1-0\n\n",
        "1. Zz9 {+0.30/5} 1-0\n\n",
        "1. e4 e5 1-0\n\n",
        "1. e4 {good} e5 {NaN/5} 1-0\n\n",
        "1. e4 {+x/5} 1-0\n\n",
        "[FEN \"8/8/8/8 w - - 0 1\"]\n\n1. e4 {+0.30/5} 1-0\n\n",
        "[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQQBNR w kq - 0 1\"]\n\n1. e4 {+0.30/5} 1-0\n\n",
        "[Variant \"Atomic\"]\n\n1. e4 {+0.30/5} 1-0\n\n",
        "1. e4 {+0.30/5} (1. d4 1-0\n\n",
        "1. e4 {+0.30/5} ) 1-0\n\n",
        "1. e4 {+0.30/5} $999 e5 1-0\n\n",
        "1. e4 {+0.30/5} e5 e6 1-0\n\n",
        "\u{0}\u{1}\u{2} 1-0\n\n",
        "1. e2e5 {+0.30/5} 1-0\n\n",
    ];
    for text in bad {
        let path = workshop.write("bad.pgn", format!("{game}{text}{game}"));
        let records = import_file(&mut workshop, path, Format::Pgn).expect("good games are kept");
        // What stands before the fault in the bad game may be kept too.
        assert!((4..=5).contains(&records.len()), "{}: {text}", records.len());
        assert!(workshop.problems.count() >= 1, "{text}");
        let sentence = &workshop.problems.first()[0];
        assert!(sentence.contains("bad.pgn:6: game 2: "), "{sentence}");
    }
    // A comment that is never closed swallows what is left, but not what came before.
    let path = workshop.write("bad.pgn", format!("{game}1. e4 {{+0.30/5 e5 1-0\n"));
    assert!(import_file(&mut workshop, path, Format::Pgn).unwrap().len() >= 2);
    assert!(workshop.problems.first()[0].contains("expected `}`"), "{:?}", workshop.problems);
    for name in ["empty.pgn", "rubbish.pgn"] {
        let path =
            workshop.write(name, if name == "empty.pgn" { vec![] } else { vec![0xee; 3000] });
        assert_eq!(import_file(&mut workshop, path, Format::Pgn), None, "{name}");
    }
}

/// Checks a file of games or records and returns how much of it is sound.
fn sound(workshop: &mut Workshop, path: &Path) -> Result<u64, data::DataError> {
    workshop.problems = data::Problems::default();
    let sound = workshop.run(|observer| check(&[path.to_owned()], observer))?;
    Ok(sound.games + sound.records)
}

/// What is done to a file.
type Damage = Box<dyn Fn(&mut Vec<u8>)>;

#[test]
fn bad_games_of_viriformat() {
    let mut workshop = Workshop::new();
    let good = fs::read(SMALL).unwrap();
    let starts = game_starts(&good);
    let second = starts[1];
    let set = |offset: usize, bytes: &'static [u8]| -> Damage {
        Box::new(move |file| file[second + offset..][..bytes.len()].copy_from_slice(bytes))
    };
    // What is done to the file, and how many of the 36 games must survive.
    let cases: Vec<(&str, Damage, u64)> = vec![
        ("no pieces", set(0, &[0; 8]), 35),
        ("all squares", set(0, &[0xff; 8]), 35),
        ("pieces that do not exist", set(8, &[0x77; 16]), 35),
        ("only pawns", set(8, &[0x00; 16]), 35),
        ("only kings", set(8, &[0x55; 16]), 35),
        ("only unmoved rooks", set(8, &[0x66; 16]), 35),
        ("en passant off the board", set(24, &[65]), 35),
        ("a result that is none", set(30, &[3]), 35),
        ("a wrong result", set(30, &[255]), 35),
        ("a move of nothing", set(32, &[0xe4, 0x08]), 35),
        ("a move to itself", set(32, &[0x41, 0x10]), 35),
        ("castling from nowhere", set(32, &[0x00, 0x80]), 35),
        ("en passant from nowhere", set(32, &[0x01, 0x42]), 35),
        ("a promotion from nowhere", set(32, &[0x08, 0xc1]), 35),
        ("cut by one byte", Box::new(|file| file.truncate(file.len() - 1)), 35),
        ("cut in the end mark", Box::new(|file| file.truncate(file.len() - 4)), 35),
        ("cut in a start", Box::new(move |file| file.truncate(second + 10)), 1),
        ("one byte too many", Box::new(|file| file.push(9)), 36),
        ("rubbish behind", Box::new(|file| file.extend([0xab; 1000])), 36),
        ("an endless game", Box::new(|file| file.extend([0xab; 400_000])), 36),
        ("zeros behind", Box::new(|file| file.extend([0; 36])), 36),
    ];
    for (name, damage, survivors) in &cases {
        let mut bytes = good.clone();
        damage(&mut bytes);
        let path = workshop.write("bad.vf", &bytes);
        assert_eq!(sound(&mut workshop, &path).unwrap(), *survivors, "{name}");
        assert_eq!(workshop.problems.count(), 1, "{name}");
        let sentence = &workshop.problems.first()[0];
        assert!(sentence.contains("bad.vf:game ") && sentence.contains(" at byte "), "{sentence}");
        // Expanding keeps the same games.
        let out = workshop.path("out.qrec");
        let all = Expansion { keep_all: true, ..Expansion::default() };
        let summary = workshop.run(|observer| expand(&[path], &out, None, &all, observer)).unwrap();
        assert_eq!(summary.games[0], *survivors, "{name}");
    }
    for (name, bytes) in [
        ("empty.vf", vec![]),
        ("text.vf", b"1. e4 e5 2. Nf3 *\n".repeat(50)),
        ("ff.vf", vec![0xff; 99]),
    ] {
        let path = workshop.write(name, bytes);
        assert_eq!(sound(&mut workshop, &path).unwrap(), 0, "{name}");
        assert_eq!(workshop.problems.count(), 1, "{name}");
        assert!(workshop.problems.first()[0].contains(name));
    }
}

fn game_starts(bytes: &[u8]) -> Vec<usize> {
    let mut starts = vec![0];
    let mut at = 32;
    while at < bytes.len() {
        if bytes[at..at + 4] == [0; 4] {
            starts.push(at + 4);
            at += 32;
        }
        at += 4;
    }
    starts
}

#[test]
fn bad_files_of_records() {
    let mut workshop = Workshop::new();
    let out = workshop.path("good.qrec");
    let input = workshop.games("a.vf", &random_games(40, 3));
    let all = Expansion { keep_all: true, ..Expansion::default() };
    workshop.run(|observer| expand(&[input], &out, None, &all, observer)).unwrap();
    let good = fs::read(&out).unwrap();
    let records = load(&out).len() as u64;
    let change = |offset: usize, value: u8| {
        let mut bytes = good.clone();
        bytes[offset] = value;
        bytes
    };
    // A broken header is the end of it, for readers of streams and of places alike.
    for (name, bytes, expected) in [
        ("version", change(8, 9), "expected version 1 of the format, found 9"),
        ("size", change(12, 40), "expected records of 32 bytes, found 40"),
        ("short", good[..40].to_vec(), "expected a header of 64 bytes"),
    ] {
        let path = workshop.write("bad.qrec", bytes);
        let error = sound(&mut workshop, &path).unwrap_err().to_string();
        assert!(error.contains(expected) && error.contains("bad.qrec"), "{name}: {error}");
        let error = RecordFile::open(&path).unwrap_err().to_string();
        assert!(error.contains(expected) && error.contains("bad.qrec"), "{name}: {error}");
    }
    // A broken record, or a wrong length, costs little in a stream; trainers refuse the file.
    let first = 64;
    for (name, bytes, survivors, problems) in [
        ("piece", change(first + 8, 0x77), records - 1, 2),
        ("king", change(first + 8, 0x55), records - 1, 2),
        ("result", change(first + 30, 9), records - 1, 2),
        ("move", change(first + 27, 0x7f), records - 1, 2),
        ("en passant", change(first + 24, 0x7f), records - 1, 2),
        ("score", change(first + 28, good[first + 28] ^ 1), records, 1),
        ("checksum", change(32, good[32] ^ 1), records, 1),
        ("cut", good[..good.len() - 1].to_vec(), records - 1, 1),
        ("half", good[..good.len() - 32 * 5].to_vec(), records - 5, 1),
        ("longer", [&good[..], &[1; 7]].concat(), records, 1),
        ("many", change(23, 0x7f), 0, 1),
    ] {
        let path = workshop.write("bad.qrec", bytes);
        let survived = sound(&mut workshop, &path).unwrap();
        assert!(survived == survivors || name == "many", "{name}: {survived}");
        assert_eq!(workshop.problems.count(), problems, "{name}: {:?}", workshop.problems);
        for sentence in workshop.problems.first() {
            assert!(sentence.contains("bad.qrec:"), "{sentence}");
        }
        let is_refused = match RecordFile::open(&path) {
            Err(error) => error.to_string().contains("bad.qrec"),
            Ok(file) => !file.is_intact().unwrap(),
        };
        assert!(is_refused, "{name}");
    }
}

#[test]
fn a_place_beyond_the_end_is_refused() {
    let workshop = Workshop::new();
    let path = workshop.path("a.qrec");
    let record = Record::new(&chess::Board::default(), Label::default()).unwrap();
    let mut writer = data::qrec::RecordWriter::create(&path).unwrap();
    writer.write(&[record; 3]).unwrap();
    writer.finish(0).unwrap();
    let file = RecordFile::open(&path).unwrap();
    let mut block = [record; 2];
    assert!(file.read_at(1, &mut block).is_ok());
    for first in [2, 3, u64::MAX] {
        let error = file.read_at(first, &mut block).unwrap_err();
        assert!(error.to_string().contains("but there are 3"), "{error}");
    }
}

#[test]
fn all_problems_go_to_the_log_and_twenty_are_kept() {
    let mut workshop = Workshop::new();
    let (log, out) = (workshop.path("errors.txt"), workshop.path("out.qrec"));
    let text = format!("{}{},7\n", "bad,1\n".repeat(50), GOOD[0]);
    let input = workshop.write("a.csv", text);
    workshop.problems = data::Problems::logged_to(&log).unwrap();
    workshop.run(|observer| import(&[input], &out, reading(Format::Csv), observer)).unwrap();
    workshop.problems.finish().unwrap();
    assert_eq!((workshop.problems.count(), workshop.problems.first().len()), (50, 20));
    let text = fs::read_to_string(log).unwrap();
    assert_eq!(text.lines().count(), 50);
    assert!(text.lines().nth(49).unwrap().contains("a.csv:50: FEN: "), "{text}");
}
