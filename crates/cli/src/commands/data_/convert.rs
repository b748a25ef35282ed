// SPDX-License-Identifier: GPL-3.0-or-later
//! `quincunx data import` and `quincunx data export`.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use data::export::{self, export};
use data::import::{self, Reading, ScoreView, Unit, import};

use super::{Common, UnitArgs};
use crate::commands::print_json;

/// Read labelled positions and games in the formats of others. Bad lines are named and skipped.
#[derive(Args, Debug)]
pub(super) struct Import {
    /// Files to read, also .zst, .xz and .bz2; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Their format [default: as their names say]
    #[arg(long, value_name = "FORMAT")]
    from: Option<From>,
    /// What to write: records (.qrec), or from PGN also games (.vf)
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// What plain numbers count, in formats that leave it open
    #[arg(long, value_name = "UNIT", default_value = "centipawns")]
    unit: UnitName,
    /// Whose advantage is positive, in formats that leave it open
    #[arg(long, value_name = "SIDE", default_value = "white")]
    view: ViewName,
    #[command(flatten)]
    scores: super::ScoreArgs,
    #[command(flatten)]
    common: Common,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum From {
    /// `FEN,evaluation`, such as `+56` and `#-3`; a first line may name the columns
    Csv,
    /// The same with tabs
    Tsv,
    /// `FEN | score | result`, of which one may be missing
    Text,
    /// Games with `[%eval 0.3]` or `+0.35/12` in comments
    Pgn,
    /// What OpenBench hands out of a job: `.pgn.tar`
    Openbench,
    /// Positions with `ce`, `dm`, `bm`, and a result in `c9` or `c0`
    Epd,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum UnitName {
    Centipawns,
    Pawns,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum ViewName {
    White,
    Mover,
}

impl Import {
    pub(super) fn run(&self) -> Result<()> {
        let reading = Reading {
            format: self.format()?,
            unit: match self.unit {
                UnitName::Centipawns => Unit::Centipawns,
                UnitName::Pawns => Unit::Pawns,
            },
            view: match self.view {
                ViewName::White => ScoreView::White,
                ViewName::Mover => ScoreView::Mover,
            },
            max_score: self.scores.max_score(),
        };
        let done =
            self.common.watch(|observer| import(&self.files, &self.out, reading, observer))?;
        let imported = done.made;
        if self.common.json {
            return print_json(&serde_json::json!({
                "lines": imported.lines,
                "games": imported.games,
                "positions": imported.positions,
                "scored": imported.scored,
                "with_result": imported.with_result,
                "left_out": imported.left_out,
                "problems": done.problems,
            }));
        }
        eprintln!(
            "{} positions from {} lines in `{}`: {} with a score, {} with a result",
            imported.positions,
            imported.lines,
            self.out.display(),
            imported.scored,
            imported.with_result
        );
        if imported.left_out > 0 {
            eprintln!("{} positions were left out because of their score", imported.left_out);
        }
        Ok(())
    }

    fn format(&self) -> Result<import::Format> {
        if let Some(from) = self.from {
            return Ok(match from {
                From::Csv => import::Format::Csv,
                From::Tsv => import::Format::Tsv,
                From::Text => import::Format::Text,
                From::Pgn => import::Format::Pgn,
                From::Openbench => import::Format::OpenBench,
                From::Epd => import::Format::Epd,
            });
        }
        let mut formats = self.files.iter().map(|path| import::Format::of(path));
        match formats.next().flatten() {
            Some(format) if formats.all(|other| other == Some(format)) => Ok(format),
            _ => bail!(
                "the names do not say the format: expected `--from csv|tsv|text|pgn|epd|openbench`"
            ),
        }
    }
}

/// Write positions and games in the formats of others.
#[derive(Args, Debug)]
pub(super) struct Export {
    /// Games (.vf) or records (.qrec), also .zst and .xz
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The format
    #[arg(long, value_name = "FORMAT")]
    to: To,
    /// The file to write, also .zst; `-` is standard output
    #[arg(long, value_name = "FILE", default_value = "-")]
    out: PathBuf,
    #[command(flatten)]
    unit: UnitArgs,
    #[command(flatten)]
    common: Common,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum To {
    /// `FEN | score | result`
    Text,
    /// `FEN,evaluation`
    Csv,
    /// A FEN per line
    Fen,
    /// Games in viriformat, without those that cannot be replayed
    Vf,
    /// Bulletformat, for the bullet trainer
    Bullet,
}

impl Export {
    pub(super) fn run(&self) -> Result<()> {
        let format = match self.to {
            To::Text => export::Format::Text,
            To::Csv => export::Format::Csv,
            To::Fen => export::Format::Fen,
            To::Vf => export::Format::Viri,
            To::Bullet => export::Format::Bullet,
        };
        if self.common.json && self.out == Path::new("-") {
            bail!("`--json` and the data cannot both go to standard output: expected `--out FILE`");
        }
        let unmarked = self.unit.unmarked();
        let done = self
            .common
            .watch(|observer| export(&self.files, &self.out, format, unmarked, observer))?;
        if self.common.json {
            let (written, problems) = (done.made, done.problems);
            return print_json(&serde_json::json!({ "written": written, "problems": problems }));
        }
        eprintln!("{} written to `{}`", done.made, self.out.display());
        Ok(())
    }
}
