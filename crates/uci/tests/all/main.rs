// SPDX-License-Identifier: GPL-3.0-or-later
//! The tests of the protocol from outside. One program for all, because each would be compiled and linked by
//! itself: a test stands beside this folder only if it must be alone in its process.

mod client;
mod mutation;
mod odd_input;
