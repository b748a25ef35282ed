// SPDX-License-Identifier: GPL-3.0-or-later
//! Results and distances against values that another program has read from the tables.

use std::path::{Path, PathBuf};
use std::{fs, thread};

use chess::{Board, Epd};
use tablebase::{Dtz, FiftyMoves, OpenError, RootMove, TableWdl, Tables, keepers};

const SMALL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data");
const SHARED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data");

fn small() -> Tables {
    Tables::open(SMALL).unwrap()
}

/// More tables, if the machine has them.
fn shared() -> Option<Tables> {
    let folder = Path::new(SHARED).join("syzygy");
    folder.exists().then(|| Tables::open_folders(vec![folder]).unwrap())
}

fn board(fen: &str) -> Board {
    fen.parse().unwrap()
}

/// Compares with lines `epd,material,wdl,dtz`, perhaps with more columns; says how many there were.
fn compare(tables: &Tables, text: &str) -> usize {
    let mut compared = 0;
    for line in text.lines().skip(1) {
        let columns: Vec<&str> = line.split(',').collect();
        let board = board(&format!("{} 0 1", columns[0]));
        let Some(wdl) = tables.wdl(&board) else { continue };
        assert_eq!(wdl.value().to_string(), columns[2], "{line}");
        assert_eq!(tables.result(&board), Some(wdl), "{line}");
        if let (Some(dtz), Ok(expected)) = (tables.dtz(&board), columns[3].parse::<i32>()) {
            assert_eq!(dtz.plies, expected, "{line}");
        }
        compared += 1;
    }
    compared
}

#[test]
fn reference_values_of_three_men() {
    let text = fs::read_to_string(Path::new(SMALL).join("reference.csv")).unwrap();
    assert_eq!(compare(&small(), &text), text.lines().count() - 1);
}

#[test]
fn reference_values_of_four_and_five_men() {
    let Some(tables) = shared() else { return };
    let read = |name| fs::read_to_string(Path::new(SHARED).join("endgames").join(name)).unwrap();
    assert_eq!(tables.largest(), 5);
    assert_eq!(compare(&tables, &read("wdl_3_4_men.csv")), 1435);
    assert!(compare(&tables, &read("wdl_5_men.csv")) > 100);
}

#[test]
fn the_only_moves_are_the_best_ones() {
    let Some(tables) = shared() else { return };
    for name in ["unique_win.epd", "unique_draw.epd", "avoid_stalemate.epd"] {
        let text = fs::read_to_string(Path::new(SHARED).join("endgames").join(name)).unwrap();
        for line in text.lines() {
            let Some(epd) = Epd::read_line(line).unwrap() else { continue };
            let ranked = tables.root_moves(epd.board(), FiftyMoves::Counted).unwrap();
            let mut kept: Vec<_> = keepers(&ranked, false).iter().map(|one| one.mv).collect();
            let mut expected = epd.best_moves().to_vec();
            kept.sort_by_key(|mv| mv.bits());
            expected.sort_by_key(|mv| mv.bits());
            assert_eq!(kept, expected, "{line}");
        }
    }
}

#[test]
fn mate_comes_first_and_then_the_shorter_way() {
    let tables = small();
    let position = board("7k/8/6K1/8/8/8/8/R7 w - - 0 1");
    let ranked = tables.root_moves(&position, FiftyMoves::Counted).unwrap();
    assert_eq!(ranked.len(), position.legal_moves().len());
    assert!(ranked[0].is_mate && ranked[1..].iter().all(|one| !one.is_mate));
    assert_eq!(ranked[0].dtz, Some(Dtz { plies: 1, is_exact: true }));
    let plies: Vec<i32> = wins(&ranked).map(|one| one.dtz.unwrap().plies).collect();
    assert!(plies.is_sorted() && plies.len() > 10, "{plies:?}");
    // All wins may be chosen from, until the game has gone in circles.
    assert_eq!(keepers(&ranked, false).len(), plies.len());
    assert_eq!(keepers(&ranked, true).len(), 1);
}

fn wins(ranked: &[RootMove]) -> impl Iterator<Item = &RootMove> {
    ranked.iter().filter(|one| one.wdl == TableWdl::Win)
}

#[test]
fn the_loser_takes_the_longest_way() {
    let tables = small();
    let ranked =
        tables.root_moves(&board("8/8/8/3k4/8/8/8/4K2R b - - 0 1"), FiftyMoves::Counted).unwrap();
    let plies: Vec<i32> = ranked.iter().map(|one| one.dtz.unwrap().plies).collect();
    assert!(plies.is_sorted() && plies[0] < -10, "{plies:?}");
}

#[test]
fn the_clock_spoils_wins() {
    let tables = small();
    let rook = |clock: u32| board(&format!("8/8/8/4k3/8/8/8/4K2R w - - {clock} 80"));
    let dtz = tables.dtz(&rook(0)).unwrap().plies;
    assert!((20..40).contains(&dtz), "{dtz}");
    let late = (100 - dtz) as u32;
    assert_eq!(tables.result(&rook(late - 2)), Some(TableWdl::Win));
    assert_eq!(tables.result(&rook(late)), None, "the tables are off by up to one ply");
    assert_eq!(tables.result(&rook(late + 1)), Some(TableWdl::CursedWin));
    assert_eq!(
        tables.wdl(&rook(99)),
        Some(TableWdl::Win),
        "in a tree the clock is the search's matter"
    );

    let best = |clock, rule| tables.root_moves(&rook(clock), rule).unwrap()[0].wdl;
    assert_eq!(best(late - 2, FiftyMoves::Counted), TableWdl::Win);
    assert_eq!(best(late + 1, FiftyMoves::Counted), TableWdl::CursedWin);
    assert_eq!(best(late + 1, FiftyMoves::Ignored), TableWdl::Win);
    // Few ways are short enough.
    let ranked = tables.root_moves(&rook(late - 2), FiftyMoves::Counted).unwrap();
    assert!(wins(&ranked).count() < ranked.len() / 2, "{ranked:?}");
}

#[test]
fn captures_and_pawn_moves_start_the_clock_anew() {
    let tables = small();
    let position = board("8/4P3/8/8/8/k7/8/4K3 w - - 98 90");
    let ranked = tables.root_moves(&position, FiftyMoves::Counted).unwrap();
    assert_eq!(position.san(ranked[0].mv).to_string(), "e8=Q");
    assert_eq!(ranked[0].wdl, TableWdl::Win);
    let king = ranked.iter().find(|one| position.san(one.mv).to_string() == "Kd1").unwrap();
    assert_eq!(king.wdl, TableWdl::CursedWin);
}

#[test]
fn what_no_table_knows_has_no_answer() {
    let tables = small();
    assert_eq!(tables.largest(), 3);
    // Someone may castle; every move ends that here, so that the moves are known.
    let castling = board("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    assert_eq!(tables.wdl(&castling), None);
    assert!(tables.root_moves(&castling, FiftyMoves::Counted).is_some());
    for fen in [
        "4k3/8/8/8/8/8/7P/4K2R w - - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    ] {
        assert_eq!(tables.wdl(&board(fen)), None, "{fen}");
        assert_eq!(tables.root_moves(&board(fen), FiftyMoves::Counted), None, "{fen}");
    }
    assert_eq!(tables.wdl(&board("4k3/8/8/8/8/8/8/4K3 w - - 0 1")), Some(TableWdl::Draw));
}

#[test]
fn mates_and_stalemates_are_known_too() {
    let tables = small();
    assert_eq!(tables.wdl(&board("R6k/8/6K1/8/8/8/8/8 b - - 0 1")), Some(TableWdl::Loss));
    assert_eq!(tables.wdl(&board("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")), Some(TableWdl::Draw));
}

#[test]
fn distances_may_be_missing() {
    let folder = tempfile::tempdir().unwrap();
    copy(&["KRvK.rtbw"], folder.path());
    let tables = Tables::open_folders(vec![folder.path().to_owned()]).unwrap();
    let ranked =
        tables.root_moves(&board("8/8/8/4k3/8/8/8/4K2R w - - 0 1"), FiftyMoves::Counted).unwrap();
    assert_eq!((ranked[0].wdl, ranked[0].dtz), (TableWdl::Win, None));
}

fn copy(names: &[&str], folder: &Path) {
    for name in names {
        fs::copy(Path::new(SMALL).join(name), folder.join(name)).unwrap();
    }
}

#[test]
fn several_folders_and_blanks_in_names() {
    let parent = tempfile::tempdir().unwrap();
    let folders = ["with a blank", " b "].map(|name| parent.path().join(name));
    for (folder, table) in folders.iter().zip(["KQvK.rtbw", "KRvK.rtbw"]) {
        fs::create_dir(folder).unwrap();
        copy(&[table], folder);
    }
    let separator = if cfg!(windows) { ";" } else { ":" };
    let list = folders.each_ref().map(|folder| folder.display().to_string()).join(separator);
    let tables = Tables::open(&format!("{list}{separator}")).unwrap();
    assert_eq!((tables.files(), tables.folders().count()), (2, 2));
    assert_eq!(tables.wdl(&board("8/8/8/4k3/8/8/8/4K2R w - - 0 1")), Some(TableWdl::Win));
    assert_eq!(tables.wdl(&board("8/8/8/4k3/8/8/8/4K2Q w - - 0 1")), Some(TableWdl::Win));
}

#[test]
fn bad_folders_are_named() {
    let parent = tempfile::tempdir().unwrap();
    let empty = parent.path().join("empty");
    fs::create_dir(&empty).unwrap();
    let open = |path: &Path| Tables::open_folders(vec![path.to_owned()]).unwrap_err();
    let missing = open(&parent.path().join("no such folder"));
    assert!(matches!(missing, OpenError::Folder { .. }), "{missing}");
    assert!(missing.to_string().contains("no such folder`: "), "{missing}");
    assert!(open(&empty).to_string().contains("empty`"));
    assert!(matches!(Tables::open("").unwrap_err(), OpenError::NoFolder));
    fs::write(empty.join("KQvK.rtbw"), "short").unwrap();
    assert!(open(&empty).to_string().contains("KQvK.rtbw"), "{}", open(&empty));
}

/// Changes the bytes of a table and opens it.
fn damaged(change: impl FnOnce(&mut Vec<u8>)) -> (Tables, PathBuf, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("KRvK.rtbw");
    copy(&["KRvK.rtbw", "KQvK.rtbw"], folder.path());
    let mut bytes = fs::read(&path).unwrap();
    change(&mut bytes);
    fs::write(&path, bytes).unwrap();
    (Tables::open_folders(vec![folder.path().to_owned()]).unwrap(), path, folder)
}

#[test]
fn damaged_tables_are_named_and_answer_nothing() {
    let rook = board("8/8/8/4k3/8/8/8/4K2R w - - 0 1");
    let queen = board("8/8/8/4k3/8/8/8/4K2Q w - - 0 1");
    let (tables, path, _folder) = damaged(|bytes| bytes[0] ^= 1);
    assert_eq!(tables.wdl(&queen), Some(TableWdl::Win));
    assert_eq!((tables.wdl(&rook), tables.wdl(&queen)), (None, None));
    let damage = tables.damage().unwrap();
    assert!(damage.contains(&path.display().to_string()), "{damage}");
    assert!(damage.contains("is no Syzygy table"), "{damage}");

    let (tables, _path, _folder) = damaged(|bytes| bytes.truncate(16));
    assert_eq!(tables.wdl(&rook), None);
    let damage = tables.damage().unwrap();
    assert!(damage.ends_with("is a damaged Syzygy table"), "{damage}");
}

#[test]
fn threads_share_tables() {
    let tables = small();
    let text = fs::read_to_string(Path::new(SMALL).join("reference.csv")).unwrap();
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| compare(&tables, &text));
        }
    });
}
