// SPDX-License-Identifier: GPL-3.0-or-later
//! Tables: CSV and TSV.

use std::borrow::Cow;

use chess::{Board, Move};

use super::value::{excerpt, read_outcome, read_score};
use super::{Reading, Sample};
use crate::Label;

/// Where in a row things are.
#[derive(Clone, Debug)]
struct Columns {
    fen: usize,
    score: Option<usize>,
    best_move: Option<usize>,
    outcome: Option<usize>,
    count: usize,
}

/// A table under way. Its first line may name the columns.
pub(super) struct ColumnTable {
    separator: char,
    columns: Option<Columns>,
}

impl ColumnTable {
    pub(super) const fn new(separator: char) -> Self {
        Self { separator, columns: None }
    }

    /// Reads a row: nothing if it is blank or names the columns.
    pub(super) fn read(&mut self, line: &str, reading: Reading) -> Result<Option<Sample>, String> {
        if line.trim().is_empty() {
            return Ok(None);
        }
        let fields = fields(line, self.separator)?;
        let Some(columns) = &self.columns else {
            let named = Columns::from_names(&fields);
            let is_header = named.is_some();
            self.columns = Some(named.unwrap_or_else(Columns::unnamed));
            return if is_header { Ok(None) } else { self.read(line, reading) };
        };
        columns.read(&fields, reading).map(Some)
    }
}

impl Columns {
    /// `FEN,evaluation`.
    const fn unnamed() -> Self {
        Self { fen: 0, score: Some(1), best_move: None, outcome: None, count: 2 }
    }

    /// The columns by their names, if one of them is for FENs.
    fn from_names(names: &[Cow<'_, str>]) -> Option<Self> {
        let plain = |name: &str| -> String {
            let letters = name.chars().filter(char::is_ascii_alphanumeric);
            letters.map(|letter| letter.to_ascii_lowercase()).collect()
        };
        let names: Vec<_> = names.iter().map(|name| plain(name)).collect();
        let find = |known: &[&str]| names.iter().position(|name| known.contains(&name.as_str()));
        Some(Self {
            fen: find(&["fen", "position", "board"])?,
            score: find(&["evaluation", "eval", "score", "cp", "centipawns", "value"]),
            best_move: find(&["move", "bestmove", "bm", "best"]),
            outcome: find(&["result", "wdl", "outcome"]),
            count: names.len(),
        })
    }

    fn read(&self, fields: &[Cow<'_, str>], reading: Reading) -> Result<Sample, String> {
        if fields.len() != self.count {
            return Err(format!("expected {} columns, found {}", self.count, fields.len()));
        }
        let board: Board =
            fields[self.fen].trim().parse().map_err(|error| format!("FEN: {error}"))?;
        let cell = |column: Option<usize>| column.map(|column| fields[column].trim());
        let turn = board.turn();
        let score = cell(self.score).map(|text| read_score(text, reading.unit, reading.view, turn));
        let best_move = cell(self.best_move).filter(|text| !text.is_empty());
        let outcome = cell(self.outcome).filter(|text| !text.is_empty() && *text != "*");
        let label = Label {
            score: score.transpose()?,
            best_move: best_move.map(|text| read_move(&board, text)).transpose()?,
            outcome: outcome
                .map(|text| {
                    let found = excerpt(text);
                    read_outcome(text)
                        .ok_or_else(|| format!("expected a result like `0.5`, found `{found}`"))
                })
                .transpose()?,
        };
        Ok(Sample { board, label })
    }
}

/// A move in UCI notation or in SAN.
fn read_move(board: &Board, text: &str) -> Result<Move, String> {
    let read = board.parse_uci(text).or_else(|_| board.parse_san(text));
    read.map_err(|error| format!("best move: {error}"))
}

/// The fields of a row, some of which may be in quotes.
fn fields(line: &str, separator: char) -> Result<Vec<Cow<'_, str>>, String> {
    let mut fields = Vec::new();
    let mut rest = line;
    loop {
        let (field, after) = match rest.trim_start_matches(' ').strip_prefix('"') {
            Some(quoted) => unquote(quoted, separator)?,
            None => match rest.split_once(separator) {
                Some((field, after)) => (Cow::Borrowed(field), Some(after)),
                None => (Cow::Borrowed(rest), None),
            },
        };
        fields.push(field);
        match after {
            Some(after) => rest = after,
            None => return Ok(fields),
        }
    }
}

/// A field after its opening quote, and what follows its separator.
fn unquote(text: &str, separator: char) -> Result<(Cow<'_, str>, Option<&str>), String> {
    let mut field = String::new();
    let mut rest = text;
    loop {
        let Some((part, after)) = rest.split_once('"') else {
            return Err(format!("expected a quote at the end of `{}`", excerpt(text)));
        };
        field.push_str(part);
        if let Some(after) = after.strip_prefix('"') {
            field.push('"');
            rest = after;
            continue;
        }
        let after = after.trim_start_matches(' ');
        if after.is_empty() {
            return Ok((field.into(), None));
        }
        return match after.strip_prefix(separator) {
            Some(after) => Ok((field.into(), Some(after))),
            None => Err(format!("expected a new column after a quote, found `{}`", excerpt(after))),
        };
    }
}
