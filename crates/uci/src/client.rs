// SPDX-License-Identifier: GPL-3.0-or-later
//! A UCI engine as a child process, seen from the GUI's side.
//!
//! Engines under test hang, crash and flood, so nothing here waits without a deadline or stores
//! without a bound: threads of their own move the bytes, the queues between them are bounded, and
//! a dropped [`Client`] leaves no process behind.

mod config;
mod error;
mod handshake;
mod pipe;

use std::fmt;
use std::io;
use std::process::{Child, ExitStatus};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError};
use std::thread;
use std::time::{Duration, Instant};

use crate::command::Command;
use crate::reply::Reply;

pub use config::{ClientConfig, StderrPolicy};
pub use error::ClientError;
pub use handshake::Handshake;
pub use pipe::OutputLine;

use pipe::StderrTail;

/// How often to look, at least, whether a child has ended.
const POLL: Duration = Duration::from_millis(2);

/// Time for a child that closed its output to be gone, and for its last words to arrive.
const EXIT_GRACE: Duration = Duration::from_millis(500);

/// Longer waits mean this one: the clock cannot be set arbitrarily far ahead.
const FOREVER: Duration = Duration::from_hours(365 * 24);

/// A running engine.
///
/// ```no_run
/// use std::time::{Duration, Instant};
/// use uci::{Client, ClientConfig, Reply};
///
/// let mut engine = Client::spawn(&ClientConfig::new("stockfish"))?;
/// engine.handshake(Duration::from_secs(10))?;
/// engine.send("position startpos")?;
/// engine.send("go movetime 100")?;
/// let deadline = Instant::now() + Duration::from_secs(5);
/// let line = engine.recv_until(deadline, "bestmove", |line| {
///     matches!(Reply::parse(&line.text), Reply::BestMove(_) | Reply::Malformed(_))
/// })?;
/// println!("{}", line.text);
/// engine.quit(Duration::from_secs(1))?;
/// # Ok::<(), uci::ClientError>(())
/// ```
pub struct Client {
    name: String,
    child: Child,
    /// `None` once standard input is closed.
    input: Option<SyncSender<String>>,
    output: Receiver<OutputLine>,
    /// A line that came after the deadline of the call that found it.
    late: Option<OutputLine>,
    stderr: StderrTail,
}

/// How an engine ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// By itself.
    Quit(ExitStatus),
    /// It did not end in time and was killed.
    Killed,
}

impl Client {
    /// Starts the program; it has not been spoken to yet.
    pub fn spawn(config: &ClientConfig) -> Result<Self, ClientError> {
        let name = config.name();
        let program = config.program.display().to_string();
        let spawn_error = |source| ClientError::Spawn { engine: program.clone(), source };
        let child = config.command().map_err(spawn_error)?.spawn().map_err(spawn_error)?;
        Self::connect(child, name, config).map_err(spawn_error)
    }

    /// Starts the threads that move the lines; a child that cannot be connected is killed.
    fn connect(mut child: Child, name: String, config: &ClientConfig) -> io::Result<Self> {
        let stdin = child.stdin.take().expect("stdin is piped");
        let stdout = child.stdout.take().expect("stdout is piped");
        let stderr = child.stderr.take();
        let pipes = pipe::spawn_writer(stdin, config.queue).and_then(|input| {
            let output = pipe::spawn_reader(stdout, config.queue, config.max_line)?;
            Ok((input, output, pipe::spawn_stderr(stderr, config.stderr)?))
        });
        match pipes {
            Ok((input, output, stderr)) => {
                Ok(Self { name, child, input: Some(input), output, late: None, stderr })
            }
            Err(error) => {
                // Fails only if it has ended already.
                let _ = child.kill();
                let _ = child.wait();
                Err(error)
            }
        }
    }

    /// The engine's name in messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The process id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// The last lines on standard error, if they are kept.
    pub fn stderr_tail(&self) -> Vec<String> {
        self.stderr.lines()
    }

    /// Sends exactly one line: a [`Command`], a part of one or plain text. Line breaks inside it
    /// become blanks. Never blocks.
    pub fn send(&mut self, line: impl fmt::Display) -> Result<(), ClientError> {
        let line = line.to_string().replace(['\n', '\r'], " ");
        let Some(input) = &self.input else { return Err(self.exit_error()) };
        match input.try_send(line) {
            Ok(()) => Ok(()),
            Err(TrySendError::Full(_)) => {
                Err(ClientError::NotReading { engine: self.name.clone() })
            }
            Err(TrySendError::Disconnected(_)) => Err(self.exit_error()),
        }
    }

    /// The next line that arrived before the deadline; `what` names it in the time-out error.
    ///
    /// What counts is when the line arrived, not when this was called, so that a busy caller does
    /// not blame the engine. A line that came too late is kept for the next call.
    pub fn recv(&mut self, deadline: Instant, what: &str) -> Result<OutputLine, ClientError> {
        let timed_out = |client: &Self| ClientError::TimedOut {
            engine: client.name.clone(),
            what: what.to_owned(),
        };
        let line = if let Some(line) = self.late.take() {
            line
        } else {
            let wait = deadline.saturating_duration_since(Instant::now());
            match self.output.recv_timeout(wait) {
                Ok(line) => line,
                Err(RecvTimeoutError::Timeout) => return Err(timed_out(self)),
                Err(RecvTimeoutError::Disconnected) => return Err(self.exit_error()),
            }
        };
        if line.at > deadline {
            self.late = Some(line);
            return Err(timed_out(self));
        }
        Ok(line)
    }

    /// The first line before the deadline that `is_wanted` accepts; it sees all lines on the way.
    pub fn recv_until(
        &mut self,
        deadline: Instant,
        what: &str,
        mut is_wanted: impl FnMut(&OutputLine) -> bool,
    ) -> Result<OutputLine, ClientError> {
        loop {
            let line = self.recv(deadline, what)?;
            if is_wanted(&line) {
                return Ok(line);
            }
        }
    }

    /// Takes the lines that are waiting, at most `limit`, so that a flood cannot hold the caller.
    pub fn drain(&mut self, limit: usize) -> Vec<OutputLine> {
        let mut lines = Vec::new();
        while lines.len() < limit
            && let Some(line) = self.late.take().or_else(|| self.output.try_recv().ok())
        {
            lines.push(line);
        }
        lines
    }

    /// Sends `uci` and collects what the engine says about itself up to `uciok`.
    pub fn handshake(&mut self, timeout: Duration) -> Result<Handshake, ClientError> {
        let deadline = deadline_in(timeout);
        let mut handshake = Handshake::default();
        self.send(Command::Uci)?;
        self.recv_until(deadline, &within("uciok", timeout), |line| handshake.take(&line.text))?;
        Ok(handshake)
    }

    /// Sends `isready` and skips all lines up to `readyok`.
    pub fn await_ready(&mut self, timeout: Duration) -> Result<(), ClientError> {
        let deadline = deadline_in(timeout);
        self.send(Command::IsReady)?;
        let is_ready = |line: &OutputLine| Reply::parse(&line.text) == Reply::ReadyOk;
        self.recv_until(deadline, &within("readyok", timeout), is_ready)?;
        Ok(())
    }

    /// Sends `quit`, closes standard input and waits; kills the engine when the grace time is over.
    pub fn quit(mut self, grace: Duration) -> Result<Exit, ClientError> {
        if let Some(input) = self.input.take() {
            // An engine that is gone or deaf cannot be told, which the wait below finds out.
            let _ = input.try_send(Command::Quit.to_string());
        }
        if let Some(status) = self.wait(grace)? {
            return Ok(Exit::Quit(status));
        }
        self.child
            .kill()
            .and_then(|()| self.child.wait())
            .map_err(|source| self.io_error(source))?;
        Ok(Exit::Killed)
    }

    /// Waits for the child to end, reading on so that it cannot be stuck writing.
    fn wait(&mut self, grace: Duration) -> Result<Option<ExitStatus>, ClientError> {
        let deadline = deadline_in(grace);
        loop {
            if let Some(status) = self.child.try_wait().map_err(|source| self.io_error(source))? {
                return Ok(Some(status));
            }
            if Instant::now() >= deadline {
                return Ok(None);
            }
            match self.output.recv_timeout(POLL) {
                Ok(_) | Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => thread::sleep(POLL),
            }
        }
    }

    /// What to say when a pipe is closed: how the engine ended, and its last words.
    fn exit_error(&mut self) -> ClientError {
        let status = match self.wait(EXIT_GRACE) {
            Ok(status) => status,
            Err(error) => return error,
        };
        if status.is_some() {
            self.stderr.settle(EXIT_GRACE);
        }
        ClientError::Exited { engine: self.name.clone(), status, stderr: self.stderr.lines() }
    }

    fn io_error(&self, source: std::io::Error) -> ClientError {
        ClientError::Process { engine: self.name.clone(), source }
    }
}

/// What is awaited, and how long.
fn within(what: &str, timeout: Duration) -> String {
    format!("{what} within {} s", timeout.as_secs_f64())
}

fn deadline_in(timeout: Duration) -> Instant {
    Instant::now() + timeout.min(FOREVER)
}

impl Drop for Client {
    fn drop(&mut self) {
        // Fails only if the child has ended already; then there is nothing to reap either.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client")
            .field("name", &self.name)
            .field("id", &self.id())
            .finish_non_exhaustive()
    }
}
