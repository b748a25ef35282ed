// SPDX-License-Identifier: GPL-3.0-or-later
//! What the result of a node teaches about moves.

use chess::Move;

use super::history::PieceTo;
use super::node::{Candidate, Node, NodeResult};
use super::worker::Worker;
use crate::Score;

impl Worker {
    /// Rewards the move that refuted, and punishes those tried in vain before it; or, if none did,
    /// rewards the opponent's move that left us nothing.
    pub(super) fn learn(&mut self, node: &Node, found: &NodeResult) {
        if node.entry_alpha == node.window.alpha {
            self.stats.nodes.all += u64::from(!node.is_pv);
        }
        if found.best < node.window.beta {
            if found.best_move.is_none() {
                self.reward_last_move(node);
            }
            return;
        }
        let Some(mv) = found.best_move else { return };
        self.stats.nodes.cut += u64::from(!node.is_pv);
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
        for &other in found.tried.quiet.iter().filter(|&&other| Some(other) != found.best_move) {
            self.update_quiet(&previous_moves, other, -malus);
        }
    }

    fn update_noisy(&mut self, mv: Move, bonus: i32) {
        let Self { frames, histories, ply, .. } = self;
        histories.update_noisy(&frames[*ply].board, mv, bonus);
    }

    fn update_quiet(
        &mut self,
        previous_moves: &super::history::PreviousMoves,
        mv: Move,
        bonus: i32,
    ) {
        let Self { frames, histories, ply, .. } = self;
        let frame = &frames[*ply];
        let history_context = super::history::HistoryContext {
            board: &frame.board,
            threats: &frame.threats,
            previous_moves,
        };
        histories.update_quiet(history_context, mv, bonus);
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
        if !p.history_last_move_on() || node.depth < p.history_last_move_min_depth() {
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
        let change = -(node.static_eval.value() + before.value()) * p.history_eval_scale() / 1024;
        self.update_last_move(change.clamp(-p.history_eval_max(), p.history_eval_max()));
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
