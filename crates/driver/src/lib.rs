// SPDX-License-Identifier: GPL-3.0-or-later
//! UCI engines as child processes.
//!
//! Everything that starts another engine does it here: matches, suites, the UCI checker and the job
//! that gives positions new labels. [`EngineSpec`] describes an engine in words, [`EngineProcess`] is
//! one that runs, [`Thought`] is its answer to a search.

mod engine_process;
mod position;
pub mod process;
mod spec;
mod thought;
mod time_control;

pub use engine_process::EngineProcess;
pub use position::{position_after, position_at};
pub use spec::{EngineSpec, Limit, SpecError};
pub use thought::Thought;
pub use time_control::{TimeControl, TimeControlError, parse_seconds};
