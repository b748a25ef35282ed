// SPDX-License-Identifier: GPL-3.0-or-later
//! The threads that move lines between an engine's pipes and bounded queues.
//!
//! They are never joined: a grandchild may hold a pipe open long after the engine is gone. Each
//! ends when its pipe closes or when nobody listens to it.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{ChildStderr, ChildStdin, ChildStdout};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::POLL;
use super::config::StderrPolicy;

/// Bytes kept of one line on standard error.
const MAX_STDERR_LINE: usize = 1024;

/// One line of an engine's output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputLine {
    /// The text without line end; bytes that are not UTF-8 are replaced.
    pub text: String,
    /// When the end of the line arrived.
    pub at: Instant,
    /// Whether the line was too long and its end is missing.
    pub is_truncated: bool,
}

/// Starts to send queued lines to the engine.
pub(super) fn spawn_writer(mut stdin: ChildStdin, queue: usize) -> io::Result<SyncSender<String>> {
    let (sender, lines) = sync_channel::<String>(queue.max(1));
    thread::Builder::new().spawn(move || {
        for mut line in lines {
            line.push('\n');
            if stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).is_err() {
                return;
            }
        }
    })?;
    Ok(sender)
}

/// Starts to queue the engine's output.
pub(super) fn spawn_reader(
    stdout: ChildStdout,
    queue: usize,
    max_line: usize,
) -> io::Result<Receiver<OutputLine>> {
    let (sender, lines) = sync_channel(queue.max(1));
    let read = move || read_lines(stdout, max_line, |line| sender.send(line).is_ok());
    thread::Builder::new().spawn(read)?;
    Ok(lines)
}

/// Starts to keep the end of standard error, if it is to be kept.
pub(super) fn spawn_stderr(
    stderr: Option<ChildStderr>,
    policy: StderrPolicy,
) -> io::Result<StderrTail> {
    let lines = Arc::new(Mutex::new(VecDeque::new()));
    let thread = match (stderr, policy) {
        (Some(stderr), StderrPolicy::Keep(count)) => {
            let kept = Arc::clone(&lines);
            Some(thread::Builder::new().spawn(move || keep_last(stderr, count, &kept))?)
        }
        _ => None,
    };
    Ok(StderrTail { lines, thread })
}

/// The last lines on standard error.
pub(super) struct StderrTail {
    lines: Arc<Mutex<VecDeque<String>>>,
    thread: Option<JoinHandle<()>>,
}

impl StderrTail {
    pub(super) fn lines(&self) -> Vec<String> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }

    /// Waits until all of standard error is read, but not longer than `patience`.
    pub(super) fn settle(&self, patience: Duration) {
        let deadline = Instant::now() + patience;
        while self.thread.as_ref().is_some_and(|thread| !thread.is_finished())
            && Instant::now() < deadline
        {
            thread::sleep(POLL);
        }
    }
}

fn keep_last(stderr: ChildStderr, count: usize, kept: &Mutex<VecDeque<String>>) {
    read_lines(stderr, MAX_STDERR_LINE, |line| {
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.push_back(line.text);
        if kept.len() > count {
            kept.pop_front();
        }
        true
    });
}

/// Passes each line to `take` until the pipe closes or `take` returns false.
fn read_lines(pipe: impl Read, max_line: usize, mut take: impl FnMut(OutputLine) -> bool) {
    let mut reader = BufReader::new(pipe);
    let mut partial = PartialLine::new(max_line);
    // A pipe that fails is as good as closed.
    while let Ok(chunk) = reader.fill_buf()
        && !chunk.is_empty()
    {
        // Taken before the queue can make us wait.
        let at = Instant::now();
        let length = chunk.len();
        for piece in chunk.split_inclusive(|&byte| byte == b'\n') {
            partial.push(piece);
            if piece.ends_with(b"\n") && !take(partial.finish(at)) {
                return;
            }
        }
        reader.consume(length);
    }
    if !partial.bytes.is_empty() {
        take(partial.finish(Instant::now()));
    }
}

/// The beginning of a line whose end has not arrived.
struct PartialLine {
    bytes: Vec<u8>,
    max_line: usize,
    is_truncated: bool,
}

impl PartialLine {
    fn new(max_line: usize) -> Self {
        Self { bytes: Vec::new(), max_line, is_truncated: false }
    }

    fn push(&mut self, piece: &[u8]) {
        let piece = piece.strip_suffix(b"\n").unwrap_or(piece);
        let room = self.max_line - self.bytes.len();
        self.is_truncated |= piece.len() > room;
        self.bytes.extend_from_slice(&piece[..piece.len().min(room)]);
    }

    /// The line so far; what follows is another.
    fn finish(&mut self, at: Instant) -> OutputLine {
        let bytes = self.bytes.strip_suffix(b"\r").unwrap_or(&self.bytes);
        let text = String::from_utf8_lossy(bytes).into_owned();
        let line = OutputLine { text, at, is_truncated: self.is_truncated };
        self.bytes.clear();
        self.is_truncated = false;
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(bytes: &[u8], max_line: usize) -> Vec<(String, bool)> {
        let mut lines = Vec::new();
        read_lines(bytes, max_line, |line| {
            lines.push((line.text, line.is_truncated));
            true
        });
        lines
    }

    fn whole(text: &str) -> (String, bool) {
        (text.to_owned(), false)
    }

    #[test]
    fn line_ends_of_both_kinds_are_cut() {
        assert_eq!(lines(b"a\r\n\nb\nc", 99), [whole("a"), whole(""), whole("b"), whole("c")]);
        assert_eq!(lines(b"", 99), []);
    }

    #[test]
    fn long_lines_are_cut_and_marked() {
        let flood = [vec![b'x'; 100_000], b"\nok\n".to_vec()].concat();
        assert_eq!(lines(&flood, 10), [("x".repeat(10), true), whole("ok")]);
        assert_eq!(lines(b"1234567890\n", 10), [whole("1234567890")]);
    }

    #[test]
    fn other_bytes_are_replaced() {
        assert_eq!(lines(b"id name \xff\xfe\n", 99), [whole("id name \u{fffd}\u{fffd}")]);
    }

    #[test]
    fn reading_stops_when_nobody_listens() {
        let mut count = 0;
        read_lines(&b"a\nb\nc\n"[..], 99, |_| {
            count += 1;
            count < 2
        });
        assert_eq!(count, 2);
    }
}
