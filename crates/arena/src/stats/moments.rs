// SPDX-License-Identifier: GPL-3.0-or-later
//! Mean and variance of match scores.
//!
//! A pair of games has five equally spaced scores and a single game three, so one pair of functions
//! over `[f64; N]` serves both kinds of counts, here and in the likelihoods of the SPRT.

use serde::Serialize;

/// The first two moments of the observed scores: all that Elo and its error bars depend on.
///
/// A score lies in `0.0..=1.0` and belongs to one observation, which is a pair of games for
/// pentanomial counts and one game for trinomial counts.
///
/// ```
/// use arena::stats::Pentanomial;
///
/// let moments = Pentanomial([0, 25, 50, 25, 0]).moments().unwrap();
/// assert_eq!((moments.mean, moments.variance), (0.5, 0.03125));
/// assert!(Pentanomial::default().moments().is_none());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Moments {
    /// The mean score of an observation.
    pub mean: f64,
    /// The variance of one observation's score, around the observed mean, divided by the number of
    /// observations and not by one less.
    pub variance: f64,
    /// How many observations were made; never zero.
    pub observations: f64,
    /// How many games one observation spans.
    pub games_each: f64,
}

impl Moments {
    /// The moments of counts over equally spaced scores, or none when nothing was counted.
    pub(super) fn of<const N: usize>(counts: &[u64; N], games_each: f64) -> Option<Self> {
        let counts = counts.map(|count| count as f64);
        let observations: f64 = counts.iter().sum();
        if observations == 0.0 {
            return None;
        }
        let (mean, variance) = mean_and_variance(&counts);
        Some(Self { mean, variance, observations, games_each })
    }

    /// The standard error of the mean score.
    pub fn standard_error(&self) -> f64 {
        (self.variance / self.observations).sqrt()
    }
}

/// The `N` scores an observation can have, from all lost to all won.
pub(super) fn scores<const N: usize>() -> [f64; N] {
    std::array::from_fn(|i| i as f64 / (N - 1) as f64)
}

/// Mean and variance of the scores under weights, which need not sum to one.
///
/// The mean is measured from a half in whole steps, so that symmetric counts give exactly a half.
pub(super) fn mean_and_variance<const N: usize>(weights: &[f64; N]) -> (f64, f64) {
    let last = (N - 1) as f64;
    let total: f64 = weights.iter().sum();
    let steps = weights.iter().enumerate().map(|(i, weight)| weight * (2.0 * i as f64 - last));
    let mean = 0.5 + steps.sum::<f64>() / (2.0 * last * total);
    let squares = weights.iter().zip(scores::<N>()).map(|(weight, a)| weight * (a - mean).powi(2));
    (mean, squares.sum::<f64>() / total)
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "the expected values are exact")]
mod tests {
    use super::*;

    #[test]
    fn scores_are_equally_spaced() {
        assert_eq!(scores::<3>(), [0.0, 0.5, 1.0]);
        assert_eq!(scores::<5>(), [0.0, 0.25, 0.5, 0.75, 1.0]);
    }

    #[test]
    fn a_single_cell_has_no_variance() {
        for cell in 0..5 {
            for count in [1, 3, 1_000_000_000, u64::MAX] {
                let mut counts = [0; 5];
                counts[cell] = count;
                let moments = Moments::of(&counts, 2.0).unwrap();
                assert_eq!((moments.mean, moments.variance), (cell as f64 / 4.0, 0.0));
            }
        }
    }

    #[test]
    fn standard_error_shrinks_with_the_square_root() {
        let few = Moments::of(&[10, 20, 10], 1.0).unwrap();
        let many = Moments::of(&[1000, 2000, 1000], 1.0).unwrap();
        assert!((few.standard_error() / many.standard_error() - 10.0).abs() < 1e-12);
    }
}
