// SPDX-License-Identifier: GPL-3.0-or-later
//! What tests of single heuristics share.

use std::sync::Arc;

use chess::Move;

use super::node::{Candidate, Node, NonPv};
use super::order::Picker;
use super::root::RootMoves;
use super::table::{Entry, Table};
use super::worker::Worker;
use crate::request::RootCandidates;
use crate::{Bound, Network, Params, Position, Score, Window};

/// The starting position.
pub(super) const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// A worker with an empty table that stands on a position after these moves, ready to search.
pub(super) fn worker(fen: &str, moves: &[&str]) -> Worker {
    let mut position = Position::from_fen(fen).unwrap();
    for mv in moves {
        let mv = position.board().parse_uci(mv).unwrap();
        position.play(mv);
    }
    let params = Params::default();
    let table = Arc::new(Table::new(1).unwrap());
    let mut worker = Worker::new(0, &params, table, &Network::default());
    let (root, task) =
        (RootMoves::new(&RootCandidates::new(position.board(), &[])), worker.task.clone());
    worker.prepare(&position, root, task, &params);
    worker
}

/// A made-up node that asks whether the position is worth more than `alpha`, with this evaluation and
/// depth. A move is expected to be above beta; nothing is known from the table.
pub(super) fn node(worker: &mut Worker, alpha: i32, depth: i32, eval: i32) -> Node {
    let mut node = worker.enter::<NonPv>(Window::above(Score::new(alpha)), depth, true);
    node.raw_eval = Some(Score::new(eval));
    (node.static_eval, node.eval) = (Score::new(eval), Score::new(eval));
    worker.compute_threats();
    node
}

/// Lets the table know a result of a made-up node.
pub(super) fn with_hit(
    mut node: Node,
    mv: Option<Move>,
    score: i32,
    bound: Bound,
    depth: i32,
) -> Node {
    let score = (Score::new(score), bound);
    node.hit = Some(Entry { mv, score: Some(score), eval: node.raw_eval, depth, was_pv: false });
    (node.hit_score, node.table_move) = (Some(score), mv);
    node
}

/// A move of the worker's position.
pub(super) fn mv(worker: &Worker, text: &str) -> Move {
    worker.board().parse_uci(text).unwrap()
}

/// A move of the worker's position as it is about to be searched, after `index` others, with the history
/// zero and without a reduction.
pub(super) fn candidate(worker: &mut Worker, text: &str, index: usize) -> Candidate {
    let wanted = mv(worker, text);
    worker.compute_threats();
    let previous_moves = worker.previous_moves();
    let mut picker = Picker::new(None, worker.killers());
    let picked = std::iter::from_fn(|| picker.next(worker.context(&previous_moves)));
    let picked = picked.into_iter().find(|picked| picked.mv == wanted).expect("the move is legal");
    Candidate::new(picked, index, worker.board().gives_check(wanted))
}

/// Sets a number of a worker.
pub(super) fn set(worker: &mut Worker, name: &str, value: i32) {
    worker.params = worker.params.clone().with(name, value);
}
