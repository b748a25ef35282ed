// SPDX-License-Identifier: GPL-3.0-or-later
//! Schedules: the learning rate of every step.

use serde::{Deserialize, Serialize};

/// How the learning rate falls.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Fall {
    /// Half a cosine from the first rate to the last.
    Cosine,
    /// Multiplied by `factor` after every `every`th part of the run.
    Step,
    /// Not at all.
    Constant,
}

/// The learning rate over a run whose length is known.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Schedule {
    /// How it falls.
    pub fall: Fall,
    /// The highest rate.
    pub first: f32,
    /// The rate at the end; with steps, no rate is lower.
    pub last: f32,
    /// Steps over which the rate rises to the first.
    pub warm_up: u64,
    /// Steps after which the rate is multiplied by `factor`.
    pub every: u64,
    /// What the rate is multiplied with.
    pub factor: f32,
    /// How many steps there are.
    pub steps: u64,
}

impl Schedule {
    /// The rate of a step, counted from zero.
    pub fn rate(&self, step: u64) -> f32 {
        if step < self.warm_up {
            return self.first * (step + 1) as f32 / self.warm_up as f32;
        }
        match self.fall {
            Fall::Constant => self.first,
            Fall::Step => {
                let falls = (step / self.every.max(1)).min(1000) as i32;
                (self.first * self.factor.powi(falls)).max(self.last)
            }
            Fall::Cosine => {
                let len = self.steps.saturating_sub(self.warm_up + 1).max(1);
                let done = (step - self.warm_up).min(len) as f64 / len as f64;
                let share = f64::midpoint(1.0, (std::f64::consts::PI * done).cos());
                self.last + (self.first - self.last) * share as f32
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COSINE: Schedule = Schedule {
        fall: Fall::Cosine,
        first: 1e-3,
        last: 1e-5,
        warm_up: 10,
        every: 0,
        factor: 1.0,
        steps: 111,
    };

    fn is_near(found: f32, expected: f32) -> bool {
        (found / expected - 1.0).abs() < 1e-4
    }

    #[test]
    fn cosines_begin_and_end_where_they_should() {
        assert!(is_near(COSINE.rate(0), 1e-4));
        assert!(is_near(COSINE.rate(9), 1e-3));
        assert!(is_near(COSINE.rate(10), 1e-3));
        assert!(is_near(COSINE.rate(60), 0.5 * (1e-3 + 1e-5)));
        assert!(is_near(COSINE.rate(110), 1e-5));
    }

    #[test]
    fn steps_multiply_and_stop_at_the_last_rate() {
        let steps = Schedule { fall: Fall::Step, every: 20, factor: 0.1, warm_up: 0, ..COSINE };
        assert!(is_near(steps.rate(19), 1e-3));
        assert!(is_near(steps.rate(20), 1e-4));
        assert!(is_near(steps.rate(100), 1e-5));
    }

    #[test]
    fn runs_shorter_than_their_warm_up_still_have_rates() {
        let short = Schedule { steps: 3, ..COSINE };
        assert!((0..3).all(|step| short.rate(step) > 0.0));
    }
}
