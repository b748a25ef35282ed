// SPDX-License-Identifier: GPL-3.0-or-later
//! From a score to the chances of winning, drawing and losing, and to centipawns.
//!
//! Two logistic curves, one for winning and one for losing. Where half of the games are won, and how
//! gradually chances change, depends on how much material is left; both were fitted on our own games
//! by `scripts/fit_wdl.py`. A centipawn is defined by them: 100 of them win half of the games.

use chess::{Board, Role};

use crate::Score;
use crate::units::{Centipawns, Points, ShownScore};

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

/// What scores mean on a board.
///
/// ```
/// use chess::Board;
/// use search::{Centipawns, Odds, Score, Wdl};
/// let odds = Odds::on(&Board::default());
/// let even = odds.wdl(Score::DRAW);
/// assert_eq!((even.win, even.loss), (even.loss, even.win));
/// assert_eq!(odds.wdl(Score::mate_in(5)), Wdl { win: 1000, draw: 0, loss: 0 });
/// assert_eq!(odds.centipawns(Score::DRAW), Centipawns(0));
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Odds {
    /// The score at which half of the games are won.
    half_won: f64,
    /// How gradually chances change with the score.
    spread: f64,
}

/// Coefficients of the cubes, squares and so on of the material in units of [`UNIT`].
const HALF_WON: [f64; 4] = [17.8, -15.6, -175.3, 347.9];
const SPREAD: [f64; 4] = [-89.0, 110.0, 58.4, 59.9];

/// Material of this much counts as one.
const UNIT: f64 = 58.0;
/// The fits hold from a few pieces to all of them.
const FITTED: std::ops::RangeInclusive<i32> = 10..=78;

/// Winning less losing, as near to certainty as an expectation is turned into a score.
const MAX_EDGE: f64 = 1.0 - 1e-6;

impl Odds {
    /// What scores mean on this board.
    pub fn on(board: &Board) -> Self {
        let values = [1, 3, 3, 5, 9];
        let count = |role: Role| board.by_role(role).len() as i32;
        let material: i32 = Role::ALL.into_iter().zip(values).map(|(r, v)| v * count(r)).sum();
        let unit = f64::from(material.clamp(*FITTED.start(), *FITTED.end())) / UNIT;
        let polynomial = |c: [f64; 4]| c.into_iter().fold(0.0, |sum, next| sum * unit + next);
        Self { half_won: polynomial(HALF_WON), spread: polynomial(SPREAD) }
    }

    /// The chances that go with a score.
    pub fn wdl(&self, score: Score) -> Wdl {
        if score.is_decisive() {
            let is_win = u32::from(score.is_win());
            return Wdl { win: 1000 * is_win, draw: 0, loss: 1000 * (1 - is_win) };
        }
        let chance =
            |x: f64| (1000.0 / (1.0 + ((self.half_won - x) / self.spread).exp())).round() as u32;
        let value = f64::from(score.value());
        let (win, loss) = (chance(value), chance(-value));
        Wdl { win, draw: 1000u32.saturating_sub(win + loss), loss }
    }

    /// The chances of winning and of drawing that go with a score, from 0 to 1.
    #[inline]
    pub(crate) fn chances(&self, score: Score) -> (f32, f32) {
        if score.is_decisive() {
            return (f32::from(u8::from(score.is_win())), 0.0);
        }
        let (half_won, spread) = (self.half_won as f32, self.spread as f32);
        let chance = |x: f32| 1.0 / (1.0 + ((half_won - x) / spread).exp());
        let value = score.value() as f32;
        let (win, loss) = (chance(value), chance(-value));
        (win, (1.0 - win - loss).max(0.0))
    }

    /// The score at which a game is expected to bring this much, from 0 for a loss to 1 for a win.
    pub(crate) fn score_of(&self, expectation: f64) -> Score {
        // With x the score in units of the spread, and both curves written by exponentials, winning
        // less losing is sinh x / (cosh x + c): a quadratic equation for exp x.
        let edge = (2.0 * expectation - 1.0).clamp(-MAX_EDGE, MAX_EDGE);
        let c = (self.half_won / self.spread).cosh();
        let exp_x = (edge * c + (edge * edge * (c * c - 1.0) + 1.0).sqrt()) / (1.0 - edge);
        Score::new((exp_x.ln() * self.spread).round() as i32)
    }

    /// Centipawns in points.
    pub fn points(&self, centipawns: Centipawns) -> Points {
        Points((f64::from(centipawns.0) * self.half_won / 100.0).round() as i32)
    }

    /// A score as it is shown to users and stored in labels: wins by tablebase are 200 pawns less the plies to
    /// them, other scores but mates stay within 100 pawns.
    pub fn shown(&self, score: Score) -> ShownScore {
        const TABLE_WIN: i32 = 20_000;
        const MOST: i32 = TABLE_WIN / 2 - 1;
        if let Some(moves) = score.mate_moves() {
            return ShownScore::Mate(moves);
        }
        ShownScore::Centipawns(match score.table_plies() {
            Some(plies) => Centipawns((TABLE_WIN - plies) * score.value().signum()),
            None => self.centipawns(score).clamp(Centipawns(-MOST), Centipawns(MOST)),
        })
    }

    /// A score in centipawns.
    pub fn centipawns(&self, score: Score) -> Centipawns {
        Centipawns((f64::from(score.value()) * 100.0 / self.half_won).round() as i32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOARDS: [&str; 3] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r4rk1/1pp2ppp/p1n5/8/8/P1N5/1PP2PPP/R4RK1 w - - 0 1",
        "8/8/4k3/8/8/4K3/4P3/8 w - - 0 1",
    ];

    #[test]
    fn chances_sum_to_a_thousand_and_grow_with_the_score() {
        for fen in BOARDS {
            let odds = Odds::on(&fen.parse().unwrap());
            let mut last = 0;
            for value in (-3000..=3000).step_by(7) {
                let wdl = odds.wdl(Score::new(value));
                assert_eq!(wdl.win + wdl.draw + wdl.loss, 1000);
                assert!(wdl.win >= last);
                last = wdl.win;
            }
        }
    }

    #[test]
    fn expectations_are_turned_back_into_scores() {
        for fen in BOARDS {
            let odds = Odds::on(&fen.parse().unwrap());
            for value in (-900..=900).step_by(50) {
                let (win, draw) = odds.chances(Score::new(value));
                let found = odds.score_of(f64::from(win + draw / 2.0));
                assert!((found.value() - value).abs() <= 2, "{value}: {found:?}");
                let wdl = odds.wdl(Score::new(value));
                assert!((win * 1000.0 - wdl.win as f32).abs() <= 1.0, "{value}");
            }
            assert!(!odds.score_of(1.0).is_decisive() && odds.score_of(1.0).value() > 1000);
            assert!(odds.score_of(0.0).value() < -1000);
        }
    }

    #[test]
    fn a_hundred_centipawns_win_half_of_the_games() {
        for fen in BOARDS {
            let odds = Odds::on(&fen.parse().unwrap());
            let score = Score::new(odds.half_won.round() as i32);
            assert!((99..=101).contains(&odds.centipawns(score).0), "{fen}");
            assert!((490..=510).contains(&odds.wdl(score).win), "{fen}");
        }
    }
}
