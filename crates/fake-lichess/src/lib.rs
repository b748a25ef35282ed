// SPDX-License-Identifier: GPL-3.0-or-later
//! A Lichess for tests, on 127.0.0.1 only.
//!
//! Two seats to a game, each taken by a client of the interface for bots or by a scripted player;
//! true clocks, which run out while nobody looks; streams of lines with blank ones between; the
//! limits of the real server, counted and enforced; and faults, by a script. Other clients play here
//! too, which keeps it honest: see `tests/python/test_lichess.py`.
//!
//! Nothing of Lichess's own code is in it; what it does was learnt from the description of the
//! interface and from watching it.

mod challenge;
mod external;
mod faults;
mod game;
mod opponent;
mod routes;
mod server;
mod stream;
mod world;

pub use challenge::{ChallengeClock, ChallengeSpec};
pub use faults::{NetworkFault, Script};
pub use game::GameReport;
pub use opponent::Part;
pub use world::{Counts, Fake, FakeSettings};
