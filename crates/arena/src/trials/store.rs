// SPDX-License-Identifier: GPL-3.0-or-later
//! The state of a run on disk.

use std::fs;
use std::io;
use std::path::Path;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::TrialError;

/// The state of a run, in its folder.
pub const STATE_FILE: &str = "state.json";

/// What every state begins with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    kind: String,
    version: u32,
    /// What was asked for, in words; a run goes on only with the same.
    pub purpose: String,
}

impl Header {
    /// The header of a run of this type.
    pub(crate) fn new<T: Saved>(purpose: &str) -> Self {
        Self { kind: T::KIND.to_owned(), version: T::VERSION, purpose: purpose.to_owned() }
    }
}

/// A state that is kept in a folder.
pub trait Saved: Serialize + DeserializeOwned {
    /// What kind of run it is.
    const KIND: &'static str;
    /// Version of the file's layout.
    const VERSION: u32;

    /// What the state begins with.
    fn header(&self) -> &Header;

    /// Reads a run back; nothing if the folder holds none, or a run of another kind.
    fn read(folder: &Path) -> Result<Option<Self>, TrialError> {
        let path = folder.join(STATE_FILE);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(TrialError::Io { action: "read", path, source }),
        };
        let bad = |reason: String| TrialError::Folder { path: path.clone(), reason };
        let header: Header = serde_json::from_str(&text).map_err(|error| bad(error.to_string()))?;
        if header.kind != Self::KIND {
            return Ok(None);
        }
        if header.version != Self::VERSION {
            let (found, expected) = (header.version, Self::VERSION);
            return Err(bad(format!("layout {found} of a run, expected {expected}")));
        }
        serde_json::from_str(&text).map(Some).map_err(|error| bad(error.to_string()))
    }

    /// Goes on with the run in a folder, or starts `fresh` there.
    fn resume_or(folder: &Path, fresh: Self) -> Result<Self, TrialError> {
        fs::create_dir_all(folder).map_err(|source| TrialError::Io {
            action: "create",
            path: folder.to_owned(),
            source,
        })?;
        let Some(kept) = Self::read(folder)? else {
            return fresh.begin(folder);
        };
        if kept.header().purpose != fresh.header().purpose {
            let (path, found) = (folder.join(STATE_FILE), &kept.header().purpose);
            let expected = &fresh.header().purpose;
            let reason = format!("it belongs to another run ({found}): expected {expected}");
            return Err(TrialError::Folder { path, reason });
        }
        Ok(kept)
    }

    /// Saves a state to a folder that holds no run of any kind.
    fn begin(self, folder: &Path) -> Result<Self, TrialError> {
        let path = folder.join(STATE_FILE);
        if path.exists() {
            let reason = format!("it is no {}: expected a new folder", Self::KIND);
            return Err(TrialError::Folder { path, reason });
        }
        self.save(folder)?;
        Ok(self)
    }

    /// Replaces the file in one step.
    fn save(&self, folder: &Path) -> Result<(), TrialError> {
        let (path, new) = (folder.join(STATE_FILE), folder.join("state.json.new"));
        let text = serde_json::to_string(self).expect("the state is plain data");
        fs::write(&new, text).map_err(|source| TrialError::Io {
            action: "write",
            path: new.clone(),
            source,
        })?;
        fs::rename(&new, &path).map_err(|source| TrialError::Io { action: "replace", path, source })
    }
}
