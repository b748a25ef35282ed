// SPDX-License-Identifier: GPL-3.0-or-later
//! The bot against the fake Lichess, over a real connection. One program for all, since each takes
//! its time to be linked.

#[path = "../common/mod.rs"]
mod common;
mod external;
mod games;
mod matchmaking;
