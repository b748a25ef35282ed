// SPDX-License-Identifier: GPL-3.0-or-later
//! Draws, resignations and take-backs: what is decided by our own scores.

use crate::config::{DrawRule, ResignRule};
use crate::record::Eval;
use crate::words::Opponent;

/// Mates count as this many centipawns, and a little less the longer they take.
const MATE: i32 = 100_000;

/// A score as one number, in centipawns.
pub(super) fn centipawns(eval: Eval) -> i32 {
    match eval {
        Eval::Centipawns(centipawns) => centipawns,
        Eval::Mate(moves) if moves > 0 => MATE - moves,
        Eval::Mate(moves) => -MATE - moves,
    }
}

/// Our scores in a game, one for each move of ours that was thought about.
#[derive(Clone, Debug, Default)]
pub(super) struct Scores(Vec<i32>);

impl Scores {
    pub(super) fn push(&mut self, score: i32) {
        self.0.push(score);
    }

    pub(super) fn last(&self) -> Option<i32> {
        self.0.last().copied()
    }

    /// Whether the last few all satisfy a condition.
    fn have_long_been(&self, moves: u32, is_so: impl Fn(i32) -> bool) -> bool {
        let moves = moves as usize;
        self.0.len() >= moves && self.0.iter().rev().take(moves).all(|&score| is_so(score))
    }

    /// Whether to offer a draw with a move.
    pub(super) fn offers_draw(&self, rule: &DrawRule, move_number: u32) -> bool {
        rule.offer
            && move_number >= rule.from_move
            && self.have_long_been(rule.moves, |score| score.abs() <= rule.score)
    }

    /// Whether to accept a draw: when we would offer one ourselves, or are worse.
    pub(super) fn accepts_draw(&self, rule: &DrawRule, move_number: u32) -> bool {
        let Some(last) = self.last() else { return false };
        let is_even = move_number >= rule.from_move && last <= rule.score;
        rule.accept && (is_even || last < -rule.score.max(50))
    }

    /// Whether to claim a draw that the rules allow: when there is nothing to win.
    pub(super) fn claims_draw(&self) -> bool {
        self.last().is_some_and(|score| score <= 0)
    }

    /// Whether to give up.
    pub(super) fn resigns(&self, rule: &ResignRule, opponent: Opponent) -> bool {
        rule.enabled
            && rule.opponents.contains(&opponent)
            && self.have_long_been(rule.moves, |score| score <= -rule.score)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Config;

    fn config() -> Config {
        let text = "[draw]\nscore = 10\nmoves = 3\nfrom_move = 30\n\
                    [resign]\nenabled = true\nscore = 900\nmoves = 2";
        Config::parse(text, std::path::Path::new(".")).unwrap()
    }

    #[test]
    fn draws_are_offered_late_and_when_level_for_long() {
        let rule = config().draw;
        let scores = Scores(vec![200, 5, -10, 0]);
        assert!(scores.offers_draw(&rule, 30));
        assert!(!scores.offers_draw(&rule, 29));
        assert!(!Scores(vec![5, -11, 0]).offers_draw(&rule, 50));
        assert!(!Scores(vec![5, 0]).offers_draw(&rule, 50));
    }

    #[test]
    fn draws_are_accepted_when_level_or_worse() {
        let rule = config().draw;
        assert!(Scores(vec![10]).accepts_draw(&rule, 30));
        assert!(!Scores(vec![11]).accepts_draw(&rule, 30));
        assert!(!Scores(vec![0]).accepts_draw(&rule, 10));
        assert!(Scores(vec![-300]).accepts_draw(&rule, 10));
        assert!(!Scores(vec![]).accepts_draw(&rule, 50));
        let never = DrawRule { accept: false, ..rule };
        assert!(!Scores(vec![-300]).accepts_draw(&never, 50));
    }

    #[test]
    fn only_lost_games_against_the_right_opponents_are_given_up() {
        let rule = config().resign;
        let lost = Scores(vec![-900, centipawns(Eval::Mate(-3))]);
        assert!(lost.resigns(&rule, Opponent::Bot));
        assert!(!lost.resigns(&rule, Opponent::Human));
        assert!(!Scores(vec![-2000, -899]).resigns(&rule, Opponent::Bot));
    }

    #[test]
    fn mates_are_worth_more_than_anything() {
        assert!(centipawns(Eval::Mate(1)) > centipawns(Eval::Mate(9)));
        assert!(centipawns(Eval::Mate(9)) > centipawns(Eval::Centipawns(20_000)));
        assert!(centipawns(Eval::Mate(-1)) < centipawns(Eval::Mate(-9)));
    }
}
