// SPDX-License-Identifier: GPL-3.0-or-later
//! The fit behind a rating list: Bradley–Terry strengths by maximum likelihood.
//!
//! Engine `i` is expected to score 1/(1 + exp(rⱼ − rᵢ)) against engine `j`, and a draw counts as
//! half a win and half a loss. That is the Elo model of every other number here, so a list of two
//! engines shows exactly the Elo of their match; models with a draw parameter (Davidson, Rao and
//! Kupper) would show a different scale. What half points get wrong is the variance, since a draw
//! is not as loud as half a win; the errors are corrected for it by one dispersion factor, as usual
//! for a quasi-likelihood (Wedderburn, Biometrika 61, 1974).
//!
//! The likelihood is concave, and has a maximum if the engines cannot be split into two groups of
//! which one made no point against the other (Ford, 1957).

use std::f64::consts::LN_10;

use super::cholesky::Cholesky;
use super::normal::Z95;

/// Elo in one unit of strength.
const ELO_PER_UNIT: f64 = 400.0 / LN_10;

/// Newton's method takes some ten rounds; the cap makes a hang impossible.
const MAX_ROUNDS: u32 = 200;

/// The longest step of a round in units of strength, some 350 Elo. Far from the maximum a longer
/// one can end where games are so one-sided that they say nothing on where to go next.
const MAX_STEP: f64 = 2.0;

/// Rounds end when no strength moves by more than this, in units of strength. What is left after
/// such a step is of the order of its square, or of the rounding errors of a billion games.
const SETTLED: f64 = 1e-6;

/// All games between two engines, by index.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Pairing {
    pub(super) first: usize,
    pub(super) second: usize,
    /// Games, more than zero. Not whole when virtual draws were added.
    pub(super) games: f64,
    /// Points of the first engine.
    pub(super) points: f64,
    pub(super) draws: f64,
}

/// Strengths with mean zero and the covariance of their errors, in units of strength.
#[derive(Debug)]
pub(super) struct Fit {
    strengths: Vec<f64>,
    covariance: Vec<Vec<f64>>,
}

impl Fit {
    /// Fits `engines` strengths to pairings that connect them all.
    ///
    /// None if the maximum is out of numerical reach, as with pairings of 10¹⁶ games next to
    /// pairings of one.
    pub(super) fn new(engines: usize, pairings: &[Pairing]) -> Option<Self> {
        let strengths = maximize(engines, pairings)?;
        let factor = Cholesky::factor(&information(&strengths, pairings))?;
        let dispersion = dispersion(&strengths, pairings);
        let covariance = (0..engines)
            .map(|i| {
                // A contrast that sums to zero does not see the rank-one term of `information`.
                let contrast: Vec<f64> = (0..engines)
                    .map(|j| f64::from(u8::from(i == j)) - 1.0 / engines as f64)
                    .collect();
                factor.solve(&contrast).into_iter().map(|c| c * dispersion).collect()
            })
            .collect();
        Some(Self { strengths, covariance })
    }

    /// The rating of engine `i` in Elo above the mean of all.
    pub(super) fn elo(&self, i: usize) -> f64 {
        self.strengths[i] * ELO_PER_UNIT
    }

    /// The half-width of the 95 % interval of [`Self::elo`].
    pub(super) fn error(&self, i: usize) -> f64 {
        elo_margin(self.covariance[i][i])
    }

    /// The half-width of the 95 % interval of the difference between two engines in Elo.
    pub(super) fn error_between(&self, i: usize, j: usize) -> f64 {
        let c = &self.covariance;
        elo_margin(c[i][i] + c[j][j] - c[i][j] - c[j][i])
    }
}

fn elo_margin(variance: f64) -> f64 {
    // Rounding can leave an engine's difference from itself a hair below zero.
    Z95 * ELO_PER_UNIT * variance.max(0.0).sqrt()
}

/// Newton's method with bounded steps; none if it does not settle.
fn maximize(engines: usize, pairings: &[Pairing]) -> Option<Vec<f64>> {
    let mut strengths = vec![0.0; engines];
    for _ in 0..MAX_ROUNDS {
        let factor = Cholesky::factor(&information(&strengths, pairings))?;
        let step = factor.solve(&gradient(&strengths, pairings));
        let longest = step.iter().fold(0.0, |longest: f64, s| longest.max(s.abs()));
        let scale = (MAX_STEP / longest).min(1.0);
        for (strength, s) in strengths.iter_mut().zip(&step) {
            *strength += scale * s;
        }
        if longest < SETTLED {
            return Some(strengths);
        }
    }
    None
}

/// The score expected of the first engine in each game of a pairing.
fn expected(strengths: &[f64], pairing: &Pairing) -> f64 {
    1.0 / (1.0 + (strengths[pairing.second] - strengths[pairing.first]).exp())
}

fn gradient(strengths: &[f64], pairings: &[Pairing]) -> Vec<f64> {
    let mut gradient = vec![0.0; strengths.len()];
    for pairing in pairings {
        let surplus = pairing.points - pairing.games * expected(strengths, pairing);
        gradient[pairing.first] += surplus;
        gradient[pairing.second] -= surplus;
    }
    gradient
}

/// The Fisher information, plus a constant in every cell.
///
/// Only differences of strength are determined by games, so the information alone is singular; the
/// constant holds the mean in place and changes nothing else.
fn information(strengths: &[f64], pairings: &[Pairing]) -> Vec<Vec<f64>> {
    let engines = strengths.len();
    let weights: Vec<f64> = pairings
        .iter()
        .map(|pairing| {
            let score = expected(strengths, pairing);
            pairing.games * score * (1.0 - score)
        })
        .collect();
    // Of the size of an average entry, to spoil the condition of the matrix as little as possible.
    let constant = weights.iter().sum::<f64>() / (engines * engines) as f64;
    let mut matrix = vec![vec![constant; engines]; engines];
    for (pairing, weight) in pairings.iter().zip(weights) {
        let (i, j) = (pairing.first, pairing.second);
        matrix[i][i] += weight;
        matrix[j][j] += weight;
        matrix[i][j] -= weight;
        matrix[j][i] -= weight;
    }
    matrix
}

/// The variance of the points as a share of what it would be without draws.
///
/// At least one game is taken as decisive, or engines that drew every game would be claimed to be
/// exactly equal.
fn dispersion(strengths: &[f64], pairings: &[Pairing]) -> f64 {
    let games: f64 = pairings.iter().map(|pairing| pairing.games).sum();
    let draws: f64 = pairings.iter().map(|pairing| pairing.draws).sum();
    let without_draws: f64 = pairings
        .iter()
        .map(|pairing| {
            let score = expected(strengths, pairing);
            pairing.games * score * (1.0 - score)
        })
        .sum();
    (1.0 - 0.25 * draws / without_draws).max(1.0 / (games + 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairing(first: usize, second: usize, games: f64, points: f64, draws: f64) -> Pairing {
        Pairing { first, second, games, points, draws }
    }

    fn log_likelihood(strengths: &[f64], pairings: &[Pairing]) -> f64 {
        // -ln(1 + exp(-d)) is the logarithm of the expected score without its rounding.
        let log_score = |difference: f64| -(-difference.abs()).exp().ln_1p() + difference.min(0.0);
        pairings
            .iter()
            .map(|pairing| {
                let difference = strengths[pairing.first] - strengths[pairing.second];
                let lost = pairing.games - pairing.points;
                pairing.points * log_score(difference) + lost * log_score(-difference)
            })
            .sum()
    }

    #[test]
    fn the_gradient_is_the_slope_of_the_likelihood() {
        let pairings = [pairing(0, 1, 10.0, 7.0, 2.0), pairing(1, 2, 8.0, 3.5, 1.0)];
        let strengths = [0.4, -0.1, 0.2];
        let slopes = gradient(&strengths, &pairings);
        let matrix = information(&strengths, &pairings);
        let constant = matrix[0][2];
        for i in 0..3 {
            let moved = |by: f64| {
                let mut strengths = strengths;
                strengths[i] += by;
                strengths
            };
            let slope = (log_likelihood(&moved(1e-5), &pairings)
                - log_likelihood(&moved(-1e-5), &pairings))
                / 2e-5;
            assert!((slope - slopes[i]).abs() < 1e-6, "{slope} {slopes:?}");
            let (up, down) =
                (gradient(&moved(1e-5), &pairings), gradient(&moved(-1e-5), &pairings));
            for j in 0..3 {
                let bend = -(up[j] - down[j]) / 2e-5;
                assert!((bend - (matrix[i][j] - constant)).abs() < 1e-6, "{i} {j}");
            }
        }
    }

    #[test]
    fn every_engine_scores_what_the_fit_expects() {
        let pairings = [
            pairing(0, 1, 10.0, 7.0, 2.0),
            pairing(1, 2, 8.0, 3.5, 1.0),
            pairing(2, 0, 20.0, 1.0, 2.0),
        ];
        let fit = Fit::new(3, &pairings).unwrap();
        assert!(gradient(&fit.strengths, &pairings).iter().all(|g| g.abs() < 1e-8));
        assert!(fit.strengths.iter().sum::<f64>().abs() < 1e-9);
        assert!(fit.error_between(1, 1) < 1e-6);
        assert!((fit.error_between(0, 1) - fit.error_between(1, 0)).abs() < 1e-9);
    }

    #[test]
    fn draws_narrow_the_errors_as_much_as_the_variance() {
        let decisive = Fit::new(2, &[pairing(0, 1, 1000.0, 500.0, 0.0)]).unwrap();
        let drawish = Fit::new(2, &[pairing(0, 1, 1000.0, 500.0, 750.0)]).unwrap();
        // A quarter of the variance is left.
        let ratio = decisive.error_between(0, 1) / drawish.error_between(0, 1);
        assert!((ratio - 2.0).abs() < 1e-9, "{ratio}");
        let drawn = Fit::new(2, &[pairing(0, 1, 1000.0, 500.0, 1000.0)]).unwrap();
        assert!(drawn.error(0) > 0.0);
    }

    /// Results that contradict each other this much throw Newton's method out with full steps.
    #[test]
    fn contradictory_results_are_fitted_too() {
        let pairings = [
            pairing(1, 0, 1e6, 0.25, 0.0),
            pairing(2, 0, 2.0, 1.75, 0.0),
            pairing(2, 1, 1000.0, 500.0, 0.0),
            pairing(3, 1, 1000.0, 1.0, 0.0),
            pairing(3, 2, 2.0, 0.25, 0.0),
            pairing(4, 0, 1e6, 999_999.75, 0.0),
            pairing(4, 2, 1e6, 999_999.0, 0.0),
            pairing(4, 3, 1000.0, 999.0, 0.0),
        ];
        let fit = Fit::new(5, &pairings).unwrap();
        assert!(gradient(&fit.strengths, &pairings).iter().all(|g| g.abs() < 1e-4));
        let ladder = [
            pairing(1, 0, 10.0, 9.75, 0.0),
            pairing(2, 1, 1e6, 999_999.0, 0.0),
            pairing(3, 2, 1000.0, 999.75, 0.0),
            pairing(4, 0, 1000.0, 999.0, 0.0),
            pairing(4, 3, 1e6, 999_999.0, 0.0),
        ];
        let fit = Fit::new(5, &ladder).unwrap();
        assert!(gradient(&fit.strengths, &ladder).iter().all(|g| g.abs() < 1e-4));
    }

    #[test]
    fn hopeless_conditioning_is_not_answered() {
        let pairings = [pairing(0, 1, 1e19, 5e18, 0.0), pairing(1, 2, 1.0, 0.5, 1.0)];
        assert!(Fit::new(3, &pairings).is_none());
    }
}
