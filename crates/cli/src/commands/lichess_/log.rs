// SPDX-License-Identifier: GPL-3.0-or-later
//! The log: on standard error, or below the picture where there is one.

use std::collections::VecDeque;
use std::fmt;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

use tools::text::printable;
use tracing::field::Field;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::fmt::format::{Writer, debug_fn};

/// Lines that wait to be shown.
#[derive(Clone, Debug, Default)]
pub(in crate::commands) struct Log(Arc<Mutex<VecDeque<String>>>);

impl Log {
    /// The lines since the last call.
    pub(super) fn take(&self) -> Vec<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).drain(..).collect()
    }
}

/// Starts logging. `RUST_LOG` says how much; without it, what a person wants to know.
pub(in crate::commands) fn start_log(kept: Option<&Log>) {
    let filter =
        EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("lichess=info"));
    let builder = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_target(false)
        .fmt_fields(debug_fn(write_field));
    // A second log in one process, as in tests, is of no use and no harm.
    let _ = if let Some(log) = kept {
        builder.with_ansi(false).without_time().with_writer(log.clone()).try_init()
    } else {
        let is_color = console::colors_enabled_stderr();
        builder.with_ansi(is_color).with_writer(io::stderr).try_init()
    };
}

/// Writes a message without characters that would control the terminal: names of players are in it.
fn write_field(writer: &mut Writer<'_>, field: &Field, value: &dyn fmt::Debug) -> fmt::Result {
    let value = printable(format_args!("{value:?}"));
    if field.name() == "message" {
        write!(writer, "{value}")
    } else {
        write!(writer, " {}={value}", field.name())
    }
}

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        const KEPT: usize = 100;
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        lines.extend(String::from_utf8_lossy(bytes).lines().map(|line| line.trim().to_owned()));
        let extra = lines.len().saturating_sub(KEPT);
        lines.drain(..extra);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Log {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_do_not_control_the_terminal() {
        let log = Log::default();
        let subscriber = tracing_subscriber::fmt()
            .with_ansi(false)
            .fmt_fields(debug_fn(write_field))
            .with_writer(log.clone())
            .finish();
        tracing::subscriber::with_default(subscriber, || {
            tracing::info!("challenge from {}", "\u{202e}gnp.exe\u{1b}[2J\nERROR none");
        });
        let lines = log.take();
        assert_eq!(lines.len(), 1, "{lines:?}");
        assert!(lines[0].ends_with("challenge from ?gnp.exe?[2J?ERROR none"), "{lines:?}");
    }
}
