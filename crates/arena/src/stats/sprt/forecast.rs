// SPDX-License-Identifier: GPL-3.0-or-later
//! How long a test will take, before a game is played.
//!
//! The LLR of a normalized test is a random walk: a game adds `(t1 - t0)(t - (t0 + t1) / 2)` on average with
//! a deviation of `t1 - t0`, where `t` is the difference in deviations of a game's score. Wald's formulas say
//! when it meets a bound; they leave out that the walk oversteps it, so real tests take some percent longer.

use super::{NELO_PER_T, Sprt};

/// What to expect of a test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Forecast {
    /// The chance that it ends with H1.
    pub passes: f64,
    /// The mean number of games.
    pub games: f64,
}

impl Sprt {
    /// What to expect if the true difference is `nelo`, in normalized Elo as the bounds.
    ///
    /// ```
    /// use arena::stats::Sprt;
    ///
    /// let forecast = Sprt::new(0.0, 3.0)?.forecast(3.0);
    /// assert!((forecast.passes - 0.95).abs() < 1e-9);
    /// assert!((71_000.0..71_200.0).contains(&forecast.games));
    /// # Ok::<(), arena::stats::SprtError>(())
    /// ```
    pub fn forecast(&self, nelo: f64) -> Forecast {
        let [t, t0, t1] = [nelo, self.elo0, self.elo1].map(|elo| elo / NELO_PER_T);
        let (lower, upper) = (self.lower(), self.upper());
        let variance = (t1 - t0).powi(2);
        let drift = (t1 - t0) * (t - f64::midpoint(t0, t1));
        // exp(-pull * LLR) keeps its mean while the test runs.
        let pull = 2.0 * drift / variance;
        if pull.abs() < 1e-6 {
            let passes = -lower / (upper - lower);
            return Forecast { passes, games: -lower * upper / variance };
        }
        let (at_lower, at_upper) = ((-pull * lower).exp(), (-pull * upper).exp());
        let passes = (1.0 - at_lower) / (at_upper - at_lower);
        Forecast { passes, games: (passes * upper + (1.0 - passes) * lower) / drift }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tools::Rng;

    /// Walks of normal steps, stopped at the bounds.
    fn simulated(sprt: &Sprt, nelo: f64, runs: u32) -> Forecast {
        let [t, t0, t1] = [nelo, sprt.elo0, sprt.elo1].map(|elo| elo / NELO_PER_T);
        let mut rng = Rng::new(5);
        let mut uniform = || (rng.below(1 << 20) as f64 + 0.5) / f64::from(1 << 20);
        let (mut games, mut passes) = (0.0, 0.0);
        for _ in 0..runs {
            let mut llr = 0.0;
            while llr > sprt.lower() && llr < sprt.upper() {
                let angle = std::f64::consts::TAU * uniform();
                let normal = (-2.0 * uniform().ln()).sqrt() * angle.cos();
                llr += (t1 - t0) * (t + normal - f64::midpoint(t0, t1));
                games += 1.0;
            }
            passes += f64::from(u8::from(llr > 0.0));
        }
        Forecast { passes: passes / f64::from(runs), games: games / f64::from(runs) }
    }

    #[test]
    fn forecasts_come_true() {
        let sprt = Sprt::new(0.0, 40.0).unwrap();
        for nelo in [-10.0, 20.0, 33.0] {
            let (expected, found) = (sprt.forecast(nelo), simulated(&sprt, nelo, 1000));
            assert!((expected.passes - found.passes).abs() < 0.05, "{expected:?} {found:?}");
            let ratio = found.games / expected.games;
            assert!((0.93..1.15).contains(&ratio), "{expected:?} {found:?}");
        }
    }

    #[test]
    fn error_rates_are_met_at_the_bounds() {
        let sprt = Sprt::new(-3.0, 1.0).unwrap().with_error_rates(0.1, 0.02).unwrap();
        assert!((sprt.forecast(-3.0).passes - 0.1).abs() < 1e-9);
        assert!((sprt.forecast(1.0).passes - 0.98).abs() < 1e-9);
    }
}
