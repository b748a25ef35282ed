// SPDX-License-Identifier: GPL-3.0-or-later
//! The tests of the search from outside. One program for all, because each would be compiled and linked by
//! itself: a test stands beside this folder only if it must be alone in its process.

#[path = "../common/mod.rs"]
mod common;

mod draws;
mod glossary;
mod limits;
mod mates;
mod mcts;
mod multipv;
mod places;
mod reference;
mod tablebases;
mod threads;
