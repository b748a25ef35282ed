// SPDX-License-Identifier: GPL-3.0-or-later
//! Whole PGN files: counted as python-chess counts them, and written back as they were read.
//!
//! Some files are copied into `tests/data/pgn`; those of the shared collection are read too if it
//! is there. The counts were made by `scripts/count_pgn.py`.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use chess::pgn::{PgnErrorKind, PgnGame, PgnLine, PgnReader, Place};
use chess::{Board, Color, MoveError};
use serde_json::Value;

/// All files, those copied here first.
fn files() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = [root.join("tests/data/pgn"), root.join("../../../shared/data/pgn")];
    let mut files = Vec::new();
    for entry in folders.iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("pgn")) {
            files.push(path);
        }
    }
    assert!(files.len() >= 6, "only {} files", files.len());
    files
}

fn read(text: &str) -> Vec<PgnGame> {
    PgnReader::new(text.as_bytes()).collect::<Result<_, _>>().unwrap()
}

fn read_one(text: &str) -> PgnGame {
    let mut games = read(text);
    assert_eq!(games.len(), 1, "{text}");
    games.remove(0)
}

fn sans(line: &PgnLine, start: &Board) -> Vec<String> {
    let mut board = *start;
    let mut sans = Vec::new();
    for node in &line.moves {
        if let Some(mv) = node.mv {
            sans.push(board.san(mv).to_string());
            board.play(mv);
        } else {
            sans.push("--".to_owned());
            board.play_null();
        }
    }
    sans
}

#[test]
fn games_and_plies_are_those_of_python_chess() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/pgn_counts.json");
    let counts: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    for file in files() {
        let name = file.file_name().unwrap().to_str().unwrap();
        let full = PgnReader::new(File::open(&file).unwrap());
        let mainline = PgnReader::mainline(File::open(&file).unwrap());
        let mut found = (0, 0);
        for (full, mainline) in full.zip(mainline) {
            let (full, mainline) = (full.unwrap(), mainline.unwrap());
            found = (found.0 + 1, found.1 + full.mainline.moves.len() as u64);
            assert!(full.moves().eq(mainline.moves()), "{name} game {}", found.0);
            assert_eq!((full.tags, full.result), (mainline.tags, mainline.result), "{name}");
        }
        // Files that came later are read, but have no count to compare with.
        if let Some(count) = counts.get(name) {
            let expected = (count["games"].as_u64().unwrap(), count["plies"].as_u64().unwrap());
            assert_eq!(found, expected, "games and plies of {name}");
        }
    }
}

#[test]
fn games_are_written_as_they_were_read() {
    for file in files() {
        let name = file.display();
        for game in PgnReader::new(File::open(&file).unwrap()) {
            let mut game = game.unwrap();
            let written = game.to_string();
            let moves = written.split("\n\n").nth(1).unwrap();
            assert!(moves.lines().all(|line| line.chars().count() < 80), "{name}: {moves}");
            let again = read_one(&written);
            game.errors.retain(|error| error.place == Place::Tags);
            assert_eq!(again.mainline, game.mainline, "{name}: {written}");
            assert_eq!((again.start, again.result), (game.start, game.result), "{name}: {written}");
            assert_eq!(again.to_string(), written, "{name}");
            for (tag, value) in game.tags.iter().filter(|(tag, _)| tag != "Result") {
                assert_eq!(again.tag(tag), game.tag(tag), "{name}: {tag} {value}");
            }
        }
    }
}

/// The moves' text without numbers, comments, variations and marks, cut by hand.
fn written_moves(text: &str) -> Vec<String> {
    let mut depth = 0;
    let mut is_comment = false;
    let mut moves = String::new();
    for line in text.lines() {
        if !is_comment && depth == 0 && line.starts_with('[') {
            continue;
        }
        for letter in line.chars() {
            match letter {
                '}' => is_comment = false,
                _ if is_comment => (),
                '{' => is_comment = true,
                '(' => depth += 1,
                ')' => depth -= 1,
                _ if depth == 0 => moves.push(letter),
                _ => (),
            }
        }
        moves.push(' ');
    }
    let bare =
        |word: &str| word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.').to_owned();
    let is_result = |word: &str| matches!(word, "1-0" | "0-1" | "1/2-1/2" | "*");
    let words = moves.split_whitespace().filter(|word| !is_result(word) && !word.starts_with('$'));
    let words =
        words.map(|word| if word.starts_with("0-0") { word.to_owned() } else { bare(word) });
    words.map(|word| plain(&word)).filter(|word| !word.is_empty()).collect()
}

/// A move's text without what may be left out or spelled in two ways.
fn plain(san: &str) -> String {
    san.replace(['+', '#', '!', '?', '='], "").replace("0-0", "O-O").replace("O-0", "O-O")
}

/// Whether `text` is the move `san`, or names more of its origin than is needed.
fn is_spelling(text: &str, san: &str) -> bool {
    let mut letters = text.chars();
    let is_longer = text.len() > san.len() && san.starts_with(|c: char| c.is_ascii_uppercase());
    text == san || is_longer && san.chars().all(|letter| letters.any(|other| other == letter))
}

#[test]
fn moves_are_spelled_as_in_the_file() {
    let mut checked = 0;
    for file in files() {
        let name = file.file_name().unwrap().to_str().unwrap();
        let text = String::from_utf8_lossy(&fs::read(&file).unwrap()).into_owned();
        let games = read(&text);
        // Moves in UCI or null notation are read, but never written so.
        let is_odd = name == "uci-moves.pgn" || name == "anastasian-lewis.pgn";
        if is_odd || games.iter().any(|game| !game.errors.is_empty()) {
            continue;
        }
        let ours = games.iter().flat_map(|game| sans(&game.mainline, &game.start));
        let ours: Vec<String> = ours.map(|san| plain(&san)).collect();
        let theirs = written_moves(text.trim_start_matches('\u{feff}'));
        let difference = ours.iter().zip(&theirs).position(|(one, other)| !is_spelling(other, one));
        if let Some(index) = difference {
            panic!("{name}: move {index} is written `{}`, not `{}`", ours[index], theirs[index]);
        }
        assert_eq!(ours.len(), theirs.len(), "{name}");
        checked += ours.len();
    }
    assert!(checked > 1000, "only {checked} moves");
}

#[test]
fn everything_about_a_game_is_read() {
    let game = read_one(
        "\u{feff}% escaped\n[White \"A\"] [Black \"B\"]\n\n{intro} 1. e4! $14 {one} {two}\n\
         (1. d4 {queen's} 1... d5 (1... Nf6 ; Indian\n 2. c4) 2. c4) (1. c4) 1... e5?! 2.Nf3 ± 1/2-1/2 {late}\n",
    );
    assert_eq!(game.errors, []);
    assert_eq!((game.tag("White"), game.tag("Black")), (Some("A"), Some("B")));
    assert_eq!(game.result.to_string(), "1/2-1/2");
    let line = &game.mainline;
    assert_eq!(sans(line, &game.start), ["e4", "e5", "Nf3"]);
    assert_eq!(line.comments, ["intro"]);
    assert_eq!((&line.moves[0].nags[..], &line.moves[1].nags[..]), (&[1, 14][..], &[6][..]));
    assert_eq!(line.moves[0].comments, ["one", "two"]);
    assert_eq!(
        (&line.moves[2].nags[..], &line.moves[2].comments[..]),
        (&[16][..], &["late".to_owned()][..])
    );
    let [queens, english] = &line.moves[0].variations[..] else { panic!("{line:?}") };
    assert_eq!(sans(queens, &game.start), ["d4", "d5", "c4"]);
    assert_eq!(sans(english, &game.start), ["c4"]);
    assert_eq!(queens.moves[1].variations[0].moves[0].comments, ["Indian"]);
    assert_eq!(read_one(&game.to_string()).mainline, game.mainline);
}

#[test]
fn faults_name_the_game_the_move_and_the_token() {
    let games = read("1. e4 *\n\n1. e4 e5 2. Ke3 Nc6 (2... d6) *\n\n1. e4 Sf6 *\n\n1. d4 *\n");
    let errors: Vec<Vec<String>> =
        games.iter().map(|game| game.errors.iter().map(ToString::to_string).collect()).collect();
    assert_eq!(errors[1], ["game 2, 2. `Ke3` is not a legal move here"]);
    assert_eq!(
        errors[2],
        ["game 3, 1... expected a move like `Nf3`, `exd5` or `O-O`, found `Sf6`"]
    );
    assert!(errors[0].is_empty() && errors[3].is_empty());
    assert_eq!(games[1].errors[0].place, Place::Move { number: 2, turn: Color::White });
    assert_eq!(games[1].errors[0].kind, PgnErrorKind::Move(MoveError::Illegal("Ke3".to_owned())));
    let kinds = |text: &str| -> Vec<PgnErrorKind> {
        read(text).into_iter().flat_map(|game| game.errors).map(|error| error.kind).collect()
    };
    assert_eq!(kinds("1. e4 (1. d4 *"), [PgnErrorKind::UnclosedVariation]);
    assert_eq!(kinds("1. e4 ) e5 *"), [PgnErrorKind::StrayClose]);
    assert_eq!(kinds("(1. e4) 1. d4 *"), [PgnErrorKind::NoMove]);
    assert_eq!(kinds("1. e4 $999 $ e5 *").len(), 2);
    assert_eq!(kinds("1. e4 1-0 2. Nf3 Nc6"), [PgnErrorKind::AfterResult("Nf3".to_owned())]);
    assert_eq!(
        kinds("[Variant \"Atomic\"]\n\n1. e4 *"),
        [PgnErrorKind::Variant("Atomic".to_owned())]
    );
    assert!(matches!(kinds("[FEN \"8/8 w\"]\n\n1. e4 *")[..], [PgnErrorKind::Fen(_)]));
    assert!(matches!(kinds("[Event]\n\n1. e4 *")[..], [PgnErrorKind::Tag(_)]));
}

#[test]
fn games_are_parted_by_blank_lines_tags_and_results() {
    for (text, count) in [
        ("1. e4 *\n\n1. d4 *\n", 2),
        ("1. e4\n\n1. d4\n", 2),
        ("1. e4 *\n[White \"A\"]\n1. d4 *\n", 2),
        ("1. e4 * 1. d4 *", 2),
        ("1. e4\n[White \"A\"]\n1. d4", 2),
        ("[Event \"a\"]\n\n[Event \"b\"]\n", 2),
        ("[Event \"a\"]\n\n[White \"b\"]\n\n1. e4", 1),
        ("[Event \"a\"]\n\n\n\n1. e4 *", 1),
        ("[Event \"a\"]\n \n\n[White \"b\"]\n", 2),
        ("1. e4 {\n\n} e5 *", 1),
        ("1. e4 {open\n\n[Event \"b\"]\n\n1. d4 *", 2),
        ("1. e4 1-0 {resigns}", 1),
        ("\n\r\n\r", 0),
    ] {
        assert_eq!(read(text).len(), count, "{text:?}");
    }
}

#[test]
fn deep_nesting_is_left_out_not_followed() {
    let text = format!("1. e4 {}", "(1. d4 ".repeat(100_000));
    let game = read_one(&text);
    assert_eq!(game.errors[0].kind, PgnErrorKind::TooDeep);
    assert_eq!(game.mainline.moves.len(), 1);
}

#[test]
fn tags_are_written_with_the_roster_first() {
    let mut game = PgnGame::new("8/8/8/4k3/8/8/8/K7 b - - 0 12".parse().unwrap());
    game.set_tag("Opening", "a \"b\" \\ c");
    game.set_tag("White", "X");
    let san = game.start.parse_san("Kd5").unwrap();
    game.mainline.moves.push(chess::pgn::PgnNode::new(san));
    assert_eq!(
        game.to_string(),
        "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"X\"]\n\
         [Black \"?\"]\n[Result \"*\"]\n[SetUp \"1\"]\n[FEN \"8/8/8/4k3/8/8/8/K7 b - - 0 12\"]\n\
         [Opening \"a \\\"b\\\" \\\\ c\"]\n\n12... Kd5 *\n"
    );
    assert_eq!(read_one(&game.to_string()).tag("Opening"), Some("a \"b\" \\ c"));
}

/// A stream that fails after its text.
struct Failing<'a>(&'a [u8]);

impl Read for Failing<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.0.is_empty() { Err(io::Error::other("unplugged")) } else { self.0.read(buffer) }
    }
}

#[test]
fn a_stream_that_fails_is_an_error_once() {
    let mut reader = PgnReader::new(Failing(b"1. e4 *\n\n1. d4 d5"));
    assert_eq!(reader.next().unwrap().unwrap().mainline.moves.len(), 1);
    assert_eq!(reader.next().unwrap().unwrap_err().to_string(), "unplugged");
    assert!(reader.next().is_none());
}
