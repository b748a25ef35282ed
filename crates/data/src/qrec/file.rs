// SPDX-License-Identifier: GPL-3.0-or-later
//! Records at any place of a file, for trainers.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use bytemuck::{Zeroable, cast_slice_mut};

use super::{Checksum, Header};
use crate::{DataError, Record};

/// An open file of records, which several threads may read at once.
///
/// Reading a block from the system's cache costs little more than a copy, so that nothing needs to
/// be mapped or held in memory.
#[derive(Debug)]
pub struct RecordFile {
    path: PathBuf,
    file: File,
    header: Header,
}

impl RecordFile {
    /// Opens a file that is not compressed, and checks its header against its length.
    pub fn open(path: &Path) -> Result<Self, DataError> {
        let kind = std::fs::metadata(path).map_err(DataError::io("opening", path))?;
        if !kind.is_file() {
            let reason = "expected a file, found a folder, a device or a pipe";
            return Err(DataError::format(path, reason));
        }
        let mut file = File::open(path).map_err(DataError::io("opening", path))?;
        let length = file.metadata().map_err(DataError::io("opening", path))?.len();
        let mut bytes = [0; Header::SIZE];
        file.read_exact(&mut bytes).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => {
                let size = Header::SIZE;
                DataError::format(
                    path,
                    format!("expected a header of {size} bytes, found {length}"),
                )
            }
            _ => DataError::io("reading", path)(error),
        })?;
        let header =
            Header::from_bytes(&bytes).map_err(|reason| DataError::format(path, reason))?;
        let expected = u128::from(header.records) * Record::SIZE as u128 + Header::SIZE as u128;
        if expected != u128::from(length) {
            let records = header.records;
            let reason = format!("expected {expected} bytes for {records} records, found {length}");
            return Err(DataError::format(path, reason));
        }
        Ok(Self { path: path.to_owned(), file, header })
    }

    /// The name under which it was opened.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What the file says of itself.
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// How many records there are.
    pub const fn len(&self) -> u64 {
        self.header.records
    }

    /// Whether there is none.
    pub const fn is_empty(&self) -> bool {
        self.header.records == 0
    }

    /// Fills `records` with those from `first` on, which must all be there.
    pub fn read_at(&self, first: u64, records: &mut [Record]) -> Result<(), DataError> {
        let end = first.saturating_add(records.len() as u64);
        if end > self.len() {
            let reason = format!("record {end} was asked for, but there are {}", self.len());
            return Err(DataError::format(&self.path, reason));
        }
        let offset = Header::SIZE as u64 + first * Record::SIZE as u64;
        read_exact_at(&self.file, cast_slice_mut(records), offset)
            .map_err(DataError::io("reading", &self.path))
    }

    /// All records in memory.
    pub fn load(&self) -> Result<Vec<Record>, DataError> {
        let mut records = vec![Record::zeroed(); self.len() as usize];
        self.read_at(0, &mut records)?;
        Ok(records)
    }

    /// Whether the records are those that were written, by the header's checksum.
    pub fn is_intact(&self) -> Result<bool, DataError> {
        let mut checksum = Checksum::default();
        let mut block = vec![Record::zeroed(); 1 << 15];
        let mut first = 0;
        while first < self.len() {
            let count = (self.len() - first).min(block.len() as u64);
            let records = &mut block[..count as usize];
            self.read_at(first, records)?;
            checksum.add(records);
            first += count;
        }
        Ok(checksum.value() == self.header.checksum)
    }
}

#[cfg(unix)]
fn read_exact_at(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, offset)
}

#[cfg(windows)]
fn read_exact_at(file: &File, mut bytes: &mut [u8], mut offset: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, bytes, offset)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            count => {
                bytes = &mut bytes[count..];
                offset += count as u64;
            }
        }
    }
    Ok(())
}
