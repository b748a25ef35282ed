// SPDX-License-Identifier: GPL-3.0-or-later
//! Shuffled records in two files: one to learn from, one to be judged by.

use std::path::Path;

use crate::qrec::RecordWriter;
use crate::shuffle::{Duplicates, Marked, Shuffler};
use crate::{DataError, Record, Unit};

/// Takes records of games and writes them in random order, training and validation apart.
pub(crate) struct Halves {
    shuffler: Shuffler<Marked>,
    writers: Vec<RecordWriter>,
    games: [u64; 2],
}

impl Halves {
    /// Opens both files; they appear under their names when all is written.
    pub(crate) fn create(
        training: &Path,
        validation: Option<&Path>,
        seed: u64,
        duplicates: Duplicates,
    ) -> Result<Self, DataError> {
        let paths = [Some(training), validation].into_iter().flatten();
        let writers = paths.map(RecordWriter::create).collect::<Result<_, _>>()?;
        Ok(Self { shuffler: Shuffler::new(training, seed, duplicates), writers, games: [0; 2] })
    }

    /// Counts a game.
    pub(crate) fn count_game(&mut self, is_validation: bool) {
        self.games[usize::from(is_validation)] += 1;
    }

    /// Adds the records of a game, or of a position beside one.
    pub(crate) fn add(
        &mut self,
        records: Vec<Record>,
        is_validation: bool,
    ) -> Result<(), DataError> {
        let side = usize::from(is_validation);
        let mark = side as u64;
        records.into_iter().try_for_each(|record| self.shuffler.add(Marked { record, mark }))
    }

    /// Writes all, with scores in this unit; games and records by file.
    pub(crate) fn finish(self, unit: Option<Unit>) -> Result<([u64; 2], [u64; 2]), DataError> {
        let Self { shuffler, mut writers, games } = self;
        let mut block = Vec::new();
        shuffler.finish(|pile| {
            for (side, writer) in writers.iter_mut().enumerate() {
                block.clear();
                let ours = pile.iter().filter(|marked| marked.mark == side as u64);
                block.extend(ours.map(|marked| marked.record));
                writer.write(&block)?;
            }
            Ok(())
        })?;
        let mut records = [0; 2];
        for (side, mut writer) in writers.into_iter().enumerate() {
            writer.set_unit(unit);
            records[side] = writer.finish(games[side])?.records;
        }
        Ok((games, records))
    }
}
