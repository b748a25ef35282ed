// SPDX-License-Identifier: GPL-3.0-or-later
//! Captures until the position is quiet enough to be evaluated.

use chess::Move;

use super::correction::corrected;
use super::node::NodeType;
use super::order::{Killers, Picked, Picker, gain};
use super::prune::blend;
use super::table::Entry;
use super::worker::Worker;
use crate::{Bound, Score, Window};

/// The facts about a node of the quiescence search.
#[derive(Clone, Copy, Debug)]
struct QuiescenceNode {
    window: Window,
    /// Alpha as it was on entry.
    entry_alpha: Score,
    hit: Option<Entry>,
    in_check: bool,
    is_pv: bool,
    /// By how many points the evaluation was corrected.
    correction: i32,
    /// The evaluation as computed; `None` in check.
    raw_eval: Option<Score>,
    /// What the side to move has without moving.
    stand_pat: Score,
}

/// Whether a capture is worth a look.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum CaptureDecision {
    Search,
    Skip,
    /// It cannot bring more than this.
    AtMost(Score),
}

impl Worker {
    /// Begins a quiescence search.
    pub(super) fn quiescence<N: NodeType>(&mut self, window: Window) -> Score {
        self.limit_quiescence();
        self.quiesce::<N>(window)
    }

    /// Scores the current position by captures and promotions only, or by all evasions in check.
    ///
    /// The side to move may also stand pat: some quiet move is assumed to keep the evaluation.
    fn quiesce<N: NodeType>(&mut self, mut window: Window) -> Score {
        self.enter_node();
        self.stats.nodes.quiescence += 1;
        self.clear_pv();
        if self.check_limits() {
            return Score::DRAW;
        }
        if let Some(score) = self.rule_draw().or_else(|| self.max_ply_score()) {
            return score;
        }
        if self.can_force_repetition(window.alpha) {
            self.stats.pruning.forced_repetitions += 1;
            window.alpha = self.draw_score();
            if window.is_empty() {
                return window.alpha;
            }
        }
        let hit = self.probe();
        if !N::PV
            && let Some(score) = hit.and_then(|hit| usable(hit, window, self))
        {
            return score;
        }
        let mut node = self.evaluate_quiescent::<N>(window, hit);
        if node.window.is_fail_high(node.stand_pat) {
            return self.stand_pat(&node);
        }
        if !node.in_check && self.is_quiescence_spent() {
            return node.stand_pat;
        }
        node.window.raise(node.stand_pat);
        let (mut best, best_move) = self.try_captures::<N>(&mut node);
        if self.is_stopped {
            return Score::DRAW;
        }
        let beta = node.window.beta;
        let is_blended = self.params.qs_fail_high_try() != 0 && best >= beta;
        if is_blended && !best.is_decisive() && !beta.is_decisive() {
            best = blend(beta, best, 512);
        }
        let bound = Window { alpha: node.entry_alpha, ..node.window }.bound_of(best);
        self.store_quiescent(&node, best_move, best, bound);
        best
    }

    /// Evaluates, unless in check.
    fn evaluate_quiescent<N: NodeType>(
        &mut self,
        window: Window,
        hit: Option<Entry>,
    ) -> QuiescenceNode {
        let in_check = self.board().in_check();
        let mut node = QuiescenceNode {
            window,
            entry_alpha: window.alpha,
            hit,
            in_check,
            is_pv: N::PV,
            correction: 0,
            raw_eval: None,
            stand_pat: Score::mated_in(self.ply),
        };
        if in_check {
            self.compute_threats();
            self.frame_mut().eval = None;
            return node;
        }
        let raw = self.raw_eval(hit);
        let correction = self.corrections.get(self.board(), self.last_moves(), &self.params);
        let eval = corrected(raw, self.optimism, self.board(), correction, &self.params);
        self.frame_mut().eval = Some(eval);
        (node.raw_eval, node.correction) = (Some(raw), correction);
        node.stand_pat = self.stand_pat_by_table(eval, hit);
        node
    }

    /// The evaluation, improved by what the table knows about its direction.
    fn stand_pat_by_table(&self, eval: Score, hit: Option<Entry>) -> Score {
        match hit.and_then(|hit| self.entry_score(hit)) {
            Some((score, Bound::Lower)) if score > eval && !score.is_decisive() => score,
            Some((score, Bound::Upper)) if score < eval && !score.is_decisive() => score,
            Some((score, Bound::Exact)) if !score.is_decisive() => score,
            _ => eval,
        }
    }

    /// Standing pat is enough. The evaluation is a guess, and beta what was asked for: the answer
    /// lies between.
    fn stand_pat(&mut self, node: &QuiescenceNode) -> Score {
        let (beta, stand_pat) = (node.window.beta, node.stand_pat);
        let is_plain = !beta.is_decisive() && !stand_pat.is_decisive();
        let share = self.params.qs_blend();
        let score = if is_plain { blend(beta, stand_pat, share) } else { stand_pat };
        if node.hit.is_none() {
            self.store_quiescent(node, None, score, Bound::Lower);
        }
        score
    }

    /// Searches captures, evasions, and perhaps checks.
    fn try_captures<N: NodeType>(&mut self, node: &mut QuiescenceNode) -> (Score, Option<Move>) {
        let (mut best, mut best_move, mut searched) = (node.stand_pat, None, 0);
        let mut skipped = 0;
        let previous_moves = self.previous_moves();
        let mut picker = self.quiescence_picker(node);
        while let Some(picked) = picker.next(self.context(&previous_moves)) {
            if !best.is_loss() {
                let decision = self.prune_capture(node, picked, searched + skipped);
                if decision != CaptureDecision::Search {
                    skipped += usize::from(self.params.qs_late_all_try() != 0);
                    if let CaptureDecision::AtMost(most) = decision {
                        best = best.max(most);
                    }
                    continue;
                }
            }
            self.make(picked.mv);
            let score = -self.quiesce::<N::Next>(-node.window);
            self.unmake();
            if self.is_stopped {
                break;
            }
            searched += 1;
            if score > best {
                best = score;
                if node.window.raise(score) {
                    best_move = Some(picked.mv);
                    if N::PV {
                        self.update_pv(picked.mv);
                    }
                }
                if node.window.is_fail_high(score) {
                    self.learn_capture(picked.mv);
                    break;
                }
            }
            // One answer that does not lose is enough to know that quiet ones exist.
            if node.in_check && !best.is_loss() {
                picker.skip_quiets();
            }
        }
        (best, best_move)
    }

    fn quiescence_picker(&mut self, node: &QuiescenceNode) -> Picker {
        let table_move = node.hit.and_then(|hit| hit.mv).filter(|&mv| self.board().is_legal(mv));
        if let Some(mv) = table_move.filter(|mv| node.in_check || mv.is_noisy()) {
            self.prefetch(mv);
        }
        if node.in_check {
            return Picker::new(table_move, Killers::default());
        }
        let is_first = self.ply == self.quiescence_ply;
        if self.params.qs_checks_on() && is_first {
            return Picker::with_checks(table_move);
        }
        Picker::noisy_only(table_move)
    }

    /// Futility, exchange and late-move pruning of captures.
    ///
    /// Unsound where a losing capture is the point of a combination; the main search sees those.
    fn prune_capture(
        &self,
        node: &QuiescenceNode,
        picked: Picked,
        searched: usize,
    ) -> CaptureDecision {
        let p = &self.params;
        let (board, mv) = (self.board(), picked.mv);
        if node.in_check {
            let loses = p.qs_evasion_try() != 0 && !picked.wins(board, 0);
            return if loses { CaptureDecision::Skip } else { CaptureDecision::Search };
        }
        let unsure = node.correction.abs() * p.qs_correction_scale() / 1024;
        let hope = node.stand_pat + (p.qs_delta_margin() + unsure);
        let is_late = p.qs_late_on() && searched as i32 >= p.qs_late_moves();
        let most = hope + gain(board, mv);
        let is_futile = p.qs_delta_on() && most <= node.window.alpha;
        if (is_late || is_futile) && !self.is_forcing(mv) {
            return if is_late { CaptureDecision::Skip } else { CaptureDecision::AtMost(most) };
        }
        if p.qs_trade_try() != 0 && hope <= node.window.alpha && !picked.wins(board, 1) {
            return CaptureDecision::AtMost(hope);
        }
        let trust = match p.qs_see_history_scale() {
            0 => 0,
            scale => self.histories.noisy(board, mv) * scale / 1024,
        };
        let loses = p.qs_see_on() && !picked.wins(board, p.qs_see_margin() - trust);
        if loses { CaptureDecision::Skip } else { CaptureDecision::Search }
    }

    /// Whether a move may turn the tables, whatever it takes.
    fn is_forcing(&self, mv: Move) -> bool {
        let is_recapture = self.last_move().is_some_and(|last| last.to() == mv.to());
        mv.is_promotion() || is_recapture || self.board().gives_check(mv)
    }

    fn store_quiescent(
        &mut self,
        node: &QuiescenceNode,
        mv: Option<Move>,
        score: Score,
        bound: Bound,
    ) {
        let is_pv = node.is_pv && self.params.qs_pv_try() != 0;
        let was_pv = is_pv || node.hit.is_some_and(|hit| hit.was_pv);
        let score = Some((score.to_node(self.ply), bound));
        self.put(Entry { mv, score, eval: node.raw_eval, depth: 0, was_pv });
    }
}

/// The table's score if it settles the question.
fn usable(hit: Entry, window: Window, worker: &Worker) -> Option<Score> {
    let (score, bound) = worker.entry_score(hit)?;
    window.is_settled_by(score, bound).then_some(score)
}

#[cfg(test)]
mod tests;
