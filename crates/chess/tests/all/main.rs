// SPDX-License-Identifier: GPL-3.0-or-later
//! The tests of the rules from outside. One program for all, because each would be compiled and linked by
//! itself: a test stands beside this folder only if it must be alone in its process.

#[path = "../common/checks.rs"]
mod checks;
#[path = "../common/mod.rs"]
mod common;
#[path = "../common/fuzzer.rs"]
mod fuzzer;

mod book;
mod differential;
mod fuzz;
mod oddinput;
mod perft;
mod pgn;
mod properties;
mod see;
