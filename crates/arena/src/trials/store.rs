// SPDX-License-Identifier: GPL-3.0-or-later
//! The state of a run on disk.

use std::path::Path;

use common::store::{self, Lock, StoreError};
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
        let Some(header) = store::read_state::<Header>(&path)? else { return Ok(None) };
        if header.kind != Self::KIND {
            return Ok(None);
        }
        if header.version != Self::VERSION {
            let (found, expected) = (header.version, Self::VERSION);
            let reason = format!("layout {found} of a run, expected {expected}");
            return Err(StoreError::damaged(&path, reason).into());
        }
        Ok(store::read_state(&path)?)
    }

    /// Goes on with the run in a folder, or starts `fresh` there.
    fn resume_or(folder: &Lock, fresh: Self) -> Result<Self, TrialError> {
        let Some(kept) = Self::read(folder.path())? else {
            return fresh.begin(folder.path());
        };
        if kept.header().purpose != fresh.header().purpose {
            let path = folder.path().join(STATE_FILE);
            let (found, expected) = (&kept.header().purpose, &fresh.header().purpose);
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
        Ok(store::write_state(&folder.join(STATE_FILE), self)?)
    }
}
