// SPDX-License-Identifier: GPL-3.0-or-later
//! The engine behind every front: a chess engine as a library, and UCI as one way to talk to it.
//!
//! An [`Engine`] takes settings, positions and limits as values and tells [`Event`]s as values. All
//! engines of a process share their networks.
//!
//! ```
//! use engine::{Engine, Event, Info, Limits, Position};
//! let mut engine = Engine::new();
//! engine.set_position(Position::from_fen("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1")?);
//! for event in engine.go(Limits::to_depth(3)) {
//!     match event {
//!         Event::Info(Info::Line(line, effort)) => println!("{} {}", line.depth, effort.nodes),
//!         Event::Ended(answer) => assert_eq!(answer.best.unwrap().score.mate_moves(), Some(1)),
//!         _ => (),
//!     }
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A [`UciSession`] is an engine with a conversation in text:
//!
//! ```
//! use engine::{Output, UciSession};
//! let (output, text) = Output::to_memory();
//! let mut session = UciSession::new(output);
//! session.run_line("position startpos moves e2e4");
//! session.run_line("go depth 3");
//! session.wait();
//! assert!(text.contents().lines().last().unwrap().starts_with("bestmove "));
//! ```

mod batu_bench;
mod bench;
mod config;
mod console;
mod engine;
mod evaluation;
mod event;
mod fault;
mod handle;
mod move_stats;
pub mod networks;
mod node_clock;
mod options;
mod output;
mod resources;
mod running;
mod search_thread;
mod speedtest;
mod strength;
#[doc(hidden)]
pub mod testing;
mod uci_session;
mod uci_text;

pub use search::{
    Answer, Bound, Centipawns, Clock, Control, Effort, Info, Limits, Line, Mode, MoveStats, Odds,
    Points, Position, Score, ShownScore, Stats, TreeNode, Wdl,
};

pub use batu_bench::{BATU_POSITIONS, BatuEntry, BatuPosition, Expected, run as batu_bench};
pub use bench::{BENCH_DEPTH, Bench, BenchEntry};
pub use console::{Console, ConsoleError, GenFens};
pub use engine::Engine;
pub use evaluation::Evaluation;
pub use event::{Event, Listener, Notice, SettingError};
pub use handle::Search;
pub use options::{
    Declaration, MAX_HASH, MAX_MULTI_PV, MAX_THREADS, Setting, Settings, option, options,
};
pub use output::{Memory, Output};
pub use resources::{Resource, resources};
pub use speedtest::{Speed, SpeedTest};
pub use strength::Strength;
pub use uci_session::{Reply, UciSession};
pub use uci_text::{UciPrinter, castling_mode, uci_score};

/// The guide for users of the library, whose examples run as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide/library.md")]
struct LibraryGuide;

/// The engine's name and version.
pub const NAME: &str = concat!("Quincunx ", env!("CARGO_PKG_VERSION"));
const ABOUT: &str = concat!(
    "Quincunx ",
    env!("CARGO_PKG_VERSION"),
    ", a neural chess system; free software under GPL-3.0-or-later"
);
