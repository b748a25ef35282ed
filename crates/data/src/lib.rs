// SPDX-License-Identifier: GPL-3.0-or-later
//! Training data: games and positions, read, filtered, shuffled, imported and labelled.
//!
//! Games live in viriformat files ([`viri`]); what trainers read is a shuffled file of 32-byte
//! [`Record`]s ([`qrec`]), made from games once by [`expand`]. Whatever is bad in a file is a
//! [`Problem`]: counted, named and skipped.

pub mod check;
mod dataset;
mod error;
pub mod expand;
pub mod export;
mod filter;
mod game;
mod halves;
pub mod hash;
pub mod import;
mod input;
mod outcome;
mod output;
mod packed;
mod pipeline;
mod problem;
pub mod qrec;
mod record;
pub mod relabel;
pub mod shard;
pub mod shuffle;
pub mod split;
pub mod stats;
mod unit;
pub mod viri;
pub mod visits;

pub use dataset::{Dataset, Item};
pub use error::DataError;
pub use filter::{Filter, Rejection};
pub use game::{GamePosition, Origin, ScoredGame, ScoredMove};
pub use input::{Input, ReadProgress};
pub use output::Output;
pub use packed::PackError;
pub use problem::{Observer, Place, Problem, Problems};
pub use qrec::common_unit;
pub use record::{Label, Pieces, Record};
pub use unit::{Conversion, LabelPoints, LabelScore, Unit, Unmarked};

/// The score of a mate; a mate in `n` moves is worth `n` less.
pub const MATE: i16 = 30_000;

/// Scores that are no mates stay within this, so that they are not mistaken for one.
pub const MAX_SCORE: i16 = 29_000;
