// SPDX-License-Identifier: GPL-3.0-or-later
//! The first half: reading, and dealing to piles.
//!
//! A task writes its records in parts. Each is a file: where its piles end, as numbers of records, then the
//! records, those of the first pile first. The last pile is for validation.

use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use bytemuck::{Zeroable, cast_slice, cast_slice_mut};
use serde::{Deserialize, Serialize};
use tools::AtomicFile;
use tools::random::{Rng, unit};
use tools::store::{read_state, write_state};

use super::{Folder, Sharding, Watch};
use crate::dataset::{Dataset, Item};
use crate::expand::{Expansion, replay};
use crate::qrec::RecordFile;
use crate::shuffle::{Duplicates, checked_record, position_hash};
use crate::unit::{Need, Units};
use crate::{DataError, Input, Problem, Record, Rejection, Unit};

/// How often progress is told.
const TELL: u64 = 1 << 16;
/// Of a compressed file, or one of games, nobody knows what it holds: about so many bytes a record.
const BYTES_PER_POSITION: u64 = 4;

/// An input, or a part of one.
#[derive(Debug)]
pub(super) struct Task {
    number: usize,
    path: PathBuf,
    what: What,
}

#[derive(Debug)]
enum What {
    /// All of a file that can only be read from its start, of so many bytes.
    File(u64),
    /// Some records of a file of records.
    Records(Range<u64>),
}

/// What a finished task has left.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct TaskDone {
    number: usize,
    parts: usize,
    /// Records of each pile; the last is validation.
    pub(super) piles: Vec<u64>,
    pub(super) unit: Option<Unit>,
    /// Games for training and for validation.
    pub(super) games: [u64; 2],
    pub(super) positions: u64,
    pub(super) rejected: [u64; Rejection::ALL.len()],
    pub(super) problems: u64,
}

impl TaskDone {
    /// All records.
    pub(super) fn records(&self) -> u64 {
        self.piles.iter().sum()
    }

    /// Adds what this task dealt to a pile, in the order of reading.
    pub(super) fn collect(
        &self,
        pile: usize,
        folder: &Folder<'_>,
        records: &mut Vec<Record>,
    ) -> Result<(), DataError> {
        for part in 0..self.parts {
            let path = part_path(folder, self.number, part);
            read_pile(&path, self.piles.len(), pile, records)
                .map_err(DataError::io("reading", &path))?;
        }
        Ok(())
    }
}

fn part_path(folder: &Folder<'_>, task: usize, part: usize) -> PathBuf {
    folder.work().join(format!("task-{task}-{part}"))
}

/// The tasks of some files, in their order.
pub(super) fn all(inputs: &[PathBuf], task_records: u64) -> Result<Vec<Task>, DataError> {
    let mut tasks: Vec<Task> = Vec::new();
    for path in inputs {
        let mut push = |what| tasks.push(Task { number: tasks.len(), path: path.clone(), what });
        if Input::kind(path) == "qrec" && path.extension().is_some_and(|kind| kind == "qrec") {
            let records = RecordFile::open(path)?.len();
            for first in (0..records).step_by(task_records as usize) {
                push(What::Records(first..records.min(first + task_records)));
            }
        } else {
            let bytes = path.metadata().map_err(DataError::io("opening", path))?.len();
            push(What::File(bytes));
        }
    }
    Ok(tasks)
}

impl Task {
    /// How many records it may come to; a guess if the file does not say.
    pub(super) const fn records_at_most(&self) -> u64 {
        match &self.what {
            What::File(bytes) => *bytes / BYTES_PER_POSITION,
            What::Records(range) => range.end - range.start,
        }
    }

    /// Does the task unless an earlier process has.
    pub(super) fn run_once(
        &self,
        folder: &Folder<'_>,
        piles: u32,
        how: &Sharding,
        watch: &Watch<'_, '_>,
    ) -> Result<TaskDone, DataError> {
        let note = folder.work().join(format!("task-{}.json", self.number));
        if let Some(done) = read_state::<TaskDone>(&note)? {
            watch.advance(self.records_at_most());
            return Ok(done);
        }
        let mut dealer = Dealer::new(self.number, folder, piles, how);
        match &self.what {
            What::Records(range) => self.deal_records(range.clone(), &mut dealer, watch)?,
            What::File(_) => self.deal_file(&mut dealer, watch)?,
        }
        let done = dealer.finish()?;
        write_state(&note, &done)?;
        Ok(done)
    }

    fn deal_records(
        &self,
        range: Range<u64>,
        dealer: &mut Dealer<'_>,
        watch: &Watch<'_, '_>,
    ) -> Result<(), DataError> {
        let file = RecordFile::open(&self.path)?;
        let mut block = vec![Record::zeroed(); TELL as usize];
        let mut first = range.start;
        while first < range.end {
            let count = (range.end - first).min(TELL);
            let block = &mut block[..count as usize];
            file.read_at(first, block)?;
            for (number, record) in (first + 1..).zip(&*block) {
                let item = Item::Record(number, *record);
                dealer.take(&self.path, Ok((item, file.header().unit)), watch)?;
            }
            watch.advance(count);
            first += count;
        }
        Ok(())
    }

    fn deal_file(&self, dealer: &mut Dealer<'_>, watch: &Watch<'_, '_>) -> Result<(), DataError> {
        let mut dataset = Dataset::open(&self.path)?;
        let beside = Unit::of_older_self_play(&self.path);
        let mut told = 0;
        while let Some(item) = dataset.next_item() {
            let item = item.map(|item| (dataset.unit_of(&item, beside), item));
            dealer.take(&self.path, item.map(|(unit, item)| (item, unit)), watch)?;
            if dealer.done.positions - told >= TELL {
                watch.advance(dealer.done.positions - told);
                told = dealer.done.positions;
            }
        }
        // The guess may have been too high.
        watch.advance(self.records_at_most().saturating_sub(told));
        Ok(())
    }
}

/// Deals the records of one task.
struct Dealer<'a> {
    how: &'a Sharding,
    folder: &'a Folder<'a>,
    units: Units,
    rng: Rng,
    /// Records and their piles, as far as they are not written.
    waiting: Vec<Record>,
    piles_of: Vec<u32>,
    done: TaskDone,
}

impl<'a> Dealer<'a> {
    fn new(number: usize, folder: &'a Folder<'a>, piles: u32, how: &'a Sharding) -> Self {
        let done = TaskDone {
            number,
            parts: 0,
            piles: vec![0; piles as usize + 1],
            unit: None,
            games: [0; 2],
            positions: 0,
            rejected: Default::default(),
            problems: 0,
        };
        Self {
            how,
            folder,
            units: Units::new(how.expansion.unmarked, Need::Centipawns),
            rng: Rng::of_part(how.expansion.seed, number as u64),
            waiting: Vec::new(),
            piles_of: Vec::new(),
            done,
        }
    }

    fn take(
        &mut self,
        path: &Path,
        item: Result<(Item, Option<Unit>), Problem>,
        watch: &Watch<'_, '_>,
    ) -> Result<(), DataError> {
        let item = match item {
            Ok((item, unit)) => {
                let treatment = self.units.admit(unit);
                item.treated(treatment.map_err(|reason| DataError::format(path, reason))?)
            }
            Err(problem) => Err(problem),
        };
        let dealt = item.and_then(|item| match item {
            Item::Game(_) => self.deal_game(&item),
            Item::Record(..) => checked_record(&item).map(|record| self.deal_record(record)),
        });
        if let Err(problem) = dealt {
            self.done.problems += 1;
            watch.report(path, &problem)?;
        }
        if self.waiting.len() as u64 >= self.how.task_records {
            self.write_part()?;
        }
        Ok(())
    }

    fn deal_game(&mut self, item: &Item) -> Result<(), Problem> {
        let game = replay(item, &self.how.expansion, self.how.expansion.validation_share)?;
        self.done.positions += game.positions;
        for (sum, count) in self.done.rejected.iter_mut().zip(game.rejected) {
            *sum += count;
        }
        self.done.games[usize::from(game.is_validation)] += u64::from(!game.is_leaf);
        for record in game.records {
            self.deal(record, game.is_validation);
        }
        Ok(())
    }

    /// A record that comes as such. It no longer knows its game: its position decides about validation.
    fn deal_record(&mut self, record: Record) {
        self.done.positions += 1;
        if record.is_quiet() || !self.how.quiet_only {
            let Expansion { validation_share, .. } = self.how.expansion;
            let is_validation = unit(position_hash(0, &record)) < validation_share;
            self.deal(record, is_validation);
        }
    }

    fn deal(&mut self, record: Record, is_validation: bool) {
        let piles = self.done.piles.len() - 1;
        let pile = match self.how.expansion.duplicates {
            _ if is_validation => piles,
            Duplicates::Keep => self.rng.below(piles),
            // Equal ones meet in one pile.
            Duplicates::DropLater => {
                (position_hash(self.how.expansion.seed, &record) % piles as u64) as usize
            }
        };
        self.waiting.push(record);
        self.piles_of.push(pile as u32);
    }

    /// Writes what waits, pile by pile.
    fn write_part(&mut self) -> Result<(), DataError> {
        let mut ends = vec![0_u64; self.done.piles.len()];
        self.piles_of.iter().for_each(|&pile| ends[pile as usize] += 1);
        for (sum, count) in self.done.piles.iter_mut().zip(&ends) {
            *sum += count;
        }
        let mut next = Vec::with_capacity(ends.len());
        let mut before = 0;
        for end in &mut ends {
            next.push(before as usize);
            before += *end;
            *end = before;
        }
        let mut sorted = vec![Record::zeroed(); self.waiting.len()];
        for (record, &pile) in self.waiting.iter().zip(&self.piles_of) {
            let place = &mut next[pile as usize];
            sorted[*place] = *record;
            *place += 1;
        }
        let path = part_path(self.folder, self.done.number, self.done.parts);
        let mut file = AtomicFile::create(&path).map_err(DataError::io("creating", &path))?;
        let written =
            file.write_all(cast_slice(&ends)).and_then(|()| file.write_all(cast_slice(&sorted)));
        written.and_then(|()| file.finish()).map_err(DataError::io("writing", &path))?;
        self.done.parts += 1;
        self.waiting.clear();
        self.piles_of.clear();
        Ok(())
    }

    fn finish(mut self) -> Result<TaskDone, DataError> {
        if !self.waiting.is_empty() {
            self.write_part()?;
        }
        self.done.unit = self.units.common();
        Ok(self.done)
    }
}

/// Adds one pile of a part.
fn read_pile(
    path: &Path,
    piles: usize,
    pile: usize,
    records: &mut Vec<Record>,
) -> std::io::Result<()> {
    let mut file = File::open(path)?;
    let mut ends = vec![0_u64; piles];
    file.read_exact(cast_slice_mut(&mut ends))?;
    let start = if pile == 0 { 0 } else { ends[pile - 1] };
    let offset = (piles * size_of::<u64>()) as u64 + start * Record::SIZE as u64;
    file.seek(SeekFrom::Start(offset))?;
    let before = records.len();
    records.resize(before + (ends[pile] - start) as usize, Record::zeroed());
    file.read_exact(cast_slice_mut(&mut records[before..]))
}

/// Removes what no shard needs any more.
pub(super) fn remove_parts(done: &[TaskDone], folder: &Folder<'_>) {
    for task in done {
        // Best effort: the folder goes at the end in any case.
        (0..task.parts)
            .for_each(|part| drop(fs::remove_file(part_path(folder, task.number, part))));
    }
}
