// SPDX-License-Identifier: GPL-3.0-or-later
//! The most likely distribution of scores under a hypothesis about strength.
//!
//! The generalized SPRT compares the best explanations of the data that two hypotheses allow. Each
//! hypothesis fixes one number, the mean score or the t-value (mean − ½)/deviation. Among all
//! distributions `p` with that number the one that maximizes Σ pᵢ̂ ln pᵢ, with `p̂` the observed
//! shares, has the form pᵢ = pᵢ̂ / (1 + x·hᵢ), where `h` is the gradient of the constraint: Van den
//! Bergh, "Comments on Normalized Elo", section 4.1,
//! <https://www.cantate.be/Fishtest/normalized_elo_practical.pdf>.

use super::moments::{mean_and_variance, scores};

/// The gradient of the t-value constraint depends on the solution, so it is solved by iteration.
///
/// Ordinary counts need three or four rounds. The cap is OpenBench's; counts that reach it, such as
/// a million pairs of which all but a thousand were even, end short of the maximum.
const MAX_ROUNDS: u32 = 10;

/// Rounds end when no probability moves by more than this.
const SETTLED: f64 = 1e-9;

/// A bisection alone would end in about 60 steps; the cap makes a hang impossible.
const MAX_STEPS: u32 = 100;

/// Halvings of the interval in which a starting point is sought, which need not be exact.
const START_HALVINGS: u32 = 30;

/// The most likely distribution whose mean score is `mean`, strictly between 0 and 1.
///
/// All of `observed` must be positive, and all of the answer is.
pub(super) fn with_mean<const N: usize>(observed: &[f64; N], mean: f64) -> [f64; N] {
    debug_assert!(mean > 0.0 && mean < 1.0);
    // Scores lie on both sides of the mean, so there always is a solution.
    tilt(observed, &scores().map(|score| score - mean)).unwrap_or(*observed)
}

/// The most likely distribution with (mean − ½)/deviation equal to `t`.
///
/// All of `observed` must be positive, and all of the answer is.
pub(super) fn with_t_value<const N: usize>(observed: &[f64; N], t: f64) -> [f64; N] {
    let mut current = start_with_t_value(t);
    for _ in 0..MAX_ROUNDS {
        let (mean, variance) = mean_and_variance(&current);
        let deviation = variance.sqrt();
        let slopes = scores().map(|score| {
            let normalized = (score - mean) / deviation;
            score - 0.5 - 0.5 * t * deviation * (1.0 + normalized * normalized)
        });
        let Some(next) = tilt(observed, &slopes) else { break };
        let change = current.iter().zip(&next).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        current = next;
        if change < SETTLED {
            break;
        }
    }
    current
}

/// Some distribution with t-value `t`: even shares mixed with all won, or all lost.
///
/// Starting on the constraint, and not from even shares, makes the first round's equation solvable
/// however large `t` is.
fn start_with_t_value<const N: usize>(t: f64) -> [f64; N] {
    let favored = if t < 0.0 { 0 } else { N - 1 };
    let mixture = |share: f64| {
        let mut distribution = [(1.0 - share) / N as f64; N];
        distribution[favored] += share;
        distribution
    };
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..START_HALVINGS {
        let middle = f64::midpoint(low, high);
        let (mean, variance) = mean_and_variance(&mixture(middle));
        if (mean - 0.5).abs() < t.abs() * variance.sqrt() {
            low = middle;
        } else {
            high = middle;
        }
    }
    mixture(low)
}

/// The distribution pᵢ̂ / (1 + x·hᵢ) under which the slopes `h` average to zero.
///
/// None when all slopes have the same sign, since then no distribution averages them to zero.
fn tilt<const N: usize>(observed: &[f64; N], slopes: &[f64; N]) -> Option<[f64; N]> {
    let x = tilt_root(observed, slopes)?;
    // No probability exceeds one, so the true denominators are at least pᵢ̂ and this only undoes
    // rounding next to a pole.
    let tilted: [f64; N] =
        std::array::from_fn(|i| observed[i] / (1.0 + x * slopes[i]).max(observed[i]));
    let sum: f64 = tilted.iter().sum();
    Some(tilted.map(|p| p / sum))
}

/// Solves Σ pᵢ̂ hᵢ / (1 + x·hᵢ) = 0 by Newton's method inside a shrinking bracket.
///
/// The left side falls strictly between the poles around zero. The bracket is a little narrower
/// than those poles: it ends where some probability would reach one.
fn tilt_root<const N: usize>(observed: &[f64; N], slopes: &[f64; N]) -> Option<f64> {
    let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
    for (share, slope) in observed.iter().zip(slopes) {
        let end = (share - 1.0) / slope;
        if *slope > 0.0 {
            low = low.max(end);
        } else if *slope < 0.0 {
            high = high.min(end);
        }
    }
    if !(low.is_finite() && high.is_finite()) {
        return None;
    }
    let mut x = 0.0;
    for _ in 0..MAX_STEPS {
        let (mut value, mut fall) = (0.0, 0.0);
        for (share, slope) in observed.iter().zip(slopes) {
            let quotient = slope / (1.0 + x * slope);
            value += share * quotient;
            fall += share * quotient * quotient;
        }
        if value > 0.0 {
            low = x;
        } else {
            high = x;
        }
        let newton = x + value / fall;
        let next = if newton > low && newton < high { newton } else { f64::midpoint(low, high) };
        if (next - x).abs() <= f64::EPSILON * x.abs() {
            break;
        }
        x = next;
    }
    Some(x)
}

#[cfg(test)]
mod tests {
    use super::super::NELO_PER_T;
    use super::*;
    use tools::Rng;

    fn random_shares(rng: &mut Rng) -> [f64; 5] {
        let counts: [f64; 5] =
            std::array::from_fn(|_| [1e-3, 1.0, 30.0, 1.0 + rng.unit() * 1000.0][rng.below(4)]);
        counts.map(|count| count / counts.iter().sum::<f64>())
    }

    fn likelihood(observed: &[f64; 5], p: &[f64; 5]) -> f64 {
        observed.iter().zip(p).map(|(share, p)| share * p.ln()).sum()
    }

    #[test]
    fn mean_is_met_and_the_sum_is_one() {
        let mut rng = Rng::new(3);
        for _ in 0..2000 {
            let observed = random_shares(&mut rng);
            let mean = 0.01 + 0.98 * rng.unit();
            let p = with_mean(&observed, mean);
            assert!(p.iter().all(|&p| p > 0.0), "{observed:?} {mean}");
            assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            assert!((mean_and_variance(&p).0 - mean).abs() < 1e-6, "{observed:?} {mean} {p:?}");
        }
    }

    #[test]
    fn t_value_is_met_within_the_bounds_people_test() {
        let mut rng = Rng::new(4);
        for _ in 0..2000 {
            let observed = random_shares(&mut rng);
            let t = (rng.unit() - 0.5) * 200.0 / NELO_PER_T;
            let (mean, variance) = mean_and_variance(&with_t_value(&observed, t));
            let found = (mean - 0.5) / variance.sqrt();
            assert!((found - t).abs() < 1e-4, "{observed:?} {t} {found}");
        }
    }

    #[test]
    fn the_observed_distribution_explains_itself() {
        let observed = [0.1, 0.2, 0.3, 0.25, 0.15];
        let (mean, variance) = mean_and_variance(&observed);
        let t = (mean - 0.5) / variance.sqrt();
        for p in [with_mean(&observed, mean), with_t_value(&observed, t)] {
            assert!(p.iter().zip(&observed).all(|(p, share)| (p - share).abs() < 1e-8), "{p:?}");
        }
    }

    /// No neighbor on the constraint is more likely, so what was found is a maximum.
    #[test]
    fn neighbors_on_the_constraint_are_less_likely() {
        let mut rng = Rng::new(5);
        let observed = [0.05, 0.2, 0.4, 0.25, 0.1];
        for mean in [0.4, 0.5, 0.6] {
            let best = with_mean(&observed, mean);
            for _ in 0..200 {
                // Moves that keep both the sum and the mean of five equally spaced scores.
                let (a, b, c) = (rng.unit() - 0.5, rng.unit() - 0.5, rng.unit() - 0.5);
                let step = [a, b - 2.0 * a, a - 2.0 * b + c, b - 2.0 * c, c];
                let near = std::array::from_fn(|i| best[i] + 1e-3 * step[i]);
                assert!(likelihood(&observed, &near) < likelihood(&observed, &best));
            }
        }
        let t = 0.3;
        let best = with_t_value(&observed, t);
        for _ in 0..200 {
            // Any distribution can be brought to the t-value by tilting it; it must not gain.
            let noisy: [f64; 5] = std::array::from_fn(|i| best[i] * (1.0 + 0.05 * rng.unit()));
            let near = with_t_value(&noisy.map(|p| p / noisy.iter().sum::<f64>()), t);
            assert!(likelihood(&observed, &near) < likelihood(&observed, &best) + 1e-12);
        }
    }

    #[test]
    fn slopes_of_one_sign_have_no_solution() {
        assert_eq!(tilt(&[0.2; 5], &[0.1, 0.2, 0.3, 0.4, 0.5]), None);
        assert_eq!(tilt(&[0.2; 5], &[0.0; 5]), None);
    }
}
