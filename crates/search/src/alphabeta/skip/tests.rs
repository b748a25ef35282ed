// SPDX-License-Identifier: GPL-3.0-or-later
use super::*;
use crate::alphabeta::testing::{START, candidate, node, set, worker};

/// The queen can take a guarded pawn, or go to a square guarded by one.
const TEMPTING: &str = "4k3/2p5/3p4/8/8/3Q4/8/4K3 w - - 0 1";

#[test]
fn moves_are_skipped_only_once_one_does_not_lose() {
    let mut worker = worker(START, &[]);
    let inner = node(&mut worker, 0, 3, 0);
    assert!(worker.may_skip(&inner, Score::new(-300)));
    assert!(!worker.may_skip(&inner, Score::mated_in(10)), "the way out of mate may come late");
    assert!(!worker.may_skip(&Node { is_root: true, ..inner }, Score::new(-300)));
}

#[test]
fn nothing_is_skipped_with_pawns_only() {
    let mut worker = worker("4k3/8/8/8/8/8/PPP5/4K3 w - - 0 1", &[]);
    let node = node(&mut worker, 0, 3, 0);
    assert!(!worker.may_skip(&node, Score::new(-300)));
}

#[test]
fn late_quiet_moves_are_skipped() {
    let mut worker = worker(START, &[]);
    // (4 + 3²) / 2 moves are tried, or twice as many if the position improves.
    let plain = node(&mut worker, 0, 3, 0);
    let [sixth, seventh] = [5, 6].map(|index| candidate(&mut worker, "a2a3", index));
    assert!(!worker.prune_late_moves(&plain, &sixth));
    assert!(worker.prune_late_moves(&plain, &seventh));
    assert_eq!(worker.stats.skipping.late_move_skips, 1);
    assert!(!worker.prune_late_moves(&Node { improving: true, ..plain }, &seventh));
    assert!(
        !worker
            .prune_late_moves(&Node { depth: 10, ..plain }, &Candidate { index: 200, ..seventh })
    );
    assert!(!worker.prune_late_moves(&plain, &Candidate { gives_check: true, ..seventh }));
    assert!(
        !worker.prune_late_moves(&Node { in_check: true, ..plain }, &seventh),
        "evasions are few"
    );
    set(&mut worker, "lmp_on", 0);
    assert!(!worker.prune_late_moves(&plain, &seventh));
}

#[test]
fn captures_are_never_late() {
    let mut worker = worker(TEMPTING, &[]);
    let node = node(&mut worker, 0, 3, 0);
    let capture = candidate(&mut worker, "d3d6", 30);
    assert!(!worker.prune_late_moves(&node, &capture));
}

#[test]
fn quiet_moves_that_cannot_reach_alpha_are_futile() {
    let mut worker = worker(START, &[]);
    let quiet = candidate(&mut worker, "a2a3", 3);
    // 85 points and 89 for each of three plies.
    let at_margin = node(&mut worker, 0, 3, -352);
    assert_eq!(worker.prune_move(&at_margin, &quiet), MovePruning::RestOfQuiets);
    assert_eq!(worker.stats.skipping.futility_skips, 1);
    let above = node(&mut worker, 0, 3, -351);
    assert_eq!(worker.prune_move(&above, &quiet), MovePruning::No);
    let reduced = Candidate { reduction: 2048, ..quiet };
    assert_eq!(
        worker.prune_move(&above, &reduced),
        MovePruning::RestOfQuiets,
        "less depth, less hope"
    );
    let hopeful = Candidate { history: 2000, ..quiet };
    assert_eq!(worker.prune_move(&at_margin, &hopeful), MovePruning::No);
    let check = Candidate { gives_check: true, ..quiet };
    assert_eq!(worker.prune_move(&at_margin, &check), MovePruning::No);
    assert_eq!(worker.prune_move(&Node { in_check: true, ..at_margin }, &quiet), MovePruning::No);
    let deep = node(&mut worker, 5_000, 9, -352);
    assert_eq!(worker.prune_move(&deep, &quiet), MovePruning::No);
    set(&mut worker, "fp_on", 0);
    assert_eq!(worker.prune_move(&at_margin, &quiet), MovePruning::No);
}

#[test]
fn moves_that_have_failed_everywhere_are_skipped() {
    let mut worker = worker(START, &[]);
    let node = node(&mut worker, 0, 3, 0);
    let quiet = candidate(&mut worker, "a2a3", 3);
    let [bad, worse] = [-18_000, -18_001].map(|history| Candidate { history, ..quiet });
    assert_eq!(worker.prune_move(&node, &bad), MovePruning::No);
    assert_eq!(worker.prune_move(&node, &worse), MovePruning::ThisMove);
    assert_eq!(worker.stats.skipping.history_skips, 1);
    assert!(!worker.has_failed_often(&Candidate { history: i32::MIN, ..quiet }, 6), "the depth");
    set(&mut worker, "history_prune_on", 0);
    assert_eq!(worker.prune_move(&node, &worse), MovePruning::No);
}

#[test]
fn losing_captures_that_cannot_reach_alpha_are_futile() {
    let mut worker = worker(TEMPTING, &[]);
    let capture = candidate(&mut worker, "d3d6", 3);
    assert_eq!(capture.kind, OrderedKind::BadNoisy);
    // 100 points and 90 for each of three plies.
    let at_margin = node(&mut worker, 0, 3, -370);
    assert_eq!(worker.prune_move(&at_margin, &capture), MovePruning::ThisMove);
    assert_eq!(worker.stats.skipping.noisy_futility_skips, 1);
    assert!(!worker.is_futile_capture(&node_at(&at_margin, -369), &capture));
    let good = Candidate { kind: OrderedKind::GoodNoisy, ..capture };
    assert!(!worker.is_futile_capture(&at_margin, &good));
    let check = Candidate { gives_check: true, ..capture };
    assert!(!worker.is_futile_capture(&at_margin, &check));
    assert!(!worker.is_futile_capture(&Node { in_check: true, ..at_margin }, &capture));
    set(&mut worker, "fp_noisy_on", 0);
    assert!(!worker.is_futile_capture(&at_margin, &capture));
}

fn node_at(node: &Node, eval: i32) -> Node {
    Node { eval: Score::new(eval), ..*node }
}

#[test]
fn moves_that_lose_material_are_skipped() {
    let mut worker = worker(TEMPTING, &[]);
    let node = node(&mut worker, 0, 3, 0);
    let capture = candidate(&mut worker, "d3d6", 3);
    assert_eq!(worker.prune_move(&node, &capture), MovePruning::ThisMove);
    assert_eq!(worker.stats.skipping.exchange_skips, 1);
    let first = Candidate { index: 0, ..capture };
    assert_eq!(
        worker.prune_move(&node, &first),
        MovePruning::No,
        "the first move is always searched"
    );
    assert!(!worker.loses_material(&Node { depth: 10, ..node }, &capture, 10), "the depth");
    set(&mut worker, "see_on", 0);
    assert_eq!(worker.prune_move(&node, &capture), MovePruning::No);
}

#[test]
fn quiet_moves_may_lose_more_the_deeper_they_are_searched() {
    // The knight goes where a pawn takes it: 220 points, as another pawn takes back.
    let mut worker = worker("4k3/8/2p5/8/2P5/2N5/8/4K3 w - - 0 1", &[]);
    let node = node(&mut worker, 0, 5, 0);
    let sacrifice = candidate(&mut worker, "c3d5", 3);
    // 15 points a squared ply.
    assert!(worker.loses_material(&node, &sacrifice, 3));
    assert!(!worker.loses_material(&node, &sacrifice, 4));
    let safe = candidate(&mut worker, "c3e2", 3);
    assert!(!worker.loses_material(&node, &safe, 0));
}
