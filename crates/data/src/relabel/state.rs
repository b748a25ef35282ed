// SPDX-License-Identifier: GPL-3.0-or-later
//! How far a run is, kept in a file, so that it goes on after being killed.

use std::fs::{self, File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tools::store::{self, Lock};
use tools::write::beside;

use crate::DataError;

/// What the run is about; another run must not go on with its files.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Task {
    pub(super) input: PathBuf,
    pub(super) input_bytes: u64,
    pub(super) engine: Vec<String>,
    pub(super) nodes: u64,
}

/// How far it is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct RelabelState {
    pub(super) task: Task,
    /// Games or records of the input that are done with, bad ones included.
    pub(super) consumed: u64,
    /// Bytes of the unfinished output that are good.
    pub(super) bytes: u64,
    pub(super) items: u64,
    pub(super) positions: u64,
    pub(super) problems: u64,
}

/// The unfinished output and the file that says how much of it is good.
pub(super) struct Journal {
    state_path: PathBuf,
    partial_path: PathBuf,
    partial: File,
    pub(super) state: RelabelState,
    _lock: Lock,
}

impl Journal {
    /// Opens the files of an earlier run if it was about the same, or begins anew.
    pub(super) fn open(output: &Path, task: &Task) -> Result<Self, DataError> {
        let (state_path, partial_path) =
            (beside(output, ".relabel.json"), beside(output, ".relabel"));
        let fresh = RelabelState {
            task: task.clone(),
            consumed: 0,
            bytes: 0,
            items: 0,
            positions: 0,
            problems: 0,
        };
        let state = store::read_state(&state_path)?.unwrap_or(fresh);
        if state.task != *task {
            let reason = "belongs to an unfinished run with another input, engine or number of \
                          nodes: finish that run, or remove the file";
            return Err(DataError::format(&state_path, reason));
        }
        let failed = |error| DataError::io("opening", &partial_path)(error);
        let mut partial = OpenOptions::new()
            .create(true)
            .truncate(false)
            .read(true)
            .write(true)
            .open(&partial_path)
            .map_err(failed)?;
        // Two runs would write into one another.
        let lock = Lock::file(&partial_path)?;
        let length = partial.metadata().map_err(failed)?.len();
        if length < state.bytes {
            let reason = format!("expected at least {} bytes, found {length}", state.bytes);
            return Err(DataError::format(&partial_path, reason));
        }
        // What was written after the state was saved belongs to work that will be done again.
        partial.set_len(state.bytes).map_err(failed)?;
        partial.seek(SeekFrom::End(0)).map_err(failed)?;
        Ok(Self { state_path, partial_path, partial, state, _lock: lock })
    }

    /// Adds finished work and saves the state. The work is on disk before the state says so.
    pub(super) fn append(&mut self, bytes: &[u8]) -> Result<(), DataError> {
        let written = self.partial.write_all(bytes).and_then(|()| self.partial.sync_data());
        written.map_err(DataError::io("writing", &self.partial_path))?;
        self.state.bytes += bytes.len() as u64;
        Ok(store::write_state(&self.state_path, &self.state)?)
    }

    /// The unfinished output, to be read from its beginning.
    pub(super) fn rewind(&mut self) -> Result<&mut File, DataError> {
        let start = self.partial.seek(SeekFrom::Start(0));
        start.map_err(DataError::io("reading", &self.partial_path))?;
        Ok(&mut self.partial)
    }

    /// Removes the files: the output is complete.
    pub(super) fn remove(self) {
        // What is left behind is in the way of nothing but another run, which would say so.
        let _ = fs::remove_file(&self.state_path);
        let _ = fs::remove_file(&self.partial_path);
    }
}
