// SPDX-License-Identifier: GPL-3.0-or-later
//! What a search is asked to do: the façade writes it, both searches read it.

use std::cmp::Reverse;
use std::sync::Arc;

use chess::{Board, Move};

use crate::clock::TimePlan;
use crate::control::Control;
use crate::info::{Line, Report};
use crate::limits::Limits;
use crate::params::Params;
use crate::pool::Pool;
use crate::position::Position;
use crate::score::Score;
use crate::tablebases::{RootResult, Tablebases};

/// A move that may be played at the root.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct RootCandidate {
    pub(crate) mv: Move,
    /// What the tablebases say about it.
    pub(crate) table_score: Option<Score>,
}

/// The moves that may be played at the root.
#[derive(Clone, Debug, Default)]
pub(crate) struct RootCandidates {
    pub(crate) moves: Vec<RootCandidate>,
    /// Whether some legal moves are left out.
    pub(crate) is_partial: bool,
}

impl RootCandidates {
    /// The moves to search in a position. Moves that spoil the result by the tablebases are left out.
    pub(crate) fn of(position: &Position, limits: &Limits, tablebases: &Tablebases) -> Self {
        let mut candidates = Self::new(position.board(), &limits.root_moves);
        let has_repeated = position.history().occurrences() > 1;
        if let Some(results) = tablebases.root_moves(position.board(), has_repeated) {
            candidates.judge(&results, limits.multi_pv);
        }
        candidates
    }

    /// The legal moves, or those of them that are `wanted`, unless none is.
    pub(crate) fn new(board: &Board, wanted: &[Move]) -> Self {
        let legal = board.legal_moves();
        let is_partial = legal.iter().any(|mv| wanted.contains(mv));
        let moves = legal.into_iter().filter(|mv| !is_partial || wanted.contains(mv));
        let moves = moves.map(|mv| RootCandidate { mv, table_score: None }).collect();
        Self { moves, is_partial }
    }

    /// Takes over what the tablebases say. If one line is wanted, only moves that keep the best
    /// result are left.
    fn judge(&mut self, results: &[RootResult], lines: usize) {
        let found = |mv: Move| results.iter().find(|result| result.mv == mv);
        for candidate in &mut self.moves {
            candidate.table_score = found(candidate.mv).map(|result| result.score);
        }
        let is_kept =
            |candidate: &RootCandidate| found(candidate.mv).is_some_and(|result| result.is_kept);
        if lines <= 1 && self.moves.iter().any(is_kept) {
            let before = self.moves.len();
            self.moves.retain(is_kept);
            self.is_partial |= self.moves.len() < before;
        }
    }

    /// What the tablebases say about a move.
    fn table_score(&self, mv: Move) -> Option<Score> {
        self.moves.iter().find(|candidate| candidate.mv == mv)?.table_score
    }

    fn has_table_scores(&self) -> bool {
        self.moves.iter().any(|candidate| candidate.table_score.is_some())
    }
}

/// One search: position, limits, and whom to tell.
pub(crate) struct SearchRequest<'a> {
    pub(crate) position: &'a Position,
    pub(crate) limits: &'a Limits,
    pub(crate) plan: TimePlan,
    pub(crate) control: &'a Arc<Control>,
    /// Who is told of lines and depths; a search that tells nobody does not even collect them.
    pub(crate) report: Option<&'a Report>,
    pub(crate) params: &'a Params,
    pub(crate) tablebases: &'a Tablebases,
    pub(crate) candidates: RootCandidates,
    /// The threads that search; without a pool, the caller's thread does.
    pub(crate) pool: Option<&'a Pool>,
}

impl SearchRequest<'_> {
    /// Whether deadlines count: not while the opponent thinks, and not in endless analysis.
    pub(crate) fn is_timed(&self) -> bool {
        !self.control.is_pondering() && !self.limits.infinite
    }

    /// Whether even a few iterations may take too long.
    pub(crate) fn has_to_hurry(&self) -> bool {
        self.is_timed() && self.plan.is_over(0)
    }

    /// The best of the lines, which come in the order of the search: as many as were asked for, with
    /// ranks. The tablebases' order goes before the search's, and no line is shown as better than one
    /// that is preferred to it: a high value after few visits is not believed.
    pub(crate) fn best_of(&self, lines: impl Iterator<Item = Line>) -> Vec<Line> {
        let count = self.limits.multi_pv.max(1);
        let mut lines: Vec<Line> = if self.candidates.has_table_scores() {
            let mut lines: Vec<Line> = lines.collect();
            lines.sort_by_key(|line| Reverse(line.score));
            lines.truncate(count);
            lines
        } else {
            lines.take(count).collect()
        };
        let mut most = Score::MAX;
        for (index, line) in lines.iter_mut().enumerate() {
            line.rank = index + 1;
            // A mate is what it is, with its moves.
            if line.score.mate_moves().is_none() {
                line.score = line.score.min(most);
            }
            most = line.score;
        }
        lines
    }

    /// A line's score as people see it: what the tablebases know is better than an evaluation, but a
    /// mate is better still.
    pub(crate) fn shown_score(&self, line: &Line) -> Score {
        let found = line.moves.first().and_then(|&mv| self.candidates.table_score(mv));
        let is_mate = line.score.mate_moves().is_some();
        found.filter(|_| !is_mate).unwrap_or(line.score)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unwanted_moves_are_left_out_but_never_all() {
        let board = Board::default();
        let wanted = [board.parse_uci("e2e4").unwrap()];
        let some = RootCandidates::new(&board, &wanted);
        assert_eq!((some.moves.len(), some.is_partial), (1, true));
        let all = RootCandidates::new(&board, &[]);
        assert_eq!((all.moves.len(), all.is_partial), (20, false));
        let illegal = [board.parse_uci("e2e4").unwrap()];
        let mut after = board;
        after.play(illegal[0]);
        assert_eq!(RootCandidates::new(&after, &illegal).moves.len(), 20);
    }

    #[test]
    fn tablebases_leave_the_moves_that_keep_the_result() {
        let board = Board::default();
        let mut candidates = RootCandidates::new(&board, &[]);
        let good = candidates.moves[3].mv;
        let result = |candidate: &RootCandidate| RootResult {
            mv: candidate.mv,
            score: if candidate.mv == good { Score::table_win_in(0) } else { Score::DRAW },
            is_kept: candidate.mv == good,
        };
        let results: Vec<_> = candidates.moves.iter().map(result).collect();
        let mut several = candidates.clone();
        several.judge(&results, 2);
        assert_eq!(
            (several.moves.len(), several.is_partial),
            (20, false),
            "several lines: all stay"
        );
        candidates.judge(&results, 1);
        assert_eq!((candidates.moves.len(), candidates.is_partial), (1, true));
        assert_eq!(candidates.table_score(good), Some(Score::table_win_in(0)));
    }
}
