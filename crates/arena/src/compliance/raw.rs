// SPDX-License-Identifier: GPL-3.0-or-later
//! An engine that is sent bytes: line ends of other systems, broken text, and a closed pipe.

use std::io::{Read, Write};
use std::process::{Child, ChildStdin};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use uci::{ClientConfig, StderrPolicy};

use super::probe::{CaseFault, CaseResult, expect};

const POLL: Duration = Duration::from_millis(5);

/// A running engine, killed when dropped.
#[derive(Debug)]
pub(super) struct RawEngine {
    child: Child,
    stdin: Option<ChildStdin>,
    output: Receiver<Vec<u8>>,
    seen: Vec<u8>,
}

impl RawEngine {
    pub(super) fn start(config: &ClientConfig) -> Result<Self, CaseFault> {
        let failed =
            |error| CaseFault::Failed(format!("cannot start `{}`: {error}", config.name()));
        let quiet = ClientConfig { stderr: StderrPolicy::Discard, ..config.clone() };
        let mut child = quiet.command().and_then(|mut it| it.spawn()).map_err(failed)?;
        let stdin = child.stdin.take();
        let mut stdout = child.stdout.take().expect("stdout is piped");
        let (sender, output) = channel();
        thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(length @ 1..) = stdout.read(&mut buffer) {
                if sender.send(buffer[..length].to_vec()).is_err() {
                    return;
                }
            }
        });
        Ok(Self { child, stdin, output, seen: Vec::new() })
    }

    /// Writes bytes as they are.
    pub(super) fn write(&mut self, bytes: &[u8]) -> CaseResult {
        let Some(stdin) = &mut self.stdin else { return Ok(()) };
        let written = stdin.write_all(bytes).and_then(|()| stdin.flush());
        written.map_err(|error| CaseFault::Failed(format!("it does not read its input: {error}")))
    }

    /// Waits for a line that starts like this, and forgets everything up to its end.
    pub(super) fn await_line(&mut self, start: &str, wait: Duration) -> CaseResult {
        let deadline = Instant::now() + wait;
        loop {
            while let Some(end) = self.seen.iter().position(|&byte| byte == b'\n') {
                let line: Vec<u8> = self.seen.drain(..=end).collect();
                if line.starts_with(start.as_bytes()) {
                    return Ok(());
                }
            }
            let left = deadline.saturating_duration_since(Instant::now());
            match self.output.recv_timeout(left) {
                Ok(bytes) => self.seen.extend(bytes),
                Err(_) => return Err(CaseFault::Failed(format!("no `{start}` came"))),
            }
        }
    }

    /// Closes standard input; the engine must then end by itself.
    pub(super) fn ends_at_eof(mut self, grace: Duration) -> CaseResult {
        self.stdin = None;
        let deadline = Instant::now() + grace;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => {
                    return expect(status.code().is_some(), || format!("it ended by {status}"));
                }
                Ok(None) if Instant::now() < deadline => thread::sleep(POLL),
                Ok(None) => {
                    let what = format!("it still ran {grace:?} after its input was closed");
                    return Err(CaseFault::Failed(what));
                }
                Err(error) => return Err(CaseFault::Failed(error.to_string())),
            }
        }
    }
}

impl Drop for RawEngine {
    fn drop(&mut self) {
        // Fails only if the child has ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
