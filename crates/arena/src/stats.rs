// SPDX-License-Identifier: GPL-3.0-or-later
//! What game results say about strength.
//!
//! Games are played in pairs, the same opening with both colors, because the two games of a pair
//! are correlated and the opening's bias cancels. A match is therefore summed up by the five counts
//! of a [`Pentanomial`]; [`Trinomial`] counts serve single games. Everything else is a function of
//! those counts: [`Moments`] (score and variance), [`Estimate`]s of Elo and normalized Elo, the
//! [`Sprt`], and over many engines the [`RatingPool`].
//!
//! Conventions are those of fastchess and OpenBench, so that numbers can be compared with theirs.

mod bradley_terry;
mod cholesky;
mod elo;
mod mle;
mod moments;
mod normal;
mod pentanomial;
mod rating;
mod sprt;

pub(crate) use cholesky::Cholesky;
pub use elo::{Estimate, NELO_PER_T, elo_to_score, score_to_elo};
pub use moments::Moments;
pub use normal::{Z95, erf, erfc, normal_cdf};
pub use pentanomial::{CountsError, FirstResult, Pentanomial, Trinomial};
pub use rating::{Anchor, Rating, RatingError, RatingPool};
pub use sprt::{Forecast, Model, ModelError, Sprt, SprtError, SprtStanding, SprtVerdict};
