// SPDX-License-Identifier: GPL-3.0-or-later
//! The UCI protocol as types, in both directions.
//!
//! An engine reads [`Command`]s and prints [`Reply`]s; a match runner, a compliance checker or a
//! bot prints commands and reads replies, usually through a [`Client`] that owns the other
//! program. Both sides share this crate, so that what one of them prints is what the other reads.
//!
//! The crate knows no chess: a move is checked for its shape only ([`MoveText`]) and a FEN is a
//! string. Reading is tolerant, because real programs send odd blanks, words from other protocols
//! and numbers that make no sense; whatever was skipped or adjusted is reported as a value for the
//! caller to print. Printing is strict.
//!
//! ```
//! use uci::{Command, Reply};
//!
//! let parsed = Command::parse("  go  depth 12 banana 7\r\n")?;
//! assert_eq!(parsed.command.to_string(), "go depth 12");
//! assert_eq!(parsed.warnings[0].to_string(), "go: unknown argument `banana` skipped");
//!
//! let Reply::BestMove(best) = Reply::parse("bestmove e2e4 ponder e7e5") else { panic!() };
//! assert_eq!(best.mv, Some("e2e4".parse()?));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod client;
pub mod command;
mod error;
pub mod go;
pub mod info;
pub mod move_text;
mod number;
pub mod option;
pub mod position;
pub mod reply;
pub mod score;
pub mod set_option;
mod token;

pub use client::{Client, ClientConfig, ClientError, Exit, Handshake, OutputLine, StderrPolicy};
pub use command::{Command, ParsedCommand};
pub use error::CommandError;
pub use go::{Go, GoWarning};
pub use info::{InfoLine, InfoWarning, NotInfo};
pub use move_text::{MoveText, MoveTextError};
pub use option::{
    AcceptedValue, OptionError, OptionKind, OptionSpec, OptionSpecError, OptionValue, OptionWarning,
};
pub use position::{Base, UciPosition};
pub use reply::{BestMove, CheckState, MalformedReply, Reply, ReplyError};
pub use score::{Bound, ScoreValue, UciScore, UciWdl};
pub use set_option::SetOption;
