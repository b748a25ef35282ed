// SPDX-License-Identifier: GPL-3.0-or-later
//! Tools that several crates need, each written once.
//!
//! - [`random`]: the seeded random generator of everything that must be repeatable.
//! - [`mod@write`]: files that appear whole or not at all.
//! - [`live`]: games under way, for programs that watch them.
//! - [`store`]: folders and state files of long jobs that can be killed and resumed.
//! - [`read`]: files to read, compressed or not, with limits.
//! - [`date`]: dates as PGN and logs write them.
//! - [`text`]: texts of strangers, made safe for terminals, pages and paths.
//! - [`suggest`]: what a misspelt word was meant to be.
//!
//! `chess`, `net` and `search` do not depend on this crate, so that they stay small.

pub mod date;
pub mod live;
pub mod random;
pub mod read;
pub mod store;
pub mod suggest;
pub mod text;
pub mod write;

pub use random::Rng;
pub use write::{AtomicFile, write_atomically};
