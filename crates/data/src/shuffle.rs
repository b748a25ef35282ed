// SPDX-License-Identifier: GPL-3.0-or-later
//! Shuffling more than memory holds.
//!
//! Each item goes to a random one of many piles; each pile is then shuffled by itself, and the
//! piles are laid one on the other. Every order is as likely as any other. Piles that have grown
//! large are kept in files, one at a time comes back into memory. To find duplicates, an item's pile
//! is drawn by its identity instead, so that equal ones meet in one pile.

mod files;
mod item;

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use tools::random::{Rng, mix};
use tools::write::beside;

use crate::DataError;

pub(crate) use files::{
    FileKind, checked_game, checked_record, common_kind, positions_in, write_raw,
};
pub use files::{Shuffling, shuffle};
pub(crate) use item::position_hash;
pub use item::{Marked, Shufflable};

/// Enough for a thousand million records in piles of 300 MB.
const PILES: usize = 128;
/// Bytes that all piles together may hold in memory.
const MEMORY: usize = 128 << 20;

/// What becomes of equal positions or games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Duplicates {
    /// All are kept.
    #[default]
    Keep,
    /// The first that was added is kept.
    DropLater,
}

/// Takes items in any number and gives them back in an order that only the seed and the order of
/// adding decide.
#[derive(Debug)]
pub struct Shuffler<T: Shufflable> {
    folder: PathBuf,
    piles: Vec<Pile<T>>,
    rng: Rng,
    seed: u64,
    duplicates: Duplicates,
    /// Bytes that a pile may hold before they go to its file.
    bytes_per_pile: usize,
}

#[derive(Debug)]
struct Pile<T> {
    waiting: Vec<T>,
    waiting_bytes: usize,
    file: Option<File>,
}

impl<T: Shufflable> Shuffler<T> {
    /// Piles that grow large are kept in a folder beside the file that will be written, which is
    /// made if needed and removed at the end.
    pub fn new(output: &Path, seed: u64, duplicates: Duplicates) -> Self {
        let mut piles = Vec::new();
        piles.resize_with(PILES, || Pile { waiting: Vec::new(), waiting_bytes: 0, file: None });
        let folder = beside(output, ".piles");
        remove_piles(&folder);
        let rng = Rng::new(mix(seed));
        Self { folder, piles, rng, seed, duplicates, bytes_per_pile: MEMORY / PILES }
    }

    /// Keeps at most so many bytes in memory while items are added. The order does not depend on it.
    #[must_use]
    pub const fn with_memory(mut self, bytes: usize) -> Self {
        self.bytes_per_pile = bytes / PILES;
        self
    }

    /// Adds an item.
    pub fn add(&mut self, item: T) -> Result<(), DataError> {
        let index = match self.duplicates {
            Duplicates::Keep => self.rng.below(PILES),
            Duplicates::DropLater => item.identity_hash(self.seed) as usize % PILES,
        };
        let pile = &mut self.piles[index];
        pile.waiting_bytes += item.size();
        pile.waiting.push(item);
        if pile.waiting_bytes >= self.bytes_per_pile {
            pile.spill(&self.folder, index)?;
        }
        Ok(())
    }

    /// Gives back all items in their new order, pile by pile.
    pub fn finish(
        mut self,
        mut take: impl FnMut(Vec<T>) -> Result<(), DataError>,
    ) -> Result<(), DataError> {
        for index in 0..PILES {
            let mut items = self.piles[index].collect(&self.folder, index)?;
            if self.duplicates == Duplicates::DropLater {
                T::drop_later_duplicates(&mut items);
            }
            Rng::new(mix(self.seed ^ mix(index as u64 + 1))).shuffle(&mut items);
            take(items)?;
        }
        Ok(())
    }
}

/// Removes what a killed shuffle left, and nothing that it did not make.
fn remove_piles(folder: &Path) {
    if !folder.is_dir() {
        return;
    }
    // Best effort: a pile that is needed is made anew in any case.
    (0..PILES).for_each(|index| drop(fs::remove_file(folder.join(format!("pile-{index}")))));
    let _ = fs::remove_dir(folder);
}

impl<T: Shufflable> Drop for Shuffler<T> {
    fn drop(&mut self) {
        if self.piles.iter().any(|pile| pile.file.is_some()) {
            let _ = fs::remove_dir_all(&self.folder);
        }
    }
}

impl<T: Shufflable> Pile<T> {
    fn path(folder: &Path, index: usize) -> PathBuf {
        folder.join(format!("pile-{index}"))
    }

    fn spill(&mut self, folder: &Path, index: usize) -> Result<(), DataError> {
        let path = Self::path(folder, index);
        if self.file.is_none() {
            fs::create_dir_all(folder).map_err(DataError::io("creating", folder))?;
            self.file = Some(File::create(&path).map_err(DataError::io("creating", &path))?);
        }
        if let Some(file) = &mut self.file {
            let written = file.write_all(&T::to_bytes(&self.waiting));
            written.map_err(DataError::io("writing", &path))?;
        }
        self.waiting.clear();
        self.waiting_bytes = 0;
        Ok(())
    }

    /// All items of the pile in the order of adding. The pile's file is removed.
    fn collect(&mut self, folder: &Path, index: usize) -> Result<Vec<T>, DataError> {
        let waiting = std::mem::take(&mut self.waiting);
        if self.file.is_none() {
            return Ok(waiting);
        }
        let path = Self::path(folder, index);
        let bytes = fs::read(&path).map_err(DataError::io("reading", &path))?;
        fs::remove_file(&path).map_err(DataError::io("removing", &path))?;
        let mut items = T::from_bytes(&bytes);
        items.extend(waiting);
        Ok(items)
    }
}
