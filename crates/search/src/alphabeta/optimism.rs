// SPDX-License-Identifier: GPL-3.0-or-later
//! Optimism: whoever stands better believes in it.

use chess::{Board, Color};

use super::worker::Worker;
use crate::{Params, Score};

/// Points that each side's evaluations get on top.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Optimism([i32; 2]);

impl Optimism {
    /// The optimism of a root with this score for `turn`.
    ///
    /// The side that is better keeps the tension and avoids exchanges that only simplify; the other one
    /// gladly simplifies. It grows with the score, at first quickly. Unsound in itself, as the
    /// evaluation is no longer what the network says, and therefore small.
    fn new(turn: Color, score: Score, params: &Params) -> Self {
        if !params.optimism_on() || score.is_decisive() {
            return Self::default();
        }
        let value = score.value();
        let own = params.optimism_max() * value / (value.abs() + params.optimism_half());
        let mut both = [0; 2];
        (both[turn.index()], both[(!turn).index()]) = (own, -own);
        Self(both)
    }

    /// What it adds for the side to move: the more, the more is on the board.
    #[inline]
    pub(super) fn points(self, board: &Board) -> i32 {
        self.0[board.turn().index()] * board.occupied().len() as i32 / 32
    }
}

impl Worker {
    /// Takes over the score of the depth before.
    pub(super) fn set_optimism(&mut self, score: Score) {
        self.optimism = Optimism::new(self.board().turn(), score, &self.params);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_better_side_is_optimistic_and_the_other_is_not() {
        let params = Params::default().with("optimism_on", 1);
        let mut board = Board::default();
        let optimism = Optimism::new(Color::White, Score::new(100), &params);
        let own = optimism.points(&board);
        assert!(own > 0 && own < params.optimism_max());
        board.play_null();
        assert_eq!(optimism.points(&board), -own);
        let more = Optimism::new(Color::White, Score::new(1000), &params);
        assert!(more.points(&Board::default()) > own);
        let mate = Optimism::new(Color::White, Score::mate_in(5), &params);
        assert_eq!(mate.points(&board), 0);
    }
}
