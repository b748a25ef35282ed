// SPDX-License-Identifier: GPL-3.0-or-later
//! What is searched deeper, or less deep, than the rest as a whole.

use super::node::{Node, NonPv};
use super::worker::Worker;
use crate::{Bound, Score, Window};

/// How far the table's move stands out from the others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SingularResult {
    /// Search it deeper by this many plies, or less deep if negative.
    Extend(i32),
    /// Another move is too good as well: the node is cut.
    Cut(Score),
}

impl Worker {
    /// Check extension: in check there are few moves, and what they lead to is not quiet.
    pub(super) fn check_extension(&mut self, node: &Node) -> i32 {
        let is_extended = self.params.check_extension_on() && node.in_check && !node.is_root;
        self.stats.depth.check_extensions += u64::from(is_extended);
        i32::from(is_extended)
    }

    /// Internal iterative reduction: without a move from the table the order is poor, and a cheaper
    /// search will leave one there for next time.
    pub(super) fn internal_reduction(&self, node: &Node) -> i32 {
        let p = &self.params;
        let is_reduced = p.iir_on()
            && node.depth >= p.iir_min_depth()
            && node.excluded.is_none()
            && node.table_move.is_none()
            && (node.is_pv || node.expected_cut);
        i32::from(is_reduced)
    }

    /// Hindsight: the move that led here was searched much less deep than others. If it has made the
    /// position better for whoever played it than the evaluation expected, a ply is given back; if
    /// much worse, one more is taken. Not when a move is left out: the depth of that search was chosen.
    pub(super) fn hindsight(&self, node: &Node) -> i32 {
        let p = &self.params;
        let is_asked = p.hindsight_on() && !node.in_check && node.excluded.is_none();
        let Some(before) = self.frame_before(1) else { return 0 };
        let Some(eval_before) = before.eval.filter(|_| is_asked) else { return 0 };
        let sum = node.static_eval.value() + eval_before.value();
        if before.reduction >= p.hindsight_deeper_reduction() && sum <= 0 {
            1
        } else if before.reduction >= p.hindsight_shallower_reduction()
            && node.depth >= 2
            && sum > p.hindsight_margin()
        {
            -1
        } else {
            0
        }
    }

    /// Singular extension: if all other moves fail clearly below the table's score, the table's move
    /// is the only good one, and deserves more depth. If they do not, it may deserve less; and if
    /// another one is too good without it, the node is cut (multi-cut).
    ///
    /// Costs a search of half the depth; only tried where the table's score is deep and a lower bound.
    pub(super) fn singular_extension(&mut self, node: &Node) -> SingularResult {
        let Some(table_score) = self.singular_score(node) else {
            return SingularResult::Extend(self.shallow_extension(node));
        };
        let beta = table_score - self.singular_margin(node);
        let depth = (node.depth - 1) / 2;
        self.stats.depth.singular_searches += 1;
        self.frame_mut().excluded = node.table_move;
        let score = self.negamax::<NonPv>(Window::below(beta), depth, node.expected_cut);
        self.frame_mut().excluded = None;
        if self.is_stopped {
            return SingularResult::Cut(Score::DRAW); // every caller discards it
        }
        if score < beta {
            self.stats.depth.singular_extensions += 1;
            return SingularResult::Extend(self.singular_plies(node, beta - score));
        }
        let p = &self.params;
        if score >= node.window.beta && !score.is_decisive() && p.multicut_on() && !node.is_pv {
            self.stats.depth.multi_cuts += 1;
            if p.corr_multicut_try() != 0 && score > node.static_eval && !node.in_check {
                self.correct_by(score - node.static_eval, depth);
            }
            return SingularResult::Cut(Score::new(i32::midpoint(
                score.value(),
                node.window.beta.value(),
            )));
        }
        let is_above = table_score >= node.window.beta;
        SingularResult::Extend(if !p.negative_extension_on() {
            0
        } else if is_above {
            i32::from(node.is_pv) - p.negative_extension_above()
        } else if node.expected_cut {
            -p.negative_extension_cut()
        } else {
            0
        })
    }

    /// By how much the other moves must fall behind the table's.
    fn singular_margin(&self, node: &Node) -> i32 {
        let p = &self.params;
        let margin = node.depth * p.singular_margin() / 16;
        let is_exact = node.hit_score.is_some_and(|(_, bound)| bound == Bound::Exact);
        let is_narrow = p.singular_exact_try() != 0 && is_exact;
        let unsure = node.correction.abs() * p.singular_correction_scale() / 1024;
        unsure + if is_narrow { margin / 4 } else { margin }
    }

    /// Shallow extension: the evaluation is below alpha, but a search once found a move here that is
    /// not. One ply more confirms it, where a search of the other moves would cost too much.
    fn shallow_extension(&self, node: &Node) -> i32 {
        let p = &self.params;
        let is_promised = node.hit_score.is_some_and(|(_, bound)| bound == Bound::Lower);
        let is_extended = p.shallow_extension_on()
            && node.expected_cut
            && !node.in_check
            && node.excluded.is_none()
            && node.depth < p.singular_min_depth() + i32::from(node.was_pv)
            && node.table_move.is_some()
            && is_promised
            && node.static_eval + p.shallow_extension_margin() <= node.window.alpha
            && self.ply < 2 * self.root_depth as usize;
        i32::from(is_extended)
    }

    /// The table's score, if it is fit to be compared with the other moves.
    fn singular_score(&self, node: &Node) -> Option<Score> {
        let p = &self.params;
        let (score, bound) = node.hit_score?;
        let is_tried = p.singular_on()
            && !node.is_root
            && node.excluded.is_none()
            && node.table_move.is_some()
            && node.depth >= p.singular_min_depth() + i32::from(node.was_pv)
            && node.hit?.depth >= node.depth - p.singular_table_depth()
            && bound != Bound::Upper
            && !score.is_decisive()
            && self.ply < 2 * self.root_depth as usize;
        is_tried.then_some(score)
    }

    /// One ply, or more the further the other moves fall behind. The line may not be extended twice
    /// a move too often, or it would never end.
    fn singular_plies(&self, node: &Node, gap: i32) -> i32 {
        let p = &self.params;
        if self.frame().double_extensions >= p.double_extension_max() {
            return 1;
        }
        let pv_margin = if node.is_pv { p.double_extension_pv_margin() } else { 0 };
        let is_double = gap > p.double_extension_margin() + pv_margin;
        let may_be_triple = !node.has_noisy_table_move() || p.triple_noisy_try() != 0;
        let is_triple = may_be_triple && gap > p.triple_extension_margin() + pv_margin;
        1 + i32::from(is_double) + i32::from(is_triple)
    }
}

#[cfg(test)]
mod tests;
