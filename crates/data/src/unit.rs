// SPDX-License-Identifier: GPL-3.0-or-later
//! What the numbers of labels count, and how files say so.
//!
//! Labels are in centipawns. Our own self-play wrote points of its network into the same fields until
//! 2026-11-19, and did not say so. Therefore files carry a mark now, and jobs refuse to mix.

use std::path::Path;

use chess::{Board, Color, White};
use serde::{Deserialize, Serialize};

use crate::{Input, MATE, MAX_SCORE};

/// A label's score in White's view, in hundredths of the advantage that wins every second game: what UCI
/// engines print. A mate is [`MATE`] less its moves.
///
/// It is a type of its own, so that points of a network do not become a label unless somebody converts
/// them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct LabelScore(i16);

impl LabelScore {
    /// Centipawns of a score that is no mate, as far as it fits.
    pub fn clamped(centipawns: White<i64>) -> Self {
        let most = i64::from(MAX_SCORE);
        Self(centipawns.get().clamp(-most, most) as i16)
    }

    /// The score of a mate in this many moves, negative if White is mated.
    pub fn mate(moves: i32, winner: Color) -> Self {
        let distance = moves.unsigned_abs().min((MATE - MAX_SCORE - 1) as u32) as i16;
        match winner {
            Color::White => Self(MATE - distance),
            Color::Black => Self(distance - MATE),
        }
    }

    /// A number as a file holds it, mates included.
    pub const fn from_stored(stored: i16) -> Self {
        Self(stored)
    }

    /// The number as a file holds it, mates included.
    pub const fn get(self) -> i16 {
        self.0
    }

    /// The number as a side sees it.
    pub const fn view_of(self, color: Color) -> i16 {
        match color {
            Color::White => self.0,
            // A file may hold any number, also the one that has no opposite.
            Color::Black => self.0.saturating_neg(),
        }
    }

    /// Whether it is a mate.
    pub const fn is_mate(self) -> bool {
        self.0.unsigned_abs() > MAX_SCORE as u16
    }
}

/// A score in points of a network, White's view, as files of older self-play hold it. It is no mate: mates are
/// the same in both units.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LabelPoints(i16);

impl LabelPoints {
    /// The number.
    pub const fn get(self) -> White<i16> {
        White::new(self.0)
    }
}

/// Makes centipawns of points. How many they are depends on the material that is on the board.
pub type Conversion = fn(&Board, LabelPoints) -> LabelScore;

/// What the scores of a file count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// [`LabelScore`].
    Centipawns,
    /// [`LabelPoints`] of the network that played.
    Points,
}

impl Unit {
    /// The unit that a mark in a file stands for. Zero and whatever else foreign programs have there says
    /// nothing.
    pub(crate) const fn from_mark(mark: u8) -> Option<Self> {
        match mark {
            b'c' => Some(Self::Centipawns),
            b'p' => Some(Self::Points),
            _ => None,
        }
    }

    /// The mark in a file; zero if the unit is not known.
    pub(crate) const fn mark(unit: Option<Self>) -> u8 {
        match unit {
            Some(Self::Centipawns) => b'c',
            Some(Self::Points) => b'p',
            None => 0,
        }
    }

    /// One word for messages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Centipawns => "centipawns",
            Self::Points => "points",
        }
    }

    /// Points, if the settings of an older self-play lie beside an unmarked file of games.
    pub(crate) fn of_older_self_play(path: &Path) -> Option<Self> {
        let plain = match path.extension().and_then(|extension| extension.to_str()) {
            Some("zst" | "xz") => path.with_extension(""),
            _ => path.to_owned(),
        };
        if Input::kind(&plain) != "vf" {
            return None;
        }
        let text = std::fs::read(plain.with_added_extension("json")).ok()?;
        let settings: serde_json::Value = serde_json::from_slice(&text).ok()?;
        let is_older = settings.get("soft_nodes").is_some() && settings.get("unit").is_none();
        is_older.then_some(Self::Points)
    }
}

/// What files hold that do not say it themselves.
#[derive(Clone, Copy, Debug, Default)]
pub enum Unmarked {
    /// Nobody has said it. They are taken for centipawns, as viriformat has them, and what is made of them
    /// stays unmarked.
    #[default]
    Unknown,
    /// Centipawns; what is made of them is marked.
    Centipawns,
    /// Points, which are converted.
    Points(Conversion),
}

/// What a job asks of the units of its files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Need {
    /// Centipawns or unmarked, and all the same.
    Centipawns,
    /// All the same.
    Same,
    /// Nothing: it does not look at scores.
    Nothing,
}

/// What is done to a game or record before a job sees it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Treatment {
    Keep,
    /// It is marked as centipawns.
    Mark,
    Convert(Conversion),
}

/// Compares the units of all games and records of a job.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Units {
    unmarked: Unmarked,
    need: Need,
    /// That of what has been seen, after its treatment.
    common: Option<Unit>,
    has_begun: bool,
}

impl Units {
    pub(crate) const fn new(unmarked: Unmarked, need: Need) -> Self {
        Self { unmarked, need, common: None, has_begun: false }
    }

    /// What all that was seen is in; `None` if that is not known.
    pub(crate) const fn common(self) -> Option<Unit> {
        self.common
    }

    /// What is to be done to something with this mark, or why it cannot be used.
    pub(crate) fn admit(&mut self, found: Option<Unit>) -> Result<Treatment, String> {
        let (treatment, unit) = match (self.unmarked, found) {
            (Unmarked::Centipawns, None) => (Treatment::Mark, Some(Unit::Centipawns)),
            (Unmarked::Points(convert), None | Some(Unit::Points)) => {
                (Treatment::Convert(convert), Some(Unit::Centipawns))
            }
            _ => (Treatment::Keep, found),
        };
        if self.need == Need::Nothing {
            return Ok(treatment);
        }
        if self.need == Need::Centipawns && unit == Some(Unit::Points) {
            return Err("the scores are points of an older self-play, expected centipawns: \
                        `--unit points` converts them"
                .to_owned());
        }
        if self.has_begun && self.common != unit {
            return Err(mixed(self.common, unit));
        }
        (self.common, self.has_begun) = (unit, true);
        Ok(treatment)
    }
}

/// Why scores of two units cannot go together.
fn mixed(before: Option<Unit>, found: Option<Unit>) -> String {
    let name = |unit: Option<Unit>| unit.map_or("not marked with a unit", Unit::name);
    format!(
        "the scores are {}, those before are {}: `--unit centipawns` or `--unit points` says what \
         unmarked files hold",
        name(found),
        name(before)
    )
}

/// The converted score; mates stay what they are.
pub(crate) fn converted(board: &Board, stored: LabelScore, convert: Conversion) -> LabelScore {
    if stored.is_mate() { stored } else { convert(board, LabelPoints(stored.get())) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn halve(_: &Board, points: LabelPoints) -> LabelScore {
        LabelScore::clamped(points.get().map(|points| i64::from(points) / 2))
    }

    #[test]
    fn marks_come_back_and_foreign_ones_say_nothing() {
        for unit in [None, Some(Unit::Centipawns), Some(Unit::Points)] {
            assert_eq!(Unit::from_mark(Unit::mark(unit)), unit);
        }
        assert_eq!(Unit::from_mark(1), None);
    }

    #[test]
    fn units_do_not_mix() {
        let known = [None, Some(Unit::Centipawns), Some(Unit::Points)];
        for first in known {
            for second in known {
                let mut units = Units::new(Unmarked::Unknown, Need::Same);
                units.admit(first).unwrap();
                assert_eq!(units.admit(second).is_ok(), first == second);
            }
        }
        assert!(Units::new(Unmarked::Unknown, Need::Centipawns).admit(known[2]).is_err());
    }

    #[test]
    fn what_is_said_makes_all_of_them_centipawns() {
        let mut units = Units::new(Unmarked::Points(halve), Need::Centipawns);
        assert!(matches!(units.admit(Some(Unit::Centipawns)), Ok(Treatment::Keep)));
        assert!(matches!(units.admit(None), Ok(Treatment::Convert(_))));
        assert_eq!(units.common(), Some(Unit::Centipawns));
    }

    #[test]
    fn mates_are_the_same_in_both_units() {
        let board = Board::default();
        let clamped = |score| LabelScore::clamped(White::new(score));
        let mate = LabelScore::mate(3, Color::Black);
        assert_eq!(converted(&board, mate, halve), mate);
        assert_eq!(converted(&board, clamped(90), halve), clamped(45));
    }
}
