// SPDX-License-Identifier: GPL-3.0-or-later
use super::*;
use crate::alphabeta::node::{NonPv, Pv};
use crate::alphabeta::testing::{START, mv, set, worker};

/// The queen can take a guarded pawn.
const GUARDED: &str = "4k3/2p5/3p4/8/8/3Q4/8/4K3 w - - 0 1";
/// White can take a queen with a pawn.
const HANGING: &str = "4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1";

fn standing(worker: &mut Worker, alpha: i32) -> QuiescenceNode {
    worker.evaluate_quiescent::<NonPv>(Window::above(Score::new(alpha)), None)
}

fn picked(worker: &Worker, text: &str) -> Picked {
    let wanted = mv(worker, text);
    let previous_moves = worker.previous_moves();
    let mut picker = Picker::noisy_only(None);
    let mut all = std::iter::from_fn(|| picker.next(worker.context(&previous_moves)));
    all.find(|picked| picked.mv == wanted).expect("a capture")
}

#[test]
fn standing_pat_is_an_answer_between_beta_and_the_evaluation() {
    let eval = worker(START, &[]).quiescence::<Pv>(Window::FULL);
    let beta = eval - 300;
    let answer = |share: i32| {
        let mut worker = worker(START, &[]);
        set(&mut worker, "qs_blend", share);
        worker.quiescence::<NonPv>(Window::below(beta))
    };
    assert_eq!([0, 512, 1024].map(answer), [beta, beta + 150, eval]);
}

#[test]
fn a_hanging_queen_is_taken() {
    let mut worker = worker(HANGING, &[]);
    let stand_pat = standing(&mut worker, 0).stand_pat;
    let score = worker.quiescence::<Pv>(Window::FULL);
    assert!(score > stand_pat + 800, "{score:?} {stand_pat:?}");
}

#[test]
fn captures_that_cannot_reach_alpha_are_skipped() {
    let mut worker = worker(HANGING, &[]);
    let capture = picked(&worker, "e4d5");
    let stand_pat = standing(&mut worker, 0).stand_pat;
    // The queen is worth 950 points, and the margin is 159.
    let out_of_reach = standing(&mut worker, stand_pat.value() + 950 + 159);
    assert_eq!(
        worker.prune_capture(&out_of_reach, capture, 0),
        CaptureDecision::AtMost(stand_pat + 950 + 159)
    );
    let in_reach = standing(&mut worker, stand_pat.value() + 950 + 158);
    assert_eq!(worker.prune_capture(&in_reach, capture, 0), CaptureDecision::Search);
    set(&mut worker, "qs_delta_on", 0);
    assert_eq!(worker.prune_capture(&out_of_reach, capture, 0), CaptureDecision::Search);
}

#[test]
fn captures_that_lose_material_are_skipped() {
    let mut worker = worker(GUARDED, &[]);
    let capture = picked(&worker, "d3d6");
    let node = standing(&mut worker, -3_000);
    assert_eq!(worker.prune_capture(&node, capture, 0), CaptureDecision::Skip);
    set(&mut worker, "qs_see_on", 0);
    assert_eq!(worker.prune_capture(&node, capture, 0), CaptureDecision::Search);
}

#[test]
fn late_captures_are_skipped_unless_they_force() {
    let mut worker = worker(HANGING, &[]);
    let capture = picked(&worker, "e4d5");
    let node = standing(&mut worker, -3_000);
    assert_eq!(worker.prune_capture(&node, capture, 2), CaptureDecision::Search);
    assert_eq!(worker.prune_capture(&node, capture, 3), CaptureDecision::Skip);
    set(&mut worker, "qs_late_on", 0);
    assert_eq!(worker.prune_capture(&node, capture, 3), CaptureDecision::Search);
    // What takes back, promotes or gives check is tried however late it comes.
    let mut worker = self::worker("4k3/8/4p3/3p4/4P3/8/8/4K3 w - - 0 1", &[]);
    let [first, back] = ["e4d5", "e6d5"];
    let first = mv(&worker, first);
    worker.make(first);
    let recapture = picked(&worker, back);
    let node = standing(&mut worker, -3_000);
    assert_eq!(worker.prune_capture(&node, recapture, 9), CaptureDecision::Search);
}

#[test]
fn in_check_every_evasion_counts_and_nobody_stands_pat() {
    let mut worker = worker("4k3/8/8/8/8/8/4q3/4K3 w - - 0 1", &[]);
    let node = standing(&mut worker, -3_000);
    assert!(node.in_check && node.raw_eval.is_none());
    assert_eq!(node.stand_pat, Score::mated_in(0));
    let mut mated = self::worker("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", &[]);
    assert_eq!(mated.quiescence::<Pv>(Window::FULL), Score::mated_in(0));
}

#[test]
fn quiet_checks_are_tried_at_the_first_ply() {
    let mut worker = worker("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", &[]);
    assert_eq!(worker.quiescence::<Pv>(Window::FULL), Score::mate_in(1));
    set(&mut worker, "qs_checks_on", 0);
    assert!(!worker.quiescence::<Pv>(Window::FULL).is_decisive());
}

#[test]
fn the_table_answers_where_it_settles_the_window() {
    let mut worker = worker(START, &[]);
    let score = Some((Score::new(70), Bound::Lower));
    worker.put(Entry { mv: None, score, eval: Some(Score::new(0)), depth: 0, was_pv: false });
    assert_eq!(worker.quiescence::<NonPv>(Window::above(Score::new(60))), Score::new(70));
    let below = worker.quiescence::<NonPv>(Window::above(Score::new(200)));
    assert!(below <= Score::new(200), "a lower bound below beta settles nothing");
}

#[test]
fn quiescence_ends_on_boards_full_of_captures() {
    let full = "qqqqkqqq/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQKQQQ w - - 0 1";
    let mut worker = worker(full, &[]);
    worker.quiescence::<Pv>(Window::FULL);
    assert!(worker.nodes < 50_000, "{}", worker.nodes);
}
