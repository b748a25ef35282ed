// SPDX-License-Identifier: GPL-3.0-or-later
//! Tools that several crates need, each written once.
//!
//! - [`random`]: the seeded random generator of everything that must be repeatable.
//! - [`write`]: files that appear whole or not at all.
//! - [`store`]: folders and state files of long jobs that can be killed and resumed.
//! - [`suggest`]: what a misspelt word was meant to be.
//!
//! `chess`, `net` and `search` do not depend on this crate, so that they stay small.

pub mod random;
pub mod store;
pub mod suggest;
pub mod write;

pub use random::Rng;
pub use write::{AtomicFile, write_atomically};
