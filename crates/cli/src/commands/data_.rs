// SPDX-License-Identifier: GPL-3.0-or-later
//! `quincunx data`: training data.

mod convert;
mod expand;
mod look;
mod relabel;
mod reorder;
mod sample;
mod shard;
mod watch;

use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::{Args, Subcommand, ValueEnum};

use super::Threads;
use data::{Unit, Unmarked};

/// Look at training data; import, label, filter, shuffle, split and export it.
#[derive(Args, Debug)]
pub(crate) struct DataCommand {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand, Debug)]
enum Action {
    Info(look::DataInfo),
    Check(look::Check),
    Expand(expand::Expand),
    Sample(sample::Sample),
    Import(convert::Import),
    Export(convert::Export),
    Shuffle(reorder::Shuffle),
    Split(reorder::Split),
    Shard(shard::Shard),
    Verify(shard::Verify),
    Relabel(relabel::Relabel),
}

impl DataCommand {
    pub(crate) fn run(&self) -> Result<()> {
        match &self.action {
            Action::Info(info) => info.run(),
            Action::Check(check) => check.run(),
            Action::Expand(expand) => expand.run(),
            Action::Sample(sample) => sample.run(),
            Action::Import(import) => import.run(),
            Action::Export(export) => export.run(),
            Action::Shuffle(shuffle) => shuffle.run(),
            Action::Split(split) => split.run(),
            Action::Shard(shard) => shard.run(),
            Action::Verify(verify) => verify.run(),
            Action::Relabel(relabel) => relabel.run(),
        }
    }
}

/// What all of these commands have in common.
#[derive(Args, Debug)]
struct Common {
    /// Write all bad lines, games and records to this file, not only the first 20 to the screen
    #[arg(long, value_name = "FILE")]
    errors: Option<PathBuf>,
    #[command(flatten)]
    threads: Threads,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// Which records are left out by their score.
#[derive(Args, Clone, Copy, Debug)]
struct ScoreArgs {
    /// Leave out scores of this size and beyond, in centipawns, mates too
    #[arg(long, value_name = "CP", value_parser = clap::value_parser!(u16).range(1..))]
    max_score: Option<u16>,
    /// Leave out mates
    #[arg(long)]
    no_mates: bool,
}

impl ScoreArgs {
    /// The size from which scores are left out.
    const fn max_score(self) -> Option<u16> {
        match self.max_score {
            None if self.no_mates => Some(data::MAX_SCORE.unsigned_abs() + 1),
            other => other,
        }
    }
}

/// What scores count in files that do not say it.
#[derive(Args, Clone, Copy, Debug)]
struct UnitArgs {
    /// What scores count in files that do not say it: games of others are in centipawns, those of our own
    /// self-play before 2026-11-19 in points, which are converted
    #[arg(long, value_name = "UNIT")]
    unit: Option<UnitName>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum UnitName {
    /// Hundredths of what wins every second game
    Centipawns,
    /// Points of the network that played
    Points,
}

impl UnitArgs {
    fn unmarked(self) -> Unmarked {
        match self.unit {
            None => Unmarked::Unknown,
            Some(UnitName::Centipawns) => Unmarked::Centipawns,
            Some(UnitName::Points) => Unmarked::Points(selfplay::centipawns),
        }
    }
}

/// Says so if nobody knows what the scores count.
fn warn_of_unit(unit: Option<Unit>) {
    if unit.is_none() {
        eprintln!(
            "the files do not say what their scores count, and are taken for centipawns; `--unit \
             centipawns` confirms it, `--unit points` converts those of older self-play"
        );
    }
}

/// A share from 0 to 1, such as `0.005`.
fn share(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err("expected a share from 0 to 1, such as 0.005".to_owned()),
    }
}

/// Says what went into the file for training and into the one for validation, if there is one.
fn report_halves(paths: [Option<&PathBuf>; 2], games: [u64; 2], records: [u64; 2]) {
    for ((path, games), records) in paths.into_iter().zip(games).zip(records) {
        if let Some(path) = path {
            eprintln!("{games} games: {records} records in `{}`", path.display());
        }
    }
}

/// `train.qrec` becomes `train-validation.qrec`.
fn beside(path: &Path) -> PathBuf {
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    name.push("-validation");
    path.with_file_name(name).with_extension(path.extension().unwrap_or_default())
}
