// SPDX-License-Identifier: GPL-3.0-or-later
//! Writing files of records.

use std::io::{Seek, SeekFrom, Write};
use std::path::Path;

use bytemuck::cast_slice;
use tools::AtomicFile;

use super::{Checksum, Header};
use crate::output::finish;
use crate::{DataError, Record, Unit};

/// Writes records; the file appears, with its header filled in, when it is finished.
#[derive(Debug)]
pub struct RecordWriter {
    file: AtomicFile,
    records: u64,
    checksum: Checksum,
    unit: Option<Unit>,
}

impl RecordWriter {
    /// Starts a file.
    pub fn create(path: &Path) -> Result<Self, DataError> {
        let mut file = AtomicFile::create(path).map_err(DataError::io("creating", path))?;
        let room = file.write_all(&[0; Header::SIZE]);
        room.map_err(DataError::io("writing", path))?;
        let unit = Some(Unit::Centipawns);
        Ok(Self { file, records: 0, checksum: Checksum::default(), unit })
    }

    /// Says what the scores count. Without that they are marked as centipawns, which a
    /// [`Label`](crate::Label) has; who copies records of a file that does not say it has to say so.
    pub const fn set_unit(&mut self, unit: Option<Unit>) {
        self.unit = unit;
    }

    /// Adds records.
    pub fn write(&mut self, records: &[Record]) -> Result<(), DataError> {
        self.checksum.add(records);
        self.records += records.len() as u64;
        let written = self.file.write_all(cast_slice(records));
        written.map_err(DataError::io("writing", self.file.path()))
    }

    /// How many records have been written.
    pub const fn records(&self) -> u64 {
        self.records
    }

    /// Completes the file. `games` is how many games it comes from, 0 if from none.
    pub fn finish(mut self, games: u64) -> Result<Header, DataError> {
        let checksum = self.checksum.value();
        let header = Header { records: self.records, games, checksum, unit: self.unit };
        let start = self.file.seek(SeekFrom::Start(0));
        let written = start.and_then(|_| self.file.write_all(&header.to_bytes()));
        written.map_err(DataError::io("writing", self.file.path()))?;
        finish(self.file)?;
        Ok(header)
    }
}
