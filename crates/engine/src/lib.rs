// SPDX-License-Identifier: GPL-3.0-or-later
//! The engine behind every front: options, positions, searches and the UCI loop.
//!
//! ```
//! use engine::{Output, Session};
//! let (output, text) = Output::to_memory();
//! let mut session = Session::new(output);
//! session.run_line("position startpos moves e2e4");
//! session.run_line("go depth 3");
//! session.wait();
//! assert!(text.contents().lines().last().unwrap().starts_with("bestmove "));
//! ```

mod bench;
mod evaluation;
mod genfens;
mod move_stats;
pub mod networks;
mod options;
mod output;
mod running;
mod session;
mod speedtest;
mod strength;
mod translate;
mod tree_view;
mod views;

pub use bench::{BENCH_DEPTH, Bench, BenchEntry};
pub use evaluation::Evaluation;
pub use options::{MAX_HASH, MAX_MULTI_PV, MAX_THREADS};
pub use output::{Memory, Output};
pub use session::{NAME, Reply, Session};
pub use speedtest::{Speed, SpeedTest};
pub use strength::Strength;
pub use translate::{castling_mode, centipawns, uci_info, uci_score};
