// SPDX-License-Identifier: GPL-3.0-or-later
//! The test bench that every claim of strength stands on.
//!
//! The mathematical half is pure functions of game counts, without input or output, so that the
//! match runner, the `sprt` calculator and the report page all print the same numbers:
//!
//! - [`stats`]: results of game pairs, Elo and normalized Elo, the sequential probability ratio
//!   test, and rating lists over many engines.
//! - [`spsa`]: tuning of engine parameters by self-play.
//! - [`rng`]: the one small generator that makes runs repeatable and resumable.
//!
//! The other half plays. It treats every engine, our own too, as a foreign process that may hang,
//! crash or cheat:
//!
//! - [`Engine`]: a running engine, described by an [`EngineSpec`].
//! - [`openings`]: where games begin.
//! - [`referee`]: plays one game, keeps the clocks and believes nothing.
//! - [`TimeControl`]: how much time a player has.

mod engine;
pub mod openings;
mod process;
pub mod referee;
pub mod rng;
pub mod spsa;
pub mod stats;
mod text_file;
mod time_control;

pub use engine::{Engine, EngineSpec, Limit, SpecError, Thought};
pub use text_file::open_text;
pub use time_control::{TimeControl, TimeControlError};
