// SPDX-License-Identifier: GPL-3.0-or-later
//! What an engine thinks of a position, as the protocol says it.

use std::fmt;

/// A score from the side to move's point of view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct UciScore {
    /// Centipawns or moves to mate.
    pub value: ScoreValue,
    /// Whether the true score may be better or worse.
    pub bound: Bound,
}

/// The two units of a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ScoreValue {
    /// Hundredths of a pawn.
    Cp(i32),
    /// Full moves until mate; negative if the side to move is mated, 0 if it is mated already.
    Mate(i32),
}

/// How far a score can be trusted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Bound {
    /// The score itself.
    #[default]
    Exact,
    /// The true score is at least this good.
    Lower,
    /// The true score is at most this good.
    Upper,
}

/// Chances of win, draw and loss for the side to move, in thousandths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct UciWdl {
    /// Chance to win.
    pub win: u32,
    /// Chance to draw.
    pub draw: u32,
    /// Chance to lose.
    pub loss: u32,
}

impl UciScore {
    /// An exact score in centipawns.
    pub const fn cp(centipawns: i32) -> Self {
        Self { value: ScoreValue::Cp(centipawns), bound: Bound::Exact }
    }

    /// An exact mate score, in moves.
    pub const fn mate(moves: i32) -> Self {
        Self { value: ScoreValue::Mate(moves), bound: Bound::Exact }
    }

    /// The same value with another bound.
    #[must_use]
    pub const fn with_bound(self, bound: Bound) -> Self {
        Self { bound, ..self }
    }
}

impl fmt::Display for UciScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.value)?;
        match self.bound {
            Bound::Exact => Ok(()),
            Bound::Lower => f.write_str(" lowerbound"),
            Bound::Upper => f.write_str(" upperbound"),
        }
    }
}

impl fmt::Display for ScoreValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cp(centipawns) => write!(f, "cp {centipawns}"),
            Self::Mate(moves) => write!(f, "mate {moves}"),
        }
    }
}

impl fmt::Display for UciWdl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.win, self.draw, self.loss)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_print_unit_value_and_bound() {
        assert_eq!(UciScore::cp(-13).to_string(), "cp -13");
        assert_eq!(UciScore::mate(3).to_string(), "mate 3");
        assert_eq!(UciScore::cp(7).with_bound(Bound::Lower).to_string(), "cp 7 lowerbound");
        assert_eq!(UciScore::mate(-2).with_bound(Bound::Upper).to_string(), "mate -2 upperbound");
        assert_eq!(UciWdl { win: 300, draw: 600, loss: 100 }.to_string(), "300 600 100");
    }
}
