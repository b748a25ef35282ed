// SPDX-License-Identifier: GPL-3.0-or-later
//! Several best lines: distinct, in order, complete; and searches of some moves only.

use std::collections::HashSet;

use crate::common::{VARIED, last_lines, mv, position, search};
use search::{Bound, Limits, Searcher};

#[test]
fn lines_are_distinct_ordered_and_complete() {
    let mut searcher = Searcher::new(1, 16);
    for fen in VARIED {
        let position = position(fen);
        let legal = position.board().legal_moves().len();
        for wanted in [2, 5, 500] {
            searcher.clear();
            let depth = if wanted == 500 { 3 } else { 6 };
            let limits = Limits { multi_pv: wanted, ..Limits::to_depth(depth) };
            let (answer, reports) = search(&mut searcher, &position, &limits);
            for depth in 1..=depth {
                let of_depth =
                    reports.iter().map(|(line, _)| line).filter(|line| line.depth == depth);
                let lines: Vec<_> = of_depth.filter(|line| line.bound == Bound::Exact).collect();
                assert_eq!(lines.len(), wanted.min(legal), "{fen}: {lines:?}");
                assert!(lines.iter().map(|line| line.rank).eq(1..=lines.len()), "{fen}: {lines:?}");
                assert!(lines.is_sorted_by(|a, b| a.score >= b.score), "{fen}: {lines:?}");
                let first: HashSet<_> = lines.iter().map(|line| line.moves[0]).collect();
                assert_eq!(first.len(), lines.len(), "{fen}: a move twice: {lines:?}");
            }
            let lines = last_lines(&reports);
            assert_eq!(
                answer.best.as_ref().map(|best| &best.moves),
                Some(&lines[0].moves),
                "{fen}"
            );
        }
    }
}

#[test]
fn only_wanted_moves_are_searched() {
    let mut searcher = Searcher::new(2, 16);
    let start = position(VARIED[0]);
    let wanted = [mv(&start, "a2a3"), mv(&start, "h2h4")];
    for multi_pv in [1, 2, 5] {
        let limits = Limits { root_moves: wanted.to_vec(), multi_pv, ..Limits::to_depth(6) };
        let (answer, reports) = search(&mut searcher, &start, &limits);
        assert!(wanted.contains(&answer.best_move().unwrap()));
        assert!(reports.iter().all(|(line, _)| wanted.contains(&line.moves[0])), "{reports:?}");
        assert_eq!(last_lines(&reports).len(), multi_pv.min(2));
    }
}

#[test]
fn a_search_of_some_moves_does_not_spoil_the_next_of_all() {
    let mate = position("7k/8/6K1/8/8/8/8/R7 w - - 0 1");
    let mut searcher = Searcher::new(1, 1);
    let limits = Limits { root_moves: vec![mv(&mate, "g6f6")], ..Limits::to_depth(5) };
    let (answer, _) = search(&mut searcher, &mate, &limits);
    assert_ne!(answer.best.unwrap().score.mate_moves(), Some(1));
    let (answer, _) = search(&mut searcher, &mate, &Limits::to_depth(2));
    assert_eq!(answer.best.unwrap().score.mate_moves(), Some(1));
}
