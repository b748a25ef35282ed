// SPDX-License-Identifier: GPL-3.0-or-later
//! Folders and state files of long jobs, so that a job killed at any moment goes on where it was.
//!
//! Every such job follows the same steps: it locks its folder, reads its state, compares the settings in it
//! with those that are asked for, cuts files that only grow to the length that the state vouches for, and
//! replaces the state in one step after each unit of work.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

use crate::write::write_atomically;

/// Why a job's files cannot be used.
#[derive(Debug, Error)]
pub enum StoreError {
    /// A file cannot be read or written.
    #[error("cannot {action} `{}`", .path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// Another process uses the files.
    #[error("`{}` is in use by another process", .path.display())]
    InUse {
        /// The folder or file.
        path: PathBuf,
    },
    /// A file does not hold what it should.
    #[error("`{}`: {reason}", .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What was found and what was expected.
        reason: String,
    },
}

impl StoreError {
    /// A failed `action` on a file, for `map_err`.
    pub fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { action, path, source }
    }

    /// A file that does not hold what it should.
    pub fn damaged(path: &Path, reason: impl Into<String>) -> Self {
        Self::Damaged { path: path.to_owned(), reason: reason.into() }
    }
}

/// The only process that may use some files, as long as this value lives. The system gives the lock back
/// when the process ends, however it ends.
#[derive(Debug)]
pub struct Lock {
    path: PathBuf,
    _file: File,
}

impl Lock {
    /// Locks a folder, which is made if it is missing. To be taken before anything in it is read.
    pub fn folder(path: &Path) -> Result<Self, StoreError> {
        fs::create_dir_all(path).map_err(StoreError::io("create", path))?;
        // Only Unix can open a folder as a file.
        let lock = if cfg!(unix) {
            File::open(path)
        } else {
            let options = OpenOptions::new().create(true).append(true).clone();
            options.open(path.join(".lock"))
        };
        Self::take(path, lock)
    }

    /// Locks a file that exists.
    pub fn file(path: &Path) -> Result<Self, StoreError> {
        Self::take(path, File::open(path))
    }

    fn take(path: &Path, file: io::Result<File>) -> Result<Self, StoreError> {
        let file = file.map_err(StoreError::io("open", path))?;
        let mut tried = file.try_lock();
        // Whoever looks whether the folder is in use holds a lock for a moment.
        for _ in 0..GLANCES {
            if !matches!(tried, Err(TryLockError::WouldBlock)) {
                break;
            }
            std::thread::sleep(GLANCE);
            tried = file.try_lock();
        }
        match tried {
            Ok(()) => Ok(Self { path: path.to_owned(), _file: file }),
            Err(TryLockError::WouldBlock) => Err(StoreError::InUse { path: path.to_owned() }),
            Err(TryLockError::Error(error)) => Err(StoreError::io("lock", path)(error)),
        }
    }

    /// The folder or file that is locked.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// How often, and how long after each other, a lock is tried that somebody may only be looking at.
const GLANCES: u32 = 5;
const GLANCE: Duration = Duration::from_millis(10);

/// Whether a job runs in this folder at the moment.
pub fn is_in_use(folder: &Path) -> bool {
    let lock = if cfg!(unix) { folder.to_owned() } else { folder.join(".lock") };
    // The lock that is taken here is given back at once, when the file is closed.
    File::open(lock)
        .is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
}

/// Reads a state from a JSON file; none if there is no such file.
pub fn read_state<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, StoreError> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(StoreError::io("read", path)(error)),
    };
    let state = serde_json::from_str(&text);
    state.map(Some).map_err(|error| StoreError::damaged(path, error.to_string()))
}

/// Replaces a state in its JSON file in one step.
pub fn write_state<T: Serialize>(path: &Path, state: &T) -> Result<(), StoreError> {
    let text = serde_json::to_string_pretty(state)
        .map_err(|error| StoreError::damaged(path, error.to_string()))?;
    write_atomically(path, format!("{text}\n")).map_err(StoreError::io("write", path))
}

/// Opens a file to append, after cutting off what is beyond its valid part: a killed process wrote it but
/// did not come to vouch for it.
pub fn open_to_append(path: &Path, valid: u64) -> Result<File, StoreError> {
    let open = OpenOptions::new().create(true).append(true).read(true).open(path);
    let file = open.map_err(StoreError::io("open", path))?;
    let length = file.metadata().map_err(StoreError::io("read", path))?.len();
    if length < valid {
        let reason = format!("expected at least {valid} bytes, found {length}");
        return Err(StoreError::damaged(path, reason));
    }
    file.set_len(valid).map_err(StoreError::io("cut", path))?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    #[test]
    fn locked_folders_are_in_use() {
        let parent = tempfile::tempdir().unwrap();
        let path = parent.path().join("a/run");
        let lock = Lock::folder(&path).unwrap();
        let error = Lock::folder(&path).unwrap_err().to_string();
        assert!(error.ends_with("run` is in use by another process"), "{error}");
        assert!(is_in_use(&path) && !is_in_use(parent.path()));
        drop(lock);
        assert!(!is_in_use(&path));
        assert_eq!(Lock::folder(&path).unwrap().path(), path);
    }

    #[test]
    fn states_come_back_to_the_last_bit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state.json");
        assert_eq!(read_state::<Vec<f64>>(&path).unwrap(), None);
        let mut rng = crate::Rng::new(1);
        let state: Vec<f64> = (0..10_000).map(|_| 300.0 * rng.unit() - 100.0).collect();
        write_state(&path, &state).unwrap();
        let read: Vec<f64> = read_state(&path).unwrap().unwrap();
        let different = read.iter().zip(&state).filter(|(a, b)| a.to_bits() != b.to_bits()).count();
        assert_eq!((read.len(), different), (state.len(), 0));
        fs::write(&path, "half a sta").unwrap();
        let error = read_state::<Vec<f64>>(&path).unwrap_err().to_string();
        assert!(error.contains("state.json"), "{error}");
    }

    #[test]
    fn what_nobody_vouches_for_is_cut_off() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        fs::write(&path, "whole, half").unwrap();
        let mut file = open_to_append(&path, 6).unwrap();
        file.write_all(b" more").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"whole, more");
        let error = open_to_append(&path, 99).unwrap_err().to_string();
        assert!(error.ends_with("expected at least 99 bytes, found 11"), "{error}");
    }
}
