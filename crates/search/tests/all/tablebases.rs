// SPDX-License-Identifier: GPL-3.0-or-later
//! Endgame tables at the root and in the tree.

use std::path::Path;
use std::sync::Arc;

use crate::common::{mv, position, search};
use search::{Limits, Position, Searcher, Tablebases};
use tablebase::{FiftyMoves, Tables};

/// Small tables, kept by the crate that reads them.
fn searcher() -> Searcher {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tablebase/tests/data");
    let tables = Tables::open_folders(vec![folder]).unwrap();
    let mut searcher = Searcher::new(1, 4);
    searcher.set_tablebases(Tablebases { tables: Some(Arc::new(tables)), ..Tablebases::default() });
    searcher
}

#[test]
fn a_won_root_is_won_and_only_winning_moves_are_searched() {
    // Only 1. Kc2 and its like win; most pawn moves draw.
    let position = position("8/8/8/4k3/8/8/3KP3/8 w - - 0 1");
    let mut searcher = searcher();
    let (answer, _) = search(&mut searcher, &position, &Limits::of_nodes(5_000));
    let best = answer.best.unwrap();
    assert!(best.score.is_win(), "{best:?}");
    let bare = Searcher::new(1, 4).think(&position, &Limits::of_nodes(200)).best.unwrap();
    assert!(!bare.score.is_win(), "without tables it is not known: {bare:?}");
}

#[test]
fn a_drawn_root_is_drawn_whatever_the_evaluation_says() {
    let position = position("8/8/8/8/4k3/8/4P3/4K3 w - - 0 1");
    let (answer, reports) = search(&mut searcher(), &position, &Limits::of_nodes(3_000));
    assert_eq!(answer.best.unwrap().score.value(), 0);
    assert!(reports.iter().all(|(line, _)| line.score.value() == 0));
}

#[test]
fn captures_into_known_endings_are_seen_in_the_tree() {
    // After 1. Kxe3 or not: the rook takes the last pawn and wins, which four men know.
    let position = position("8/8/8/8/8/2k1p3/8/R3K3 w - - 0 1");
    let mut searcher = searcher();
    let (answer, _) = search(&mut searcher, &position, &Limits::of_nodes(20_000));
    assert!(answer.effort.table_hits > 0);
}

#[test]
fn the_fifty_move_rule_can_be_ignored() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tablebase/tests/data");
    let tables = Arc::new(Tables::open_folders(vec![folder]).unwrap());
    let position: Position = position("8/8/8/8/8/4k3/8/R3K3 w - - 99 120");
    let score = |rule| {
        let mut searcher = Searcher::new(1, 4);
        let tables = Some(Arc::clone(&tables));
        searcher.set_tablebases(Tablebases { tables, rule, ..Tablebases::default() });
        searcher.think(&position, &Limits::of_nodes(2_000)).best.unwrap().score
    };
    assert_eq!(score(FiftyMoves::Counted).value(), 0);
    assert!(score(FiftyMoves::Ignored).is_win());
}

#[test]
fn wanted_moves_and_several_lines_stay() {
    let position = position("8/8/8/4k3/8/8/3KP3/8 w - - 0 1");
    let wanted = mv(&position, "e2e4");
    let limits = Limits { root_moves: vec![wanted], ..Limits::of_nodes(2_000) };
    assert_eq!(searcher().think(&position, &limits).best_move(), Some(wanted));
    let limits = Limits { multi_pv: 3, ..Limits::to_depth(4) };
    let (_, reports) = search(&mut searcher(), &position, &limits);
    assert!(reports.iter().any(|(line, _)| line.rank == 3));
}
