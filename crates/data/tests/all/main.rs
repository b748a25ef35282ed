// SPDX-License-Identifier: GPL-3.0-or-later
//! The tests of training data from outside. One program for all, because each would be compiled and linked by
//! itself: a test stands beside this folder only if it must be alone in its process.

#[path = "../common/mod.rs"]
mod common;

mod broken;
mod expand;
mod export;
mod import;
mod leaves;
mod record;
mod relabel;
mod shard;
mod shuffle;
mod stats;
mod units;
mod viri;
mod visits;
