// SPDX-License-Identifier: GPL-3.0-or-later
//! The tests of the program from outside. One program for all, because each would be compiled and linked by
//! itself: a test stands beside this folder only if it must be alone in its process.

#[path = "../common/mod.rs"]
mod common;

mod cli;
mod data;
mod judging;
#[cfg(feature = "lichess")]
mod lichess;
#[cfg(target_os = "linux")]
mod memory;
mod net;
mod screen;
mod train;
mod trees;
mod uci_scripts;
