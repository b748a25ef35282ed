// SPDX-License-Identifier: GPL-3.0-or-later
use chess::Move;

use super::*;
use crate::alphabeta::testing::{START, mv, node, set, with_hit, worker};

/// Whatever others do, White's capture of the queen is far better.
const ONE_GOOD_MOVE: &str = "4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1";

#[test]
fn hindsight_changes_no_search_that_leaves_a_move_out() {
    let mut worker = after_reduction(4096, -50);
    let plain = node(&mut worker, 0, 6, -50);
    assert_eq!(worker.hindsight(&plain), 1);
    let excluded = Some(mv(&worker, "e7e5"));
    assert_eq!(worker.hindsight(&Node { excluded, ..plain }), 0);
}

/// A worker after a move that was reduced by so much, where the evaluation before it was `eval`.
fn after_reduction(reduction: i32, eval: i32) -> Worker {
    let mut worker = worker(START, &[]);
    worker.frames[0].eval = Some(Score::new(eval));
    let first = mv(&worker, "e2e4");
    worker.make(first);
    worker.frames[0].reduction = reduction;
    worker
}

#[test]
fn hindsight_gives_back_what_a_reduced_move_deserves() {
    let mut worker = after_reduction(3072, 0);
    let no_worse = node(&mut worker, 0, 6, 0);
    assert_eq!(worker.hindsight(&no_worse), 1);
    assert_eq!(worker.hindsight(&Node { in_check: true, ..no_worse }), 0);
    worker.frames[0].reduction = 3071;
    assert_eq!(worker.hindsight(&no_worse), 0, "a small reduction");
    worker.frames[0].reduction = 3072;
    set(&mut worker, "hindsight_on", 0);
    assert_eq!(worker.hindsight(&no_worse), 0);
}

#[test]
fn hindsight_takes_more_where_a_reduced_move_was_bad() {
    // The side to move here gains what the mover has lost: 99 points are more than the margin.
    let mut worker = after_reduction(2048, 0);
    let gain = |worker: &mut Worker, eval| node(worker, 0, 6, eval);
    let node = gain(&mut worker, 99);
    assert_eq!(worker.hindsight(&node), -1);
    assert_eq!(worker.hindsight(&Node { depth: 1, ..node }), 0);
    let less = gain(&mut worker, 98);
    assert_eq!(worker.hindsight(&less), 0);
}

#[test]
fn nodes_without_a_table_move_are_searched_less_deep() {
    let mut worker = worker(START, &[]);
    let plain = node(&mut worker, 0, 4, 0);
    assert_eq!(worker.internal_reduction(&plain), 1);
    assert_eq!(worker.internal_reduction(&Node { depth: 3, ..plain }), 0);
    let table_move = Some(mv(&worker, "e2e4"));
    assert_eq!(worker.internal_reduction(&Node { table_move, ..plain }), 0);
    assert_eq!(worker.internal_reduction(&Node { excluded: table_move, ..plain }), 0);
    let all_node = Node { expected_cut: false, ..plain };
    assert_eq!(worker.internal_reduction(&all_node), 0);
    assert_eq!(worker.internal_reduction(&Node { is_pv: true, ..all_node }), 1);
    set(&mut worker, "iir_on", 0);
    assert_eq!(worker.internal_reduction(&plain), 0);
}

#[test]
fn checks_are_extended_if_that_is_switched_on() {
    let mut worker = worker(START, &[]);
    let checked = Node { in_check: true, ..node(&mut worker, 0, 4, 0) };
    assert_eq!(worker.check_extension(&checked), 0);
    set(&mut worker, "check_extension_on", 1);
    assert_eq!(worker.check_extension(&checked), 1);
    assert_eq!(worker.check_extension(&Node { is_root: true, ..checked }), 0);
    assert_eq!(worker.check_extension(&Node { in_check: false, ..checked }), 0);
    assert_eq!(worker.stats.depth.check_extensions, 1);
}

/// A node whose table move scores 300 by a lower bound nearly as deep as the node.
fn promising(worker: &mut Worker, alpha: i32, table_move: Move) -> Node {
    worker.root_depth = 8;
    let plain = node(worker, alpha, 6, 0);
    with_hit(plain, Some(table_move), 300, Bound::Lower, 5)
}

#[test]
fn a_move_that_stands_out_is_extended() {
    let mut worker = worker(ONE_GOOD_MOVE, &[]);
    let capture = mv(&worker, "e4d5");
    let node = promising(&mut worker, 200, capture);
    let SingularResult::Extend(plies) = worker.singular_extension(&node) else { panic!("no cut") };
    assert_eq!(plies, 2, "one more, as the others are far behind; for captures not a third one");
    assert_eq!(worker.stats.depth.singular_extensions, 1);
    assert_eq!(worker.frame().excluded, None, "the move is not left out any more");
    worker.frame_mut().double_extensions = 8;
    assert_eq!(
        worker.singular_extension(&node),
        SingularResult::Extend(1),
        "the line is long enough"
    );
    worker.frame_mut().double_extensions = 0;
    set(&mut worker, "singular_on", 0);
    assert_eq!(worker.singular_extension(&node), SingularResult::Extend(0));
}

#[test]
fn others_are_searched_only_where_the_table_is_worth_it() {
    let mut worker = worker(ONE_GOOD_MOVE, &[]);
    let capture = mv(&worker, "e4d5");
    let node = promising(&mut worker, 200, capture);
    assert!(worker.singular_score(&node).is_some());
    assert_eq!(worker.singular_score(&Node { is_root: true, ..node }), None);
    assert_eq!(worker.singular_score(&Node { excluded: Some(capture), ..node }), None);
    assert_eq!(worker.singular_score(&Node { depth: 4, ..node }), None);
    assert_eq!(worker.singular_score(&Node { depth: 9, ..node }), None, "the entry is shallow");
    let upper = with_hit(node, Some(capture), 300, Bound::Upper, 5);
    assert_eq!(worker.singular_score(&upper), None);
    worker.root_depth = 0;
    assert_eq!(worker.singular_score(&node), None, "the line is much longer than the depth");
}

#[test]
fn two_moves_above_beta_cut() {
    let mut worker = worker(START, &[]);
    worker.root_depth = 8;
    let e4 = mv(&worker, "e2e4");
    let plain = node(&mut worker, -300, 6, 0);
    let node = with_hit(plain, Some(e4), 0, Bound::Lower, 5);
    assert!(
        matches!(worker.singular_extension(&node), SingularResult::Cut(score) if score >= node.window.beta)
    );
    assert_eq!(worker.stats.depth.multi_cuts, 1);
    set(&mut worker, "multicut_on", 0);
    assert_eq!(
        worker.singular_extension(&node),
        SingularResult::Extend(-3),
        "the table's move is one of many"
    );
    set(&mut worker, "negative_extension_on", 0);
    assert_eq!(worker.singular_extension(&node), SingularResult::Extend(0));
}

#[test]
fn at_cut_nodes_a_move_like_others_is_searched_less_deep() {
    let mut worker = worker(START, &[]);
    worker.root_depth = 8;
    let e4 = mv(&worker, "e2e4");
    let plain = node(&mut worker, 200, 6, 0);
    let node = with_hit(plain, Some(e4), -100, Bound::Lower, 5);
    assert_eq!(worker.singular_extension(&node), SingularResult::Extend(-2));
    assert_eq!(
        worker.singular_extension(&Node { expected_cut: false, ..node }),
        SingularResult::Extend(0)
    );
}

#[test]
fn quiet_moves_that_stand_out_may_get_three_plies() {
    let mut worker = worker(START, &[]);
    let quiet = mv(&worker, "e2e4");
    let node = promising(&mut worker, 200, quiet);
    let plies = [12, 13, 70, 71].map(|gap| worker.singular_plies(&node, gap));
    assert_eq!(plies, [1, 2, 2, 3]);
    let pv = Node { is_pv: true, ..node };
    assert_eq!([122, 123].map(|gap| worker.singular_plies(&pv, gap)), [1, 2]);
}

#[test]
fn near_the_leaves_a_promise_is_enough() {
    let mut worker = worker(START, &[]);
    let e4 = mv(&worker, "e2e4");
    worker.root_depth = 8;
    // The evaluation is 20 points below alpha, the table's move is not.
    let plain = node(&mut worker, 20, 4, 0);
    let node = with_hit(plain, Some(e4), 50, Bound::Lower, 1);
    assert_eq!(worker.shallow_extension(&node), 1);
    assert_eq!(worker.singular_extension(&node), SingularResult::Extend(1));
    assert_eq!(worker.shallow_extension(&Node { static_eval: Score::new(1), ..node }), 0);
    assert_eq!(worker.shallow_extension(&Node { expected_cut: false, ..node }), 0);
    assert_eq!(worker.shallow_extension(&Node { in_check: true, ..node }), 0);
    assert_eq!(worker.shallow_extension(&Node { depth: 5, ..node }), 0, "others are searched");
    assert_eq!(worker.shallow_extension(&with_hit(node, Some(e4), 50, Bound::Upper, 1)), 0);
    set(&mut worker, "shallow_extension_on", 0);
    assert_eq!(worker.shallow_extension(&node), 0);
}

#[test]
fn an_exact_score_needs_less_margin_if_asked_for() {
    let mut worker = worker(START, &[]);
    let mut node = node(&mut worker, 0, 12, 0);
    node.hit_score = Some((Score::DRAW, Bound::Exact));
    assert_eq!(worker.singular_margin(&node), 12);
    set(&mut worker, "singular_exact_try", 1);
    assert_eq!(worker.singular_margin(&node), 3);
    node.correction = -40;
    set(&mut worker, "singular_correction_scale", 512);
    assert_eq!(worker.singular_margin(&node), 23);
}
