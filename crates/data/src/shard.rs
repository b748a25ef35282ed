// SPDX-License-Identifier: GPL-3.0-or-later
//! From many files of any size to a folder of shuffled shards, on all threads, in little memory, and on from
//! where it was broken off.
//!
//! The work has two halves. Tasks read the inputs: each takes a file, or a part of a long one, deals its
//! records to piles at random, and writes them pile by pile. Then each shard is one pile, collected from what
//! all tasks wrote, and shuffled. What is finished is noted in the folder `.work`; a job that is
//! started again with the same inputs and settings does the rest. At the end a manifest says what the
//! shards hold, and `.work` goes.
//!
//! The shards depend on the inputs, their order and the settings, and on nothing else.

mod gather;
mod manifest;
mod task;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use tools::store::{Lock, read_state, write_state};

use crate::expand::Expansion;
use crate::{DataError, Observer, Problem, ReadProgress, Unit, Unmarked};

pub use manifest::{Manifest, Shard, Source, verify};

use task::{Task, TaskDone};

/// The file that tells that a folder is complete.
pub const MANIFEST: &str = "manifest.json";
/// Records in a shard unless somebody chooses.
const SHARD: u64 = 4 << 20;
/// More files would be too many to be open at once in some systems.
const MOST_SHARDS: u64 = 10_000;

/// How to make shards.
#[derive(Clone, Debug)]
pub struct Sharding {
    /// Which positions of games become records, what goes to validation, and the order. The filter is not
    /// asked about records that come as such.
    pub expansion: Expansion,
    /// Leaves out records that are not quiet.
    pub quiet_only: bool,
    /// How many shards; as many as make them 4 M records large if nobody says.
    pub shards: Option<u32>,
    /// Records that a task holds in memory, twice, before it writes them.
    pub task_records: u64,
    /// The program that does it, for the manifest.
    pub program: String,
}

impl Default for Sharding {
    fn default() -> Self {
        let (expansion, program) = (Expansion::default(), String::new());
        Self { expansion, quiet_only: false, shards: None, task_records: 4 << 20, program }
    }
}

/// What must be the same for a job to go on.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct ShardSettings {
    /// Names and lengths.
    inputs: Vec<(PathBuf, u64)>,
    piles: u32,
    task_records: u64,
    /// All others, as text.
    others: String,
}

impl ShardSettings {
    fn new(inputs: &[PathBuf], how: &Sharding, tasks: &[Task]) -> Result<Self, DataError> {
        let length = |path: &PathBuf| {
            let data = path.metadata().map_err(DataError::io("opening", path))?;
            Ok((path.clone(), data.len()))
        };
        let records: u64 = tasks.iter().map(Task::records_at_most).sum();
        let fitting = || records.div_ceil(SHARD).clamp(1, MOST_SHARDS) as u32;
        let Expansion { filter, keep_all, validation_share, duplicates, unmarked, seed } =
            &how.expansion;
        let unmarked = match unmarked {
            Unmarked::Unknown => "unknown",
            Unmarked::Centipawns => "centipawns",
            Unmarked::Points(_) => "points",
        };
        let quiet = how.quiet_only;
        Ok(Self {
            inputs: inputs.iter().map(length).collect::<Result<_, DataError>>()?,
            piles: how.shards.unwrap_or_else(fitting),
            task_records: how.task_records,
            others: format!(
                "{filter:?} {keep_all} {validation_share} {duplicates:?} {unmarked} {seed} {quiet}"
            ),
        })
    }
}

/// Names in the folder.
#[derive(Debug)]
struct Folder<'a>(&'a Path);

impl Folder<'_> {
    fn work(&self) -> PathBuf {
        self.0.join(".work")
    }

    fn manifest(&self) -> PathBuf {
        self.0.join(MANIFEST)
    }

    /// Notes the settings, or compares them with those of the job that was broken off here.
    fn begin_or_go_on(&self, settings: &ShardSettings) -> Result<(), DataError> {
        let path = self.work().join("settings.json");
        let Some(before): Option<ShardSettings> = read_state(&path)? else {
            return Ok(write_state(&path, settings)?);
        };
        if before == *settings {
            return Ok(());
        }
        Err(DataError::Usage(format!(
            "`{}` holds an unfinished job with other inputs or settings: repeat its command, or \
             choose another folder",
            self.0.display()
        )))
    }
}

/// Makes the shards of some files of games and records. Returns the manifest, which also lies in the folder.
pub fn shard(
    inputs: &[PathBuf],
    folder: &Path,
    how: &Sharding,
    observer: &mut Observer<'_>,
) -> Result<Manifest, DataError> {
    let folder = Folder(folder);
    let _lock = Lock::folder(folder.0)?;
    if folder.manifest().exists() {
        let text = format!("`{}` is complete; choose another folder", folder.0.display());
        return Err(DataError::Usage(text));
    }
    let tasks = task::all(inputs, how.task_records)?;
    let settings = ShardSettings::new(inputs, how, &tasks)?;
    fs::create_dir_all(folder.work()).map_err(DataError::io("creating", folder.0))?;
    folder.begin_or_go_on(&settings)?;
    let total = 2 * tasks.iter().map(Task::records_at_most).sum::<u64>();
    let watch = Watch::new(observer, total);
    let run = |task: &Task| task.run_once(&folder, settings.piles, how, &watch);
    let done: Vec<TaskDone> = tasks.par_iter().map(run).collect::<Result<_, _>>()?;
    let unit = common_unit(&done)?;
    let shards = gather::all(&done, &folder, settings.piles, how, unit, &watch)?;
    let manifest = Manifest::new(inputs, how, &done, unit, shards);
    write_state(&folder.manifest(), &manifest)?;
    fs::remove_dir_all(folder.work()).map_err(DataError::io("removing", &folder.work()))?;
    Ok(manifest)
}

/// Whom all threads tell how it goes.
struct Watch<'a, 'b>(Mutex<(&'a mut Observer<'b>, ReadProgress)>);

impl<'a, 'b> Watch<'a, 'b> {
    fn new(observer: &'a mut Observer<'b>, total: u64) -> Self {
        Self(Mutex::new((observer, ReadProgress { total, ..ReadProgress::default() })))
    }

    fn report(&self, path: &Path, problem: &Problem) -> Result<(), DataError> {
        let mut watch = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        watch.0.problems.report(path, problem)
    }

    fn advance(&self, positions: u64) {
        let mut watch = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        watch.1.done += positions;
        watch.1.positions += positions;
        let progress = watch.1;
        (watch.0.progress)(progress);
    }
}

/// The unit of all tasks, which must be one.
fn common_unit(done: &[TaskDone]) -> Result<Option<Unit>, DataError> {
    let mut units = done.iter().filter(|task| task.records() > 0).map(|task| task.unit);
    let first = units.next().flatten();
    if units.all(|unit| unit == first) {
        return Ok(first);
    }
    Err(DataError::Usage(
        "the scores of some files are marked with a unit and those of others are not: `--unit \
         centipawns` or `--unit points` says what unmarked files hold"
            .to_owned(),
    ))
}
