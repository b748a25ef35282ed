// SPDX-License-Identifier: GPL-3.0-or-later
//! The file that annotated games are written to: it grows game by game under another name, so that a job that
//! was killed goes on, and gets its own name when it is whole.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};
use tools::store::{self, Lock};
use tools::write::beside;

use crate::output;

/// What must be the same when a job goes on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Task {
    /// Version of the state.
    pub(super) version: u32,
    /// The file of games.
    pub(super) input: PathBuf,
    /// Its length.
    pub(super) input_bytes: u64,
    /// Who annotates, and with which limits.
    pub(super) annotator: String,
}

#[derive(Serialize, Deserialize)]
struct State {
    task: Task,
    /// Games of the input that are done with.
    games: usize,
    /// The valid part of the unfinished file.
    bytes: u64,
}

/// Where annotated games go.
pub(super) enum Journal {
    /// Standard output, where nothing can go on.
    Stdout,
    File(Box<Unfinished>),
}

/// A file under way.
pub(super) struct Unfinished {
    path: PathBuf,
    part: PathBuf,
    state_path: PathBuf,
    state: State,
    file: File,
    _lock: Lock,
}

impl Journal {
    /// Begins a file, or goes on with it. Refused if the finished file is there.
    pub(super) fn open(path: &Path, task: &Task) -> Result<Self> {
        if path == Path::new("-") {
            return Ok(Self::Stdout);
        }
        let name = path.display();
        ensure!(
            !path.exists(),
            "`{name}` is there already: move it away, or name another by --out"
        );
        let (part, state_path) = (beside(path, ".part"), beside(path, ".state.json"));
        File::options()
            .create(true)
            .append(true)
            .open(&part)
            .with_context(|| format!("opening `{}`", part.display()))?;
        let lock = Lock::file(&part)?;
        let state = store::read_state::<State>(&state_path)?;
        let state = state.unwrap_or_else(|| State { task: task.clone(), games: 0, bytes: 0 });
        ensure!(
            state.task == *task,
            "`{}` was begun with other settings or another file: delete it and `{}` to begin anew",
            part.display(),
            state_path.display()
        );
        let file = store::open_to_append(&part, state.bytes)?;
        let path = path.to_owned();
        Ok(Self::File(Box::new(Unfinished { path, part, state_path, state, file, _lock: lock })))
    }

    /// Games of the input that are done with.
    pub(super) fn games(&self) -> usize {
        match self {
            Self::Stdout => 0,
            Self::File(file) => file.state.games,
        }
    }

    /// Adds the next game; an empty text if it is left out.
    pub(super) fn add(&mut self, text: &str) -> Result<()> {
        match self {
            Self::Stdout => output::print(text),
            Self::File(file) => file.add(text),
        }
    }

    /// Gives the file its name, and says which.
    pub(super) fn finish(self) -> Result<Option<PathBuf>> {
        let Self::File(file) = self else { return Ok(None) };
        let Unfinished { path, part, state_path, file, .. } = *file;
        let failed = || format!("finishing `{}`", path.display());
        file.sync_all().with_context(failed)?;
        fs::rename(&part, &path).with_context(failed)?;
        fs::remove_file(&state_path).with_context(failed)?;
        Ok(Some(path))
    }
}

impl Unfinished {
    fn add(&mut self, text: &str) -> Result<()> {
        let failed = || format!("writing `{}`", self.part.display());
        self.file.write_all(text.as_bytes()).with_context(failed)?;
        self.state.games += 1;
        self.state.bytes += text.len() as u64;
        Ok(store::write_state(&self.state_path, &self.state)?)
    }
}
