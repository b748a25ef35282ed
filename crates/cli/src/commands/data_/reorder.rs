// SPDX-License-Identifier: GPL-3.0-or-later
//! `quincunx data shuffle` and `quincunx data split`.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use data::shuffle::{Duplicates, Shuffling, shuffle};
use data::split::{Parts, split};

use super::{Common, UnitArgs, share};
use crate::commands::print_json;

/// Put records, or games, of one or several files into random order.
#[derive(Args, Debug)]
pub(super) struct Shuffle {
    /// Records (.qrec) or games (.vf), also .zst and .xz, all of one kind
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Decides the order
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Keep only the first of equal positions, or games
    #[arg(long)]
    dedup: bool,
    /// Leave out records that are not quiet
    #[arg(long)]
    quiet: bool,
    #[command(flatten)]
    scores: super::ScoreArgs,
    #[command(flatten)]
    unit: UnitArgs,
    #[command(flatten)]
    common: Common,
}

impl Shuffle {
    pub(super) fn run(&self) -> Result<()> {
        let how = Shuffling {
            seed: self.seed,
            duplicates: if self.dedup { Duplicates::DropLater } else { Duplicates::Keep },
            quiet_only: self.quiet,
            max_score: self.scores.max_score(),
            unmarked: self.unit.unmarked(),
        };
        let done = self.common.watch(|observer| shuffle(&self.files, &self.out, how, observer))?;
        let (read, written) = done.made;
        if self.common.json {
            let problems = done.problems;
            return print_json(
                &serde_json::json!({ "read": read, "written": written, "problems": problems }),
            );
        }
        eprintln!("{read} read, {written} written to `{}`", self.out.display());
        Ok(())
    }
}

/// Keep a share of the games apart. Their content decides, so that no game changes sides.
#[derive(Args, Debug)]
pub(super) struct Split {
    /// Games (.vf), or records (.qrec) that do not come from games; also .zst and .xz
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The share that is kept apart
    #[arg(long, value_name = "SHARE", value_parser = share)]
    validation: f64,
    /// The file for the larger part
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// The file for the part that is kept apart
    #[arg(long, value_name = "FILE")]
    validation_out: PathBuf,
    #[command(flatten)]
    unit: UnitArgs,
    #[command(flatten)]
    common: Common,
}

impl Split {
    pub(super) fn run(&self) -> Result<()> {
        let parts = Parts {
            training: &self.out,
            validation: &self.validation_out,
            share: self.validation,
            unmarked: self.unit.unmarked(),
        };
        let done = self.common.watch(|observer| split(&self.files, parts, observer))?;
        let [training, validation] = done.made;
        if self.common.json {
            return print_json(&serde_json::json!({
                "training": training,
                "validation": validation,
                "problems": done.problems,
            }));
        }
        eprintln!("{training} in `{}`", self.out.display());
        eprintln!("{validation} in `{}`", self.validation_out.display());
        Ok(())
    }
}
