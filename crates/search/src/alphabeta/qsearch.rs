// SPDX-License-Identifier: GPL-3.0-or-later
//! Captures until the position is quiet enough to be evaluated.

use super::negamax::Kind;
use super::order::{EXCHANGE_VALUES, Killers, Picker};
use super::table::Entry;
use super::worker::Worker;
use crate::{Bound, Score, Window};
use chess::{Move, Role};

impl Worker {
    /// Scores the current position by captures and promotions only, or by all evasions in check.
    ///
    /// The side to move may also stand pat: some quiet move is assumed to keep the evaluation.
    pub(super) fn quiesce<K: Kind>(&mut self, mut window: Window) -> Score {
        self.enter_node();
        self.stats.quiescence_nodes += 1;
        self.clear_pv();
        if self.check_limits() {
            return Score::DRAW;
        }
        if let Some(score) = self.rule_draw().or_else(|| self.ceiling()) {
            return score;
        }
        let hit = self.probe();
        if !K::PV
            && let Some(score) = hit.and_then(|hit| usable(hit, window, self))
        {
            return score;
        }
        let in_check = self.board().in_check();
        let raw_eval = if in_check { None } else { Some(self.raw_eval(hit)) };
        let mut best = match raw_eval {
            Some(eval) => self.standing_score(eval, hit),
            None => Score::mated_in(self.ply),
        };
        let alpha = window.alpha;
        if window.is_fail_high(best) {
            self.remember(hit, None, best, Bound::Lower, raw_eval);
            return best;
        }
        if !in_check && self.is_quiescence_spent() {
            return best;
        }
        window.raise(best);
        let stand_pat = best;
        let mut best_move = None;
        let table_move = hit.and_then(|hit| hit.mv).filter(|&mv| self.board().is_legal(mv));
        let mut picker = if in_check {
            Picker::new(table_move, Killers::default())
        } else {
            Picker::noisy_only(table_move)
        };
        while let Some(ordered) = picker.next(self.context()) {
            if !best.is_loss() && !in_check && self.is_hopeless(ordered.mv, stand_pat, window.alpha)
            {
                continue;
            }
            let score = self.quiesce_child::<K>(ordered.mv, window);
            if self.is_stopped {
                return Score::DRAW;
            }
            if score <= best {
                continue;
            }
            best = score;
            if window.raise(score) {
                best_move = Some(ordered.mv);
                self.update_pv::<K>(ordered.mv);
            }
            if window.is_fail_high(score) {
                break;
            }
            // One answer that does not lose is enough to know that quiet ones exist.
            if in_check && !best.is_loss() {
                picker.skip_quiets();
            }
        }
        let bound = bound_of(best, alpha, window.beta);
        self.remember(hit, best_move, best, bound, raw_eval);
        best
    }

    fn quiesce_child<K: Kind>(&mut self, mv: Move, window: Window) -> Score {
        self.make(mv);
        let score = -self.quiesce::<K::Next>(-window);
        self.unmake();
        score
    }

    /// The evaluation, improved by what the table knows about its direction.
    fn standing_score(&self, eval: Score, hit: Option<Entry>) -> Score {
        match hit.and_then(|hit| self.entry_score(hit)) {
            Some((score, Bound::Lower)) if score > eval && !score.is_decisive() => score,
            Some((score, Bound::Upper)) if score < eval && !score.is_decisive() => score,
            Some((score, Bound::Exact)) if !score.is_decisive() => score,
            _ => eval,
        }
    }

    /// Delta and exchange pruning: the capture cannot reach alpha, or loses material.
    fn is_hopeless(&self, mv: Move, stand_pat: Score, alpha: Score) -> bool {
        let p = &self.params;
        let board = self.board();
        let taken = if mv.is_en_passant() { Some(Role::Pawn) } else { board.role_on(mv.to()) };
        let gain = taken.map_or(0, |role| EXCHANGE_VALUES[role]);
        let cannot_reach = p.qs_delta_on != 0
            && !mv.is_promotion()
            && stand_pat + gain + p.qs_delta_margin <= alpha
            && !board.gives_check(mv);
        cannot_reach || p.qs_see_on != 0 && !board.see(mv, 0, &EXCHANGE_VALUES)
    }

    fn remember(
        &mut self,
        hit: Option<Entry>,
        mv: Option<Move>,
        score: Score,
        bound: Bound,
        eval: Option<Score>,
    ) {
        let was_pv = hit.is_some_and(|hit| hit.was_pv);
        let score = Some((score.to_node(self.ply), bound));
        self.put(Entry { mv, score, eval, depth: 0, was_pv });
    }
}

/// The table's score if it settles the question.
fn usable(hit: Entry, window: Window, worker: &Worker) -> Option<Score> {
    let (score, bound) = worker.entry_score(hit)?;
    settles(score, bound, window).then_some(score)
}

/// Whether a bound answers whether the score lies above or below the window.
pub(super) fn settles(score: Score, bound: Bound, window: Window) -> bool {
    match bound {
        Bound::Exact => true,
        Bound::Lower => score >= window.beta,
        Bound::Upper => score <= window.alpha,
    }
}

/// How a result is to be read, given the window it was searched with.
pub(super) fn bound_of(score: Score, alpha: Score, beta: Score) -> Bound {
    if score >= beta {
        Bound::Lower
    } else if score > alpha {
        Bound::Exact
    } else {
        Bound::Upper
    }
}
