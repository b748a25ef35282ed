// SPDX-License-Identifier: GPL-3.0-or-later
//! What a folder of shards holds, and whether it still does.

use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use tools::store::read_state;

use super::gather::sha256;
use super::task::TaskDone;
use super::{Folder, MANIFEST, Sharding};
use crate::qrec::RecordFile;
use crate::{DataError, Rejection, Unit};

/// What lies beside the shards.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Manifest {
    /// The form of this file.
    pub version: u32,
    /// What made the shards.
    pub program: String,
    /// What the scores count, if the inputs say so.
    pub unit: Option<Unit>,
    /// The seed of the order.
    pub seed: u64,
    /// Games for training and for validation; none if records came as such.
    pub games: [u64; 2],
    /// Positions that were read.
    pub positions: u64,
    /// Positions that the filter left out or marked, by reason.
    pub rejected: std::collections::BTreeMap<String, u64>,
    /// Games and records that could not be read.
    pub problems: u64,
    /// Where it all comes from.
    pub sources: Vec<Source>,
    /// The files beside this one.
    pub shards: Vec<Shard>,
}

/// An input.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Source {
    /// Its name.
    pub path: PathBuf,
    /// Its length.
    pub bytes: u64,
    /// What lies beside it as `.json`: the engine, the network and the settings that played, or another
    /// manifest's shard.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub made_by: Option<serde_json::Value>,
}

/// One file of shuffled records.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Shard {
    /// Its name in the folder.
    pub name: String,
    /// How many records.
    pub records: u64,
    /// The checksum in its header.
    pub checksum: String,
    /// The hash of the whole file.
    pub sha256: String,
}

impl Manifest {
    pub(super) fn new(
        inputs: &[PathBuf],
        how: &Sharding,
        done: &[TaskDone],
        unit: Option<Unit>,
        shards: Vec<Shard>,
    ) -> Self {
        let sum = |count: &dyn Fn(&TaskDone) -> u64| done.iter().map(count).sum();
        let reason = |(i, rejection): (usize, &Rejection)| {
            (rejection.name().to_owned(), done.iter().map(|task| task.rejected[i]).sum::<u64>())
        };
        let rejected = Rejection::ALL.iter().enumerate().map(reason);
        Self {
            version: 1,
            program: how.program.clone(),
            unit,
            seed: how.expansion.seed,
            games: [sum(&|task| task.games[0]), sum(&|task| task.games[1])],
            positions: sum(&|task| task.positions),
            rejected: rejected.filter(|(_, count)| *count > 0).collect(),
            problems: sum(&|task| task.problems),
            sources: inputs.iter().map(|path| Source::of(path)).collect(),
            shards,
        }
    }

    /// Records of all shards, validation included.
    pub fn records(&self) -> u64 {
        self.shards.iter().map(|shard| shard.records).sum()
    }
}

impl Source {
    fn of(path: &Path) -> Self {
        let bytes = path.metadata().map_or(0, |data| data.len());
        let plain = match path.extension().and_then(|extension| extension.to_str()) {
            Some("zst" | "xz" | "bz2") => path.with_extension(""),
            _ => path.to_owned(),
        };
        let beside = std::fs::read(plain.with_added_extension("json")).ok();
        let made_by = beside.and_then(|text| serde_json::from_slice(&text).ok());
        Self { path: path.to_owned(), bytes, made_by }
    }
}

/// Reads all shards of a folder again. Returns its manifest, and what is wrong with which of them.
pub fn verify(folder: &Path) -> Result<(Manifest, Vec<(String, String)>), DataError> {
    let path = Folder(folder).manifest();
    let Some(manifest) = read_state::<Manifest>(&path)? else {
        let text = format!("`{}` has no {MANIFEST}: the job is not finished", folder.display());
        return Err(DataError::Usage(text));
    };
    let check = |shard: &Shard| {
        let fault = fault_of(shard, &folder.join(&shard.name))?;
        Some((shard.name.clone(), fault))
    };
    let faults = manifest.shards.par_iter().filter_map(check).collect();
    Ok((manifest, faults))
}

/// How a shard differs from what the manifest says.
fn fault_of(shard: &Shard, path: &Path) -> Option<String> {
    let file = match RecordFile::open(path) {
        Ok(file) => file,
        Err(error) => return Some(error.to_string()),
    };
    if file.len() != shard.records {
        return Some(format!("expected {} records, found {}", shard.records, file.len()));
    }
    match sha256(path) {
        Ok(found) if found == shard.sha256 => None,
        Ok(found) => Some(format!("expected sha256 {}, found {found}", shard.sha256)),
        Err(error) => Some(error.to_string()),
    }
}
