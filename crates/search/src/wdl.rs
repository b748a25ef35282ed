// SPDX-License-Identifier: GPL-3.0-or-later
//! From a score to the chances of winning, drawing and losing.
//!
//! Two logistic curves, one for winning and one for losing. The numbers are provisional: they fit
//! the expectation that the labelled positions give for the material evaluation, and will be fitted
//! on our own games once there is a network.

use crate::Score;

/// Chances in thousandths; they sum to 1000.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wdl {
    /// That the side to move wins.
    pub win: u32,
    /// That the game is drawn.
    pub draw: u32,
    /// That the side to move loses.
    pub loss: u32,
}

/// The score at which half of the games are won.
const HALF_WON: f64 = 165.0;
/// How gradually chances change with the score.
const SPREAD: f64 = 110.0;

impl Wdl {
    /// The chances that go with a score.
    ///
    /// ```
    /// use search::{Score, Wdl};
    /// let even = Wdl::of(Score::DRAW);
    /// assert_eq!((even.win, even.loss), (even.loss, even.win));
    /// assert_eq!(Wdl::of(Score::mate_in(5)), Wdl { win: 1000, draw: 0, loss: 0 });
    /// ```
    pub fn of(score: Score) -> Self {
        if score.is_decisive() {
            let is_win = u32::from(score.is_win());
            return Self { win: 1000 * is_win, draw: 0, loss: 1000 * (1 - is_win) };
        }
        let chance = |x: f64| (1000.0 / (1.0 + ((HALF_WON - x) / SPREAD).exp())).round() as u32;
        let value = f64::from(score.value());
        let (win, loss) = (chance(value), chance(-value));
        Self { win, draw: 1000 - win - loss, loss }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_sum_to_a_thousand_and_grow_with_the_score() {
        let mut last = 0;
        for value in (-3000..=3000).step_by(7) {
            let wdl = Wdl::of(Score::new(value));
            assert_eq!(wdl.win + wdl.draw + wdl.loss, 1000);
            assert!(wdl.win >= last);
            last = wdl.win;
        }
    }
}
