// SPDX-License-Identifier: GPL-3.0-or-later
//! The tests of the engine from outside. One program for all, because each would be compiled and linked by
//! itself: a test stands beside this folder only if it must be alone in its process.

#[path = "../common/mod.rs"]
mod common;

mod batu_bench;
mod bench;
mod examples;
mod fuzz;
mod networks;
mod reference;
mod seeds;
mod session;
mod trees;
