// SPDX-License-Identifier: GPL-3.0-or-later
//! Draws, resignations and take-backs: what is decided by our own scores.

use engine::{Centipawns, ShownScore};

use crate::config::{DrawRule, ResignRule};
use crate::words::Opponent;

/// Mates count as this many centipawns, and a little less the longer they take.
const MATE: i32 = 100_000;

/// A score as one number, in centipawns.
pub(super) fn centipawns(score: ShownScore) -> Centipawns {
    Centipawns(match score {
        ShownScore::Centipawns(centipawns) => centipawns.0,
        ShownScore::Mate(moves) if moves > 0 => MATE - moves,
        ShownScore::Mate(moves) => -MATE - moves,
    })
}

/// Our scores in a game, one for each move of ours that was thought about.
#[derive(Clone, Debug, Default)]
pub(super) struct Scores(Vec<Centipawns>);

impl Scores {
    pub(super) fn push(&mut self, score: Centipawns) {
        self.0.push(score);
    }

    pub(super) fn last(&self) -> Option<i32> {
        self.0.last().map(|score| score.0)
    }

    /// Whether the last few all satisfy a condition.
    fn have_long_been(&self, moves: u32, is_so: impl Fn(i32) -> bool) -> bool {
        let moves = moves as usize;
        self.0.len() >= moves && self.0.iter().rev().take(moves).all(|score| is_so(score.0))
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

    fn scores(centipawns: &[i32]) -> Scores {
        Scores(centipawns.iter().copied().map(Centipawns).collect())
    }

    fn mate(moves: i32) -> Centipawns {
        centipawns(ShownScore::Mate(moves))
    }

    fn config() -> Config {
        let text = "[draw]\nscore = 10\nmoves = 3\nfrom_move = 30\n\
                    [resign]\nenabled = true\nscore = 900\nmoves = 2";
        Config::parse(text, std::path::Path::new(".")).unwrap()
    }

    #[test]
    fn draws_are_offered_late_and_when_level_for_long() {
        let rule = config().draw;
        let level = scores(&[200, 5, -10, 0]);
        assert!(level.offers_draw(&rule, 30));
        assert!(!level.offers_draw(&rule, 29));
        assert!(!scores(&[5, -11, 0]).offers_draw(&rule, 50));
        assert!(!scores(&[5, 0]).offers_draw(&rule, 50));
    }

    #[test]
    fn draws_are_accepted_when_level_or_worse() {
        let rule = config().draw;
        assert!(scores(&[10]).accepts_draw(&rule, 30));
        assert!(!scores(&[11]).accepts_draw(&rule, 30));
        assert!(!scores(&[0]).accepts_draw(&rule, 10));
        assert!(scores(&[-300]).accepts_draw(&rule, 10));
        assert!(!scores(&[]).accepts_draw(&rule, 50));
        let never = DrawRule { accept: false, ..rule };
        assert!(!scores(&[-300]).accepts_draw(&never, 50));
    }

    #[test]
    fn only_lost_games_against_the_right_opponents_are_given_up() {
        let rule = config().resign;
        let lost = scores(&[-900, mate(-3).0]);
        assert!(lost.resigns(&rule, Opponent::Bot));
        assert!(!lost.resigns(&rule, Opponent::Human));
        assert!(!scores(&[-2000, -899]).resigns(&rule, Opponent::Bot));
    }

    #[test]
    fn mates_are_worth_more_than_anything() {
        assert!(mate(1) > mate(9));
        assert!(mate(9) > Centipawns(20_000));
        assert!(mate(-1) < mate(-9));
    }
}
