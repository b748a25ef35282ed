// SPDX-License-Identifier: GPL-3.0-or-later
//! Leaves of the tree searches are valued by an alpha-beta worker. Neither search knows the other: they
//! meet here.

use chess::{Board, Move};

use crate::alphabeta::Probe;
use crate::mcts::LeafValue;
use crate::score::Score;

impl LeafValue for Probe<'_> {
    #[inline]
    fn board(&self) -> &Board {
        Probe::board(self)
    }

    #[inline]
    fn make(&mut self, mv: Move) {
        Probe::make(self, mv);
    }

    #[inline]
    fn unmake(&mut self) {
        Probe::unmake(self);
    }

    fn is_repetition(&self) -> bool {
        Probe::is_repetition(self)
    }

    fn table_score(&mut self) -> Option<Score> {
        Probe::table_score(self)
    }

    fn table_hits(&self) -> u64 {
        Probe::table_hits(self)
    }

    fn evaluate(&mut self) -> Score {
        Probe::evaluate(self)
    }

    fn quiesce(&mut self) -> Score {
        Probe::quiesce(self)
    }

    fn search(&mut self, depth: i32) -> Score {
        Probe::search(self, depth)
    }
}
