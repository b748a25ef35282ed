// SPDX-License-Identifier: GPL-3.0-or-later
//! How well scores foretell results.

use chess::Outcome;
use serde::Serialize;

use crate::{LabelScore, MAX_SCORE, outcome};

/// Width of the classes, in centipawns.
const CLASS: i32 = 50;
/// Classes beyond this are not drawn.
const EDGE: i32 = 1500;

/// White's results by score.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Calibration {
    /// The scale with which `1 / (1 + exp(-score / scale))` comes nearest to the results, in
    /// centipawns, by the sum of squared errors over all positions that are no mates.
    pub scale: Option<f64>,
    /// The results by class of score.
    pub points: Vec<Point>,
}

/// The positions of a class of scores.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Point {
    /// The mean score.
    pub score: f64,
    /// What White scored on average, from 0 to 1.
    pub white_points: f64,
    /// How many positions there are.
    pub positions: u64,
}

/// Positions and half points for every possible score.
pub(super) struct Tally {
    positions: Vec<u64>,
    half_points: Vec<u64>,
}

impl Tally {
    pub(super) fn new() -> Self {
        Self { positions: vec![0; 1 << 16], half_points: vec![0; 1 << 16] }
    }

    pub(super) fn add(&mut self, score: Option<LabelScore>, outcome: Option<Outcome>) {
        if let (Some(score), Some(outcome)) = (score, outcome) {
            let index = Self::index(score.get());
            self.positions[index] += 1;
            self.half_points[index] += u64::from(outcome::code(outcome));
        }
    }

    const fn index(score: i16) -> usize {
        (score as i32 - i16::MIN as i32) as usize
    }

    /// Scores that occurred, mates excluded, with their positions and White's points.
    fn seen(&self) -> impl Iterator<Item = (f64, f64, f64)> {
        (-MAX_SCORE..=MAX_SCORE).filter_map(|score| {
            let index = Self::index(score);
            let count = self.positions[index];
            (count > 0)
                .then(|| (f64::from(score), count as f64, self.half_points[index] as f64 / 2.0))
        })
    }

    pub(super) fn calibration(&self) -> Calibration {
        let seen: Vec<_> = self.seen().collect();
        let scale = (!seen.is_empty()).then(|| fit(&seen));
        let mut points = Vec::new();
        let mut class = -EDGE;
        while class < EDGE {
            let end = f64::from(class + CLASS);
            let inside = seen.iter().filter(|(score, ..)| (f64::from(class)..end).contains(score));
            let (mut sum, mut count, mut points_sum) = (0.0, 0.0, 0.0);
            for (score, positions, white) in inside {
                sum += score * positions;
                count += positions;
                points_sum += white;
            }
            if count > 0.0 {
                let (score, white_points) = (sum / count, points_sum / count);
                points.push(Point { score, white_points, positions: count as u64 });
            }
            class += CLASS;
        }
        Calibration { scale, points }
    }
}

pub(super) fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// The scale with the least squared error, by golden-section search over its logarithm.
fn fit(seen: &[(f64, f64, f64)]) -> f64 {
    let error = |log_scale: f64| -> f64 {
        let scale = log_scale.exp();
        let of = |&(score, count, points): &(f64, f64, f64)| {
            let expected = sigmoid(score / scale);
            // Up to a part that does not depend on the scale.
            count * expected * expected - 2.0 * expected * points
        };
        seen.iter().map(of).sum()
    };
    let ratio = (5_f64.sqrt() - 1.0) / 2.0;
    let (mut low, mut high) = (10_f64.ln(), 10_000_f64.ln());
    while high - low > 1e-4 {
        let (a, b) = (high - ratio * (high - low), low + ratio * (high - low));
        if error(a) < error(b) {
            high = b;
        } else {
            low = a;
        }
    }
    low.midpoint(high).exp()
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::{Color, White};
    use tools::random::{Rng, unit};

    #[test]
    fn the_scale_that_made_the_results_is_found() {
        let mut rng = Rng::new(7);
        let mut tally = Tally::new();
        for _ in 0..200_000 {
            let score = rng.below(2001) as i16 - 1000;
            let is_won = unit(rng.next_u64()) < sigmoid(f64::from(score) / 300.0);
            let winner = if is_won { Color::White } else { Color::Black };
            tally.add(
                Some(LabelScore::clamped(White::new(score.into()))),
                Some(Outcome::Decisive { winner }),
            );
        }
        let calibration = tally.calibration();
        let scale = calibration.scale.unwrap();
        assert!((scale - 300.0).abs() < 6.0, "{scale}");
        assert_eq!(calibration.points.iter().map(|point| point.positions).sum::<u64>(), 200_000);
    }

    #[test]
    fn mates_and_unknown_results_do_not_count() {
        let mut tally = Tally::new();
        tally.add(Some(LabelScore::mate(0, Color::White)), Some(Outcome::Draw));
        tally.add(Some(LabelScore::clamped(White::new(10))), None);
        tally.add(None, Some(Outcome::Draw));
        assert_eq!(tally.calibration(), Calibration::default());
    }
}
