// SPDX-License-Identifier: GPL-3.0-or-later
//! `quincunx data expand`.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use data::expand::{ExpandSummary, Expansion, expand};
use data::shuffle::Duplicates;
use data::{Filter, Rejection};

use super::{Common, UnitArgs, report_halves, share, warn_of_unit};
use crate::commands::print_json;

/// Make shuffled records, which trainers read, of games.
#[derive(Args, Debug)]
pub(super) struct Expand {
    /// Games (.vf), also .zst and .xz
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The records for training (.qrec)
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Share of the games, by their content, that is kept apart for validation
    #[arg(long, value_name = "SHARE", default_value = "0", value_parser = share)]
    validation: f64,
    /// The records for validation [default: the other name with `-validation`]
    #[arg(long, value_name = "FILE")]
    validation_out: Option<PathBuf>,
    /// Keep all positions; quiet ones are marked either way
    #[arg(long)]
    all: bool,
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

/// Which positions are quiet.
#[derive(Args, Debug)]
pub(super) struct FilterArgs {
    /// Let positions in check pass
    #[arg(long)]
    keep_checks: bool,
    /// Let positions pass whose best move captures or promotes
    #[arg(long)]
    keep_noisy: bool,
    /// Leave out scores of this size and beyond, in centipawns
    #[arg(long, value_name = "CP", default_value_t = 10_000)]
    max_score: u16,
    /// Leave out the first plies of each game
    #[arg(long, value_name = "N", default_value_t = 0)]
    min_ply: usize,
    /// Leave out positions with fewer pieces
    #[arg(long, value_name = "N", default_value_t = 0)]
    min_pieces: usize,
    /// Leave out positions whose score contradicts the result by more than this
    #[arg(long, value_name = "CP")]
    mismatch: Option<u16>,
}

impl FilterArgs {
    pub(super) const fn filter(&self) -> Filter {
        Filter {
            checks: !self.keep_checks,
            noisy: !self.keep_noisy,
            score: self.max_score,
            min_ply: self.min_ply,
            min_pieces: self.min_pieces,
            mismatch: self.mismatch,
        }
    }
}

impl Expand {
    pub(super) fn run(&self) -> Result<()> {
        let settings = Expansion {
            filter: self.filter.filter(),
            keep_all: self.all,
            validation_share: self.validation,
            duplicates: if self.dedup { Duplicates::DropLater } else { Duplicates::Keep },
            unmarked: self.unit.unmarked(),
            seed: self.seed,
        };
        let validation = (self.validation > 0.0).then(|| self.validation_path());
        let done = self.common.watch(|observer| {
            expand(&self.files, &self.out, validation.as_deref(), &settings, observer)
        })?;
        warn_of_unit(done.made.unit);
        if self.common.json {
            return print_json(&serde_json::json!({
                "unit": done.made.unit,
                "games": done.made.games,
                "positions": done.made.positions,
                "records": done.made.records,
                "rejected": rejected(&done.made),
                "problems": done.problems,
                "seconds": done.seconds,
            }));
        }
        let ExpandSummary { games, records, positions, .. } = done.made;
        eprintln!("{positions} positions in {:.1} s", done.seconds);
        report_halves([Some(&self.out), validation.as_ref()], games, records);
        for (reason, count) in rejected(&done.made) {
            eprintln!("  {reason:<10} {count:>12}");
        }
        Ok(())
    }

    fn validation_path(&self) -> PathBuf {
        self.validation_out.clone().unwrap_or_else(|| super::beside(&self.out))
    }
}

fn rejected(summary: &ExpandSummary) -> std::collections::BTreeMap<&'static str, u64> {
    let counts = Rejection::ALL.iter().zip(summary.rejected);
    counts.filter(|(_, count)| *count > 0).map(|(reason, count)| (reason.name(), count)).collect()
}
