// SPDX-License-Identifier: GPL-3.0-or-later
use super::*;
use crate::alphabeta::node::{Pv, Root};
use crate::alphabeta::testing::{START, mv, node, set, with_hit, worker};

/// White is a queen down, but can repeat the position by a move that futility skips.
const REPEATING: &str = "5q1k/8/8/3p4/4P3/8/8/K7 w - - 0 1";

#[test]
fn a_draw_that_can_be_forced_is_the_least_that_a_node_is_worth() {
    // With the king on a1 and the other on g8 the position has occurred twice.
    let moves = "a1b1 h8g8 b1a1 g8h8 a1a2 h8g8 a2a1 g8h8 a1b2 h8g8";
    let mut worker = worker(REPEATING, &moves.split(' ').collect::<Vec<_>>());
    let window = Window { alpha: Score::new(-2000), beta: Score::new(2000) };
    let score = worker.negamax::<Pv>(window, 1, false);
    assert_eq!(score, Score::DRAW);
    let entry = worker.probe().expect("the node was stored");
    let (stored, bound) = entry.score.unwrap();
    assert!(stored >= Score::DRAW && bound != Bound::Exact, "{entry:?}");
}

#[test]
fn the_root_has_its_best_move_though_the_table_has_lost_it() {
    let mut worker = worker("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", &[]);
    worker.finished_depth = 5;
    let mut node = worker.enter::<Root>(Window::FULL, 6, false);
    assert_eq!(worker.probe(), None);
    assert_eq!(worker.probe_table(&mut node), None);
    assert_eq!(node.table_move, worker.root.first_move());
    assert!(node.table_move.is_some());
}

#[test]
fn a_deep_entry_answers_and_teaches() {
    let mut worker = worker(START, &[]);
    let e4 = mv(&worker, "e2e4");
    let plain = node(&mut worker, 0, 6, 0);
    let hit = |score: i32, bound, depth| {
        let score = Some((Score::new(score), bound));
        Entry { mv: Some(e4), score, eval: None, depth, was_pv: false }
    };
    // Above beta a lone thread wants one ply more than asked for.
    assert_eq!(worker.table_answer(&plain, hit(50, Bound::Lower, 7)), Some(Score::new(50)));
    assert_eq!(worker.table_answer(&plain, hit(50, Bound::Lower, 6)), None, "the depth");
    assert_eq!(worker.table_answer(&plain, hit(-50, Bound::Upper, 6)), Some(Score::new(-50)));
    assert_eq!(worker.table_answer(&plain, hit(50, Bound::Upper, 9)), None, "settles nothing");
    assert_eq!(worker.stats.pruning.table_cuts, 2);
    let previous_moves = worker.previous_moves();
    assert!(
        worker.histories.quiet(worker.history_context(&previous_moves), e4, &worker.params) > 0
    );
}

#[test]
fn entries_do_not_answer_where_they_would_mislead() {
    let mut worker = worker(START, &[]);
    let plain = node(&mut worker, 0, 6, 0);
    let score = Some((Score::new(-50), Bound::Upper));
    let hit = Entry { mv: None, score, eval: None, depth: 9, was_pv: false };
    assert!(worker.table_answer(&plain, hit).is_some());
    assert_eq!(worker.table_answer(&Node { is_pv: true, ..plain }, hit), None, "a line cut short");
    let excluded = Some(mv(&worker, "e2e4"));
    assert_eq!(worker.table_answer(&Node { excluded, ..plain }, hit), None);
    // At low depth an entry must say what is expected: here a cut.
    assert_eq!(worker.table_answer(&Node { depth: 5, ..plain }, hit), None);
    let all_node = Node { depth: 5, expected_cut: false, ..plain };
    assert!(worker.table_answer(&all_node, hit).is_some());
    let mut late = self::worker("4k3/8/8/8/8/8/8/R3K3 w - - 90 100", &[]);
    let node = node(&mut late, 0, 6, 0);
    assert_eq!(late.table_answer(&node, hit), None, "the fifty-move rule is near");
}

#[test]
fn scores_above_beta_are_drawn_towards_it() {
    let mut worker = worker(START, &[]);
    let node = node(&mut worker, 0, 3, 0);
    let blended = |worker: &Worker, best: Score| {
        let mut found = NodeResult { best, ..NodeResult::default() };
        worker.blend_fail_high(&node, &mut found);
        found.best
    };
    // Beta is 1: three parts of 401 and one of 1.
    assert_eq!(blended(&worker, Score::new(401)), Score::new(301));
    assert_eq!(blended(&worker, Score::new(0)), Score::new(0), "below beta");
    assert_eq!(blended(&worker, Score::mate_in(5)), Score::mate_in(5), "a mate is a mate");
    set(&mut worker, "fail_high_blend_on", 0);
    assert_eq!(blended(&worker, Score::new(401)), Score::new(401));
}

#[test]
fn after_a_raise_of_alpha_the_rest_is_searched_less_deep() {
    let mut worker = worker(START, &[]);
    let plain = node(&mut worker, 0, 6, 0);
    let depth_after = |worker: &Worker, node: Node, score: Score| {
        let mut node = node;
        worker.after_raise(&mut node, score);
        assert!(node.is_raised);
        node.depth
    };
    let score = Score::new(10);
    assert_eq!(depth_after(&worker, plain, score), 5);
    assert_eq!(depth_after(&worker, Node { depth: 2, ..plain }, score), 2);
    assert_eq!(depth_after(&worker, Node { depth: 14, ..plain }, score), 14);
    assert_eq!(depth_after(&worker, Node { is_root: true, ..plain }, score), 6);
    assert_eq!(depth_after(&worker, plain, Score::mate_in(3)), 6);
    set(&mut worker, "raised_depth_on", 0);
    assert_eq!(depth_after(&worker, plain, score), 6);
}

#[test]
fn a_second_search_is_deeper_or_shallower_by_how_good_the_move_was() {
    let mut worker = worker(START, &[]);
    let best = Score::new(0);
    // 40 points and 2 for each of 6 plies; less than 8 is hardly better.
    let change = [52, 53, 8, 7].map(|score| worker.research_extension(Score::new(score), best, 6));
    assert_eq!(change, [0, 1, 0, -1]);
    assert_eq!(
        worker.research_extension(Score::new(500), Score::MIN, 6),
        0,
        "there is no best yet"
    );
    set(&mut worker, "lmr_confidence_on", 0);
    assert_eq!(worker.research_extension(Score::new(500), best, 6), 0);
}

#[test]
fn a_table_bound_improves_the_evaluation_in_its_direction_only() {
    let mut worker = worker(START, &[]);
    let eval_with = |worker: &mut Worker, score: i32, bound| {
        let plain = node(worker, 0, 6, 0);
        let mut node = with_hit(plain, None, score, bound, 3);
        worker.evaluate(&mut node);
        (node.eval, node.static_eval)
    };
    let (_, eval) = eval_with(&mut worker, 0, Bound::Upper);
    let above = eval.value() + 70;
    let below = eval.value() - 70;
    assert_eq!(eval_with(&mut worker, above, Bound::Lower).0, Score::new(above));
    assert_eq!(eval_with(&mut worker, below, Bound::Lower).0, eval);
    assert_eq!(eval_with(&mut worker, below, Bound::Upper).0, Score::new(below));
    assert_eq!(eval_with(&mut worker, above, Bound::Upper).0, eval);
    assert_eq!(eval_with(&mut worker, below, Bound::Exact).0, Score::new(below));
}

#[test]
fn a_node_without_a_move_is_mate_stalemate_or_what_pruning_promised() {
    let mut mated = worker("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", &[]);
    let in_check = node(&mut mated, 0, 3, 0);
    assert_eq!(mated.no_move_score(&in_check, Score::MIN), Score::mated_in(0));
    let mut stalemate = worker("k7/2Q5/8/8/8/8/8/6K1 b - - 0 1", &[]);
    let quiet = node(&mut stalemate, 0, 3, 0);
    assert_eq!(stalemate.no_move_score(&quiet, Score::MIN), Score::DRAW);
    let mut start = worker(START, &[]);
    let pruned = node(&mut start, 0, 3, 0);
    assert_eq!(start.no_move_score(&pruned, Score::MIN), pruned.window.alpha);
}

#[test]
fn mates_that_are_too_far_away_are_not_looked_for() {
    let mut worker = worker(START, &[]);
    let far = Window::above(Score::mate_in(1));
    let mut node = worker.enter::<crate::alphabeta::node::NonPv>(far, 5, true);
    assert_eq!(worker.forced_result(&mut node), Some(Score::mate_in(1)));
}
