// SPDX-License-Identifier: GPL-3.0-or-later
//! Moves that are not searched at all.

use super::node::{Candidate, Node};
use super::order::OrderedKind;
use super::worker::Worker;
use crate::Score;

/// What pruning says about a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum MovePruning {
    /// Search it.
    No,
    /// Skip it.
    ThisMove,
    /// Skip it and all quiet moves behind it.
    RestOfQuiets,
}

/// History points for which late move pruning tries one move more.
const LATE_MOVE_HISTORY: i32 = 16384;

impl Worker {
    /// Whether candidates may be left out at all. Not before some move has avoided being lost, so that a
    /// mate is never overlooked by its victim; nor with pawns only, where every move counts.
    #[inline]
    pub(super) fn may_skip(&self, node: &Node, best: Score) -> bool {
        !node.is_root && !best.is_loss() && self.board().has_pieces(self.board().turn())
    }

    /// Whether a quiet candidate and all quiet moves behind it come too late. Needs no look at histories.
    #[inline]
    pub(super) fn prune_late_moves(&mut self, node: &Node, candidate: &Candidate) -> bool {
        let is_skipped = candidate.is_quiet()
            && !node.in_check
            && self.params.lmp_history_try() == 0
            && self.is_late_move(node, candidate);
        self.stats.skipping.late_move_skips += u64::from(is_skipped);
        is_skipped
    }

    /// Whether a candidate can be left out, where that is allowed.
    pub(super) fn prune_move(&mut self, node: &Node, candidate: &Candidate) -> MovePruning {
        // The depth that the move would be searched to.
        let depth = self.skip_depth(node, candidate);
        if candidate.is_quiet() && !node.in_check {
            if self.is_futile(node, candidate, depth) {
                self.stats.skipping.futility_skips += 1;
                return MovePruning::RestOfQuiets;
            }
            if self.params.lmp_history_try() != 0 && self.is_late_move(node, candidate) {
                self.stats.skipping.late_move_skips += 1;
                return MovePruning::ThisMove;
            }
            if self.has_failed_often(candidate, depth) {
                self.stats.skipping.history_skips += 1;
                return MovePruning::ThisMove;
            }
        }
        if self.is_futile_capture(node, candidate) {
            self.stats.skipping.noisy_futility_skips += 1;
            return MovePruning::ThisMove;
        }
        if self.loses_material(node, candidate, depth) {
            self.stats.skipping.exchange_skips += 1;
            return MovePruning::ThisMove;
        }
        MovePruning::No
    }

    /// The reduced depth by which a move is judged.
    fn skip_depth(&self, node: &Node, candidate: &Candidate) -> i32 {
        let more = match self.params.skip_was_pv_try() {
            0 => 0,
            _ => self.was_pv_reduction(node),
        };
        (node.depth - (candidate.reduction + more) / 1024).max(0)
    }

    /// Late move pruning: so many moves have failed that the remaining quiet ones will too.
    fn is_late_move(&self, node: &Node, candidate: &Candidate) -> bool {
        let p = &self.params;
        let square = node.depth * node.depth;
        let enough = match p.lmp_smooth_try() {
            0 => (p.lmp_base() + square) / if node.improving { 1 } else { 2 },
            // From half as many moves up to all, by how much the position improves.
            _ => 3 + 13 * square * (100 + (node.improvement + 50).clamp(0, 100)) / 2000,
        };
        let more = match p.lmp_history_try() {
            0 => 0,
            _ => candidate.history / LATE_MOVE_HISTORY,
        };
        let enough = enough + more;
        p.lmp_on()
            && node.depth <= p.lmp_max_depth()
            && candidate.index as i32 >= enough.max(1)
            && !candidate.gives_check
    }

    /// Futility: a quiet move will not lift the evaluation over alpha in the depth that is left.
    fn is_futile(&self, node: &Node, candidate: &Candidate, depth: i32) -> bool {
        let p = &self.params;
        p.fp_on()
            && depth <= p.fp_max_depth()
            && !candidate.gives_check
            && node.eval + self.hope(node, candidate, depth) <= node.window.alpha
    }

    /// What a quiet move is hoped to bring at best.
    fn hope(&self, node: &Node, candidate: &Candidate, depth: i32) -> i32 {
        let p = &self.params;
        p.fp_base()
            + p.fp_margin() * depth
            + candidate.history / p.fp_history_divisor()
            + node.correction.abs() * p.fp_correction_scale() / 1024
    }

    /// What quiet moves that futility leaves out are worth at best, if that is to count.
    pub(super) fn futile_score(&self, node: &Node, candidate: &Candidate) -> Score {
        if self.params.fp_raise_try() == 0 || node.eval.is_decisive() {
            return Score::MIN;
        }
        let depth = self.skip_depth(node, candidate);
        (node.eval + self.hope(node, candidate, depth)).min(node.window.alpha)
    }

    /// History pruning: the move has failed nearly everywhere.
    fn has_failed_often(&self, candidate: &Candidate, depth: i32) -> bool {
        let p = &self.params;
        p.history_prune_on()
            && depth <= p.history_prune_max_depth()
            && candidate.history < -p.history_prune_margin() * (depth + 1)
    }

    /// Futility of captures that lose material in exchange: not even what they take lifts the
    /// evaluation over alpha.
    fn is_futile_capture(&self, node: &Node, candidate: &Candidate) -> bool {
        let p = &self.params;
        let hope = p.fp_noisy_base()
            + p.fp_noisy_margin() * node.depth
            + candidate.history / p.fp_noisy_history_divisor();
        p.fp_noisy_on()
            && candidate.kind == OrderedKind::BadNoisy
            && !node.in_check
            && !candidate.gives_check
            && node.depth <= p.fp_max_depth()
            && node.eval + hope <= node.window.alpha
    }

    /// Static exchange: the move loses more than the depth that is left could win back.
    fn loses_material(&self, node: &Node, candidate: &Candidate, depth: i32) -> bool {
        let p = &self.params;
        let is_exempt = node.in_check && p.see_check_try() != 0;
        if !p.see_on() || candidate.index == 0 || is_exempt {
            return false;
        }
        let allowed = if candidate.is_quiet() {
            if depth > p.see_max_depth() {
                return false;
            }
            p.see_quiet_margin() * depth * depth
        } else {
            if node.depth > p.see_max_depth() {
                return false;
            }
            p.see_noisy_margin() * node.depth + candidate.history / p.see_history_divisor()
        };
        !candidate.picked.wins(self.board(), -allowed.max(0))
    }
}

#[cfg(test)]
mod tests;
