// SPDX-License-Identifier: GPL-3.0-or-later
//! `log.csv`: one line for each game, from which all results can be counted again.

use std::collections::BTreeMap;

use chess::{Color, GameResult, Outcome};
use thiserror::Error;

use crate::referee::{GameFault, GameRecord};
use crate::stats;
use crate::tournament::{MatchSettings, PairRecord, PairResult, Pairing};

/// The first line of the log.
pub const LOG_HEADER: &str = "pair,game,white,black,result,plies,ending,seconds,white_seconds,\
    black_seconds,llr,opening,faults\n";

/// The number of columns.
const COLUMNS: usize = 13;

/// One game of the log.
#[derive(Clone, Debug, PartialEq)]
pub struct LogLine {
    /// The pair's number, from 0.
    pub pair: usize,
    /// The game's number, from 1; the first game of a pair is odd.
    pub game: usize,
    /// White's name.
    pub white: String,
    /// Black's name.
    pub black: String,
    /// Who won.
    pub outcome: Outcome,
    /// Plies played, those of the opening included.
    pub plies: usize,
    /// Why the game ended, in words.
    pub ending: String,
    /// How long it took.
    pub seconds: f64,
    /// Time that White took.
    pub white_seconds: f64,
    /// Time that Black took.
    pub black_seconds: f64,
    /// The log-likelihood ratio after this pair, if there is a test.
    pub llr: Option<f64>,
    /// The first position that the engines had to think about, as a FEN.
    pub opening: String,
    /// What went wrong.
    pub faults: Vec<GameFault>,
}

/// Why a log cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LogError {
    /// The first line is another.
    #[error("expected the columns {}", LOG_HEADER.trim_end())]
    Header,
    /// A line has too few or too many columns.
    #[error("line {line}: {found} columns, expected {COLUMNS}")]
    Columns {
        /// The line, from 1.
        line: usize,
        /// How many it has.
        found: usize,
    },
    /// A value makes no sense.
    #[error("line {line}: bad {column} `{token}`")]
    Value {
        /// The line, from 1.
        line: usize,
        /// The column.
        column: &'static str,
        /// The value.
        token: String,
    },
    /// A pair is not whole, or not of this match.
    #[error("pair {pair} is not one of this match")]
    Pair {
        /// The pair's number.
        pair: usize,
    },
}

/// One game of a pair as a line.
pub(super) fn format_game(
    pair: &PairRecord,
    index: usize,
    [white, black]: [&str; 2],
    llr: Option<f64>,
) -> String {
    let record = &pair.games[index];
    let game = 2 * pair.result.pair + index + 1;
    let faults: Vec<&GameFault> =
        pair.result.faults.iter().filter(|fault| fault.game == game).collect();
    let faults = if faults.is_empty() {
        String::new()
    } else {
        serde_json::to_string(&faults).expect("faults are plain data")
    };
    let seconds = |color| format!("{:.3}", thinking_seconds(record, color));
    let fields: [String; COLUMNS] = [
        pair.result.pair.to_string(),
        game.to_string(),
        white.to_owned(),
        black.to_owned(),
        record.outcome.to_string(),
        (record.opening.moves.len() + record.moves.len()).to_string(),
        record.ending.to_string(),
        format!("{:.3}", record.duration.as_secs_f64()),
        seconds(Color::White),
        seconds(Color::Black),
        llr.map_or_else(String::new, |llr| format!("{llr:.5}")),
        first_position(record),
        faults,
    ];
    let mut line = fields.map(|field| quote(&field)).join(",");
    line.push('\n');
    line
}

fn thinking_seconds(record: &GameRecord, color: Color) -> f64 {
    let mut board_turn = record.opening.start.turn();
    if record.opening.moves.len() % 2 == 1 {
        board_turn = !board_turn;
    }
    let skip = usize::from(board_turn != color);
    record.moves.iter().skip(skip).step_by(2).map(|mv| mv.elapsed.as_secs_f64()).sum()
}

fn first_position(record: &GameRecord) -> String {
    let mut board = record.opening.start;
    for &mv in &record.opening.moves {
        board.play(mv);
    }
    board.fen().to_string()
}

fn quote(field: &str) -> String {
    let field = field.replace(['\n', '\r'], " ");
    if field.contains([',', '"']) { format!("\"{}\"", field.replace('"', "\"\"")) } else { field }
}

/// Reads a whole log.
pub fn read_log(text: &str) -> Result<Vec<LogLine>, LogError> {
    let body = text.strip_prefix(LOG_HEADER).ok_or(LogError::Header)?;
    (2..).zip(body.lines()).map(|(line, text)| read_line(line, text)).collect()
}

fn read_line(line: usize, text: &str) -> Result<LogLine, LogError> {
    let fields = split(text);
    let found = fields.len();
    let fields: [String; COLUMNS] =
        fields.try_into().map_err(|_| LogError::Columns { line, found })?;
    let bad = |column, token: &str| LogError::Value { line, column, token: token.to_owned() };
    let number = |column, token: &str| token.parse().map_err(|_| bad(column, token));
    let seconds = |column, token: &str| token.parse::<f64>().map_err(|_| bad(column, token));
    let [
        pair,
        game,
        white,
        black,
        result,
        plies,
        ending,
        total,
        first,
        second,
        llr,
        opening,
        faults,
    ] = fields;
    let outcome = result.parse::<GameResult>().ok().and_then(|result| result.0);
    Ok(LogLine {
        pair: number("pair", &pair)?,
        game: number("game", &game)?,
        outcome: outcome.ok_or_else(|| bad("result", &result))?,
        plies: number("plies", &plies)?,
        seconds: seconds("seconds", &total)?,
        white_seconds: seconds("white_seconds", &first)?,
        black_seconds: seconds("black_seconds", &second)?,
        llr: if llr.is_empty() { None } else { Some(seconds("llr", &llr)?) },
        faults: if faults.is_empty() {
            Vec::new()
        } else {
            serde_json::from_str(&faults).map_err(|_| bad("faults", &faults))?
        },
        white,
        black,
        ending,
        opening,
    })
}

fn split(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut is_quoted = false;
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' if is_quoted && letters.next_if_eq(&'"').is_some() => push(&mut fields, '"'),
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => fields.push(String::new()),
            letter => push(&mut fields, letter),
        }
    }
    fields
}

fn push(fields: &mut [String], letter: char) {
    if let Some(field) = fields.last_mut() {
        field.push(letter);
    }
}

/// The pairs that the lines make up; every pair must be whole.
pub(super) fn pairs(
    lines: &[LogLine],
    settings: &MatchSettings,
) -> Result<Vec<PairResult>, LogError> {
    let mut games: BTreeMap<usize, Vec<&LogLine>> = BTreeMap::new();
    for line in lines {
        games.entry(line.pair).or_default().push(line);
    }
    let pairings = settings.pairings();
    let pair = |(pair, lines): (usize, Vec<&LogLine>)| {
        let pairing = pairings[pair % pairings.len()];
        read_pair(pair, pairing, &lines, settings).ok_or(LogError::Pair { pair })
    };
    games.into_iter().map(pair).collect()
}

fn read_pair(
    pair: usize,
    pairing: Pairing,
    lines: &[&LogLine],
    settings: &MatchSettings,
) -> Option<PairResult> {
    let &[one, other] = lines else { return None };
    let name = |engine: usize| settings.engines[engine].name.as_str();
    let (first, second) = (name(pairing.first), name(pairing.second));
    let is_right = (one.white.as_str(), one.black.as_str()) == (first, second)
        && (other.white.as_str(), other.black.as_str()) == (second, first);
    let outcomes = [
        stats::FirstResult::seen_by(Color::White, one.outcome),
        stats::FirstResult::seen_by(Color::Black, other.outcome),
    ];
    let faults = one.faults.iter().chain(&other.faults).cloned().collect();
    is_right.then_some(PairResult { pair, pairing, outcomes, faults })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_fields_survive() {
        for field in ["plain", "a,b", "say \"x\"", "", "\","] {
            assert_eq!(split(&format!("{},end", quote(field))), [field, "end"]);
        }
    }

    #[test]
    fn bad_logs_are_named() {
        assert_eq!(read_log("x\n"), Err(LogError::Header));
        assert_eq!(read_log(LOG_HEADER), Ok(Vec::new()));
        let text = format!("{LOG_HEADER}1,2\n");
        assert_eq!(read_log(&text), Err(LogError::Columns { line: 2, found: 2 }));
        let text = format!("{LOG_HEADER}0,1,A,B,2-0,9,mate,1,1,1,,fen,\n");
        assert!(read_log(&text).unwrap_err().to_string().contains("bad result `2-0`"));
    }
}
