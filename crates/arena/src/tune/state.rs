// SPDX-License-Identifier: GPL-3.0-or-later
//! A tuning run on disk.

use std::fs;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::TuneError;
use crate::spsa::{Spsa, TrialId};
use crate::stats::Trinomial;

/// The state of a run, in its folder.
pub const STATE_FILE: &str = "state.json";

/// Version of the file's layout.
const VERSION: u32 = 1;

/// Everything a run needs to go on, and what its report shows.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct State {
    kind: String,
    version: u32,
    /// What was asked for, in words; a run goes on only with the same.
    pub purpose: String,
    /// The tuning itself.
    pub spsa: Spsa,
    /// All games so far, from the plus side's view.
    pub games: Trinomial,
    /// How many trials have been handed out, replayed ones counted again.
    pub(super) serial: u64,
}

impl State {
    /// The beginning of a run.
    pub fn new(purpose: &str, spsa: Spsa) -> Self {
        let (kind, purpose) = ("tune".to_owned(), purpose.to_owned());
        Self { kind, version: VERSION, purpose, spsa, games: Trinomial::default(), serial: 0 }
    }

    /// Reads a run back; nothing if the folder holds none.
    pub fn read(folder: &Path) -> Result<Option<Self>, TuneError> {
        let path = folder.join(STATE_FILE);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(TuneError::Io { action: "read", path, source }),
        };
        let bad = |reason: String| TuneError::Folder { path: path.clone(), reason };
        let state: Self = serde_json::from_str(&text).map_err(|error| bad(error.to_string()))?;
        if (state.kind.as_str(), state.version) != ("tune", VERSION) {
            return Err(bad(format!("expected a tuning run of version {VERSION}")));
        }
        Ok(Some(state))
    }

    /// Goes on with the run in a folder, or starts `fresh` there.
    pub fn resume_or(folder: &Path, fresh: Self) -> Result<Self, TuneError> {
        fs::create_dir_all(folder).map_err(|source| TuneError::Io {
            action: "create",
            path: folder.to_owned(),
            source,
        })?;
        let Some(kept) = Self::read(folder)? else {
            fresh.save(folder)?;
            return Ok(fresh);
        };
        if kept.purpose != fresh.purpose {
            let (path, found) = (folder.join(STATE_FILE), &kept.purpose);
            let reason = format!("it belongs to another run ({found}): expected {}", fresh.purpose);
            return Err(TuneError::Folder { path, reason });
        }
        Ok(kept)
    }

    pub(super) fn report(&mut self, id: TrialId, games: Trinomial) -> Result<(), TuneError> {
        self.spsa.report(id, games)?;
        self.games.wins += games.wins;
        self.games.draws += games.draws;
        self.games.losses += games.losses;
        Ok(())
    }

    /// Replaces the file in one step.
    pub(super) fn save(&self, folder: &Path) -> Result<(), TuneError> {
        let (path, new) = (folder.join(STATE_FILE), folder.join("state.json.new"));
        let text = serde_json::to_string(self).expect("the state is plain data");
        fs::write(&new, text).map_err(|source| TuneError::Io {
            action: "write",
            path: new.clone(),
            source,
        })?;
        fs::rename(&new, &path).map_err(|source| TuneError::Io { action: "replace", path, source })
    }
}
