// SPDX-License-Identifier: GPL-3.0-or-later
//! Where an engine's lines go: whole lines, one at a time, flushed at once.

use std::fmt::Display;
use std::fs::File;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A shared sink of lines. Clones write to the same place.
#[derive(Clone)]
pub struct Output {
    sink: Arc<Mutex<Box<dyn Write + Send>>>,
    log: Arc<Mutex<Option<File>>>,
    has_refused: Arc<AtomicBool>,
    error: Arc<Mutex<Option<io::Error>>>,
}

impl std::fmt::Debug for Output {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Output")
    }
}

impl Output {
    /// Lines go to this writer.
    pub fn new(sink: impl Write + Send + 'static) -> Self {
        let sink: Box<dyn Write + Send> = Box::new(sink);
        Self {
            sink: Arc::new(Mutex::new(sink)),
            log: Arc::default(),
            has_refused: Arc::default(),
            error: Arc::default(),
        }
    }

    /// Lines go to standard output.
    pub fn to_stdout() -> Self {
        Self::new(io::stdout())
    }

    /// Lines are kept, for tests.
    pub fn to_memory() -> (Self, Memory) {
        let memory = Memory::default();
        (Self::new(memory.clone()), memory)
    }

    /// Writes a line. In a conversation nobody is left to be told if it cannot be written: whoever
    /// read has gone, and the end of input will follow. Others ask [`Output::take_error`].
    pub fn line(&self, line: impl Display) {
        let text = format!("{line}\n");
        self.log('<', &text);
        let mut sink = lock(&self.sink);
        if let Err(error) = sink.write_all(text.as_bytes()).and_then(|()| sink.flush()) {
            lock(&self.error).get_or_insert(error);
        }
    }

    /// Why the first line that could not be written was not.
    pub fn take_error(&self) -> Option<io::Error> {
        lock(&self.error).take()
    }

    /// Writes an `info string` line.
    pub fn message(&self, text: impl Display) {
        self.line(uci::InfoLine::message(text));
    }

    /// Writes an `info string` line that says why something was not done.
    pub fn refuse(&self, text: impl Display) {
        self.has_refused.store(true, Ordering::Relaxed);
        self.message(text);
    }

    /// Whether anything was not done.
    pub fn has_refused(&self) -> bool {
        self.has_refused.load(Ordering::Relaxed)
    }

    /// Keeps a copy of all lines in this file from now on, or ends doing so.
    pub(crate) fn set_log(&self, file: Option<File>) {
        *lock(&self.log) = file;
    }

    /// Notes a line that came in.
    pub(crate) fn log_input(&self, line: &str) {
        self.log('>', &format!("{}\n", line.trim_end()));
    }

    fn log(&self, direction: char, text: &str) {
        if let Some(file) = &mut *lock(&self.log) {
            let _ = write!(file, "{direction} {text}");
        }
    }
}

/// Lines that were kept.
#[derive(Clone, Debug, Default)]
pub struct Memory(Arc<Mutex<Vec<u8>>>);

impl Memory {
    /// Everything that was written so far.
    pub fn contents(&self) -> String {
        String::from_utf8_lossy(&lock(&self.0)).into_owned()
    }

    /// Everything that was written since the last call.
    pub fn take(&self) -> String {
        String::from_utf8_lossy(&std::mem::take(&mut *lock(&self.0))).into_owned()
    }
}

impl Write for Memory {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        lock(&self.0).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
