// SPDX-License-Identifier: GPL-3.0-or-later
//! `FEN | score | result`.

use chess::Board;

use super::value::{excerpt, read_outcome, read_score};
use super::{Reading, Sample};
use crate::Label;

/// Reads a line: nothing if it is blank or a comment. With one value, a decimal point or a dash
/// such as in `0.5` and `1-0` makes it a result, otherwise it is a score. With none, the position is
/// there to be labelled later.
pub(super) fn read(line: &str, reading: Reading) -> Result<Option<Sample>, String> {
    let line = line.trim();
    if line.is_empty() || line.starts_with('#') {
        return Ok(None);
    }
    let fields: Vec<_> = line.split('|').map(str::trim).collect();
    let board: Board = fields[0].parse().map_err(|error| format!("FEN: {error}"))?;
    let score = |text: &str| read_score(text, reading.unit, reading.view, board.turn());
    let outcome = |text: &str| {
        let found = excerpt(text);
        read_outcome(text).ok_or_else(|| format!("expected a result like `0.5`, found `{found}`"))
    };
    let label = match fields[1..] {
        [] => Label::default(),
        [value] if is_result(value) => Label { outcome: Some(outcome(value)?), ..Label::default() },
        [value] => Label { score: Some(score(value)?), ..Label::default() },
        [first, second] => {
            Label { score: Some(score(first)?), outcome: Some(outcome(second)?), best_move: None }
        }
        _ => return Err(format!("expected `FEN | score | result`, found {} fields", fields.len())),
    };
    Ok(Some(Sample { board, label }))
}

fn is_result(text: &str) -> bool {
    read_outcome(text).is_some() && text.contains(['.', '/', '-'])
}
