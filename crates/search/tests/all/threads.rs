// SPDX-License-Identifier: GPL-3.0-or-later
//! Many threads on one small table: nothing breaks, and every line is legal.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use crate::common::{Random, random_game, search_with};
use search::{Control, Limits, Searcher};

#[test]
fn two_hundred_searches_stopped_at_random_give_legal_lines() {
    let mut searcher = Searcher::new(4, 1);
    let mut random = Random(4);
    for round in 0..200 {
        let plies = random.below(80);
        let position = random_game(&mut random, plies);
        let control = Arc::new(Control::default());
        let limits = match random.below(4) {
            0 => Limits::to_depth(1 + random.below(6) as u32),
            1 => Limits::of_nodes(1 + random.below(3_000) as u64),
            2 => Limits { multi_pv: 3, ..Limits::default() },
            _ => Limits { infinite: true, ..Limits::default() },
        };
        let pause = Duration::from_micros(random.below(20_000) as u64);
        let answer = thread::scope(|scope| {
            scope.spawn(|| {
                thread::sleep(pause);
                control.stop();
            });
            // Every line that is reported is checked on the way.
            search_with(&mut searcher, &position, &limits, &control).0
        });
        let best = answer.best_move().unwrap_or_else(|| panic!("round {round}: no move"));
        assert!(position.board().is_legal(best), "round {round}");
        match random.below(20) {
            0 => searcher.clear(),
            1 => searcher.set_threads(1 + random.below(6)),
            2 => assert!(searcher.set_table_size(1 + random.below(3))),
            3 => searcher.set_threads(4),
            _ => (),
        }
    }
}

#[test]
fn threads_agree_on_mates() {
    let mut searcher = Searcher::new(4, 1);
    let mate = crate::common::position("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1");
    for _ in 0..10 {
        searcher.clear();
        let limits = Limits { mate: Some(3), ..Limits::default() };
        let (answer, _) = crate::common::search(&mut searcher, &mate, &limits);
        assert_eq!(answer.best.unwrap().score.mate_moves(), Some(3));
    }
}

#[test]
fn a_node_limit_counts_the_nodes_of_all_threads() {
    const LIMIT: u64 = 200_000;
    let mut searcher = Searcher::new(2, 16);
    let answer = searcher.think(&search::Position::default(), &Limits::of_nodes(LIMIT));
    // Threads tell their nodes now and then, so a little more is no fault; twice as many would be.
    assert!((LIMIT..LIMIT + LIMIT / 10).contains(&answer.effort.nodes), "{}", answer.effort.nodes);
}
