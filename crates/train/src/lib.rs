// SPDX-License-Identifier: GPL-3.0-or-later
//! Training: from shuffled records to a network file, on the processor, in plain Rust.
//!
//! A [`Recipe`] says everything that makes a network; [`run`] follows it and leaves a directory with
//! a log, a checkpoint and the network. The crate shares with [`net`] the file format and the feature
//! indices, never the inference: that the two agree is tested.

mod aligned;
mod checkpoint;
mod error;
pub mod layers;
mod log;
pub mod model;
mod objective;
mod optimizer;
mod parameters;
mod position;
mod quantize;
mod recipe;
mod run;
mod schedule;
mod source;
mod trainer;
pub mod verify;
mod wide;

pub use aligned::Aligned;
pub use checkpoint::Checkpoint;
pub use error::TrainError;
pub use log::{Row, rows};
pub use objective::{Loss, Objective, OutputView, Shape, sigmoid};
pub use optimizer::{AdamW, OptimizerState, Step};
pub use parameters::{Layout, LayoutBuilder, Tensor};
pub use position::TrainingPosition;
pub use recipe::{DataOptions, Finish, Recipe, ScheduleOptions};
pub use run::{Options, Start, TrainingProgress, TrainingSummary, check, run};
pub use schedule::{Fall, Schedule};
pub use source::{BLOCK, Source, Stream};
pub use trainer::Trainer;
