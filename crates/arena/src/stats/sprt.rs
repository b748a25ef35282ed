// SPDX-License-Identifier: GPL-3.0-or-later
//! The sequential probability ratio test: play until one of two hypotheses is believable.
//!
//! After each batch of pairs the log-likelihood ratio (LLR) of "the difference is elo1" over "it is
//! elo0" is compared with two bounds that follow from the tolerated error rates (Wald, 1945). The
//! score's distribution is unknown, so each hypothesis is given its most likely one, the
//! generalized SPRT: Van den Bergh, "A practical introduction to the GSPRT",
//! <https://www.cantate.be/Fishtest/GSPRT_approximation.pdf>. The calculation is
//! exact rather than his approximation, and agrees with fishtest, OpenBench and fastchess.

mod forecast;

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::elo::{NELO_PER_T, elo_to_score};
use super::mle;
use super::pentanomial::{Pentanomial, Trinomial};

pub use forecast::Forecast;

/// What an empty cell counts as in the LLR, so that no result is ever thought impossible.
const EMPTY_CELL: f64 = 1e-3;

/// The smallest share of all pairs a cell can have, far below an empty cell's in any real match.
///
/// With less, the likelihoods of more pairs than could ever be played would be lost in rounding.
const MIN_SHARE: f64 = 1e-13;

/// Larger bounds mean a misread command line and not a test.
const MAX_BOUND: f64 = 1000.0;

/// The rate of both errors unless asked otherwise.
const DEFAULT_ERROR_RATE: f64 = 0.05;

/// The scale on which a test's Elo bounds are meant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Model {
    /// Normalized Elo: a bound asks for the same number of games whatever the book's draw rate.
    #[default]
    Normalized,
    /// Logistic Elo: a bound is an expected score.
    Logistic,
}

impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Normalized => "normalized",
            Self::Logistic => "logistic",
        })
    }
}

impl FromStr for Model {
    type Err = ModelError;

    fn from_str(token: &str) -> Result<Self, ModelError> {
        match token {
            "normalized" => Ok(Self::Normalized),
            "logistic" => Ok(Self::Logistic),
            _ => Err(ModelError { token: token.to_owned() }),
        }
    }
}

/// A text that names no [`Model`].
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown SPRT model `{token}`, expected `normalized` or `logistic`")]
pub struct ModelError {
    /// The whole text.
    pub token: String,
}

/// Where a test stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum SprtVerdict {
    /// The difference is elo0 or less: the change is rejected.
    H0,
    /// The difference is elo1 or more: the change is accepted.
    H1,
    /// More games are needed.
    #[serde(rename = "undecided")]
    Undecided,
}

impl fmt::Display for SprtVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::H0 => "H0",
            Self::H1 => "H1",
            Self::Undecided => "undecided",
        })
    }
}

/// A sequential test of elo0 against elo1, with valid bounds and error rates.
///
/// ```
/// use arena::stats::{Pentanomial, Sprt, SprtVerdict};
///
/// let sprt = Sprt::new(0.0, 5.0)?;
/// let standing = sprt.evaluate(&Pentanomial([54, 226, 410, 318, 87]));
/// assert_eq!(standing.verdict, SprtVerdict::H1);
/// assert_eq!(format!("{standing} {sprt}"), "LLR: 2.96 (100.6%) (-2.94, 2.94) [0.00, 5.00]");
/// # Ok::<(), arena::stats::SprtError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "RawSprt")]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    model: Model,
}

impl Sprt {
    /// A test in normalized Elo with 5 % of either error.
    pub fn new(elo0: f64, elo1: f64) -> Result<Self, SprtError> {
        for value in [elo0, elo1] {
            if value.is_nan() || value.abs() > MAX_BOUND {
                return Err(SprtError::BoundOutOfRange { value });
            }
        }
        if elo0 >= elo1 {
            return Err(SprtError::BoundsOutOfOrder { elo0, elo1 });
        }
        let (alpha, beta) = (DEFAULT_ERROR_RATE, DEFAULT_ERROR_RATE);
        Ok(Self { elo0, elo1, alpha, beta, model: Model::default() })
    }

    /// The same test on another Elo scale.
    #[must_use]
    pub const fn with_model(self, model: Model) -> Self {
        Self { model, ..self }
    }

    /// The same test with other error rates: `alpha` for accepting H1 when H0 holds, `beta` for the
    /// reverse.
    pub fn with_error_rates(self, alpha: f64, beta: f64) -> Result<Self, SprtError> {
        for value in [alpha, beta] {
            if !(value > 0.0 && value < 0.5) {
                return Err(SprtError::ErrorRate { value });
            }
        }
        Ok(Self { alpha, beta, ..self })
    }

    /// The difference under H0.
    pub const fn elo0(&self) -> f64 {
        self.elo0
    }

    /// The difference under H1, larger than [`Self::elo0`].
    pub const fn elo1(&self) -> f64 {
        self.elo1
    }

    /// The rate at which H1 may be accepted although H0 holds.
    pub const fn alpha(&self) -> f64 {
        self.alpha
    }

    /// The rate at which H0 may be accepted although H1 holds.
    pub const fn beta(&self) -> f64 {
        self.beta
    }

    /// The scale of the differences.
    pub const fn model(&self) -> Model {
        self.model
    }

    /// The LLR at which H0 is accepted, always negative.
    pub fn lower(&self) -> f64 {
        (self.beta / (1.0 - self.alpha)).ln()
    }

    /// The LLR at which H1 is accepted, always positive.
    pub fn upper(&self) -> f64 {
        ((1.0 - self.beta) / self.alpha).ln()
    }

    /// The log-likelihood ratio of H1 over H0; always finite, and zero without pairs.
    pub fn llr(&self, pairs: &Pentanomial) -> f64 {
        self.llr_of(&pairs.0, 2.0)
    }

    /// The log-likelihood ratio from single games, for matches that are not played in pairs.
    pub fn llr_of_games(&self, games: &Trinomial) -> f64 {
        self.llr_of(&games.cells(), 1.0)
    }

    /// What an LLR means for this test.
    pub fn verdict(&self, llr: f64) -> SprtVerdict {
        if llr >= self.upper() {
            SprtVerdict::H1
        } else if llr <= self.lower() {
            SprtVerdict::H0
        } else {
            SprtVerdict::Undecided
        }
    }

    /// Where the test stands after these pairs.
    pub fn evaluate(&self, pairs: &Pentanomial) -> SprtStanding {
        let llr = self.llr(pairs);
        let verdict = self.verdict(llr);
        SprtStanding { llr, lower: self.lower(), upper: self.upper(), verdict }
    }

    fn llr_of<const N: usize>(&self, counts: &[u64; N], games_each: f64) -> f64 {
        if counts.iter().all(|&count| count == 0) {
            return 0.0;
        }
        let counts = counts.map(|count| count as f64);
        let smallest = EMPTY_CELL.max(MIN_SHARE * counts.iter().sum::<f64>());
        let counts = counts.map(|count| count.max(smallest));
        let total: f64 = counts.iter().sum();
        let observed = counts.map(|count| count / total);
        let explain = |elo: f64| match self.model {
            Model::Normalized => mle::with_t_value(&observed, elo * games_each.sqrt() / NELO_PER_T),
            Model::Logistic => mle::with_mean(&observed, elo_to_score(elo)),
        };
        let (h0, h1) = (explain(self.elo0), explain(self.elo1));
        counts.iter().zip(h0.iter().zip(&h1)).map(|(count, (p0, p1))| count * (p1 / p0).ln()).sum()
    }
}

impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{:.2}, {:.2}]", self.elo0, self.elo1)
    }
}

/// Why a test cannot be set up.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum SprtError {
    /// The hypotheses are equal or swapped.
    #[error("SPRT bounds {elo0},{elo1} are not in order, expected elo0 below elo1")]
    BoundsOutOfOrder {
        /// The difference under H0.
        elo0: f64,
        /// The difference under H1.
        elo1: f64,
    },
    /// A bound is absurdly large or not a number.
    #[error("SPRT bound {value} is out of range, expected -{MAX_BOUND} to {MAX_BOUND} Elo")]
    BoundOutOfRange {
        /// The bound.
        value: f64,
    },
    /// An error rate would make the test meaningless.
    #[error("SPRT error rate {value} is out of range, expected more than 0 and less than 0.5")]
    ErrorRate {
        /// The rate.
        value: f64,
    },
}

/// The standing of a test, ready to be printed or written as JSON.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SprtStanding {
    /// The log-likelihood ratio.
    pub llr: f64,
    /// At or below this H0 is accepted.
    pub lower: f64,
    /// At or above this H1 is accepted.
    pub upper: f64,
    /// What follows.
    pub verdict: SprtVerdict,
}

impl SprtStanding {
    /// How far the test has come towards the bound on the LLR's side; 1 and more is decided.
    pub fn progress(&self) -> f64 {
        self.llr / if self.llr < 0.0 { self.lower } else { self.upper }
    }
}

impl fmt::Display for SprtStanding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { llr, lower, upper, verdict: _ } = self;
        let percent = 100.0 * self.progress();
        write!(f, "LLR: {llr:.2} ({percent:.1}%) ({lower:.2}, {upper:.2})")
    }
}

/// An [`Sprt`] as it is read back, before its values are checked.
#[derive(Deserialize)]
struct RawSprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    model: Model,
}

impl TryFrom<RawSprt> for Sprt {
    type Error = SprtError;

    fn try_from(raw: RawSprt) -> Result<Self, SprtError> {
        let sprt = Self::new(raw.elo0, raw.elo1)?.with_error_rates(raw.alpha, raw.beta)?;
        Ok(sprt.with_model(raw.model))
    }
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "the expected values are exact")]
mod tests;
