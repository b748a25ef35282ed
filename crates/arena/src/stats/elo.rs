// SPDX-License-Identifier: GPL-3.0-or-later
//! Elo, normalized Elo and the likelihood of superiority, from observed moments.
//!
//! Elo depends on the draw rate and so on the opening book; normalized Elo is the signal-to-noise
//! ratio of one game, hence a measure of how many games it takes to see a difference. It is defined
//! in Van den Bergh, "Normalized Elo", <https://www.cantate.be/Fishtest/normalized_elo.pdf>.
//!
//! Intervals are 95 % and normal on the score. An Elo error is half the distance between the
//! interval's ends mapped to Elo, as fastchess and OpenBench print it.

use std::f64::consts::LN_10;
use std::fmt;

use serde::Serialize;

use super::moments::Moments;
use super::normal::{Z95, normal_cdf};

/// Normalized Elo of one game whose mean score lies one standard deviation above a half.
///
/// The scale makes normalized Elo equal Elo for small differences between engines that never draw.
pub const NELO_PER_T: f64 = 800.0 / LN_10;

/// A quantity with the half-width of its 95 % interval. Both are finite.
///
/// ```
/// use arena::stats::Pentanomial;
///
/// let nelo = Pentanomial([54, 226, 410, 318, 87]).nelo().unwrap();
/// assert_eq!(nelo.to_string(), "35.61 +/- 14.55");
///
/// // Sixteen drawn pairs: the best guess is clear, its error is not.
/// let elo = Pentanomial([0, 0, 16, 0, 0]).elo().unwrap();
/// assert_eq!((elo.value, elo.error), (0.0, None));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The most likely value.
    pub value: f64,
    /// The half-width of the interval; none when the counts do not bound it.
    pub error: Option<f64>,
}

impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.error {
            Some(error) => write!(f, "{:.2} +/- {error:.2}", self.value),
            None => write!(f, "{:.2} +/- n/a", self.value),
        }
    }
}

impl Moments {
    /// The Elo difference that predicts the observed mean score.
    ///
    /// None when every point or no point was made. The error is none when all observations were
    /// equal, or when the score's interval reaches 0 or 1.
    pub fn elo(&self) -> Option<Estimate> {
        let value = score_to_elo(self.mean)?;
        let margin = Z95 * self.standard_error();
        let ends = score_to_elo(self.mean - margin).zip(score_to_elo(self.mean + margin));
        let error = ends.map(|(low, high)| (high - low) / 2.0).filter(|_| self.variance > 0.0);
        Some(Estimate { value, error })
    }

    /// Normalized Elo, a game's mean score above a half in units of its standard deviation.
    ///
    /// None when all observations were equal.
    pub fn nelo(&self) -> Option<Estimate> {
        if self.variance == 0.0 {
            return None;
        }
        let deviation_per_game = (self.games_each * self.variance).sqrt();
        let value = NELO_PER_T * (self.mean - 0.5) / deviation_per_game;
        let error = NELO_PER_T * Z95 / (self.games_each * self.observations).sqrt();
        Some(Estimate { value, error: Some(error) })
    }

    /// The likelihood of superiority: the chance, without prior knowledge, that the first engine is
    /// the stronger one. None when all observations were equal.
    pub fn los(&self) -> Option<f64> {
        (self.variance > 0.0).then(|| normal_cdf((self.mean - 0.5) / self.standard_error()))
    }
}

/// The expected score of an engine that is `elo` stronger, by the logistic model.
///
/// ```
/// use arena::stats::{elo_to_score, score_to_elo};
///
/// assert_eq!(elo_to_score(0.0), 0.5);
/// assert!((score_to_elo(elo_to_score(100.0)).unwrap() - 100.0).abs() < 1e-9);
/// ```
pub fn elo_to_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// The Elo difference that predicts `score`; none unless it lies strictly between 0 and 1.
pub fn score_to_elo(score: f64) -> Option<f64> {
    // As a quotient an even score gives 0 and never -0, which would be printed with its sign.
    (score > 0.0 && score < 1.0).then(|| 400.0 * (score / (1.0 - score)).log10())
}

#[cfg(test)]
mod tests {
    use super::super::{Pentanomial, Trinomial};
    use super::*;

    /// Counts, Elo and nElo as OpenBench computes and prints them.
    const GOLDEN: [([u64; 5], &str, &str); 7] = [
        ([379, 10170, 21828, 10640, 343], "1.59 +/- 1.21", "3.05 +/- 2.31"),
        ([21, 134, 309, 203, 60], "35.25 +/- 11.89", "53.31 +/- 17.86"),
        ([54, 226, 410, 318, 87], "25.11 +/- 10.30", "35.61 +/- 14.55"),
        ([0, 2, 9, 4, 0], "23.20 +/- 55.06", "52.98 +/- 124.33"),
        ([100, 500, 1000, 500, 100], "0.00 +/- 6.57", "0.00 +/- 10.27"),
        ([0, 0, 50, 10, 2], "39.39 +/- 21.46", "113.39 +/- 61.15"),
        ([30, 20, 10, 5, 0], "-228.56 +/- 61.28", "-298.90 +/- 59.72"),
    ];

    #[test]
    fn golden_table() {
        for (counts, elo, nelo) in GOLDEN {
            let pairs = Pentanomial(counts);
            assert_eq!(pairs.elo().unwrap().to_string(), elo, "{pairs}");
            assert_eq!(pairs.nelo().unwrap().to_string(), nelo, "{pairs}");
        }
    }

    #[test]
    fn flipping_the_sides_negates() {
        for (counts, ..) in GOLDEN {
            let (pairs, flipped) = (Pentanomial(counts), Pentanomial(counts).flip());
            let (elo, mirror) = (pairs.elo().unwrap(), flipped.elo().unwrap());
            assert!((elo.value + mirror.value).abs() < 1e-9);
            assert!((elo.error.unwrap() - mirror.error.unwrap()).abs() < 1e-9);
            assert!((pairs.nelo().unwrap().value + flipped.nelo().unwrap().value).abs() < 1e-9);
            assert!((pairs.los().unwrap() + flipped.los().unwrap() - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn nothing_played_says_nothing() {
        let none = Pentanomial::default();
        assert_eq!((none.score(), none.variance(), none.los()), (None, None, None));
        assert_eq!((none.elo(), none.nelo()), (None, None));
        assert_eq!(Trinomial::default().elo(), None);
    }

    #[test]
    fn single_cells_have_no_error_bars() {
        let elos = [None, Some(-190.848_5), Some(0.0), Some(190.848_5), None];
        for (cell, expected) in elos.into_iter().enumerate() {
            for count in [1, 16, 1_000_000_000, u64::MAX] {
                let mut pairs = Pentanomial::default();
                pairs.0[cell] = count;
                assert_eq!((pairs.nelo(), pairs.los()), (None, None), "{pairs}");
                match (pairs.elo(), expected) {
                    (None, None) => (),
                    (Some(Estimate { value, error: None }), Some(elo)) => {
                        assert!((value - elo).abs() < 1e-4, "{value}");
                    }
                    (found, _) => panic!("{pairs}: {found:?}"),
                }
            }
        }
    }

    #[test]
    fn an_interval_that_reaches_a_whole_score_has_no_error() {
        let elo = Pentanomial([0, 0, 0, 1, 5]).elo().unwrap();
        assert!(elo.value > 500.0 && elo.value.is_finite());
        assert_eq!(elo.error, None);
        assert_eq!(elo.to_string(), "544.69 +/- n/a");
    }

    #[test]
    fn enormous_counts_are_finite() {
        for cell in 0..5 {
            let mut pairs = Pentanomial([1; 5]);
            pairs.0[cell] = 1_000_000_000;
            let (elo, nelo) = (pairs.elo().unwrap(), pairs.nelo().unwrap());
            assert!(elo.value.is_finite() && elo.error.is_none_or(f64::is_finite), "{elo:?}");
            assert!(nelo.value.is_finite() && nelo.error.is_some_and(f64::is_finite), "{nelo:?}");
            assert!((0.0..=1.0).contains(&pairs.los().unwrap()));
        }
    }

    #[test]
    fn trinomial_los_is_the_textbook_formula() {
        // LOS = Φ((W − L)/√(W + L)) up to the small (W − L)²/N in the variance.
        let games = Trinomial { wins: 1040, draws: 5000, losses: 1000 };
        let expected = normal_cdf(40.0 / 2040_f64.sqrt());
        assert!((games.los().unwrap() - expected).abs() < 1e-4);
    }

    #[test]
    fn without_draws_small_elo_and_normalized_elo_agree() {
        let games = Trinomial { wins: 502_000, draws: 0, losses: 498_000 };
        let (elo, nelo) = (games.elo().unwrap(), games.nelo().unwrap());
        assert!((elo.value / nelo.value - 1.0).abs() < 1e-4);
        assert!((elo.error.unwrap() / nelo.error.unwrap() - 1.0).abs() < 1e-4);
    }
}
