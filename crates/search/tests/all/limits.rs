// SPDX-License-Identifier: GPL-3.0-or-later
//! Every limit ends a search; of several, the first that is reached.

use std::sync::Arc;
use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

use crate::common::{VARIED, position, search, search_with};
use search::{Bound, Clock, Control, Limits, Position, Searcher};

const FOREVER: Duration = Duration::from_hours(1);

/// Whatever takes longer hangs, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

#[test]
fn nodes_are_exact_with_one_thread() {
    let mut searcher = Searcher::new(1, 1);
    for fen in VARIED {
        let position = position(fen);
        searcher.clear();
        let first_depth = search(&mut searcher, &position, &Limits::to_depth(1)).0.effort.nodes;
        for nodes in [1, 2, 17, 1_000, 12_345] {
            searcher.clear();
            let (answer, _) = search(&mut searcher, &position, &Limits::of_nodes(nodes));
            // The first depth is always finished, so that the move makes sense; the end is noticed
            // at the next node.
            assert_eq!(answer.effort.nodes, nodes.max(first_depth + 1), "{fen}");
            assert!(answer.best.is_some(), "{fen}");
        }
    }
}

#[test]
fn a_first_depth_without_end_is_broken_off() {
    // Captures without end: no depth can be finished.
    let pawns = "4k3/pppppppp/pppppppp/pppppppp/PPPPPPPP/PPPPPPPP/PPPPPPPP/4K3 w - - 0 1";
    let mut searcher = Searcher::new(1, 1);
    let (answer, _) = search(&mut searcher, &position(pawns), &Limits::of_nodes(20_000));
    assert!(answer.best.is_some());
    assert_eq!(answer.effort.nodes, 20_000);
    is_held_back(&position(pawns), &Limits { infinite: true, ..Limits::default() }, Control::stop);
}

#[test]
fn depths_come_one_by_one_and_end_at_the_limit() {
    let mut searcher = Searcher::new(1, 16);
    for fen in VARIED {
        for depth in [1, 2, 7] {
            let (answer, reports) = search(&mut searcher, &position(fen), &Limits::to_depth(depth));
            let exact = reports.iter().filter(|(line, _)| line.bound == Bound::Exact);
            assert!(exact.map(|(line, _)| line.depth).eq(1..=depth), "{fen}: {reports:?}");
            assert_eq!(answer.best.unwrap().depth, depth, "{fen}");
            let nodes = || reports.iter().map(|(_, effort)| effort.nodes);
            assert!(nodes().is_sorted(), "{fen}: {reports:?}");
        }
    }
}

#[test]
fn soft_nodes_end_with_a_finished_depth() {
    let mut searcher = Searcher::new(1, 16);
    for fen in VARIED {
        searcher.clear();
        let limits = Limits { soft_nodes: Some(5_000), ..Limits::to_depth(60) };
        let (answer, reports) = search(&mut searcher, &position(fen), &limits);
        let (last, efforts) = reports.split_last().unwrap();
        assert_eq!(answer.best.unwrap().depth, last.0.depth, "{fen}");
        assert!(efforts.iter().all(|(_, effort)| effort.nodes < 5_000), "{fen}: {reports:?}");
        assert!(last.1.nodes >= 5_000 || last.0.depth == 60, "{fen}: {reports:?}");
    }
}

#[test]
fn the_first_limit_that_is_reached_ends_the_search() {
    let start = position(VARIED[1]);
    let mut searcher = Searcher::new(1, 1);
    let clock = Clock { remaining: FOREVER, increment: Duration::ZERO, moves_to_go: None };
    let loose = Limits {
        depth: Some(100),
        nodes: Some(u64::MAX),
        soft_nodes: Some(u64::MAX),
        mate: Some(1),
        move_time: Some(FOREVER),
        soft_time: Some(FOREVER),
        clock: Some(clock),
        ..Limits::default()
    };
    let by_depth = Limits { depth: Some(3), ..loose.clone() };
    assert_eq!(search(&mut searcher, &start, &by_depth).0.best.unwrap().depth, 3);
    let by_nodes = Limits { nodes: Some(3_000), ..loose.clone() };
    assert_eq!(search(&mut searcher, &start, &by_nodes).0.effort.nodes, 3_000);
    let by_soft_nodes = Limits { soft_nodes: Some(1), ..loose.clone() };
    assert_eq!(search(&mut searcher, &start, &by_soft_nodes).0.best.unwrap().depth, 1);
    let by_soft_time = Limits { soft_time: Some(Duration::ZERO), ..loose.clone() };
    assert_eq!(search(&mut searcher, &start, &by_soft_time).0.best.unwrap().depth, 1);
    for limits in [
        Limits { move_time: Some(Duration::from_millis(20)), ..loose.clone() },
        Limits { soft_time: Some(Duration::from_millis(20)), ..loose.clone() },
        Limits {
            clock: Some(Clock { remaining: Duration::from_millis(200), ..clock }),
            ..loose.clone()
        },
        Limits { clock: Some(Clock { remaining: Duration::ZERO, ..clock }), ..loose.clone() },
    ] {
        let started = Instant::now();
        assert!(search(&mut searcher, &start, &limits).0.best.is_some());
        assert!(started.elapsed() < PATIENCE, "{limits:?}");
    }
    let mate = position("7k/8/6K1/8/8/8/8/R7 w - - 0 1");
    let (answer, _) = search(&mut searcher, &mate, &loose);
    assert_eq!(answer.best.unwrap().score.mate_moves(), Some(1));
}

/// Searches in another thread; the answer must not come before `release`.
fn is_held_back(position: &Position, limits: &Limits, release: impl FnOnce(&Control)) {
    let control = Arc::new(Control::new(limits.ponder));
    let (sender, receiver) = channel();
    let (shared, position, limits) = (Arc::clone(&control), position.clone(), limits.clone());
    thread::spawn(move || {
        let (answer, _) = search_with(&mut Searcher::new(2, 1), &position, &limits, &shared);
        sender.send(answer).expect("someone waits");
    });
    let early = receiver.recv_timeout(Duration::from_millis(300));
    assert!(early.is_err(), "answered too early: {early:?}");
    release(&control);
    receiver.recv_timeout(PATIENCE).expect("an answer after the release");
}

#[test]
fn endless_searches_hold_the_answer_until_the_stop() {
    let endless = Limits { infinite: true, ..Limits::default() };
    for fen in [
        VARIED[0],
        "7k/8/6K1/8/8/8/8/R7 w - - 0 1",
        "8/8/8/8/8/8/8/k1K5 b - - 0 1",
        // Nothing to search at all: mate and stalemate.
        "R6k/8/6K1/8/8/8/8/8 b - - 0 1",
        "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    ] {
        is_held_back(&position(fen), &endless, Control::stop);
    }
    for limits in [
        Limits { depth: Some(1), ..endless.clone() },
        Limits { nodes: Some(10), ..endless.clone() },
        Limits { mate: Some(5), ..endless.clone() },
        Limits { soft_nodes: Some(1), ..endless.clone() },
        Limits { move_time: Some(Duration::ZERO), ..endless.clone() },
    ] {
        is_held_back(&position("7k/8/6K1/8/8/8/8/R7 w - - 0 1"), &limits, Control::stop);
    }
}

#[test]
fn pondering_holds_the_answer_until_the_move_or_the_stop() {
    let clock = Clock {
        remaining: Duration::from_millis(50),
        increment: Duration::ZERO,
        moves_to_go: None,
    };
    let ponder = Limits { ponder: true, clock: Some(clock), ..Limits::default() };
    for fen in [VARIED[0], "7k/8/6K1/8/8/8/8/R7 w - - 0 1", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"] {
        is_held_back(&position(fen), &ponder, Control::ponder_hit);
        is_held_back(&position(fen), &ponder, Control::stop);
    }
    let deep = Limits { depth: Some(1), clock: None, ..ponder };
    is_held_back(&position(VARIED[0]), &deep, Control::ponder_hit);
}

#[test]
fn a_stopped_search_leaves_nothing_behind_after_a_clear() {
    let mut undisturbed = Searcher::new(1, 4);
    let mut disturbed = Searcher::new(1, 4);
    for (i, fen) in VARIED.into_iter().enumerate() {
        let position = position(fen);
        undisturbed.clear();
        let expected = search(&mut undisturbed, &position, &Limits::to_depth(7));
        // Broken off in the middle of a depth.
        let broken_off = Limits::of_nodes(1_000 + 777 * i as u64);
        search(&mut disturbed, &self::position(VARIED[1]), &broken_off);
        disturbed.clear();
        let found = search(&mut disturbed, &position, &Limits::to_depth(7));
        assert_eq!(found.0.best, expected.0.best, "{fen}");
        assert_eq!(found.0.effort.nodes, expected.0.effort.nodes, "{fen}");
    }
}

#[test]
fn a_stop_before_the_first_node_still_gives_a_move() {
    let mut searcher = Searcher::new(1, 1);
    for fen in VARIED {
        let control = Arc::new(Control::default());
        control.stop();
        let limits = Limits::default();
        let (answer, _) = search_with(&mut searcher, &position(fen), &limits, &control);
        assert!(answer.best_move().is_some(), "{fen}");
    }
}
