// SPDX-License-Identifier: GPL-3.0-or-later
//! The regression of pair scores on the sides on which entries were made.
//!
//! The model is Elo's: a plus side that is better by the sum of the effects scores as
//! [`elo_to_score`](crate::stats::elo_to_score) says. The effects solve the least squares of a logistic
//! curve (quasi-likelihood), so large effects do not bend small ones, and with a single entry the result
//! is the Elo of a match. Errors come from the scores' own scatter around the curve, pair by pair (the
//! sandwich estimator, White 1980): a pair takes five values, and how far they scatter depends on the
//! book, on draws and on the correlation of its two games, as for the pentanomial variance of a match.

use std::f64::consts::LN_10;

use crate::stats::{Cholesky, Estimate, Z95};

/// Elo of one unit of the logistic curve.
const ELO: f64 = 400.0 / LN_10;

/// More steps than Newton's method ever needs on this convex function.
const MAX_STEPS: usize = 60;

/// The largest step of one effect, in units: 174 Elo. Longer ones may run away from the minimum.
const MAX_STEP: f64 = 1.0;

/// Smaller steps than this, 0.0002 Elo, change nothing.
const TOLERANCE: f64 = 1e-6;

/// Pairs for each entry without which the effects are held near zero.
const PAIRS_FOR_EACH: usize = 4;

/// The weight of zero where effects are held near it: effects of some 200 Elo are still believed.
const RIDGE: f64 = 0.25;

/// A pair: the sign of each entry, and the plus side's share of the points.
pub type Row = (Vec<f64>, f64);

/// What the pairs say.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    /// The effect of each entry in Elo.
    pub effects: Vec<Estimate>,
    /// Whether there were too few pairs, so that all effects were held near zero.
    pub is_held: bool,
}

/// The effects of `entries` entries. Without any pair they are zero, with unknown errors.
pub fn fit(entries: usize, rows: &[Row]) -> Fit {
    let is_few = rows.len() < PAIRS_FOR_EACH * entries;
    let free = if is_few { None } else { solve(entries, rows, 0.0) };
    let is_held = free.is_none();
    let solution = free.or_else(|| solve(entries, rows, RIDGE));
    let solution = solution.unwrap_or_else(|| Solution::nothing(entries));
    let effect = |(value, error): (&f64, &Option<f64>)| Estimate {
        value: value * ELO,
        error: error.map(|error| Z95 * error * ELO),
    };
    let effects = solution.values.iter().zip(&solution.errors).map(effect).collect();
    Fit { effects, is_held }
}

struct Solution {
    values: Vec<f64>,
    /// Standard errors; none without more pairs than entries.
    errors: Vec<Option<f64>>,
}

impl Solution {
    fn nothing(entries: usize) -> Self {
        Self { values: vec![0.0; entries], errors: vec![None; entries] }
    }
}

/// Newton's method; none where the pairs do not determine the effects.
fn solve(entries: usize, rows: &[Row], ridge: f64) -> Option<Solution> {
    let mut values = vec![0.0; entries];
    for _ in 0..MAX_STEPS {
        let curve = Curve::at(&values, rows, ridge);
        let mut step = curve.curvature.solve_for(&curve.slope)?;
        let longest = step.iter().fold(0.0, |most: f64, part| most.max(part.abs()));
        let shrink = (MAX_STEP / longest.max(MAX_STEP)).min(1.0);
        for part in &mut step {
            *part *= shrink;
        }
        values.iter_mut().zip(&step).for_each(|(value, part)| *value += part);
        if longest < TOLERANCE {
            let errors = errors(&values, rows, ridge)?;
            return Some(Solution { values, errors });
        }
    }
    None
}

/// The function to be minimized, at one point.
struct Curve {
    slope: Vec<f64>,
    curvature: Symmetric,
}

impl Curve {
    fn at(values: &[f64], rows: &[Row], ridge: f64) -> Self {
        let mut slope: Vec<f64> = values.iter().map(|value| -ridge * value).collect();
        let mut curvature = Symmetric::diagonal(values.len(), ridge);
        for (signs, score) in rows {
            let expected = expected(values, signs);
            add(&mut slope, signs, score - expected);
            curvature.add_square(signs, expected * (1.0 - expected));
        }
        Self { slope, curvature }
    }
}

/// The plus side's expected share of the points.
fn expected(values: &[f64], signs: &[f64]) -> f64 {
    let edge: f64 = values.iter().zip(signs).map(|(value, sign)| value * sign).sum();
    1.0 / (1.0 + (-edge).exp())
}

fn add(sum: &mut [f64], signs: &[f64], factor: f64) {
    sum.iter_mut().zip(signs).for_each(|(sum, sign)| *sum += sign * factor);
}

/// The standard error of each effect: the square roots of the diagonal of H⁻¹·S·H⁻¹, where H is the
/// curvature and S the scatter of the slopes of single pairs.
fn errors(values: &[f64], rows: &[Row], ridge: f64) -> Option<Vec<Option<f64>>> {
    let entries = values.len();
    if rows.len() <= entries {
        return Some(vec![None; entries]);
    }
    let mut scatter = Symmetric::diagonal(entries, 0.0);
    for (signs, score) in rows {
        scatter.add_square(signs, (score - expected(values, signs)).powi(2));
    }
    let spare = rows.len() as f64 / (rows.len() - entries) as f64;
    let factor = Curve::at(values, rows, ridge).curvature.factor()?;
    let error = |entry: usize| {
        let mut unit = vec![0.0; entries];
        unit[entry] = 1.0;
        let variance = spare * scatter.form(&factor.solve(&unit));
        (variance > 0.0).then(|| variance.sqrt())
    };
    Some((0..entries).map(error).collect())
}

/// A symmetric matrix, of which the lower triangle counts.
struct Symmetric(Vec<Vec<f64>>);

impl Symmetric {
    fn diagonal(size: usize, value: f64) -> Self {
        let row = |i: usize| {
            let mut row = vec![0.0; size];
            row[i] = value;
            row
        };
        Self((0..size).map(row).collect())
    }

    /// Adds `factor`·x·xᵀ.
    fn add_square(&mut self, x: &[f64], factor: f64) {
        for (i, row) in self.0.iter_mut().enumerate() {
            let scaled = x[i] * factor;
            row.iter_mut().zip(&x[..=i]).for_each(|(cell, other)| *cell += scaled * other);
        }
    }

    /// xᵀ·M·x.
    fn form(&self, x: &[f64]) -> f64 {
        let row = |(i, row): (usize, &Vec<f64>)| {
            let below: f64 = row[..i].iter().zip(x).map(|(cell, other)| cell * other).sum();
            x[i] * (2.0 * below + row[i] * x[i])
        };
        self.0.iter().enumerate().map(row).sum()
    }

    fn factor(&self) -> Option<Cholesky> {
        Cholesky::factor(&self.0)
    }

    fn solve_for(&self, b: &[f64]) -> Option<Vec<f64>> {
        Some(self.factor()?.solve(b))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Pentanomial;

    /// One entry that is always made on the plus side is a match.
    #[test]
    fn a_single_entry_gives_the_elo_of_a_match() {
        let counts = [54, 226, 410, 318, 87];
        let mut rows = Vec::new();
        for (cell, &count) in counts.iter().enumerate() {
            rows.extend((0..count).map(|_| (vec![1.0], cell as f64 / 4.0)));
        }
        let elo = Pentanomial(counts.map(|count| count as u64)).elo().unwrap();
        let fit = fit(1, &rows);
        assert!((fit.effects[0].value - elo.value).abs() < 1e-6, "{fit:?}");
        let error = fit.effects[0].error.unwrap();
        assert!((error / elo.error.unwrap() - 1.0).abs() < 0.01, "{error} {elo}");
        assert!(!fit.is_held);
    }

    #[test]
    fn too_few_pairs_hold_effects_near_zero() {
        assert!(
            fit(3, &[]).effects.iter().all(|one| one.value.abs() < 1e-9 && one.error.is_none())
        );
        let rows = vec![(vec![1.0, -1.0], 1.0); 5];
        let fit = fit(2, &rows);
        assert!(fit.is_held);
        assert!(fit.effects.iter().all(|effect| effect.value.abs() < 400.0), "{fit:?}");
    }

    #[test]
    fn entries_that_cannot_be_told_apart_are_held() {
        let rows: Vec<Row> = (0..100).map(|i| (vec![1.0, 1.0], f64::from(i % 5) / 4.0)).collect();
        assert!(fit(2, &rows).is_held);
        let won: Vec<Row> = (0..100).map(|_| (vec![1.0], 1.0)).collect();
        assert!(fit(1, &won).is_held, "a score of 100 % has no Elo");
    }
}
