// SPDX-License-Identifier: GPL-3.0-or-later
//! Bytes one after the other, with a look ahead.

use std::io::{self, Read};

/// How far one may look ahead.
const LOOKAHEAD: usize = 64;
const BUFFER: usize = 1 << 16;

/// A stream of bytes. After a failure it ends, and the failure waits to be taken.
pub(super) struct Scanner<R> {
    reader: R,
    buffer: Box<[u8]>,
    start: usize,
    end: usize,
    is_exhausted: bool,
    failure: Option<io::Error>,
}

impl<R: Read> Scanner<R> {
    pub(super) fn new(reader: R) -> Self {
        let buffer = vec![0; BUFFER].into_boxed_slice();
        Self { reader, buffer, start: 0, end: 0, is_exhausted: false, failure: None }
    }

    /// The next byte, without taking it.
    #[inline]
    pub(super) fn peek(&mut self) -> Option<u8> {
        if self.start < self.end { Some(self.buffer[self.start]) } else { self.peek_at(0) }
    }

    /// The byte after `ahead` others.
    pub(super) fn peek_at(&mut self, ahead: usize) -> Option<u8> {
        debug_assert!(ahead < LOOKAHEAD);
        while self.end - self.start <= ahead && !self.is_exhausted {
            self.fill();
        }
        self.buffer[self.start..self.end].get(ahead).copied()
    }

    /// Whether these bytes are next.
    pub(super) fn starts_with(&mut self, bytes: &[u8]) -> bool {
        debug_assert!(!bytes.is_empty());
        self.peek() == Some(bytes[0])
            && self.peek_at(bytes.len() - 1).is_some()
            && self.buffer[self.start..self.end].starts_with(bytes)
    }

    /// Takes a byte that has been seen.
    #[inline]
    pub(super) fn bump(&mut self) {
        debug_assert!(self.start < self.end);
        self.start += 1;
    }

    /// Takes several bytes that have been seen.
    pub(super) fn skip(&mut self, count: usize) {
        debug_assert!(self.end - self.start >= count);
        self.start += count;
    }

    /// Takes a line break if one is next: LF, CR LF, or CR alone.
    pub(super) fn take_line_break(&mut self) -> bool {
        match self.peek() {
            Some(b'\n') => self.bump(),
            Some(b'\r') => {
                self.bump();
                if self.peek() == Some(b'\n') {
                    self.bump();
                }
            }
            _ => return false,
        }
        true
    }

    /// Why the stream ended early, if it did.
    pub(super) fn take_failure(&mut self) -> Option<io::Error> {
        self.failure.take()
    }

    fn fill(&mut self) {
        if self.start > 0 && self.buffer.len() - self.end < LOOKAHEAD {
            self.buffer.copy_within(self.start..self.end, 0);
            (self.start, self.end) = (0, self.end - self.start);
        }
        match self.reader.read(&mut self.buffer[self.end..]) {
            Ok(0) => self.is_exhausted = true,
            Ok(count) => self.end += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => (),
            Err(error) => {
                self.failure = Some(error);
                self.is_exhausted = true;
            }
        }
    }
}

/// Bytes as text: UTF-8, or else Latin-1, which older files use.
pub(super) fn decode(bytes: &[u8]) -> String {
    match str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|&byte| char::from(byte)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives one byte at a time, and fails at the end.
    struct Drip(Vec<u8>);

    impl Read for Drip {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let byte = self.0.pop().ok_or_else(|| io::Error::other("dry"))?;
            buffer[0] = byte;
            Ok(1)
        }
    }

    #[test]
    fn looking_ahead_crosses_reads_and_buffers() {
        let text: Vec<u8> = (0..3 * BUFFER).map(|i| (i % 251) as u8).collect();
        let mut scanner = Scanner::new(Drip(text.iter().rev().copied().collect()));
        for i in 0..text.len() {
            assert_eq!(scanner.peek_at(50), text.get(i + 50).copied());
            assert_eq!(scanner.peek(), Some(text[i]));
            scanner.bump();
        }
        assert_eq!(scanner.peek(), None);
        assert_eq!(scanner.take_failure().unwrap().to_string(), "dry");
    }

    #[test]
    fn text_is_utf8_or_latin1() {
        assert_eq!(decode("Ñandú".as_bytes()), "Ñandú");
        assert_eq!(decode(b"Malm\xf6"), "Malmö");
    }
}
