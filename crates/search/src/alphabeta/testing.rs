// SPDX-License-Identifier: GPL-3.0-or-later
//! What tests of single heuristics share.

use std::sync::Arc;

use super::root::RootMoves;
use super::table::Table;
use super::worker::Worker;
use crate::request::RootCandidates;
use crate::{Network, Params, Position};

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
