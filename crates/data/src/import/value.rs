// SPDX-License-Identifier: GPL-3.0-or-later
//! Scores and results as people write them.

use chess::pgn::CommentScore;
use chess::{Color, GameResult, Outcome, White};

use crate::{LabelScore, MATE};

/// Nobody means a larger score.
const LIMIT: f64 = 100_000.0;

/// What a plain number counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    /// Hundredths of a pawn, always whole.
    Centipawns,
    /// Pawns, with a decimal point or without.
    Pawns,
}

/// Whose advantage is positive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScoreView {
    /// White's, whoever is to move.
    White,
    /// That of the side to move.
    Mover,
}

impl ScoreView {
    /// The side whose advantage is positive.
    const fn side(self, turn: Color) -> Color {
        match self {
            Self::White => Color::White,
            Self::Mover => turn,
        }
    }
}

/// A score such as `+56`, `-12`, `#-3` or `#+5`, in White's view.
pub(super) fn read_score(
    text: &str,
    unit: Unit,
    view: ScoreView,
    turn: Color,
) -> Result<LabelScore, String> {
    let side = view.side(turn);
    let text = text.trim();
    let found = excerpt(text);
    if let Some((is_negative, moves)) = mate(text) {
        let moves = moves.parse::<u16>();
        let moves = moves.map_err(|_| format!("expected a mate like `#-3`, found `{found}`"))?;
        let winner = if is_negative { !side } else { side };
        return Ok(LabelScore::mate(i32::from(moves), winner));
    }
    // Rust also reads `inf` and `nan`, and numbers with an exponent, which some programs write.
    let number = text.parse::<f64>().ok().filter(|number| number.is_finite());
    let number =
        number.ok_or_else(|| format!("expected a score like `+56` or `#-3`, found `{found}`"))?;
    let centipawns = match unit {
        Unit::Pawns => number * 100.0,
        Unit::Centipawns if number.fract() == 0.0 => number,
        Unit::Centipawns => {
            return Err(format!("expected whole centipawns, found `{found}`; are these pawns?"));
        }
    };
    if centipawns.abs() > LIMIT {
        return Err(format!("expected a score of at most 1,000 pawns, found `{found}`"));
    }
    // Numbers this large are mates of programs that have no other way to write them.
    let mate = f64::from(MATE);
    let score = White::seen_by(side, centipawns.round().clamp(-mate, mate));
    Ok(LabelScore::from_stored(score.get() as i16))
}

/// The sign and the digits of a mate: `#3`, `#-3`, `-#3`, `M3`, `-M3`.
fn mate(text: &str) -> Option<(bool, &str)> {
    let (before, after) = text.split_once(['#', 'M'])?;
    let is_negative = |sign: &str| match sign {
        "" | "+" => Some(false),
        "-" => Some(true),
        _ => None,
    };
    let digits = after.trim_start_matches(['+', '-']);
    let inner = is_negative(&after[..after.len() - digits.len()])?;
    let outer = is_negative(before)?;
    let is_unsigned = digits.bytes().all(|byte| byte.is_ascii_digit());
    Some((inner || outer, if is_unsigned { digits } else { "" }))
}

/// A score from a comment of a game, positive for `side`, in White's view.
pub(super) fn from_evaluation(value: CommentScore, side: Color) -> LabelScore {
    match value {
        CommentScore::Mate(moves) => LabelScore::mate(moves, if moves < 0 { !side } else { side }),
        CommentScore::Centipawns(centipawns) => {
            LabelScore::clamped(White::seen_by(side, i64::from(centipawns)))
        }
    }
}

/// A result: `1-0`, or White's points such as `0.5`.
pub(super) fn read_outcome(text: &str) -> Option<Outcome> {
    let text = text.trim().trim_matches(['[', ']']);
    match text {
        "1.0" | "1" | "1.00" => Some(Outcome::Decisive { winner: Color::White }),
        "0.5" | "0.50" | ".5" | "1/2" => Some(Outcome::Draw),
        "0.0" | "0" | "0.00" => Some(Outcome::Decisive { winner: Color::Black }),
        _ => text.parse::<GameResult>().ok()?.0,
    }
}

/// The beginning of a text, for messages.
pub(super) fn excerpt(text: &str) -> String {
    text.chars().take(60).collect()
}
