// SPDX-License-Identifier: GPL-3.0-or-later
//! The path of a tuning run, thinned so that it stays small however long the run.

use serde::{Deserialize, Serialize};

/// When this many points are kept every second one is dropped; a chart cannot show more.
const CAPACITY: usize = 1024;

/// The values of all parameters after some number of trials.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// Trials reported until then.
    pub trials: u64,
    /// The values, in the order of the parameters.
    pub values: Vec<f64>,
}

/// Evenly spaced points of a run's path, from its start.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct History {
    /// Trials between two points.
    stride: u64,
    points: Vec<Point>,
}

impl History {
    /// A history that starts at `values`.
    pub(super) fn new(values: Vec<f64>) -> Self {
        Self { stride: 1, points: vec![Point { trials: 0, values }] }
    }

    /// The points kept, oldest first.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// Keeps the values after `trials` trials if they are due.
    pub(super) fn record(&mut self, trials: u64, values: impl Iterator<Item = f64>) {
        if self.points.len() >= CAPACITY {
            self.stride = self.stride.saturating_mul(2);
            self.points.retain(|point| point.trials.is_multiple_of(self.stride));
        }
        if trials.is_multiple_of(self.stride) {
            self.points.push(Point { trials, values: values.collect() });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_runs_keep_few_evenly_spaced_points() {
        let mut history = History::new(vec![0.0]);
        for trials in 1..=100_000_u32 {
            history.record(u64::from(trials), std::iter::once(f64::from(trials)));
        }
        let points = history.points();
        assert!((CAPACITY / 2..=CAPACITY).contains(&points.len()), "{}", points.len());
        let stride = points[1].trials;
        for (i, point) in points.iter().enumerate() {
            assert_eq!(point.trials, i as u64 * stride);
            assert_eq!(point.values, [point.trials as f64]);
        }
    }

    #[test]
    fn short_runs_keep_every_point() {
        let mut history = History::new(vec![5.0]);
        history.record(1, [6.0].into_iter());
        let expected =
            [Point { trials: 0, values: vec![5.0] }, Point { trials: 1, values: vec![6.0] }];
        assert_eq!(history.points(), expected);
    }
}
