// SPDX-License-Identifier: GPL-3.0-or-later
//! Games that endgame tables decide are ended, named and scored.

use std::fs;
use std::num::NonZeroUsize;
use std::sync::atomic::AtomicBool;

use arena::openings::{BookSettings, OpeningBook, Order};
use arena::referee::TableSettings;
use arena::run::{GAMES_FILE, LOG_FILE, LogLine, RunFolder, read_log};
use arena::tournament::{Conduct, Match, MatchResult, MatchSettings};

const ENGINE: &str = env!("CARGO_BIN_EXE_mock-engine");
const TABLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tablebase/tests/data");

/// Greedy engines play one pair from a position; the result, the log and the games.
fn play(fen: &str, tables: TableSettings) -> (MatchResult, Vec<LogLine>, String) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("book.epd");
    fs::write(&file, format!("{fen}\n")).unwrap();
    let book = BookSettings { file, order: Order::Sequential, seed: 1, start: 1, plies: None };
    let token = format!("tables-{}", std::process::id());
    let settings = MatchSettings {
        tables: Some(tables),
        book: Some(book.clone()),
        ..crate::common::settings(ENGINE, ["greedy", "greedy"], 2, &token)
    };
    let run = folder.path().join("run");
    let mut journal = RunFolder::open(&run, &settings).unwrap();
    let game = Match::new(settings, OpeningBook::load(&book).unwrap()).unwrap();
    let should_stop = AtomicBool::new(false);
    let conduct = Conduct { concurrency: NonZeroUsize::MIN, should_stop: &should_stop };
    let result = game.run(&mut journal, conduct, &mut crate::common::Nobody).unwrap().result();
    let log = read_log(&fs::read_to_string(run.join(LOG_FILE)).unwrap()).unwrap();
    (result, log, fs::read_to_string(run.join(GAMES_FILE)).unwrap())
}

fn settings(men: Option<usize>) -> TableSettings {
    TableSettings { path: TABLES.to_owned(), men, ignore_fifty: false }
}

#[test]
fn the_capture_that_enters_the_tables_ends_the_game() {
    // White takes the pawn, and rook against king is won.
    let (result, log, pgn) = play("4k3/8/8/8/8/8/3p4/4K2R w - - 0 1", settings(None));
    assert_eq!(result.faults, []);
    assert_eq!((result.engines[0].wins, result.engines[1].wins), (1, 1));
    for game in &log {
        assert_eq!((game.outcome.to_string().as_str(), game.plies), ("1-0", 1));
        assert_eq!(game.ending, "adjudication: tablebase win of White");
    }
    assert_eq!(pgn.matches("[Termination \"adjudication: tablebase\"]").count(), 2, "{pgn}");
    assert!(pgn.contains("adjudication: tablebase win of White}"), "{pgn}");
}

#[test]
fn drawn_tables_draw() {
    // The pawn is stopped, or taken.
    let (result, log, _) = play("8/8/8/4k3/8/8/4P3/4K3 w - - 0 1", settings(Some(3)));
    assert_eq!(result.engines[0].draws, 2);
    assert!(log.iter().all(|game| game.ending == "adjudication: tablebase draw"), "{log:?}");
}

#[test]
fn more_men_than_allowed_are_played_on() {
    let (_, log, _) = play("4k3/8/8/8/8/8/3p4/4K2R w - - 0 1", settings(Some(2)));
    assert!(log.iter().all(|game| !game.ending.contains("tablebase")), "{log:?}");
}

#[test]
fn missing_folders_are_named() {
    let tables = TableSettings { path: "/no/such/tables".to_owned(), ..settings(None) };
    let mut settings = crate::common::settings(ENGINE, ["sound", "sound"], 2, "nothing");
    settings.tables = Some(tables);
    let book = arena::openings::starting_position();
    let error = Match::new(settings, book).unwrap_err().to_string();
    assert!(error.starts_with("no endgame tables: cannot read `/no/such/tables`"), "{error}");
}
