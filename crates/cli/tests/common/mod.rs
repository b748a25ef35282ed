// SPDX-License-Identifier: GPL-3.0-or-later
//! The real binary, talked to through its pipes.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Whatever takes longer hangs, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

/// A running engine. Dropped, it leaves no process behind.
pub(crate) struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    output: Receiver<String>,
    /// Everything it has said.
    pub(crate) said: Vec<String>,
}

impl Engine {
    /// Starts the engine without a word.
    pub(crate) fn start() -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_quincunx"));
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let stdout = BufReader::new(child.stdout.take().expect("its output is piped"));
        let (sender, output) = channel();
        thread::spawn(move || {
            for line in stdout.lines() {
                if sender.send(line.expect("the engine writes UTF-8")).is_err() {
                    break;
                }
            }
        });
        let input = child.stdin.take();
        Self { child, input, output, said: vec![] }
    }

    /// Sends a line.
    pub(crate) fn send(&mut self, line: &str) {
        self.send_bytes(line.as_bytes());
    }

    /// Sends a line that need not be text. An engine that has quit does not hear it.
    pub(crate) fn send_bytes(&mut self, line: &[u8]) {
        let input = self.input.as_mut().expect("input is open");
        let _ = input.write_all(&[line, b"\n"].concat()).and_then(|()| input.flush());
    }

    /// Waits for a line that starts so, and returns it.
    pub(crate) fn wait_for(&mut self, start: &str) -> String {
        let deadline = Instant::now() + PATIENCE;
        loop {
            match self.output.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(line) => {
                    self.said.push(line.clone());
                    if line.starts_with(start) {
                        return line;
                    }
                }
                Err(error) => panic!("no `{start}` ({error}) after {:#?}", self.said),
            }
        }
    }

    /// The most memory that the engine has had so far, in MiB.
    #[cfg(target_os = "linux")]
    #[allow(dead_code, reason = "not every test needs everything")]
    pub(crate) fn peak_memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()));
        let status = status.expect("the engine runs");
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = peak.and_then(|text| text.split_whitespace().next()).expect("a number");
        kilobytes.parse::<u64>().expect("a number").div_ceil(1024)
    }

    /// Closes the input and waits for the engine to end by itself; everything it has said is in
    /// the second part.
    pub(crate) fn finish(mut self) -> (ExitStatus, Vec<String>) {
        drop(self.input.take());
        let deadline = Instant::now() + PATIENCE;
        loop {
            match self.output.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(line) => self.said.push(line),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => panic!("no end after {:#?}", self.said),
            }
        }
        let status = self.child.wait().expect("a child can be waited for");
        (status, std::mem::take(&mut self.said))
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
