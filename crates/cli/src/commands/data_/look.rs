// SPDX-License-Identifier: GPL-3.0-or-later
//! `quincunx data info` and `quincunx data check`.

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args;
use data::check::check;
use data::stats::{Stats, page, stats};

use super::{Common, UnitArgs};
use crate::commands::print_json;
use crate::output;

/// Count games, positions, results, scores and pieces, and see how scores foretell results.
#[derive(Args, Debug)]
pub(super) struct DataInfo {
    /// Games (.vf) or records (.qrec), also .zst and .xz
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Also write a page with charts
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    #[command(flatten)]
    unit: UnitArgs,
    #[command(flatten)]
    common: Common,
}

impl DataInfo {
    pub(super) fn run(&self) -> Result<()> {
        let done =
            self.common.watch(|observer| stats(&self.files, self.unit.unmarked(), observer))?;
        if let Some(path) = &self.html {
            output::write(path, page(&done.made, &self.title()).as_bytes())?;
        }
        if self.common.json {
            return print_json(&done.made);
        }
        output::print(&table(&done.made))
    }

    fn title(&self) -> String {
        let names: Vec<_> = self.files.iter().map(|path| path.display().to_string()).collect();
        names.join(", ")
    }
}

fn table(stats: &Stats) -> String {
    let share = |part: u64, whole: u64| 100.0 * part as f64 / whole.max(1) as f64;
    let results = stats.results;
    let decided = results.white + results.draw + results.black;
    let mut lines = vec![
        format!("games        {:>12}   {} of them Chess960", stats.games, stats.chess960_games),
        format!("positions    {:>12}   {} with a score", stats.positions, stats.scored),
        format!("  leaves     {:>12}   out of searches, without a result", stats.leaves),
        format!("unit         {:>12}", stats.unit.map_or("not said", data::Unit::name)),
    ];
    for (name, count) in [("White won", results.white), ("drawn", results.draw)]
        .into_iter()
        .chain([("Black won", results.black)])
    {
        lines.push(format!("{name:<12} {count:>12}   {:.1} %", share(count, decided)));
    }
    lines.push(format!(
        "quiet        {:>12}   {:.1} %",
        stats.quiet,
        share(stats.quiet, stats.positions)
    ));
    for (reason, &count) in &stats.rejected {
        lines.push(format!("  {reason:<10} {count:>12}   {:.1} %", share(count, stats.positions)));
    }
    lines.push(format!("mate scores  {:>12}", stats.mates));
    if let Some(scale) = stats.calibration.scale {
        lines.push(format!("best scale   {scale:>12.0}   White scores 1/(1+exp(-score/scale))"));
    }
    lines.join("\n") + "\n"
}

/// Replay every game and look at every record; exit with 1 if something is bad.
#[derive(Args, Debug)]
pub(super) struct Check {
    /// Games (.vf) or records (.qrec), also .zst and .xz
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    common: Common,
}

impl Check {
    pub(super) fn run(&self) -> Result<()> {
        let done = self.common.watch(|observer| check(&self.files, observer))?;
        let sound = done.made;
        if self.common.json {
            print_json(&serde_json::json!({
                "games": sound.games,
                "leaves": sound.leaves,
                "records": sound.records,
                "positions": sound.positions,
                "problems": done.problems,
            }))?;
        } else {
            output::print(&format!(
                "{} games, {} leaves and {} records with {} positions are sound\n",
                sound.games, sound.leaves, sound.records, sound.positions
            ))?;
        }
        if done.problems > 0 {
            bail!("{} games, records or files are bad", done.problems);
        }
        Ok(())
    }
}
