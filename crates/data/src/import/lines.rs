// SPDX-License-Identifier: GPL-3.0-or-later
//! Lines of any length and encoding, which may be nonsense.

use std::cell::Cell;
use std::io::{BufRead, ErrorKind, Read};
use std::rc::Rc;

/// Longer lines are not read: no position needs a tenth of this.
const MAX_LINE: usize = 1 << 16;

/// Lines that end with LF, CR LF or CR, counted from 1.
pub(super) struct Lines<R> {
    input: R,
    number: u64,
    bytes: Vec<u8>,
    /// Whether the line before ended with CR, to which an LF may belong.
    after_return: bool,
    has_failed: bool,
}

impl<R: BufRead> Lines<R> {
    pub(super) const fn new(input: R) -> Self {
        Self { input, number: 0, bytes: Vec::new(), after_return: false, has_failed: false }
    }

    /// The next line and its number, or what is wrong with it.
    pub(super) fn next_line(&mut self) -> Option<(u64, Result<&str, String>)> {
        if self.has_failed {
            return None;
        }
        self.bytes.clear();
        let length = match self.take_line() {
            Ok(length) => length?,
            Err(error) => {
                self.has_failed = true;
                self.number += 1;
                return Some((self.number, Err(format!("the file cannot be read: {error}"))));
            }
        };
        self.number += 1;
        if length > MAX_LINE {
            let reason = format!("expected a line of at most {MAX_LINE} bytes, found {length}");
            return Some((self.number, Err(reason)));
        }
        let mut bytes = self.bytes.as_slice();
        if self.number == 1 {
            bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
        }
        let line = str::from_utf8(bytes).map_err(|error| {
            format!("expected text, found byte {:#04x}", bytes[error.valid_up_to()])
        });
        Some((self.number, line))
    }

    /// Takes a line and returns its length, or nothing at the end. Of a long line only the
    /// beginning is kept.
    fn take_line(&mut self) -> std::io::Result<Option<usize>> {
        let mut length = 0;
        let mut has_begun = false;
        loop {
            let buffer = match self.input.fill_buf() {
                Ok(buffer) => buffer,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if buffer.is_empty() {
                return Ok(has_begun.then_some(length));
            }
            if std::mem::take(&mut self.after_return) && buffer[0] == b'\n' {
                self.input.consume(1);
                continue;
            }
            has_begun = true;
            let end = buffer.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            let part = &buffer[..end.unwrap_or(buffer.len())];
            length += part.len();
            let room = MAX_LINE.saturating_sub(self.bytes.len());
            self.bytes.extend_from_slice(&part[..part.len().min(room)]);
            let Some(end) = end else {
                let count = buffer.len();
                self.input.consume(count);
                continue;
            };
            self.after_return = buffer[end] == b'\r';
            self.input.consume(end + 1);
            return Ok(Some(length));
        }
    }
}

/// Hands out at most a line at a time and counts the lines, so that whoever reads through it is
/// known to be no further than the line that was counted last.
pub(super) struct LineByLine<R> {
    input: R,
    lines: Rc<Cell<u64>>,
}

impl<R> LineByLine<R> {
    /// The stream, and the count of lines that it has handed out.
    pub(super) fn new(input: R) -> (Self, Rc<Cell<u64>>) {
        let lines = Rc::new(Cell::new(0));
        (Self { input, lines: Rc::clone(&lines) }, lines)
    }
}

impl<R: BufRead> Read for LineByLine<R> {
    fn read(&mut self, target: &mut [u8]) -> std::io::Result<usize> {
        let buffer = self.input.fill_buf()?;
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let count = end.map_or(buffer.len(), |end| end + 1).min(target.len());
        target[..count].copy_from_slice(&buffer[..count]);
        if target[..count].ends_with(b"\n") {
            self.lines.set(self.lines.get() + 1);
        }
        self.input.consume(count);
        Ok(count)
    }
}
