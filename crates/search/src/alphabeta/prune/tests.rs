// SPDX-License-Identifier: GPL-3.0-or-later
use super::*;
use crate::alphabeta::testing::{START, mv, node, set, with_hit, worker};

/// White can take a queen with a pawn.
const HANGING: &str = "4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1";
/// White has two queens more.
const WON: &str = "4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1";

#[test]
fn nodes_are_pruned_only_where_a_bound_is_enough() {
    let mut worker = worker(WON, &[]);
    let plain = node(&mut worker, 0, 4, 1500);
    assert!(plain.may_prune());
    assert!(!Node { is_pv: true, ..plain }.may_prune());
    assert!(!Node { in_check: true, ..plain }.may_prune());
    assert!(!Node { excluded: Some(mv(&worker, "a1a2")), ..plain }.may_prune());
    let lost = Node { window: Window::below(Score::mated_in(20)), ..plain };
    assert!(!lost.may_prune(), "a side that is being mated must look for every way out");
    assert!(worker.prune_node(&plain).is_some());
    assert_eq!(worker.prune_node(&Node { is_pv: true, ..plain }), None);
}

#[test]
fn razoring_looks_at_captures_only_far_below_alpha() {
    let mut worker = worker(START, &[]);
    let far_below = node(&mut worker, 600, 1, 0);
    assert!(worker.razor(&far_below).is_some_and(|score| score <= far_below.window.alpha));
    assert_eq!(worker.stats.pruning.razor_cuts, 1);
    let eval = Score::new(600 - 220 - 128 + 1);
    assert_eq!(worker.razor(&Node { eval, ..far_below }), None, "the margin");
    let deep = node(&mut worker, 10_000, 5, 0);
    assert_eq!(worker.razor(&deep), None, "the depth");
    let window = Window::above(Score::mate_in(9));
    assert_eq!(worker.razor(&Node { window, ..far_below }), None, "a quiet move may mate");
    set(&mut worker, "razor_on", 0);
    assert_eq!(worker.razor(&far_below), None);
}

#[test]
fn razoring_sees_what_a_capture_wins() {
    let mut worker = worker(HANGING, &[]);
    let node = node(&mut worker, -200, 1, -900);
    assert_eq!(worker.razor(&node), None);
    assert_eq!(worker.stats.pruning.razor_cuts, 0);
}

#[test]
fn reverse_futility_answers_between_beta_and_the_evaluation() {
    let mut worker = worker(WON, &[]);
    let above = node(&mut worker, 0, 3, 1000);
    let score = worker.reverse_futility(&above).unwrap();
    assert!(above.window.beta <= score && score <= above.eval);
    assert_eq!(worker.stats.pruning.reverse_futility_cuts, 1);
    set(&mut worker, "rfp_on", 0);
    assert_eq!(worker.reverse_futility(&above), None);
}

#[test]
fn reverse_futility_keeps_its_margin() {
    let mut worker = worker(START, &[]);
    // Three plies of 67 points above beta, which is 1.
    let at_margin = node(&mut worker, 0, 3, 202);
    assert!(worker.reverse_futility(&at_margin).is_some());
    let below = node(&mut worker, 0, 3, 201);
    assert_eq!(worker.reverse_futility(&below), None);
    assert!(worker.reverse_futility(&Node { improving: true, ..below }).is_some());
    assert_eq!(worker.reverse_futility(&Node { correction: -100, ..at_margin }), None, "unsure");
}

#[test]
fn reverse_futility_stays_away_where_it_errs() {
    let mut worker = worker(HANGING, &[]);
    let above = node(&mut worker, 0, 3, 1000);
    assert!(worker.reverse_futility(&above).is_some());
    assert_eq!(worker.reverse_futility(&Node { was_pv: true, ..above }), None);
    assert_eq!(worker.reverse_futility(&Node { depth: 11, ..above }), None);
    assert_eq!(worker.reverse_futility(&Node { eval: Score::mate_in(5), ..above }), None);
    let quiet = Node { table_move: Some(mv(&worker, "e1e2")), ..above };
    assert_eq!(worker.reverse_futility(&quiet), None, "a quiet move is known to be good");
    let capture = Node { table_move: Some(mv(&worker, "e4d5")), ..above };
    assert!(worker.reverse_futility(&capture).is_some());
}

#[test]
fn passing_proves_a_bound() {
    let mut worker = worker(WON, &[]);
    let above = node(&mut worker, 0, 5, 1500);
    let score = worker.null_move(&above).unwrap();
    assert!(score >= above.window.beta && !score.is_decisive());
    assert_eq!((worker.stats.pruning.null_moves, worker.stats.pruning.null_cuts), (1, 1));
    assert_eq!(worker.ply, 0, "the null move is taken back");
}

#[test]
fn nobody_passes_twice_nor_where_it_proves_nothing() {
    let mut worker = worker(WON, &[]);
    let above = node(&mut worker, 0, 5, 1500);
    assert!(worker.is_null_move_tried(&above));
    assert!(!worker.is_null_move_tried(&Node { expected_cut: false, ..above }));
    assert!(!worker.is_null_move_tried(&Node { depth: 2, ..above }));
    assert!(!worker.is_null_move_tried(&Node { eval: Score::new(0), ..above }));
    assert!(!worker.is_null_move_tried(&Node { static_eval: Score::new(-100), ..above }));
    let refuted = with_hit(above, None, -20, Bound::Upper, 3);
    assert!(!worker.is_null_move_tried(&refuted), "the table knows better");
    worker.null_min_ply = 1;
    assert!(!worker.is_null_move_tried(&above), "while a null move is verified");
    worker.null_min_ply = 0;
    worker.make_null();
    assert!(!worker.is_null_move_tried(&above), "right after one");
    worker.unmake_null();
    set(&mut worker, "nmp_on", 0);
    assert!(!worker.is_null_move_tried(&above));
}

#[test]
fn nobody_passes_with_pawns_only() {
    let mut worker = worker("4k3/8/8/8/8/8/PPP5/4K3 w - - 0 1", &[]);
    let above = node(&mut worker, 0, 5, 1500);
    assert!(!worker.is_null_move_tried(&above), "zugzwang");
}

#[test]
fn deep_null_moves_are_verified() {
    let nodes_at = |depth: i32| {
        let mut worker = worker(WON, &[]);
        set(&mut worker, "nmp_verify_min_depth", 8);
        let above = node(&mut worker, 0, depth, 1500);
        assert!(worker.null_move(&above).is_some());
        assert_eq!(worker.null_min_ply, 0, "passing is allowed again");
        worker.nodes
    };
    // The same position is searched once more, without passing; here both end in quiescence at once.
    assert_eq!(nodes_at(8), nodes_at(7) + 1);
}

#[test]
fn a_good_capture_cuts() {
    let mut worker = worker(HANGING, &[]);
    let node = node(&mut worker, -500, 6, -850);
    let score = worker.prob_cut(&node).unwrap();
    assert!(score >= node.window.beta);
    assert_eq!(worker.stats.pruning.prob_cuts, 1);
    let entry = worker.probe().expect("the result is stored");
    assert_eq!((entry.mv, entry.depth), (Some(mv(&worker, "e4d5")), 3));
    let (_, bound) = entry.score.unwrap();
    assert_eq!(bound, Bound::Lower);
}

#[test]
fn prob_cut_is_not_tried_in_vain() {
    let mut worker = worker(HANGING, &[]);
    let plain = node(&mut worker, -500, 6, -850);
    assert_eq!(worker.prob_cut(&Node { depth: 4, ..plain }), None, "too shallow");
    let high = node(&mut worker, 500, 6, -850);
    assert_eq!(worker.prob_cut(&high), None, "the capture wins too little");
    let denied = with_hit(plain, None, -600, Bound::Upper, 3);
    assert_eq!(worker.prob_cut(&denied), None, "the table knows better");
    set(&mut worker, "probcut_on", 0);
    assert_eq!(worker.prob_cut(&plain), None);
    assert_eq!(worker.stats.pruning.prob_cuts, 0);
}

#[test]
fn a_bound_in_the_table_that_is_far_above_beta_cuts() {
    let mut worker = worker(START, &[]);
    let plain = node(&mut worker, 0, 6, 0);
    assert_eq!(worker.table_prob_cut(&plain), None, "nothing is known");
    let known = with_hit(plain, None, 300, Bound::Lower, 2);
    assert_eq!(worker.table_prob_cut(&known), Some(Score::new(1 + 210)));
    assert_eq!(worker.stats.pruning.table_prob_cuts, 1);
    let upper = with_hit(plain, None, 300, Bound::Upper, 2);
    assert_eq!(worker.table_prob_cut(&upper), None);
    assert_eq!(worker.table_prob_cut(&with_hit(plain, None, 300, Bound::Lower, 1)), None);
    assert_eq!(worker.table_prob_cut(&with_hit(plain, None, 210, Bound::Lower, 2)), None);
    set(&mut worker, "probcut_table_on", 0);
    assert_eq!(worker.table_prob_cut(&known), None);
}

#[test]
fn blends_lie_between() {
    let (one, other) = (Score::new(100), Score::new(300));
    assert_eq!(blend(one, other, 0), one);
    assert_eq!(blend(one, other, 512), Score::new(200));
    assert_eq!(blend(one, other, 1024), other);
}

#[test]
fn prob_cut_is_guarded_by_what_is_asked_for() {
    let guards = ["probcut_cut_try", "probcut_noisy_try", "probcut_eval_try"];
    let mut worker = worker(START, &[]);
    let mut node = node(&mut worker, 0, 10, -100);
    (node.expected_cut, node.table_move) = (false, Some(mv(&worker, "e2e4")));
    assert!(!worker.is_prob_cut_hopeless(&node));
    for name in guards {
        set(&mut worker, name, 1);
        assert!(worker.is_prob_cut_hopeless(&node), "{name}");
        set(&mut worker, name, 0);
    }
    (node.expected_cut, node.table_move, node.eval) = (true, None, Score::new(100));
    for name in guards {
        set(&mut worker, name, 1);
    }
    assert!(!worker.is_prob_cut_hopeless(&node));
}

#[test]
fn prob_cut_is_shallower_far_above_beta_if_asked_for() {
    let mut worker = worker(START, &[]);
    let node = node(&mut worker, 0, 10, 500);
    assert_eq!(worker.prob_cut_depth(&node), 6);
    set(&mut worker, "probcut_adaptive_try", 1);
    assert_eq!(worker.prob_cut_depth(&node), 3);
}
