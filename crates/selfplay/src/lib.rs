// SPDX-License-Identifier: GPL-3.0-or-later
//! Self-play: games of the engine against itself, as training data.
//!
//! A game is a function of the settings and its number alone: its opening is random by the seed and
//! the number, and the search of a fixed number of nodes has no other source of chance. Games are
//! played by several threads and written in the order of their numbers. A file that holds the first
//! *n* games can therefore be continued at any time, and in the end holds the same bytes as if
//! nothing had happened. When a file has grown large another one follows it.

mod error;
mod files;
mod game;
mod leaf;
mod opening;
mod progress;
mod run;
mod settings;
mod start960;
mod writing;

pub use error::SelfPlayError;
pub use files::Files;
pub use game::{GameGenerator, centipawns};
pub use opening::Openings;
pub use progress::GenerationProgress;
pub use run::{GenerationOutcome, Generator, run};
pub use settings::{GenerationSettings, Goal, Preset};
pub use writing::Writing;
