// SPDX-License-Identifier: GPL-3.0-or-later
//! Lines that upset real engines: each has a defined meaning here.

use std::fs;
use std::path::Path;

use uci::Command;

/// The project's collection of odd sessions; absent outside its own machines.
const SCRIPTS: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data/oddinput/uci_scripts.json");

/// A line, how it prints after reading or the start of its error, and how many warnings it causes.
const TABLE: [(&str, Result<&str, &str>, usize); 36] = [
    ("   uci", Ok("uci"), 0),
    ("\tisready", Ok("isready"), 0),
    ("quit  ", Ok("quit"), 0),
    ("go depth 2\r", Ok("go depth 2"), 0),
    ("ISREADY", Ok("isready"), 0),
    ("", Ok(""), 0),
    ("position    startpos    moves   e2e4   e7e5", Ok("position startpos moves e2e4 e7e5"), 0),
    ("position", Err("`position`: expected `startpos` or `fen`, found nothing"), 0),
    ("position fen", Err("`position`: expected a FEN after `fen`, found nothing"), 0),
    ("position fen 8/8/8 w - - 0 1", Ok("position fen 8/8/8 w - - 0 1"), 0),
    ("position startpos moves e2e4 zzzz", Ok("position startpos moves e2e4 zzzz"), 0),
    ("position startpos moves e4 e5 Nf3", Ok("position startpos moves e4 e5 Nf3"), 0),
    ("position startpos moves E2E4", Ok("position startpos moves E2E4"), 0),
    ("position startpos e2e4 e7e5", Err("`position`: expected `moves` after `startpos`"), 0),
    ("position startpos moves", Ok("position startpos"), 0),
    ("go depth 0", Ok("go depth 1"), 1),
    ("go depth -5", Ok("go depth 1"), 1),
    ("go depth abc", Ok("go"), 1),
    ("go depth", Ok("go"), 1),
    ("go nodes 1", Ok("go nodes 1"), 0),
    ("go nodes 0", Ok("go nodes 1"), 1),
    ("go movetime 0", Ok("go movetime 0"), 0),
    ("go wtime -500 btime 1000", Ok("go wtime -500 btime 1000"), 0),
    ("go wtime 99999999999 btime 1", Ok("go wtime 99999999999 btime 1"), 0),
    ("go wtime 1000 btime 1000 movestogo 0", Ok("go wtime 1000 btime 1000"), 0),
    ("go searchmoves a2a3 h2h3 depth 3", Ok("go depth 3 searchmoves a2a3 h2h3"), 0),
    ("go depth 3 banana 7", Ok("go depth 3"), 1),
    ("setoption name NoSuchOption value 5", Ok("setoption name NoSuchOption value 5"), 0),
    ("setoption name Hash", Ok("setoption name Hash"), 0),
    ("setoption", Err("`setoption`: expected `name`"), 0),
    ("setoption name Clear Hash", Ok("setoption name Clear Hash"), 0),
    ("setoption name X value", Ok("setoption name X value"), 0),
    ("xboard", Ok("xboard"), 0),
    ("joho debug on", Ok("debug on"), 0),
    ("# comment", Ok(""), 0),
    ("debug", Err("`debug`: expected `on` or `off`"), 0),
];

#[test]
fn odd_lines_have_a_defined_meaning() {
    for (line, expected, warnings) in TABLE {
        match (Command::parse(line), expected) {
            (Ok(parsed), Ok(printed)) => {
                assert_eq!(parsed.command.to_string(), printed, "{line:?}");
                assert_eq!(parsed.warnings.len(), warnings, "{line:?}");
            }
            (Err(error), Err(start)) => {
                assert!(error.to_string().starts_with(start), "{line:?}: {error}");
            }
            (outcome, _) => panic!("{line:?}: {outcome:?}"),
        }
    }
}

#[test]
fn the_collected_sessions_read_and_round_trip() {
    if !Path::new(SCRIPTS).exists() {
        return;
    }
    let lines = session_lines(&fs::read_to_string(SCRIPTS).unwrap());
    assert!(lines.len() > 100, "only {} lines found", lines.len());
    for line in lines.iter().filter(|line| !line.starts_with(['~', '@'])) {
        match Command::parse(line) {
            Ok(parsed) => {
                assert!(!matches!(parsed.command, Command::Unknown(_)), "{line:?}");
                let again = Command::parse(&parsed.command.to_string()).unwrap();
                assert_eq!((again.command, again.warnings.len()), (parsed.command, 0), "{line:?}");
            }
            Err(error) => assert!(error.to_string().contains("expected"), "{line:?}: {error}"),
        }
    }
}

/// The strings of all `"lines"` arrays. Enough of JSON for this file, without a dependency.
fn session_lines(json: &str) -> Vec<String> {
    let mut lines = Vec::new();
    for array in json.split("\"lines\": [").skip(1) {
        let mut rest = array;
        while let Some(start) = rest.find(['"', ']']) {
            if rest.as_bytes()[start] == b']' {
                break;
            }
            let (text, after) = json_string(&rest[start + 1..]);
            lines.push(text);
            rest = after;
        }
    }
    lines
}

/// A string up to its closing quote, and what follows.
fn json_string(json: &str) -> (String, &str) {
    let mut text = String::new();
    let mut chars = json.char_indices();
    while let Some((index, c)) = chars.next() {
        match c {
            '"' => return (text, &json[index + 1..]),
            '\\' => text.push(match chars.next() {
                Some((_, 't')) => '\t',
                Some((_, 'r')) => '\r',
                Some((_, 'n')) => '\n',
                Some((_, other)) => other,
                None => break,
            }),
            c => text.push(c),
        }
    }
    (text, "")
}
