// SPDX-License-Identifier: GPL-3.0-or-later
//! `quincunx data shard` and `quincunx data verify`.

use std::path::PathBuf;

use anyhow::{Result, ensure};
use clap::Args;
use data::shard::{Manifest, Sharding, shard, verify};
use data::shuffle::Duplicates;

use super::expand::FilterArgs;
use super::{Common, UnitArgs, share, warn_of_unit};
use crate::commands::print_json;

/// Make a folder of shuffled shards of many files, together larger than memory. A job that was broken off goes on.
#[derive(Args, Debug)]
pub(super) struct Shard {
    /// Games (.vf) and records (.qrec), also .zst and .xz
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The folder for the shards and their manifest
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// How many shards [default: so many that each has about 4 million records]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    shards: Option<u32>,
    /// Share of the games, by their content, that is kept apart for validation
    #[arg(long, value_name = "SHARE", default_value = "0", value_parser = share)]
    validation: f64,
    /// Keep all positions of games; quiet ones are marked either way
    #[arg(long)]
    all: bool,
    /// Leave out records that are not quiet
    #[arg(long)]
    quiet: bool,
    /// Keep only the first of equal positions
    #[arg(long)]
    dedup: bool,
    /// Decides the order
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    unit: UnitArgs,
    #[command(flatten)]
    filter: FilterArgs,
    #[command(flatten)]
    common: Common,
}

impl Shard {
    pub(super) fn run(&self) -> Result<()> {
        let how = Sharding {
            expansion: data::expand::Expansion {
                filter: self.filter.filter(),
                keep_all: self.all,
                validation_share: self.validation,
                duplicates: if self.dedup { Duplicates::DropLater } else { Duplicates::Keep },
                unmarked: self.unit.unmarked(),
                seed: self.seed,
            },
            quiet_only: self.quiet,
            shards: self.shards,
            program: crate::version::short(),
            ..Sharding::default()
        };
        let done = self.common.watch(|observer| shard(&self.files, &self.out, &how, observer))?;
        warn_of_unit(done.made.unit);
        if self.common.json {
            return print_json(&done.made);
        }
        tell(&done.made);
        eprintln!("in `{}`, {:.1} s", self.out.display(), done.seconds);
        Ok(())
    }
}

/// Read the shards of a folder again and compare them with its manifest.
#[derive(Args, Debug)]
pub(super) struct Verify {
    /// Folders with a manifest
    #[arg(required = true, value_name = "DIR")]
    folders: Vec<PathBuf>,
    #[command(flatten)]
    common: Common,
}

impl Verify {
    pub(super) fn run(&self) -> Result<()> {
        let mut faults = 0;
        for folder in &self.folders {
            let (manifest, found) = self.common.watch(|_| verify(folder))?.made;
            for (name, fault) in &found {
                eprintln!("`{}`: {fault}", folder.join(name).display());
            }
            faults += found.len();
            if self.common.json {
                print_json(
                    &serde_json::json!({"folder": folder, "manifest": manifest, "faults": found}),
                )?;
            } else {
                tell(&manifest);
                eprintln!(
                    "in `{}`: {}",
                    folder.display(),
                    if found.is_empty() { "sound" } else { "damaged" }
                );
            }
        }
        ensure!(faults == 0, "{faults} shards are not what their manifest says");
        Ok(())
    }
}

fn tell(manifest: &Manifest) {
    let (records, shards) = (manifest.records(), manifest.shards.len());
    eprintln!("{records} records in {shards} shards, of {} positions", manifest.positions);
}
