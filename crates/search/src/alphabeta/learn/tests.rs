// SPDX-License-Identifier: GPL-3.0-or-later
use chess::Move;

use super::*;
use crate::alphabeta::node::Tried;
use crate::alphabeta::order::Killers;
use crate::alphabeta::testing::{START, candidate, mv, node, set, worker};
use crate::{Params, Window};

fn history(worker: &Worker, mv: Move) -> i32 {
    let previous_moves = worker.previous_moves();
    if mv.is_noisy() {
        worker.histories.noisy(worker.board(), mv)
    } else {
        worker.histories.quiet(worker.history_context(&previous_moves), mv, &worker.params)
    }
}

/// The result of a node where `best` came after others that were tried in vain.
fn refutation(worker: &Worker, node: &Node, best: &str, tried: &[&str]) -> NodeResult {
    let mut list = Tried::default();
    for text in tried {
        list.add(mv(worker, text));
    }
    NodeResult {
        best: node.window.beta,
        best_move: Some(mv(worker, best)),
        searched: tried.len() + 1,
        tried: list,
    }
}

#[test]
fn a_refutation_is_rewarded_and_what_was_tried_is_punished() {
    let mut worker = worker(START, &[]);
    worker.compute_threats();
    let node = node(&mut worker, 0, 6, 0);
    let found = refutation(&worker, &node, "e2e4", &["d2d4", "g1f3"]);
    worker.learn(&node, &found);
    let [good, bad, also_bad, other] =
        ["e2e4", "d2d4", "g1f3", "a2a3"].map(|text| history(&worker, mv(&worker, text)));
    assert!(good > 0 && bad < 0 && also_bad < 0 && other == 0, "{good} {bad} {also_bad} {other}");
    let mut killers = Killers::default();
    killers.add(mv(&worker, "e2e4"));
    assert_eq!(worker.frame().killers, killers);
    assert_eq!(worker.stats.nodes.cut, 1);
}

#[test]
fn captures_are_rewarded_apart_and_are_no_killers() {
    let mut worker = worker("4k3/2p5/3p4/8/8/3Q4/8/4K3 w - - 0 1", &[]);
    worker.compute_threats();
    let node = node(&mut worker, 0, 6, 0);
    let found = refutation(&worker, &node, "d3d6", &["d3d4"]);
    worker.learn(&node, &found);
    assert!(history(&worker, mv(&worker, "d3d6")) > 0);
    assert_eq!(worker.frame().killers, Killers::default());
    // A capture that was tried in vain is punished even if a quiet move refutes.
    let found = refutation(&worker, &node, "d3d4", &["d3d6"]);
    for _ in 0..5 {
        worker.learn(&node, &found);
    }
    assert!(history(&worker, mv(&worker, "d3d6")) < 0);
}

#[test]
fn nothing_is_learnt_below_beta_from_moves_that_raise_alpha() {
    let mut worker = worker(START, &[]);
    worker.compute_threats();
    let zero = node(&mut worker, 0, 6, 0);
    let window = Window { alpha: Score::new(0), beta: Score::new(100) };
    let pv = Node { window, is_pv: true, ..zero };
    let found =
        NodeResult { best: Score::new(50), ..refutation(&worker, &zero, "e2e4", &["d2d4"]) };
    worker.learn(&pv, &found);
    assert_eq!(["e2e4", "d2d4"].map(|text| history(&worker, mv(&worker, text))), [0, 0]);
}

#[test]
fn a_first_move_at_low_depth_says_little() {
    let mut worker = worker(START, &[]);
    worker.compute_threats();
    let e4 = mv(&worker, "e2e4");
    let shallow = node(&mut worker, 0, 3, 0);
    let alone = refutation(&worker, &shallow, "e2e4", &[]);
    worker.learn(&shallow, &alone);
    assert_eq!(history(&worker, e4), 0);
    let deep = Node { depth: 4, ..shallow };
    worker.learn(&deep, &alone);
    assert!(history(&worker, e4) > 0);
}

#[test]
fn bonuses_grow_with_depth_up_to_a_limit() {
    let worker = worker(START, &[]);
    let p = Params::default();
    assert_eq!(worker.bonus(0), 0, "never negative");
    assert!(worker.bonus(5) > worker.bonus(4) && worker.malus(5) > worker.malus(4));
    assert_eq!(worker.bonus(100), p.history_bonus_max());
    assert_eq!(worker.malus(100), p.history_malus_max());
}

/// A node after 1. e4, where nothing was good enough, and what is known of 1. e4 from then on.
fn after_e4(depth: i32, change: impl FnOnce(&mut Worker)) -> (Worker, i32) {
    let mut worker = worker(START, &[]);
    worker.compute_threats();
    let e4 = mv(&worker, "e2e4");
    worker.make(e4);
    worker.compute_threats();
    change(&mut worker);
    let node = node(&mut worker, 0, depth, 0);
    let found = NodeResult { best: Score::new(-10), searched: 20, ..NodeResult::default() };
    worker.learn(&node, &found);
    worker.unmake();
    let value = history(&worker, e4);
    (worker, value)
}

#[test]
fn the_move_that_left_nothing_good_is_rewarded() {
    let (worker, reward) = after_e4(6, |_| ());
    assert!(reward > 0);
    assert_eq!(worker.stats.nodes.all, 1);
    assert_eq!(after_e4(1, |_| ()).1, 0, "too shallow");
    assert_eq!(after_e4(6, |worker| set(worker, "history_last_move_on", 0)).1, 0);
}

#[test]
fn the_last_move_is_judged_by_what_the_evaluation_says_after_it() {
    let judged = |before: i32, after: i32, is_on: i32| {
        let mut worker = worker(START, &[]);
        set(&mut worker, "history_eval_on", is_on);
        worker.compute_threats();
        worker.frame_mut().eval = Some(Score::new(before));
        let e4 = mv(&worker, "e2e4");
        worker.make(e4);
        let node = node(&mut worker, 0, 6, after);
        worker.learn_from_eval_difference(&node);
        assert_eq!(worker.ply, 1, "back at the node");
        worker.unmake();
        history(&worker, e4)
    };
    // Evaluations are those of the side to move: the sum is what the mover has lost.
    assert!(judged(0, -40, 1) > 0);
    assert!(judged(0, 40, 1) < 0);
    assert_eq!(judged(20, -20, 1), 0);
    assert_eq!(judged(0, -40, 0), 0);
}

#[test]
fn a_second_search_teaches_what_a_reduced_one_got_wrong() {
    let learnt = |score: i32| {
        let mut worker = worker(START, &["e2e4", "e7e5", "g1f3"]);
        let node = node(&mut worker, 0, 6, 0);
        let reduced = candidate(&mut worker, "b8c6", 5);
        // The line in the worker begins at the root: give it two plies that continuations know.
        worker.make(reduced.mv);
        let mv_after = mv(&worker, "f1b5");
        let next = candidate(&mut worker, "f1b5", 5);
        worker.make(mv_after);
        worker.learn_from_research(&node, &next, Score::new(score));
        assert_eq!(worker.ply, 2);
        worker.unmake();
        history(&worker, mv_after)
    };
    assert!(learnt(1) > 0, "at beta");
    assert!(learnt(0) < 0, "at alpha");
}

#[test]
fn what_is_tried_late_is_punished_less() {
    assert_eq!(late_malus(1000, 0), 1000);
    assert!(late_malus(1000, 30) < 250 && late_malus(1000, 30) > 0);
}

#[test]
fn the_best_move_of_the_principal_variation_is_rewarded_if_asked_for() {
    for (value, is_rewarded) in [(0, false), (1, true)] {
        let mut worker = worker(START, &[]);
        set(&mut worker, "history_pv_try", value);
        let mut node = node(&mut worker, 0, 8, 0);
        node.window = Window::around(Score::DRAW, 100);
        let found = refutation(&worker, &node, "e2e4", &[]);
        worker.learn(&node, &NodeResult { best: Score::new(50), ..found });
        assert_eq!(history(&worker, mv(&worker, "e2e4")) > 0, is_rewarded);
    }
}

#[test]
fn an_early_move_that_is_refuted_is_punished_if_asked_for() {
    let mut worker = worker(START, &[]);
    for text in ["g1f3", "g8f6", "f3g1"] {
        let mv = mv(&worker, text);
        worker.make(mv);
    }
    let node = node(&mut worker, 0, 8, 0);
    let last = |worker: &mut Worker| {
        worker.ply -= 1;
        let history = history(worker, mv(worker, "f3g1"));
        worker.ply += 1;
        history
    };
    worker.punish_last_move(&node);
    assert_eq!(last(&mut worker), 0);
    set(&mut worker, "history_refuted_try", 1);
    worker.punish_last_move(&node);
    let before = last(&mut worker);
    assert!(before < 0);
    worker.frames[2].moves_before = 5;
    worker.punish_last_move(&node);
    assert_eq!(last(&mut worker), before, "a late move is expected to be refuted");
}
