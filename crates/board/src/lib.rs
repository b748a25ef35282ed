// SPDX-License-Identifier: GPL-3.0-or-later
//! The board in the browser: a server on this machine with engines in its own process.
//!
//! | file | what it holds |
//! |---|---|
//! | `server` | connections, who may connect, files of the page |
//! | `socket` | one tab: its messages, limits and engines |
//! | `protocol` | the messages |
//! | `thinker` | the engines of a tab; the only file that knows the search |
//! | `review` | winning chances, accuracy and marks, also for `quincunx analyze` |
//! | `budget` | one limit of threads and memory |
//! | `store` | games on disk |
//! | `watch` | runs of matches, tunings and trainings |
//! | `openings` | names of openings |
//! | `page` | the files that `make board` has built |

mod budget;
pub mod openings;
pub mod page;
mod place;
pub mod protocol;
pub mod review;
mod server;
mod socket;
pub mod store;
pub mod thinker;
pub mod watch;

pub use server::{Config, Server};
