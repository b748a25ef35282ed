// SPDX-License-Identifier: GPL-3.0-or-later
//! The second half: a shard from each pile.

use std::fmt::Write as _;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use rayon::prelude::*;
use sha2::{Digest, Sha256};
use tools::random::Rng;
use tools::store::{read_state, write_state};

use super::manifest::Shard;
use super::task::{TaskDone, remove_parts};
use super::{Folder, Sharding, Watch};
use crate::qrec::RecordWriter;
use crate::shuffle::{Duplicates, Marked, Shufflable};
use crate::{DataError, Record, Unit};

/// The shards of all piles, in their order; validation is the last, if there is any.
pub(super) fn all(
    done: &[TaskDone],
    folder: &Folder<'_>,
    piles: u32,
    how: &Sharding,
    unit: Option<Unit>,
    watch: &Watch<'_, '_>,
) -> Result<Vec<Shard>, DataError> {
    let has_validation = how.expansion.validation_share > 0.0;
    let make = |pile: u32| {
        let is_validation = pile == piles;
        let name = if is_validation {
            "validation.qrec".to_owned()
        } else {
            format!("shard-{pile:04}.qrec")
        };
        Pile { number: pile as usize, name, is_validation, done, folder, how, unit }.once(watch)
    };
    let shards = (0..piles + u32::from(has_validation)).into_par_iter().map(make);
    let shards = shards.collect::<Result<Vec<_>, _>>()?;
    remove_parts(done, folder);
    Ok(shards)
}

struct Pile<'a> {
    number: usize,
    name: String,
    is_validation: bool,
    done: &'a [TaskDone],
    folder: &'a Folder<'a>,
    how: &'a Sharding,
    unit: Option<Unit>,
}

impl Pile<'_> {
    /// Writes the shard unless an earlier process has.
    fn once(&self, watch: &Watch<'_, '_>) -> Result<Shard, DataError> {
        let note = self.folder.work().join(format!("{}.json", self.name));
        let dealt: u64 = self.done.iter().map(|task| task.piles[self.number]).sum();
        watch.advance(dealt);
        if let Some(shard) = read_state::<Shard>(&note)? {
            return Ok(shard);
        }
        let mut records: Vec<Record> = Vec::with_capacity(dealt as usize);
        for task in self.done {
            task.collect(self.number, self.folder, &mut records)?;
        }
        if self.how.expansion.duplicates == Duplicates::DropLater {
            records = without_duplicates(records);
        }
        let seed = self.how.expansion.seed;
        Rng::of_part(!seed, self.number as u64).shuffle(&mut records);
        let path = self.folder.0.join(&self.name);
        let mut writer = RecordWriter::create(&path)?;
        writer.set_unit(self.unit);
        writer.write(&records)?;
        let header = writer.finish(self.games(dealt))?;
        let shard = Shard {
            name: self.name.clone(),
            records: header.records,
            checksum: format!("{:016x}", header.checksum),
            sha256: sha256(&path)?,
        };
        write_state(&note, &shard)?;
        Ok(shard)
    }

    /// The share of this pile in the games; not 0, which would say that there were none.
    fn games(&self, dealt: u64) -> u64 {
        let side = usize::from(self.is_validation);
        let games: u64 = self.done.iter().map(|task| task.games[side]).sum();
        let piles = self.done.first().map_or(1, |task| task.piles.len() - 1);
        let all: u64 = if self.is_validation {
            dealt
        } else {
            self.done.iter().flat_map(|task| &task.piles[..piles]).sum()
        };
        let share = u128::from(games) * u128::from(dealt) / u128::from(all.max(1));
        (share as u64).max(games.min(1))
    }
}

fn without_duplicates(records: Vec<Record>) -> Vec<Record> {
    let mut marked: Vec<_> = records.iter().map(|&record| Marked { record, mark: 0 }).collect();
    drop(records);
    Marked::drop_later_duplicates(&mut marked);
    marked.iter().map(|marked| marked.record).collect()
}

/// The hash of a file, as `sha256sum` prints it.
pub(super) fn sha256(path: &Path) -> Result<String, DataError> {
    let mut file = File::open(path).map_err(DataError::io("opening", path))?;
    let mut hash = Sha256::new();
    let mut block = vec![0; 1 << 18];
    loop {
        match file.read(&mut block).map_err(DataError::io("reading", path))? {
            0 => break,
            count => hash.update(&block[..count]),
        }
    }
    let mut text = String::new();
    for byte in hash.finalize() {
        let _ = write!(text, "{byte:02x}");
    }
    Ok(text)
}
