// SPDX-License-Identifier: GPL-3.0-or-later
//! What is not searched at all.

use super::negamax::{Candidate, Node, Zero};
use super::order::EXCHANGE_VALUES;
use super::worker::Worker;
use crate::{Score, Window};

/// What pruning says about a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Pruned {
    /// Search it.
    No,
    /// Skip it.
    ThisMove,
    /// Skip it and all quiet moves behind it.
    RestOfQuiets,
}

impl Worker {
    /// Reverse futility: so far above beta that a shallow search will not fall back under it.
    ///
    /// Unsound in zugzwang and with hanging pieces; the margin grows with depth to make up.
    pub(super) fn reverse_futility(&mut self, node: &Node) -> Option<Score> {
        let p = &self.params;
        let margin = p.rfp_margin * node.depth - if node.improving { p.rfp_improving } else { 0 };
        let is_safe = p.rfp_on != 0
            && node.depth <= p.rfp_max_depth
            && !node.eval.is_decisive()
            && node.eval - margin >= node.window.beta;
        is_safe.then(|| {
            self.stats.reverse_futility_cuts += 1;
            // Between the two: the evaluation is a guess, beta is what is asked for.
            Score::new(i32::midpoint(node.eval.value(), node.window.beta.value()))
        })
    }

    /// Null move: if the opponent may move twice and we are still above beta, we surely are.
    ///
    /// Unsound in zugzwang; not tried with pawns only, and verified by a search without null moves
    /// when much is at stake. Never returns a mate, which passing cannot prove.
    pub(super) fn null_move(&mut self, node: &Node) -> Option<Score> {
        let p = &self.params;
        let beta = node.window.beta;
        let is_tried = p.nmp_on != 0
            && node.depth >= p.nmp_min_depth
            && node.eval >= beta
            && self.ply >= self.null_min_ply
            && !self.previous_was_null()
            && self.board().has_pieces(self.board().turn());
        if !is_tried {
            return None;
        }
        let above = ((node.eval - beta) / p.nmp_eval_divisor).min(3);
        let saved = p.nmp_base + node.depth / p.nmp_divisor + above;
        let verify_from = p.nmp_verify_min_depth;
        self.stats.null_moves += 1;
        self.make_null();
        let score =
            -self.negamax::<Zero>(-Window::below(beta), node.depth - saved, !node.expected_cut);
        self.unmake_null();
        if self.is_stopped || score < beta {
            return None;
        }
        let score = if score.is_decisive() { beta } else { score };
        let is_verified =
            node.depth < verify_from || self.is_above_without_null(node, node.depth - saved);
        self.stats.null_cuts += u64::from(is_verified);
        is_verified.then_some(score)
    }

    /// Whether the position holds above beta if nobody may pass for most of the search.
    fn is_above_without_null(&mut self, node: &Node, depth: i32) -> bool {
        let before = self.null_min_ply;
        self.null_min_ply = self.ply + (3 * depth.max(0) / 4) as usize + 1;
        let score = self.negamax::<Zero>(Window::below(node.window.beta), depth, false);
        self.null_min_ply = before;
        score >= node.window.beta
    }

    /// Whether a candidate can be left out. Nothing is left out before some move has avoided being
    /// lost, so that a mate is never overlooked by its victim.
    pub(super) fn prune_move(&mut self, node: &Node, candidate: &Candidate, best: Score) -> Pruned {
        if node.is_root || best.is_loss() {
            return Pruned::No;
        }
        if candidate.is_quiet() && !node.in_check {
            if self.is_too_late(node, candidate) {
                self.stats.late_move_skips += 1;
                return Pruned::RestOfQuiets;
            }
            if self.is_futile(node, candidate) {
                self.stats.futility_skips += 1;
                return Pruned::ThisMove;
            }
        }
        if self.loses_material(node, candidate) {
            self.stats.exchange_skips += 1;
            return Pruned::ThisMove;
        }
        Pruned::No
    }

    /// Late move pruning: so many quiet moves have failed that the rest will too.
    fn is_too_late(&self, node: &Node, candidate: &Candidate) -> bool {
        let p = &self.params;
        let tried = candidate.index as i32;
        let enough = (p.lmp_base + node.depth * node.depth) / if node.improving { 1 } else { 2 };
        p.lmp_on != 0
            && !node.is_pv
            && node.depth <= p.lmp_max_depth
            && tried >= enough.max(1)
            && !candidate.gives_check
    }

    /// Futility: a quiet move will not lift the evaluation over alpha in the depth that is left.
    fn is_futile(&self, node: &Node, candidate: &Candidate) -> bool {
        let p = &self.params;
        let depth = (node.depth - self.reduction(node, candidate)).max(1);
        p.fp_on != 0
            && !node.is_pv
            && depth <= p.fp_max_depth
            && !candidate.gives_check
            && node.eval + p.fp_base + p.fp_margin * depth <= node.window.alpha
    }

    /// Static exchange: the move loses more than the depth that is left could win back.
    fn loses_material(&self, node: &Node, candidate: &Candidate) -> bool {
        let p = &self.params;
        if p.see_on == 0 || node.depth > p.see_max_depth || candidate.index == 0 {
            return false;
        }
        let per_ply = if candidate.is_quiet() { p.see_quiet_margin } else { p.see_noisy_margin };
        !self.board().see(candidate.mv, -per_ply * node.depth, &EXCHANGE_VALUES)
    }
}
