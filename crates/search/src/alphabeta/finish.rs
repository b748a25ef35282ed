// SPDX-License-Identifier: GPL-3.0-or-later
//! The end of a node: its score, and what the table and the corrections keep of it.

use chess::Move;

use super::node::{Node, NodeResult};
use super::table::Entry;
use super::worker::Worker;
use crate::{Bound, Score, Window};

impl Worker {
    /// Mate or stalemate; or, if every move was pruned or left out, what pruning promised.
    pub(super) fn no_move_score(&self, node: &Node, best: Score) -> Score {
        if node.excluded.is_some() || self.board().has_legal_moves() {
            return best.max(node.window.alpha);
        }
        if node.in_check { Score::mated_in(self.ply) } else { self.draw_score() }
    }

    /// Fail-high blending: a score above beta is less certain than beta, the less so the shallower.
    pub(super) fn blend_fail_high(&self, node: &Node, found: &mut NodeResult) {
        let beta = node.window.beta;
        if self.params.fail_high_blend_on()
            && !(node.is_root && self.params.blend_root_try() != 0)
            && found.best >= beta
            && !found.best.is_decisive()
            && !beta.is_decisive()
        {
            let sum = found.best.value() * node.depth + beta.value();
            found.best = Score::new(sum / (node.depth + 1));
        }
    }

    pub(super) fn store(&mut self, node: &Node, found: &NodeResult) {
        let bound = Window { alpha: node.entry_alpha, ..node.window }.bound_of(found.best);
        // The best of some moves is not the best of all.
        if node.excluded.is_some() || node.is_root && self.root.is_restricted() {
            if node.excluded.is_some() && self.params.corr_excluded_try() != 0 {
                self.correct(node, found, bound);
            }
            return;
        }
        let mut was_pv = node.was_pv;
        if bound == Bound::Upper && node.depth >= self.params.table_pv_min_depth() {
            was_pv |= self.frame_before(1).is_some_and(|parent| parent.was_pv);
        }
        let score = Some((found.best.to_node(self.ply), bound));
        let (mv, eval, depth) = (found.best_move, node.raw_eval, node.depth);
        self.put(Entry { mv, score, eval, depth, was_pv });
        self.correct(node, found, bound);
    }

    /// Teaches the evaluation what the search has found, where a quiet score can be compared with it.
    fn correct(&mut self, node: &Node, found: &NodeResult, bound: Bound) {
        let is_comparable = !node.in_check
            && self.params.corr_on()
            && !found.best_move.is_some_and(Move::is_noisy)
            && !found.best.is_decisive()
            && match bound {
                Bound::Exact => true,
                Bound::Lower => found.best > node.static_eval,
                Bound::Upper => found.best < node.static_eval,
            };
        if is_comparable {
            self.correct_by(found.best - node.static_eval, node.depth);
        }
    }

    /// Teaches the evaluation that it is wrong by so many points, as a search of some depth has found.
    pub(super) fn correct_by(&mut self, error: i32, depth: i32) {
        let weighted = error * depth / self.params.corr_depth_divisor();
        let moves = self.last_moves();
        let board = &self.frames[self.ply].board;
        self.corrections.learn(board, moves, weighted);
    }
}
