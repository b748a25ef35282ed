// SPDX-License-Identifier: GPL-3.0-or-later
//! What the result of a node teaches about moves.

use chess::Move;

use super::history::PieceTo;
use super::node::{Candidate, Found, Node};
use super::worker::Worker;
use crate::Score;

/// From this depth on, a change of the evaluation that was seen before teaches nothing new.
const FRESH_DEPTH: i32 = 6;

/// The malus of a move that was tried after `before` others: what comes late is expected to fail.
const fn late_malus(malus: i32, before: i32) -> i32 {
    let divisor = 1000 + 44 * before;
    malus * 1000 / divisor * 1000 / divisor
}

impl Worker {
    /// Rewards the move that refuted, and punishes those tried in vain before it; or, if none did,
    /// rewards the opponent's move that left us nothing.
    pub(super) fn learn(&mut self, node: &Node, found: &Found) {
        if node.start_alpha == node.window.alpha {
            self.stats.all_nodes += u64::from(!node.is_pv);
        }
        let Some(mv) = found.best_move else {
            if found.best < node.window.beta {
                self.reward_last_move(node);
            }
            return;
        };
        if found.best >= node.window.beta {
            self.stats.cut_nodes += u64::from(!node.is_pv);
            self.punish_last_move(node);
        } else if self.params.history_pv_try() == 0 {
            return;
        }
        self.reward_best_move(node, found, mv);
    }

    /// Rewards the best move, and punishes those tried in vain.
    fn reward_best_move(&mut self, node: &Node, found: &Found, mv: Move) {
        if mv.is_noisy() {
            self.update_noisy(mv, self.bonus(node.depth));
        } else {
            self.frame_mut().killers.add(mv);
            // At low depth, one quiet move tried and found good says little.
            if node.depth > 3 || !found.tried.quiet.is_empty() {
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
        let (bonus, trail) = (self.bonus(depth), self.trail());
        self.update_quiet(&trail, mv, bonus);
    }

    fn punish_quiets(&mut self, found: &Found, depth: i32) {
        let (malus, trail) = (self.malus(depth), self.trail());
        let is_less = self.params.history_malus_late_try() != 0;
        for (i, &other) in found.tried.quiet.iter().enumerate() {
            if Some(other) != found.best_move {
                let malus = if is_less { late_malus(malus, i as i32) } else { malus };
                self.update_quiet(&trail, other, -malus);
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

    fn update_quiet(&mut self, trail: &super::history::Trail, mv: Move, bonus: i32) {
        let Self { frames, histories, ply, .. } = self;
        let frame = &frames[*ply];
        let scene = super::history::Scene { board: &frame.board, threats: &frame.threats, trail };
        let for_continuations = bonus * self.params.history_cont_bonus() / 1024;
        histories.update_quiet(scene, mv, bonus, for_continuations);
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
        if p.history_last_move_on() == 0 || node.depth < 2 || !is_surprise {
            return;
        }
        let bonus = self.bonus(node.depth) * p.history_last_move_scale() / 1024;
        self.update_last_move(bonus);
    }

    /// The opponent's quiet move that led here is judged by how the evaluation changed.
    pub(super) fn judge_last_move(&mut self, node: &Node) {
        let p = &self.params;
        let before = self.frame_before(1).and_then(|frame| frame.eval);
        let Some(before) = before.filter(|_| p.history_eval_on() != 0 && node.excluded.is_none())
        else {
            return;
        };
        if p.history_eval_fresh_try() != 0 && node.hit.is_some() && node.depth >= FRESH_DEPTH {
            return;
        }
        let change = -(node.static_eval.value() + before.value()) * p.history_eval_scale() / 1024;
        let bonus = change.clamp(-p.history_eval_max(), p.history_eval_max());
        if p.history_eval_threat_try() == 0 {
            return self.update_last_move(bonus);
        }
        if let Some(mv) = self.last_move().filter(|mv| !mv.is_noisy()) {
            let Self { frames, histories, ply, .. } = self;
            let frame = &frames[*ply - 1];
            histories.update_threat(&frame.board, &frame.threats, mv, bonus);
        }
    }

    /// An early quiet move that led here is refuted at once: it was no good answer to what came before.
    fn punish_last_move(&mut self, node: &Node) {
        let is_asked = self.params.history_refuted_try() != 0 && self.is_after_early_move(2);
        let Some(mv) = self.last_move().filter(|mv| is_asked && !mv.is_noisy()) else { return };
        let bonus = -self.bonus(node.depth);
        self.ply -= 1;
        let (trail, to) = (self.trail(), PieceTo::of(self.board(), mv));
        self.histories.update_continuation(&trail, to, bonus);
        self.ply += 1;
    }

    /// Adds to the history of the quiet move that led here.
    fn update_last_move(&mut self, bonus: i32) {
        let Some(mv) = self.last_move().filter(|mv| !mv.is_noisy()) else { return };
        self.ply -= 1;
        let trail = self.trail();
        self.update_quiet(&trail, mv, bonus);
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
        self.ply -= 1;
        let (trail, to) = (self.trail(), PieceTo::of(self.board(), candidate.mv));
        self.histories.update_continuation(&trail, to, bonus);
        self.ply += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alphabeta::node::{Found, Pv};
    use crate::alphabeta::testing::worker;
    use crate::{Params, Window};

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn what_is_tried_late_is_punished_less() {
        assert_eq!(late_malus(1000, 0), 1000);
        assert!(late_malus(1000, 30) < 250 && late_malus(1000, 30) > 0);
    }

    #[test]
    fn the_best_move_of_the_principal_variation_is_rewarded_if_asked_for() {
        for (value, is_rewarded) in [(0, false), (1, true)] {
            let mut worker = worker(START, &[]);
            worker.params = Params::default().with("history_pv_try", value);
            let mv = worker.board().parse_uci("e2e4").unwrap();
            let window = Window::around(Score::DRAW, 100);
            let node = worker.enter::<Pv>(window, 8, false);
            let best = Score::new(50);
            worker.learn(&node, &Found { best, best_move: Some(mv), ..Found::default() });
            let trail = worker.trail();
            let history = worker.histories.quiet(worker.scene(&trail), mv, &worker.params);
            assert_eq!(history > 0, is_rewarded);
        }
    }

    #[test]
    fn an_early_move_that_is_refuted_is_punished_if_asked_for() {
        let mut worker = worker(START, &[]);
        for reply in ["g1f3", "g8f6", "f3g1"] {
            let mv = worker.board().parse_uci(reply).unwrap();
            worker.make(mv);
        }
        let node = worker.enter::<Pv>(Window::around(Score::DRAW, 100), 8, false);
        let history = |worker: &mut Worker| {
            worker.ply -= 1;
            let (trail, mv) = (worker.trail(), worker.board().parse_uci("f3g1").unwrap());
            let history = worker.histories.quiet(worker.scene(&trail), mv, &worker.params);
            worker.ply += 1;
            history
        };
        worker.punish_last_move(&node);
        assert_eq!(history(&mut worker), 0);
        worker.params = Params::default().with("history_refuted_try", 1);
        worker.punish_last_move(&node);
        assert!(history(&mut worker) < 0);
        worker.frames[2].index = 5;
        let before = history(&mut worker);
        worker.punish_last_move(&node);
        assert_eq!(history(&mut worker), before, "a late move is expected to be refuted");
    }
}
