// SPDX-License-Identifier: GPL-3.0-or-later
//! What can go wrong with an engine as a process.

use std::io;
use std::process::ExitStatus;

/// Why an engine did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// The program could not be started.
    #[error("cannot start `{engine}`")]
    Spawn {
        /// The engine.
        engine: String,
        /// The system's reason.
        source: io::Error,
    },
    /// The engine did not answer in time.
    #[error("`{engine}` timed out: expected {what}")]
    TimedOut {
        /// The engine.
        engine: String,
        /// What was awaited.
        what: String,
    },
    /// The engine ended, or closed the streams that we talk through.
    #[error("`{engine}` {}{}", ending(*.status), last_words(.stderr))]
    Exited {
        /// The engine.
        engine: String,
        /// How it ended; `None` if it still runs.
        status: Option<ExitStatus>,
        /// Its last lines on standard error.
        stderr: Vec<String>,
    },
    /// The engine does not read its standard input.
    #[error("`{engine}` does not read its input: too many commands are waiting")]
    NotReading {
        /// The engine.
        engine: String,
    },
    /// The system could not look after the process.
    #[error("cannot wait for `{engine}`")]
    Process {
        /// The engine.
        engine: String,
        /// The system's reason.
        source: io::Error,
    },
}

fn ending(status: Option<ExitStatus>) -> String {
    match status {
        Some(status) => format!("ended unexpectedly ({status})"),
        None => "closed its standard streams".to_owned(),
    }
}

fn last_words(stderr: &[String]) -> String {
    if stderr.is_empty() { String::new() } else { format!("; last words: {}", stderr.join(" | ")) }
}
