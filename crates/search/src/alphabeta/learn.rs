// SPDX-License-Identifier: GPL-3.0-or-later
//! What the result of a node teaches about moves.

use chess::Move;

use super::history::{HistoryContext, PieceTo, PreviousMoves};
use super::node::{Candidate, Node, NodeResult};
use super::worker::Worker;
use crate::Score;

/// From this depth on, a change of the evaluation that was seen before teaches nothing new.
const FRESH_DEPTH: i32 = 6;

/// A move that so few others were tried before was expected to be good.
const EARLY_MOVES: u8 = 2;

/// The malus of a move that was tried after `before` others: what comes late is expected to fail.
const fn late_malus(malus: i32, before: i32) -> i32 {
    let divisor = 1000 + 44 * before;
    malus * 1000 / divisor * 1000 / divisor
}

impl Worker {
    /// Rewards the move that refuted, and punishes those tried in vain before it; or, if none did,
    /// rewards the opponent's move that left us nothing.
    pub(super) fn learn(&mut self, node: &Node, found: &NodeResult) {
        if node.entry_alpha == node.window.alpha {
            self.stats.nodes.all += u64::from(!node.is_pv);
        }
        let is_cut = found.best >= node.window.beta;
        let Some(mv) = found.best_move else {
            if !is_cut {
                self.reward_last_move(node);
            }
            return;
        };
        if is_cut {
            self.stats.nodes.cut += u64::from(!node.is_pv);
            self.punish_last_move(node);
        }
        if is_cut || self.params.history_pv_try() != 0 {
            self.reward_best_move(node, found, mv);
        }
    }

    /// Rewards the best move, and punishes those tried in vain.
    fn reward_best_move(&mut self, node: &Node, found: &NodeResult, mv: Move) {
        if mv.is_noisy() {
            self.update_noisy(mv, self.bonus(node.depth));
        } else {
            self.frame_mut().killers.add(mv);
            // At low depth, one quiet move tried and found good says little.
            if node.depth >= self.params.history_single_min_depth() || !found.tried.quiet.is_empty()
            {
                self.reward_quiet(mv, node.depth);
            }
            self.punish_quiets(found, node.depth);
        }
        let malus = self.malus(node.depth);
        for &other in found.tried.noisy.iter().filter(|&&other| other != mv) {
            self.update_noisy(other, -malus);
        }
    }

    /// Rewards a quiet move that refuted the position.
    pub(super) fn reward_quiet(&mut self, mv: Move, depth: i32) {
        let (bonus, previous_moves) = (self.bonus(depth), self.previous_moves());
        self.update_quiet(&previous_moves, mv, bonus);
    }

    fn punish_quiets(&mut self, found: &NodeResult, depth: i32) {
        let (malus, previous_moves) = (self.malus(depth), self.previous_moves());
        let is_less = self.params.history_malus_late_try() != 0;
        for (before, &other) in found.tried.quiet.iter().enumerate() {
            if Some(other) != found.best_move {
                let malus = if is_less { late_malus(malus, before as i32) } else { malus };
                self.update_quiet(&previous_moves, other, -malus);
            }
        }
    }

    /// Rewards a capture that refuted a position of quiescence, if that is to teach.
    pub(super) fn learn_capture(&mut self, mv: Move) {
        if self.params.qs_history_try() != 0 && mv.is_noisy() {
            self.update_noisy(mv, self.bonus(1));
        }
    }

    fn update_noisy(&mut self, mv: Move, bonus: i32) {
        let Self { frames, histories, ply, .. } = self;
        histories.update_noisy(&frames[*ply].board, mv, bonus);
    }

    fn update_quiet(&mut self, previous_moves: &PreviousMoves, mv: Move, bonus: i32) {
        let Self { frames, histories, ply, .. } = self;
        let frame = &frames[*ply];
        let history_context =
            HistoryContext { board: &frame.board, threats: &frame.threats, previous_moves };
        let continuation_bonus = bonus * self.params.history_cont_bonus() / 1024;
        histories.update_quiet(history_context, mv, bonus, continuation_bonus);
    }

    fn bonus(&self, depth: i32) -> i32 {
        let p = &self.params;
        (p.history_bonus_scale() * depth - p.history_bonus_base()).clamp(0, p.history_bonus_max())
    }

    fn malus(&self, depth: i32) -> i32 {
        let p = &self.params;
        (p.history_malus_scale() * depth - p.history_bonus_base()).clamp(0, p.history_malus_max())
    }

    /// The opponent's quiet move that led here was good: nothing we have helps against it.
    fn reward_last_move(&mut self, node: &Node) {
        let p = &self.params;
        let is_surprise = node.expected_cut || node.is_pv || p.history_last_expected_try() == 0;
        if !p.history_last_move_on() || node.depth < p.history_last_move_min_depth() || !is_surprise
        {
            return;
        }
        let bonus = self.bonus(node.depth) * p.history_last_move_scale() / 1024;
        self.update_last_move(bonus);
    }

    /// The opponent's quiet move that led here is judged by how the evaluation changed.
    pub(super) fn learn_from_eval_difference(&mut self, node: &Node) {
        let p = &self.params;
        let before = self.frame_before(1).and_then(|frame| frame.eval);
        let Some(before) = before.filter(|_| p.history_eval_on() && node.excluded.is_none()) else {
            return;
        };
        let is_known = node.hit.is_some() && node.depth >= FRESH_DEPTH;
        if is_known && p.history_eval_fresh_try() != 0 {
            return;
        }
        let change = -(node.static_eval.value() + before.value()) * p.history_eval_scale() / 1024;
        let bonus = change.clamp(-p.history_eval_max(), p.history_eval_max());
        if p.history_eval_threat_try() == 0 {
            self.update_last_move(bonus);
        } else if let Some(mv) = self.last_move().filter(|mv| !mv.is_noisy()) {
            self.at_parent(|parent| {
                let Self { frames, histories, ply, .. } = parent;
                let frame = &frames[*ply];
                histories.update_threat(&frame.board, &frame.threats, mv, bonus);
            });
        }
    }

    /// An early quiet move that led here is refuted at once: it was no good answer to what came before.
    fn punish_last_move(&mut self, node: &Node) {
        if self.params.history_refuted_try() == 0 || !self.is_after_early_move(EARLY_MOVES) {
            return;
        }
        let Some(mv) = self.last_move().filter(|mv| !mv.is_noisy()) else { return };
        let malus = -self.bonus(node.depth);
        self.at_parent(|parent| {
            let (previous_moves, to) = (parent.previous_moves(), PieceTo::of(parent.board(), mv));
            parent.histories.update_continuation(&previous_moves, to, malus);
        });
    }

    /// Adds to the history of the quiet move that led here.
    fn update_last_move(&mut self, bonus: i32) {
        let Some(mv) = self.last_move().filter(|mv| !mv.is_noisy()) else { return };
        self.at_parent(|parent| {
            let previous_moves = parent.previous_moves();
            parent.update_quiet(&previous_moves, mv, bonus);
        });
    }

    /// Does something one ply nearer to the root, and comes back.
    fn at_parent(&mut self, act: impl FnOnce(&mut Self)) {
        self.ply -= 1;
        act(self);
        self.ply += 1;
    }

    /// A reduced move was searched again at full depth: it is better, or not, than thought. Called
    /// while the move is still made.
    pub(super) fn learn_from_research(&mut self, node: &Node, candidate: &Candidate, score: Score) {
        let bonus = if score <= node.window.alpha {
            -self.malus(node.depth)
        } else if score >= node.window.beta {
            self.bonus(node.depth)
        } else {
            return;
        };
        self.at_parent(|parent| {
            let to = PieceTo::of(parent.board(), candidate.mv);
            let previous_moves = parent.previous_moves();
            parent.histories.update_continuation(&previous_moves, to, bonus);
        });
    }
}

#[cfg(test)]
mod tests;
