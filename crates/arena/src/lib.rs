// SPDX-License-Identifier: GPL-3.0-or-later
//! The test bench that every claim of strength stands on.
//!
//! The mathematical half is pure functions of game counts, without input or output, so that the
//! match runner, the `sprt` calculator and the report page all print the same numbers:
//!
//! - [`stats`]: results of game pairs, Elo and normalized Elo, the sequential probability ratio
//!   test, and rating lists over many engines.
//! - [`spsa`]: tuning of engine parameters by self-play.
//!
//! The other half plays. It treats every engine, our own too, as a foreign process that may hang,
//! crash or cheat. The crate `driver` runs them, as an [`EngineSpec`] describes them:
//!
//! - [`openings`]: where games begin.
//! - [`referee`]: plays one game, keeps the clocks and believes nothing.
//! - [`compliance`]: does an engine speak UCI as clients expect?
//! - [`tournament`]: matches of many games, counted pair by pair.
//! - [`run`]: folders that keep a match, so that it can be resumed.
//! - [`rating_files`]: results of many runs in one rating list.
//! - [`pgn`]: games as text.
//! - [`suite`]: positions with known answers.
//! - [`trials`]: runs in which an engine plays against itself with other options.
//! - [`tune`]: SPSA decided by games.
//! - [`screen`]: what each of many switches and numbers is worth, all measured at once.
//! - [`report`]: the page of a run, made of [`page`]s and [`chart`]s.
//! - [`TimeControl`]: how much time a player has.

pub mod chart;
pub mod compliance;
pub mod openings;
pub mod page;
pub mod pgn;
pub mod rating_files;
pub mod referee;
pub mod report;
pub mod run;
pub mod screen;
pub mod spsa;
pub mod stats;
pub mod suite;
mod text_file;
pub mod tournament;
pub mod trials;
pub mod tune;

pub use driver::{EngineSpec, Limit, SpecError, TimeControl, TimeControlError};
