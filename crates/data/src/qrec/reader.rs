// SPDX-License-Identifier: GPL-3.0-or-later
//! Records one after the other, also from a compressed file or standard input.

use std::io::{BufRead, ErrorKind, Read};
use std::path::PathBuf;

use bytemuck::{Zeroable, bytes_of_mut};

use super::{Checksum, Header};
use crate::{DataError, Input, Place, Problem, Record};

/// Reads records in the file's order. What does not hold a position is a [`Problem`], and reading
/// goes on behind it.
#[derive(Debug)]
pub struct RecordReader {
    input: Input,
    header: Header,
    read: u64,
    checksum: Checksum,
    has_ended: bool,
}

impl RecordReader {
    /// Reads the header.
    pub fn new(mut input: Input) -> Result<Self, DataError> {
        let path: PathBuf = input.path().to_owned();
        let mut bytes = [0; Header::SIZE];
        input.read_exact(&mut bytes).map_err(|error| match error.kind() {
            ErrorKind::UnexpectedEof => {
                let size = Header::SIZE;
                DataError::format(&path, format!("expected a header of {size} bytes"))
            }
            _ => DataError::io("reading", &path)(error),
        })?;
        let header =
            Header::from_bytes(&bytes).map_err(|reason| DataError::format(&path, reason))?;
        Ok(Self { input, header, read: 0, checksum: Checksum::default(), has_ended: false })
    }

    /// What the file says of itself.
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// What is read from.
    pub(crate) const fn input(&self) -> &Input {
        &self.input
    }

    /// The next record and its number, from 1, whatever its bytes mean.
    pub fn next_unchecked(&mut self) -> Option<Result<(u64, Record), Problem>> {
        if self.has_ended {
            return None;
        }
        if self.read == self.header.records {
            return self.end().map(Err);
        }
        let mut record = Record::zeroed();
        if let Err(error) = self.input.read_exact(bytes_of_mut(&mut record)) {
            self.has_ended = true;
            let place = Place::Record(self.read + 1);
            let reason = match error.kind() {
                ErrorKind::UnexpectedEof => {
                    format!("the file ends here, but its header promises {}", self.header.records)
                }
                _ => format!("the file cannot be read: {error}"),
            };
            return Some(Err(Problem::new(place, reason)));
        }
        self.read += 1;
        self.checksum.add(&[record]);
        Some(Ok((self.read, record)))
    }

    /// The problem of an end that comes too early, too late, or with other records than expected.
    fn end(&mut self) -> Option<Problem> {
        self.has_ended = true;
        let place = Place::Byte(Header::SIZE as u64 + self.read * Record::SIZE as u64);
        if self.checksum.value() != self.header.checksum {
            return Some(Problem::new(place, "the records do not match the header's checksum"));
        }
        match self.input.fill_buf() {
            Ok([]) => None,
            Ok(_) => {
                let reason = format!("expected the end after {} records", self.header.records);
                Some(Problem::new(place, reason))
            }
            Err(error) => Some(Problem::new(place, format!("the file cannot be read: {error}"))),
        }
    }
}

impl Iterator for RecordReader {
    type Item = Result<Record, Problem>;

    fn next(&mut self) -> Option<Self::Item> {
        Some(self.next_unchecked()?.and_then(|(number, record)| {
            let checked = record.check().map(|()| record);
            checked.map_err(|error| Problem::new(Place::Record(number), error))
        }))
    }
}
