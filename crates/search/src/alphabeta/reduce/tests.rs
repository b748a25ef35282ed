// SPDX-License-Identifier: GPL-3.0-or-later
use super::*;
use crate::Bound;
use crate::alphabeta::order::OrderedKind;
use crate::alphabeta::testing::{START, candidate, mv, node, set, with_hit, worker};

#[test]
fn reductions_grow_with_depth_and_number() {
    let table = Reductions::new(&Params::default());
    assert!(table.get(true, 10, 20) > table.get(true, 5, 20));
    assert!(table.get(true, 10, 20) > table.get(true, 10, 4));
    assert!(table.get(true, 10, 20) > table.get(false, 10, 20));
    assert_eq!(table.get(true, 200, 200), table.get(true, 63, 63));
}

#[test]
fn facts_about_the_node_reduce_more_or_less() {
    let mut worker = worker(START, &[]);
    let p = worker.params.clone();
    let usual = Node { expected_cut: false, improving: true, ..node(&mut worker, 0, 6, 0) };
    assert_eq!(worker.node_reduction(&usual), 0);
    let quiet = Some(mv(&worker, "e2e4"));
    let cut = Node { expected_cut: true, table_move: quiet, ..usual };
    let above = with_hit(usual, quiet, 50, Bound::Exact, 5);
    let below = with_hit(usual, quiet, -50, Bound::Exact, 5);
    for (node, expected) in [
        (Node { improving: false, ..usual }, p.lmr_not_improving()),
        (Node { is_pv: true, ..usual }, -p.lmr_pv()),
        (Node { is_raised: true, ..usual }, p.lmr_raised()),
        (Node { correction: -10, ..usual }, -10 * p.lmr_correction_scale()),
        (cut, p.lmr_cut_node()),
        (Node { table_move: None, ..cut }, p.lmr_cut_node() + p.lmr_cut_no_move()),
        (Node { was_pv: true, ..usual }, -p.lmr_was_pv()),
        (Node { was_pv: true, ..above }, -p.lmr_was_pv() - p.lmr_was_pv_above()),
        (above, 0),
        (below, p.lmr_table_below()),
    ] {
        assert_eq!(worker.node_reduction(&node), expected, "{node:?}");
    }
}

#[test]
fn a_table_move_that_captures_reduces_the_others() {
    let mut worker = worker("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1", &[]);
    let usual = Node { expected_cut: false, improving: true, ..node(&mut worker, 0, 6, 0) };
    let table_move = Some(mv(&worker, "e4d5"));
    let with_capture = Node { table_move, ..usual };
    assert_eq!(worker.node_reduction(&with_capture), worker.params.lmr_noisy_table());
}

#[test]
fn facts_about_the_move_reduce_more_or_less() {
    let mut worker = worker(START, &[]);
    let p = worker.params.clone();
    let node = node(&mut worker, 0, 10, 0);
    let quiet = candidate(&mut worker, "a2a3", 12);
    let usual = worker.reduction(&node, 0, &quiet);
    assert_eq!(usual, worker.reductions.get(true, 10, 13));
    assert_eq!(worker.reduction(&node, 100, &quiet), usual + 100);
    let check = Candidate { gives_check: true, ..quiet };
    assert_eq!(worker.reduction(&node, 0, &check), usual - p.lmr_check());
    let killer = Candidate { kind: OrderedKind::Killer, ..quiet };
    assert_eq!(worker.reduction(&node, 0, &killer), usual - p.lmr_killer());
    let good = Candidate { history: p.lmr_history_divisor(), ..quiet };
    assert_eq!(worker.reduction(&node, 0, &good), usual - 1024, "a whole ply");
    worker.frames[1].cutoffs = 4;
    assert_eq!(worker.reduction(&node, 0, &quiet), usual + p.lmr_cutoffs());
    worker.frames[1].cutoffs = 3;
    assert_eq!(worker.reduction(&node, 0, &quiet), usual);
    set(&mut worker, "lmr_on", 0);
    assert_eq!(worker.reduction(&node, 0, &quiet), 0);
}

#[test]
fn first_moves_and_shallow_nodes_are_not_reduced() {
    let mut worker = worker(START, &[]);
    let node = node(&mut worker, 0, 8, 0);
    let late = Candidate { reduction: 2048, ..candidate(&mut worker, "a2a3", 9) };
    assert_eq!(worker.reduced_depth(&node, &late, 7), 5);
    assert_eq!(worker.reduced_depth(&node, &Candidate { index: 0, ..late }, 7), 7);
    assert_eq!(worker.reduced_depth(&Node { depth: 1, ..node }, &late, 7), 7);
    let second = Candidate { index: 1, ..late };
    assert_eq!(worker.reduced_depth(&node, &second, 7), 5);
    assert_eq!(worker.reduced_depth(&Node { is_root: true, ..node }, &second, 7), 7);
    set(&mut worker, "lmr_on", 0);
    assert_eq!(worker.reduced_depth(&node, &late, 7), 7);
}

#[test]
fn a_reduction_stays_above_quiescence_and_adds_one_ply_at_most() {
    let mut worker = worker(START, &[]);
    let node = node(&mut worker, 0, 8, 0);
    let late = candidate(&mut worker, "a2a3", 9);
    let reduced =
        |node: &Node, reduction| worker.reduced_depth(node, &Candidate { reduction, ..late }, 7);
    assert_eq!(reduced(&node, 20 * 1024), 1);
    assert_eq!(reduced(&node, -3 * 1024), 8);
    assert_eq!(reduced(&Node { expected_cut: false, ..node }, -3 * 1024), 7);
}
