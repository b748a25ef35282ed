// SPDX-License-Identifier: GPL-3.0-or-later
//! The tests of the networks from outside. One program for all, because each would be compiled and linked by
//! itself: a test stands beside this folder only if it must be alone in its process.

#[path = "../common/mod.rs"]
mod common;

mod declared_once;
mod files;
mod imports;
mod incremental;
mod kernels;
mod laws;
mod napoleon;
mod page;
mod policy;
mod reference;
