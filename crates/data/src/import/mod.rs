// SPDX-License-Identifier: GPL-3.0-or-later
//! Labelled positions and games in the formats of others.
//!
//! Loose positions become records, since a game of one move would be a lie; games with scores in
//! their comments become games, or records if the output's name ends in `.qrec`. Lines that cannot be
//! read are reported and skipped.

mod columns;
mod epd;
mod lines;
mod openbench;
mod pgn;
mod sink;
mod text;
mod value;

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use chess::Board;

use crate::{DataError, Input, Label, Observer, Place, Problem, ReadProgress};
use columns::ColumnTable;
use lines::Lines;
use sink::Sink;

pub use value::{ScoreView, Unit};

/// What a file looks like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// `FEN,evaluation`, with or without a first line that names the columns.
    Csv,
    /// The same with tabs.
    Tsv,
    /// `FEN | score | result`, of which one may be missing.
    Text,
    /// Games with `[%eval …]` or `+0.35/12` in comments.
    Pgn,
    /// The games of an OpenBench job: its archive (`.pgn.tar`), or what is in it.
    OpenBench,
    /// Positions with `ce`, `dm`, `bm` and a result in `c0` or `c9`.
    Epd,
}

impl Format {
    /// The format that a file's name suggests.
    pub fn of(path: &Path) -> Option<Self> {
        Some(match Input::kind(path).as_str() {
            "csv" => Self::Csv,
            "tsv" => Self::Tsv,
            "txt" | "text" => Self::Text,
            "pgn" => Self::Pgn,
            "tar" => Self::OpenBench,
            "epd" | "fen" => Self::Epd,
            _ => return None,
        })
    }
}

/// How to read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reading {
    /// The format.
    pub format: Format,
    /// What a plain number counts. Comments of games are always in pawns, `ce` in centipawns.
    pub unit: Unit,
    /// Whose advantage is positive. Comments and `ce` have their own rules.
    pub view: ScoreView,
    /// Leaves out positions with scores of this size and beyond, in centipawns, as all mates are. Whole
    /// games stay whole.
    pub max_score: Option<u16>,
}

impl Reading {
    /// Centipawns in White's view.
    pub const fn new(format: Format) -> Self {
        Self { format, unit: Unit::Centipawns, view: ScoreView::White, max_score: None }
    }
}

/// What was imported.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Imported {
    /// Lines that were read, blank ones and those of games included.
    pub lines: u64,
    /// Games that were written, or that the positions come from.
    pub games: u64,
    /// Positions that were written.
    pub positions: u64,
    /// Those of them with a score.
    pub scored: u64,
    /// Those of them with a result.
    pub with_result: u64,
    /// Positions that were left out because of their score.
    pub left_out: u64,
}

/// A labelled position as a line describes it.
struct Sample {
    board: Board,
    label: Label,
}

/// Reads some files and writes what they hold to `output`.
pub fn import(
    inputs: &[PathBuf],
    output: &Path,
    reading: Reading,
    observer: &mut Observer<'_>,
) -> Result<Imported, DataError> {
    let mut sink = Sink::create(output, reading)?;
    let mut progress =
        ReadProgress { total: Input::bytes_on_disk(inputs), ..ReadProgress::default() };
    for path in inputs {
        let input = Input::open(path)?;
        let before = progress.done;
        let bytes_read = input.bytes_read();
        let mut advance = |observer: &mut Observer<'_>, positions| {
            progress.done = before + bytes_read.load(Ordering::Relaxed);
            progress.positions = positions;
            (observer.progress)(progress);
        };
        match reading.format {
            Format::Pgn => pgn::import(input, &mut sink, observer, &mut advance)?,
            Format::OpenBench => openbench::import(input, &mut sink, observer, &mut advance)?,
            _ => import_lines(input, reading, &mut sink, observer, &mut advance)?,
        }
    }
    if sink.imported.positions == 0 {
        let names: Vec<_> = inputs.iter().map(|path| format!("`{}`", path.display())).collect();
        let reason = format!("nothing was imported: expected positions in {}", names.join(", "));
        return Err(DataError::Usage(reason));
    }
    sink.finish()
}

/// Called now and then with the number of positions so far.
type Advance<'a> = dyn FnMut(&mut Observer<'_>, u64) + 'a;

fn import_lines(
    input: Input,
    reading: Reading,
    sink: &mut Sink,
    observer: &mut Observer<'_>,
    advance: &mut Advance<'_>,
) -> Result<(), DataError> {
    let path = input.path().to_owned();
    let mut lines = Lines::new(input);
    let mut table = match reading.format {
        Format::Csv => ColumnTable::new(','),
        _ => ColumnTable::new('\t'),
    };
    while let Some((number, line)) = lines.next_line() {
        sink.imported.lines += 1;
        if number % 4096 == 0 {
            advance(observer, sink.imported.positions);
        }
        let sample = line.and_then(|line| match reading.format {
            Format::Csv | Format::Tsv => table.read(line, reading),
            Format::Text => text::read(line, reading),
            Format::Epd | Format::Pgn | Format::OpenBench => epd::read(line),
        });
        let written = match sample {
            Ok(None) => Ok(()),
            Ok(Some(sample)) => sink.write_sample(&sample)?,
            Err(reason) => Err(reason),
        };
        if let Err(reason) = written {
            observer.problems.report(&path, &Problem::new(Place::Line(number), reason))?;
        }
    }
    Ok(())
}
