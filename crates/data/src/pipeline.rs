// SPDX-License-Identifier: GPL-3.0-or-later
//! Reads files on one thread, works on their games and records on all, and hands out the results in
//! the files' order.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;

use rayon::prelude::*;

use crate::dataset::{Dataset, Item};
use crate::unit::{Need, Treatment, Units};
use crate::{DataError, Input, Observer, Place, Problem, ReadProgress, Unit, Unmarked};

/// Games or records that are worked on as one piece. Games take longer.
const GAMES: usize = 512;
const RECORDS: usize = 1 << 14;
/// Pieces that wait, at most.
const WAITING: usize = 4;

struct Batch {
    file: usize,
    items: Vec<Result<(Item, Treatment), Problem>>,
}

/// Does `work` on each game or record, on all threads, and gives what it makes to `take`, in order.
/// `take` returns how many positions it has seen. What cannot be read is reported. Scores are brought into
/// the unit that the job needs before `work` sees them; returns what they then count, if that is known.
///
/// The order depends on the files only, never on threads.
pub(crate) fn for_each_item<T: Send>(
    inputs: &[PathBuf],
    unmarked: Unmarked,
    need: Need,
    observer: &mut Observer<'_>,
    work: impl Fn(&Item) -> Result<T, Problem> + Sync,
    mut take: impl FnMut(&Path, T) -> Result<u64, DataError>,
) -> Result<Option<Unit>, DataError> {
    let bytes_done = &AtomicU64::new(0);
    let mut progress =
        ReadProgress { total: Input::bytes_on_disk(inputs), ..ReadProgress::default() };
    thread::scope(|scope| {
        let (sender, receiver) = sync_channel(WAITING);
        let units = Units::new(unmarked, need);
        let reader = scope.spawn(move || read_all(inputs, units, &sender, bytes_done));
        for batch in receiver {
            let Batch { file, items } = batch?;
            let path = &inputs[file];
            let work = |item: Result<(Item, Treatment), Problem>| {
                let (item, treatment) = item?;
                work(&item.treated(treatment)?)
            };
            let results: Vec<_> = items.into_par_iter().with_min_len(16).map(work).collect();
            for result in results {
                match result {
                    Ok(made) => progress.positions += take(path, made)?,
                    Err(problem) => observer.problems.report(path, &problem)?,
                }
            }
            progress.done = bytes_done.load(Ordering::Relaxed);
            (observer.progress)(progress);
        }
        let units = reader.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        Ok(units.common())
    })
}

/// Reads the files one after the other. A file that cannot be opened, or is in another unit, ends it all.
/// When nobody listens any more, there is nobody to tell and nothing left to do.
fn read_all(
    inputs: &[PathBuf],
    mut units: Units,
    sender: &SyncSender<Result<Batch, DataError>>,
    bytes_done: &AtomicU64,
) -> Units {
    let mut before = 0;
    for (file, path) in inputs.iter().enumerate() {
        let mut dataset = match Dataset::open(path) {
            Ok(dataset) => dataset,
            Err(error) => {
                let _ = sender.send(Err(error));
                return units;
            }
        };
        let beside = Unit::of_older_self_play(path);
        let size = if matches!(dataset, Dataset::Games(_)) { GAMES } else { RECORDS };
        let read = dataset.bytes_read();
        let mut is_empty = matches!(dataset, Dataset::Games(_));
        loop {
            let next =
                || Some(dataset.next_item()?.map(|item| (dataset.unit_of(&item, beside), item)));
            let items: Vec<_> = std::iter::from_fn(next).take(size).collect();
            bytes_done.store(before + read.load(Ordering::Relaxed), Ordering::Relaxed);
            if items.is_empty() {
                break;
            }
            is_empty = false;
            let admit = |item: Result<(Option<Unit>, Item), Problem>| match item {
                Ok((unit, item)) => units.admit(unit).map(|treatment| Ok((item, treatment))),
                Err(problem) => Ok(Err(problem)),
            };
            let items: Result<Vec<_>, String> = items.into_iter().map(admit).collect();
            let batch = items.map(|items| Batch { file, items });
            let is_last = batch.is_err();
            let batch = batch.map_err(|reason| DataError::format(path, reason));
            if sender.send(batch).is_err() || is_last {
                return units;
            }
        }
        before += read.load(Ordering::Relaxed);
        let nothing = Problem::new(Place::Byte(0), "expected games or records, found nothing");
        if is_empty && sender.send(Ok(Batch { file, items: vec![Err(nothing)] })).is_err() {
            return units;
        }
    }
    units
}
