// SPDX-License-Identifier: GPL-3.0-or-later
//! When the referee ends a game that the laws of chess would let go on.
//!
//! All of it is off by default. The words are those of fastchess and cutechess.

use std::str::FromStr;
use std::time::Duration;

use chess::{ByColor, CastlingMode, Color, Outcome};
use serde::{Deserialize, Serialize};
use thiserror::Error;
use uci::ScoreValue;

use super::tables::TableRule;

/// A score in centipawns that stands for a mate.
const MATE: i32 = 100_000;

/// How games are refereed.
#[derive(Clone, Debug)]
pub struct Rules {
    /// Draws by score.
    pub draw: Option<DrawRule>,
    /// Losses by score.
    pub resign: Option<ResignRule>,
    /// Full moves after which a game is drawn.
    pub max_moves: Option<u32>,
    /// Results by endgame tables.
    pub tables: Option<TableRule>,
    /// Time that a player may overstep its clock by. Zero, as in other programs, unless the machine is busy.
    pub margin: Duration,
    /// Time for a move that no clock bounds; after it the engine is taken for dead.
    pub patience: Duration,
    /// How castling is written.
    pub castling: CastlingMode,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            draw: None,
            resign: None,
            max_moves: None,
            tables: None,
            margin: Duration::ZERO,
            patience: Duration::from_mins(10),
            castling: CastlingMode::Standard,
        }
    }
}

/// A draw when both engines see no advantage for long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DrawRule {
    /// Full moves since the start of the game after which it applies; `movenumber`.
    pub move_number: u32,
    /// Moves of each side in a row; `movecount`.
    pub move_count: u32,
    /// Largest score of either side in centipawns; `score`.
    pub score: i32,
}

/// A loss when an engine sees itself lost for long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResignRule {
    /// Moves in a row; `movecount`.
    pub move_count: u32,
    /// The score in centipawns, as a positive number; `score`.
    pub score: i32,
    /// Whether the opponent must see itself winning; `twosided`.
    pub is_two_sided: bool,
}

/// Why words are no rule.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("bad word `{word}`: expected {expected}")]
pub struct RuleError {
    /// The word.
    pub word: String,
    /// What would have been right.
    pub expected: &'static str,
}

impl FromStr for DrawRule {
    type Err = RuleError;

    /// Reads `movenumber=N movecount=N score=N`.
    fn from_str(text: &str) -> Result<Self, RuleError> {
        let expected = "movenumber=N, movecount=N or score=CENTIPAWNS";
        let mut rule = Self { move_number: 34, move_count: 8, score: 20 };
        for word in text.split_whitespace() {
            match read_number(word, expected)? {
                ("movenumber", number) => rule.move_number = number as u32,
                ("movecount", number) => rule.move_count = number as u32,
                ("score", number) => rule.score = number,
                _ => return Err(RuleError { word: word.to_owned(), expected }),
            }
        }
        Ok(rule)
    }
}

impl FromStr for ResignRule {
    type Err = RuleError;

    /// Reads `movecount=N score=N twosided=BOOL`.
    fn from_str(text: &str) -> Result<Self, RuleError> {
        let expected = "movecount=N, score=CENTIPAWNS or twosided=true";
        let mut rule = Self { move_count: 3, score: 600, is_two_sided: false };
        for word in text.split_whitespace() {
            let bad = || RuleError { word: word.to_owned(), expected };
            if let Some(value) = word.strip_prefix("twosided=") {
                rule.is_two_sided = value.parse().map_err(|_| bad())?;
                continue;
            }
            match read_number(word, expected)? {
                ("movecount", number) => rule.move_count = number as u32,
                ("score", number) => rule.score = number,
                _ => return Err(bad()),
            }
        }
        Ok(rule)
    }
}

fn read_number<'a>(word: &'a str, expected: &'static str) -> Result<(&'a str, i32), RuleError> {
    let pair = word.split_once('=').and_then(|(key, value)| Some((key, value.parse().ok()?)));
    pair.filter(|&(_, number)| number >= 0)
        .ok_or_else(|| RuleError { word: word.to_owned(), expected })
}

/// Why the referee ended a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Adjudication {
    /// See [`DrawRule`].
    Draw,
    /// See [`ResignRule`].
    Resign {
        /// Who lost.
        loser: Color,
    },
    /// See [`Rules::max_moves`].
    MaxMoves,
    /// See [`TableRule`].
    Tables {
        /// What they say.
        outcome: Outcome,
    },
}

/// The scores of a game as far as adjudication needs them.
#[derive(Clone, Debug, Default)]
pub(super) struct Watch {
    /// Plies in a row, up to now, with small scores.
    quiet_plies: u32,
    /// Moves in a row that each side saw itself lost.
    losing: ByColor<u32>,
    /// Moves in a row that each side saw itself winning.
    winning: ByColor<u32>,
}

impl Watch {
    /// Notes the score of a move by `color`; one without score breaks every row.
    pub(super) fn note(&mut self, rules: &Rules, color: Color, score: Option<ScoreValue>) {
        let score = score.map(centipawns);
        let continues = |row: u32, is_so: bool| if is_so { row + 1 } else { 0 };
        if let Some(rule) = rules.draw {
            let is_quiet = score.is_some_and(|score| score.abs() <= rule.score);
            self.quiet_plies = continues(self.quiet_plies, is_quiet);
        }
        if let Some(rule) = rules.resign {
            let is_losing = score.is_some_and(|score| score <= -rule.score);
            let is_winning = score.is_some_and(|score| score >= rule.score);
            self.losing[color] = continues(self.losing[color], is_losing);
            self.winning[color] = continues(self.winning[color], is_winning);
        }
    }

    /// Whether the game ends after `color`'s move, the last of `plies`, and why.
    pub(super) fn verdict(
        &self,
        rules: &Rules,
        color: Color,
        plies: usize,
    ) -> Option<Adjudication> {
        let is_resigned = |rule: ResignRule| {
            self.losing[color] >= rule.move_count.max(1)
                && (!rule.is_two_sided || self.winning[!color] >= rule.move_count.max(1))
        };
        let is_drawn = |rule: DrawRule| {
            plies >= 2 * rule.move_number as usize && self.quiet_plies >= 2 * rule.move_count.max(1)
        };
        if rules.resign.is_some_and(is_resigned) {
            return Some(Adjudication::Resign { loser: color });
        }
        if rules.draw.is_some_and(is_drawn) {
            return Some(Adjudication::Draw);
        }
        let is_long = |max: u32| plies >= 2 * max as usize;
        rules.max_moves.is_some_and(is_long).then_some(Adjudication::MaxMoves)
    }
}

fn centipawns(score: ScoreValue) -> i32 {
    match score {
        ScoreValue::Cp(score) => score,
        ScoreValue::Mate(moves) if moves > 0 => MATE,
        ScoreValue::Mate(_) => -MATE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict_after(rules: &Rules, scores: &[i32], plies: usize) -> Option<Adjudication> {
        let mut watch = Watch::default();
        let mut color = Color::White;
        for &score in scores {
            watch.note(rules, color, Some(ScoreValue::Cp(score)));
            color = !color;
        }
        watch.verdict(rules, !color, plies)
    }

    #[test]
    fn draws_need_both_sides_and_enough_moves() {
        let draw = "movenumber=10 movecount=2 score=15".parse().unwrap();
        let rules = Rules { draw: Some(draw), ..Rules::default() };
        assert_eq!(verdict_after(&rules, &[15, -15, 0, 3], 20), Some(Adjudication::Draw));
        assert_eq!(verdict_after(&rules, &[15, -15, 0, 3], 19), None);
        assert_eq!(verdict_after(&rules, &[16, -15, 0, 3], 20), None);
    }

    #[test]
    fn resigning_may_ask_for_the_opponents_consent() {
        let resign = "movecount=2 score=400".parse().unwrap();
        let rules = Rules { resign: Some(resign), ..Rules::default() };
        let lost = Some(Adjudication::Resign { loser: Color::Black });
        assert_eq!(verdict_after(&rules, &[0, -400, 0, -500], 5), lost);
        assert_eq!(verdict_after(&rules, &[0, -400, 0, -399], 5), None);
        let resign = "movecount=2 score=400 twosided=true".parse().unwrap();
        let rules = Rules { resign: Some(resign), ..Rules::default() };
        assert_eq!(verdict_after(&rules, &[0, -400, 0, -500], 5), None);
        assert_eq!(verdict_after(&rules, &[400, -400, 500, -500], 5), lost);
    }

    #[test]
    fn long_games_end_after_a_full_move() {
        let rules = Rules { max_moves: Some(3), ..Rules::default() };
        assert_eq!(verdict_after(&rules, &[0], 5), None);
        assert_eq!(verdict_after(&rules, &[0, 0], 6), Some(Adjudication::MaxMoves));
    }

    #[test]
    fn bad_words_are_named() {
        for text in ["score", "score=x", "score=-5", "moves=4"] {
            let error = text.parse::<DrawRule>().unwrap_err().to_string();
            assert!(error.contains(&format!("`{text}`")), "{error}");
            assert!(text.parse::<ResignRule>().is_err());
        }
    }
}
