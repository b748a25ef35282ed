// SPDX-License-Identifier: GPL-3.0-or-later
//! `quincunx data sample`.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use data::visits::{SampleSummary, Sampling, sample};

use super::{Common, UnitArgs, report_halves, share};
use crate::commands::print_json;

/// Make shuffled records of games with visits, for policies: best moves are drawn, the likelier the
/// more they were visited.
#[derive(Args, Debug)]
pub(super) struct Sample {
    /// Games of tree searches, also .zst and .xz
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The records for training (.qrec)
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Records of each position
    #[arg(long, value_name = "N", default_value_t = 4,
          value_parser = clap::value_parser!(u16).range(1..=256))]
    draws: u16,
    /// Share of the games, by their content, that is kept apart for validation
    #[arg(long, value_name = "SHARE", default_value = "0", value_parser = share)]
    validation: f64,
    /// The records for validation [default: the other name with `-validation`]
    #[arg(long, value_name = "FILE")]
    validation_out: Option<PathBuf>,
    /// Decides the draws and the order
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    unit: UnitArgs,
    #[command(flatten)]
    common: Common,
}

impl Sample {
    pub(super) fn run(&self) -> Result<()> {
        let settings = Sampling {
            draws: self.draws.into(),
            validation_share: self.validation,
            unmarked: self.unit.unmarked(),
            seed: self.seed,
        };
        let beside = || super::beside(&self.out);
        let validation =
            (self.validation > 0.0).then(|| self.validation_out.clone().unwrap_or_else(beside));
        let done = self.common.watch(|observer| {
            sample(&self.files, &self.out, validation.as_deref(), settings, observer)
        })?;
        let SampleSummary { games, records, positions } = done.made;
        if self.common.json {
            return print_json(&serde_json::json!({
                "games": games,
                "positions": positions,
                "records": records,
                "problems": done.problems,
                "seconds": done.seconds,
            }));
        }
        eprintln!("{positions} positions in {:.1} s", done.seconds);
        report_halves([Some(&self.out), validation.as_ref()], games, records);
        Ok(())
    }
}
