// SPDX-License-Identifier: GPL-3.0-or-later
//! Nodes that are not searched at all, because a guess at their score is good enough.

use chess::{Move, Role};

use super::exchange::SEE_VALUES;
use super::node::{Node, NonPv};
use super::order::{Picker, gain};
use super::table::Entry;
use super::worker::Worker;
use crate::{Bound, Score, Window};

/// Points of margin per squared ply, in 1/16, where reverse futility grows with the square of the depth.
const RFP_SQUARE: i32 = 74;

/// Points of margin per ply there.
const RFP_LINEAR: i32 = 11;

/// Points above beta that save a ply where the depth of prob-cut adapts.
const PROBCUT_PLY: i32 = 151;

impl Worker {
    /// Tries to cut the node by its evaluation, cheapest way first.
    pub(super) fn prune_node(&mut self, node: &Node) -> Option<Score> {
        if !node.may_prune() {
            return None;
        }
        self.razor(node)
            .or_else(|| self.reverse_futility(node))
            .or_else(|| self.null_move(node))
            .or_else(|| self.prob_cut(node))
            .or_else(|| self.table_prob_cut(node))
    }

    /// Razoring: so far below alpha that only captures could help; so only captures are looked at.
    ///
    /// Overlooks quiet threats, therefore only near the leaves.
    fn razor(&mut self, node: &Node) -> Option<Score> {
        let p = &self.params;
        let margin = p.razor_base() + p.razor_margin() * node.depth * node.depth;
        let is_promised = node.hit_score.is_some_and(|(_, bound)| bound == Bound::Lower);
        let is_guarded = p.razor_guard_try() != 0 && (node.has_quiet_table_move() || is_promised);
        let is_tried = p.razor_on()
            && !is_guarded
            && node.depth <= p.razor_max_depth()
            && node.eval + margin <= node.window.alpha
            && !node.window.alpha.is_decisive();
        if !is_tried {
            return None;
        }
        let score = self.quiescence::<NonPv>(node.window);
        (score <= node.window.alpha || self.is_stopped).then(|| {
            self.stats.pruning.razor_cuts += 1;
            score
        })
    }

    /// Reverse futility: so far above beta that a shallow search will not fall back under it.
    ///
    /// Unsound in zugzwang and with hanging pieces; the margin grows with depth to make up, and is
    /// wider where the evaluation has needed correction.
    fn reverse_futility(&mut self, node: &Node) -> Option<Score> {
        let p = &self.params;
        let by_depth = match p.rfp_square_try() {
            0 => p.rfp_margin() * node.depth,
            _ => (RFP_SQUARE * node.depth / 16 + RFP_LINEAR) * node.depth,
        };
        let by_improvement = match p.rfp_improvement_scale() {
            0 if node.improving => p.rfp_improving(),
            0 => 0,
            scale => (node.improvement * scale / 1024).clamp(0, 2 * p.rfp_improving()),
        };
        let unsure = node.correction.abs() * p.rfp_correction_scale() / 1024;
        let margin = by_depth - by_improvement + unsure;
        let is_safe = p.rfp_on()
            && !node.was_pv
            && node.depth <= p.rfp_max_depth()
            && !node.eval.is_decisive()
            && node.eval - margin.max(0) >= node.window.beta
            && (node.table_move.is_none() || node.has_noisy_table_move());
        is_safe.then(|| {
            self.stats.pruning.reverse_futility_cuts += 1;
            // Between the two: the evaluation is a guess, beta is what is asked for.
            blend(node.window.beta, node.eval, p.rfp_blend())
        })
    }

    /// Null move: if the opponent may move twice and we are still above beta, we surely are.
    ///
    /// Unsound in zugzwang; not tried with pawns only, and verified by a search without null moves
    /// when much is at stake. Never returns a mate, which passing cannot prove.
    fn null_move(&mut self, node: &Node) -> Option<Score> {
        if !self.is_null_move_tried(node) {
            return None;
        }
        let p = &self.params;
        let beta = node.window.beta;
        let above = ((node.eval - beta) / p.nmp_eval_divisor()).min(p.nmp_eval_max());
        let saved = p.nmp_base() + node.depth / p.nmp_divisor() + above;
        let verify_from = p.nmp_verify_min_depth();
        self.stats.pruning.null_moves += 1;
        self.make_null();
        let score = -self.negamax::<NonPv>(-Window::below(beta), node.depth - saved, false);
        self.unmake_null();
        if score < beta && !self.is_stopped {
            return None;
        }
        let score = if score.is_decisive() { beta } else { score };
        let is_verified = node.depth < verify_from
            || self.is_stopped
            || self.is_above_without_null(node, node.depth - saved);
        self.stats.pruning.null_cuts += u64::from(is_verified);
        // What is returned after a stop is discarded.
        (is_verified || self.is_stopped).then_some(score)
    }

    /// Whether a null move may be tried, whatever the evaluation says.
    #[inline]
    pub(super) fn may_pass(&self, node: &Node) -> bool {
        let p = &self.params;
        p.nmp_on()
            && node.expected_cut
            && node.depth >= p.nmp_min_depth()
            && self.ply >= self.null_min_ply
            && !self.is_after_null()
    }

    fn is_null_move_tried(&self, node: &Node) -> bool {
        let p = &self.params;
        let beta = node.window.beta;
        let is_refuted =
            node.hit_score.is_some_and(|(score, bound)| bound == Bound::Upper && score < beta);
        self.may_pass(node)
            && node.eval >= beta
            && node.static_eval + p.nmp_static_margin() * node.depth - p.nmp_static_base() >= beta
            && !is_refuted
            && !(p.nmp_capture_try() != 0 && self.table_move_wins_piece(node))
            && self.board().has_pieces(self.board().turn())
    }

    /// Whether the table promises that its move wins a piece.
    fn table_move_wins_piece(&self, node: &Node) -> bool {
        let is_promised = node.hit_score.is_some_and(|(_, bound)| bound != Bound::Upper);
        let wins = |mv: Move| gain(self.board(), mv) >= SEE_VALUES[Role::Knight];
        is_promised && node.table_move.is_some_and(wins)
    }

    /// Whether the position holds above beta if nobody may pass for most of the search.
    fn is_above_without_null(&mut self, node: &Node, depth: i32) -> bool {
        let before = self.null_min_ply;
        self.null_min_ply = self.ply + (3 * depth.max(0) / 4) as usize + 1;
        let score = self.negamax::<NonPv>(Window::below(node.window.beta), depth, false);
        self.null_min_ply = before;
        score >= node.window.beta
    }

    /// Prob-cut by the table: a search nearly as deep as this one was far above beta.
    fn table_prob_cut(&mut self, node: &Node) -> Option<Score> {
        let p = &self.params;
        let beta = node.window.beta + p.probcut_table_margin();
        let (hit, (score, bound)) = node.hit.zip(node.hit_score)?;
        let is_cut = p.probcut_table_on()
            && bound != Bound::Upper
            && hit.depth >= node.depth - p.probcut_table_reduction()
            && score >= beta
            && !score.is_decisive()
            && !node.window.beta.is_decisive();
        is_cut.then(|| {
            self.stats.pruning.table_prob_cuts += 1;
            beta
        })
    }

    /// How deep the search that confirms a prob-cut is.
    fn prob_cut_depth(&self, node: &Node) -> i32 {
        let p = &self.params;
        let above = (node.static_eval - node.window.beta) / PROBCUT_PLY;
        let less = if p.probcut_adaptive_try() == 0 { 0 } else { above.max(0) };
        (node.depth - p.probcut_reduction() - less).max(0)
    }

    /// Whether prob-cut has little hope here.
    fn is_prob_cut_hopeless(&self, node: &Node) -> bool {
        let p = &self.params;
        let is_low = node.hit_score.is_none() && node.eval < node.window.beta;
        p.probcut_cut_try() != 0 && !node.expected_cut
            || p.probcut_noisy_try() != 0 && node.has_quiet_table_move()
            || p.probcut_eval_try() != 0 && is_low
    }

    /// Prob-cut: a good capture that is far above beta in a shallow search will be above beta in the
    /// deep one.
    ///
    /// Each capture is first tried in quiescence, which sorts out most.
    fn prob_cut(&mut self, node: &Node) -> Option<Score> {
        let p = &self.params;
        let margin = p.probcut_margin() - if node.improving { p.probcut_improving() } else { 0 };
        let beta = node.window.beta + margin;
        let depth = self.prob_cut_depth(node);
        let is_denied = node
            .hit
            .zip(node.hit_score)
            .is_some_and(|(hit, (score, _))| hit.depth >= depth && score < beta);
        if !p.probcut_on()
            || node.depth < p.probcut_min_depth()
            || node.window.beta.is_decisive()
            || is_denied
            || self.is_prob_cut_hopeless(node)
        {
            return None;
        }
        let gain = beta - node.static_eval;
        let mut picker = Picker::noisy_only(node.table_move);
        let previous_moves = self.previous_moves();
        while let Some(picked) = picker.next(self.context(&previous_moves)) {
            if !picked.wins(self.board(), gain.max(0)) {
                continue;
            }
            self.make(picked.mv);
            let mut score = -self.quiescence::<NonPv>(-Window::below(beta));
            if score >= beta && !self.is_stopped {
                score = -self.negamax::<NonPv>(-Window::below(beta), depth, !node.expected_cut);
            }
            self.unmake();
            if self.is_stopped {
                return Some(Score::DRAW);
            }
            if score >= beta {
                self.stats.pruning.prob_cuts += 1;
                let known = Some((score.to_node(self.ply), Bound::Lower));
                let (eval, was_pv) = (node.raw_eval, node.was_pv);
                self.put(Entry {
                    mv: Some(picked.mv),
                    score: known,
                    eval,
                    depth: depth + 1,
                    was_pv,
                });
                return Some(if score.is_decisive() { score } else { score - margin });
            }
        }
        None
    }
}

/// A score between two, `share` of 1024 towards the second.
pub(super) fn blend(one: Score, other: Score, share: i32) -> Score {
    Score::new(one.value() + (other - one) * share / 1024)
}

#[cfg(test)]
mod tests;
