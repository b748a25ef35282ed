// SPDX-License-Identifier: GPL-3.0-or-later
//! The files of a run: one after the other, each complete before the next begins.

use std::fs::{self, File, OpenOptions};
use std::path::{Path, PathBuf};

use data::{DataError, Unit};
use search::Mode;
use serde::{Deserialize, Serialize};
use tools::store::{self, Lock, StoreError};

use crate::writing::Contents;
use crate::{GenerationProgress, GenerationSettings, SelfPlayError, Writing};

/// Where games go.
#[derive(Clone, Copy, Debug)]
pub struct Files<'a> {
    /// The first file. The others are beside it and have their number in the name: `own.vf`, `own-0002.vf`.
    pub first: &'a Path,
    /// A file that has so many bytes is complete, and the next game begins another. Together they hold the
    /// same bytes whatever the number.
    pub rotate_at: u64,
}

impl Files<'_> {
    /// The file of this number, from 1.
    pub fn path(&self, number: usize) -> PathBuf {
        if number == 1 {
            return self.first.to_owned();
        }
        let mut name = self.first.file_stem().unwrap_or_default().to_owned();
        name.push(format!("-{number:04}"));
        if let Some(extension) = self.first.extension() {
            name.push(".");
            name.push(extension);
        }
        self.first.with_file_name(name)
    }
}

/// The complete files, kept beside them: they need not be read again, nor be there at all.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Index {
    unit: Unit,
    files: Vec<Complete>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Complete {
    file: PathBuf,
    bytes: u64,
    games: u64,
    positions: u64,
}

impl Index {
    fn path(first: &Path) -> PathBuf {
        first.with_added_extension("files.json")
    }

    fn read(first: &Path) -> Result<Self, DataError> {
        let path = Self::path(first);
        let Ok(text) = fs::read_to_string(&path) else {
            return Ok(Self { unit: Unit::Centipawns, files: vec![] });
        };
        serde_json::from_str(&text).map_err(|error| DataError::format(&path, error.to_string()))
    }

    fn write(&self, first: &Path) -> Result<(), DataError> {
        Ok(store::write_state(&Self::path(first), self)?)
    }
}

/// The files of a run, and the one of them that grows.
pub(crate) struct Store<'a> {
    files: Files<'a>,
    mode: Mode,
    index: Index,
    /// What the complete files hold.
    complete: GenerationProgress,
    path: PathBuf,
    file: File,
    contents: Contents,
    /// Held as long as the run lasts.
    _lock: Lock,
}

impl<'a> Store<'a> {
    /// Opens the files of a run, or begins it. A game that was cut off by a crash is taken out.
    pub(crate) fn open(
        files: Files<'a>,
        settings: &GenerationSettings,
    ) -> Result<Self, SelfPlayError> {
        let lock = lock(files.first)?;
        let mode = settings.mode();
        let mut index = Index::read(files.first)?;
        let folder = files.first.parent().unwrap_or(Path::new(""));
        index.files.iter().try_for_each(|file| check_length(folder, file))?;
        loop {
            let number = index.files.len() + 1;
            let path = files.path(number);
            let is_last = !files.path(number + 1).exists();
            let (file, contents) = recover(&path, mode, is_last)?;
            if is_last {
                let complete =
                    index.files.iter().fold(GenerationProgress::default(), |sum, file| {
                        GenerationProgress {
                            games: sum.games + file.games,
                            positions: sum.positions + file.positions,
                        }
                    });
                return Ok(Self {
                    files,
                    mode,
                    index,
                    complete,
                    path,
                    file,
                    contents,
                    _lock: lock,
                });
            }
            index.files.push(complete(&path, contents));
        }
    }

    /// What all files hold.
    pub(crate) const fn progress(&self) -> GenerationProgress {
        GenerationProgress {
            games: self.complete.games + self.contents.progress.games,
            positions: self.complete.positions + self.contents.progress.positions,
        }
    }

    /// How many files there are.
    pub(crate) const fn count(&self) -> usize {
        self.index.files.len() + 1
    }

    /// Appends a game, to the next file if this one has grown large.
    pub(crate) fn append(&mut self, game: &Writing) -> Result<(), SelfPlayError> {
        if self.contents.length >= self.files.rotate_at && self.contents.progress.games > 0 {
            self.rotate()?;
        }
        let length = game.write(&mut self.file).map_err(DataError::io("writing", &self.path))?;
        self.contents.add(length, game.len() + game.leaves());
        Ok(())
    }

    /// Completes the file and begins the next one. It is on disk before the index says so.
    fn rotate(&mut self) -> Result<(), SelfPlayError> {
        self.sync()?;
        self.complete = self.progress();
        self.index.files.push(complete(&self.path, self.contents));
        self.index.write(self.files.first)?;
        self.path = self.files.path(self.index.files.len() + 1);
        (self.file, self.contents) = recover(&self.path, self.mode, true)?;
        Ok(())
    }

    /// Waits until all games are on disk.
    pub(crate) fn sync(&self) -> Result<(), SelfPlayError> {
        Ok(self.file.sync_all().map_err(DataError::io("writing", &self.path))?)
    }
}

fn complete(path: &Path, contents: Contents) -> Complete {
    let GenerationProgress { games, positions } = contents.progress;
    let file = path.file_name().map_or_else(|| path.to_owned(), PathBuf::from);
    Complete { file, bytes: contents.length, games, positions }
}

/// Nobody else may write to these files meanwhile: the settings beside them are locked.
fn lock(first: &Path) -> Result<Lock, SelfPlayError> {
    Lock::file(&first.with_added_extension("json")).map_err(|error| match error {
        StoreError::InUse { .. } => SelfPlayError::InUse(first.to_owned()),
        other => DataError::from(other).into(),
    })
}

/// A complete file that is still there must be what it was.
fn check_length(folder: &Path, complete: &Complete) -> Result<(), DataError> {
    let (file, bytes) = (folder.join(&complete.file), complete.bytes);
    match fs::metadata(&file) {
        Ok(found) if found.len() != bytes => Err(DataError::format(
            &file,
            format!("expected the {bytes} bytes of a complete file, found {}", found.len()),
        )),
        _ => Ok(()),
    }
}

/// Opens a file and counts its whole games. What comes after them is cut off if this is the last file, and
/// an error if it is not.
fn recover(path: &Path, mode: Mode, is_last: bool) -> Result<(File, Contents), SelfPlayError> {
    let file = OpenOptions::new().create(true).append(true).read(true).open(path);
    let mut file = file.map_err(DataError::io("opening", path))?;
    let contents = Contents::of(&mut file, mode).map_err(DataError::io("reading", path))?;
    let whole = file.metadata().map_err(DataError::io("reading", path))?.len();
    if contents.length < whole && !is_last {
        let reason = format!(
            "{} bytes at its end are no whole game, though another file follows: expected a \
             complete file",
            whole - contents.length
        );
        return Err(DataError::format(path, reason).into());
    }
    if contents.length < whole {
        cut(&file, contents.length).map_err(DataError::io("cutting", path))?;
    }
    Ok((file, contents))
}

fn cut(file: &File, length: u64) -> std::io::Result<()> {
    file.set_len(length)?;
    file.sync_all()
}
