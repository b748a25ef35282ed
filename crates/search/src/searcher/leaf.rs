// SPDX-License-Identifier: GPL-3.0-or-later
//! Leaves of the tree searches are valued by an alpha-beta worker. Neither search knows the other: they
//! meet here.

use chess::{Board, Move};

use crate::alphabeta::LeafWorker;
use crate::mcts::LeafValue;
use crate::score::Score;

impl LeafValue for LeafWorker<'_> {
    #[inline]
    fn board(&self) -> &Board {
        LeafWorker::board(self)
    }

    #[inline]
    fn make(&mut self, mv: Move) {
        LeafWorker::make(self, mv);
    }

    #[inline]
    fn unmake(&mut self) {
        LeafWorker::unmake(self);
    }

    fn is_repetition(&self) -> bool {
        LeafWorker::is_repetition(self)
    }

    fn table_score(&mut self) -> Option<Score> {
        LeafWorker::table_score(self)
    }

    fn table_hits(&self) -> u64 {
        LeafWorker::table_hits(self)
    }

    fn evaluate(&mut self) -> Score {
        LeafWorker::evaluate(self)
    }

    fn quiesce(&mut self) -> Score {
        LeafWorker::quiesce(self)
    }

    fn search(&mut self, depth: i32) -> Score {
        LeafWorker::search(self, depth)
    }
}
