// SPDX-License-Identifier: GPL-3.0-or-later
//! What a position is worth to the side to move.

use std::fmt;
use std::ops::{Add, Neg, Sub};

/// The longest line that is ever searched, in plies.
pub const MAX_PLY: usize = 246;

/// A score from the side to move's view, in the evaluation's own units.
///
/// ```text
///  -32000          -31754        -31508          0          31508         31754          32000
///    | mated in n    | lost by table |  evaluation           | won by table | mates in n    |
/// ```
///
/// Wins by tablebase lie below all mates and above all evaluations. Every score fits in 16 bits.
///
/// ```
/// use search::Score;
/// assert!(Score::mate_in(3) > Score::mate_in(5));
/// assert!(Score::mated_in(4) < Score::new(-900));
/// assert_eq!(Score::mate_in(3).mate_moves(), Some(2));
/// assert_eq!(Score::mated_in(2).mate_moves(), Some(-1));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Score(i32);

const MATE: i32 = 32_000;
const MIN_MATE: i32 = MATE - MAX_PLY as i32;
const MIN_TABLE_WIN: i32 = MIN_MATE - MAX_PLY as i32;

impl Score {
    /// The score of a draw.
    pub const DRAW: Self = Self(0);
    /// Above every score that a position can have.
    pub const MAX: Self = Self(MATE + 1);
    /// Below every score that a position can have.
    pub const MIN: Self = Self(-MATE - 1);
    /// The largest score that an evaluation may give.
    pub const MAX_EVAL: Self = Self(MIN_TABLE_WIN - 1);

    /// A heuristic score, clamped to what an evaluation may give.
    #[inline]
    pub fn new(value: i32) -> Self {
        Self(value.clamp(-Self::MAX_EVAL.0, Self::MAX_EVAL.0))
    }

    /// The side to move mates in this many plies from the root.
    #[inline]
    pub const fn mate_in(plies: usize) -> Self {
        Self(MATE - plies as i32)
    }

    /// The side to move is mated in this many plies from the root.
    #[inline]
    pub const fn mated_in(plies: usize) -> Self {
        Self(plies as i32 - MATE)
    }

    /// The side to move wins by tablebase, found this many plies from the root.
    #[inline]
    pub const fn table_win_in(plies: usize) -> Self {
        Self(MIN_MATE - 1 - plies as i32)
    }

    /// A score as it was stored, of any kind.
    #[inline]
    pub(crate) const fn from_stored(value: i16) -> Self {
        Self(value as i32)
    }

    /// The plain number.
    #[inline]
    pub const fn value(self) -> i32 {
        self.0
    }

    /// Whether a mate or a tablebase has decided the game.
    #[inline]
    pub const fn is_decisive(self) -> bool {
        self.0.abs() >= MIN_TABLE_WIN
    }

    /// Whether the side to move has a proven win.
    #[inline]
    pub const fn is_win(self) -> bool {
        self.0 >= MIN_TABLE_WIN
    }

    /// Whether the side to move has a proven loss.
    #[inline]
    pub const fn is_loss(self) -> bool {
        self.0 <= -MIN_TABLE_WIN
    }

    /// Moves until mate, negative if the side to move is mated; `None` if no mate is seen.
    pub const fn mate_moves(self) -> Option<i32> {
        let plies = MATE - self.0.abs();
        if plies > MAX_PLY as i32 {
            return None;
        }
        Some(if self.0 > 0 { (plies + 1) / 2 } else { -(plies / 2) })
    }

    /// Plies to the end of a win or loss by tablebase as it was seen; `None` for other scores.
    pub const fn table_plies(self) -> Option<i32> {
        if !self.is_decisive() || self.mate_moves().is_some() {
            return None;
        }
        Some(MIN_MATE - 1 - self.0.abs())
    }

    /// The score as it is stored in a table that is shared between plies: wins and losses count from
    /// the node instead of the root.
    #[inline]
    pub(crate) const fn to_node(self, ply: usize) -> Self {
        self.shifted(ply as i32)
    }

    /// A stored score as seen from the root. A win that comes too late for the fifty-move rule is
    /// only a large score.
    #[inline]
    pub(crate) fn as_seen_at(self, ply: usize, halfmoves: usize) -> Self {
        if self.is_decisive() && self.distance() > 100 - halfmoves.min(100) as i32 {
            return Self(Self::MAX_EVAL.0 * self.0.signum());
        }
        self.shifted(-(ply as i32))
    }

    const fn shifted(self, by: i32) -> Self {
        match self {
            Self(s) if s >= MIN_TABLE_WIN => Self(s + by),
            Self(s) if s <= -MIN_TABLE_WIN => Self(s - by),
            other => other,
        }
    }

    /// Plies from the node to the end that a decisive score promises.
    const fn distance(self) -> i32 {
        match self.table_plies() {
            Some(plies) => plies,
            None => MATE - self.0.abs(),
        }
    }
}

impl Neg for Score {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

/// Moves a score by a margin.
impl Add<i32> for Score {
    type Output = Self;

    #[inline]
    fn add(self, margin: i32) -> Self {
        Self(self.0 + margin)
    }
}

/// Moves a score by a margin.
impl Sub<i32> for Score {
    type Output = Self;

    #[inline]
    fn sub(self, margin: i32) -> Self {
        Self(self.0 - margin)
    }
}

/// The margin between two scores.
impl Sub for Score {
    type Output = i32;

    #[inline]
    fn sub(self, other: Self) -> i32 {
        self.0 - other.0
    }
}

impl fmt::Debug for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mate_moves() {
            Some(moves) => write!(f, "#{moves}"),
            None => write!(f, "{}", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_mates_are_relative_to_their_node() {
        let seen_at_ply_5 = Score::mate_in(9);
        let stored = seen_at_ply_5.to_node(5);
        assert_eq!(stored, Score::mate_in(4));
        assert_eq!(stored.as_seen_at(5, 0), seen_at_ply_5);
        assert_eq!(stored.as_seen_at(7, 0), Score::mate_in(11));
        let lost = Score::mated_in(8);
        assert_eq!(lost.to_node(3).as_seen_at(3, 0), lost);
        assert_eq!(Score::new(123).to_node(50), Score::new(123));
    }

    #[test]
    fn mates_beyond_the_fifty_move_rule_are_no_mates() {
        let far = Score::mate_in(30);
        assert!(far.as_seen_at(0, 70).is_decisive());
        assert!(!far.as_seen_at(0, 71).is_decisive());
        assert_eq!((-far).as_seen_at(0, 71), -Score::MAX_EVAL);
    }

    #[test]
    fn the_bands_do_not_overlap() {
        assert!(Score::mate_in(MAX_PLY) > Score::table_win_in(0));
        assert!(Score::table_win_in(MAX_PLY - 1) > Score::MAX_EVAL);
        assert!(Score::table_win_in(MAX_PLY - 1).is_win());
        assert!(!Score::MAX_EVAL.is_decisive());
        assert_eq!(Score::table_win_in(7).table_plies(), Some(7));
        assert_eq!(Score::mate_in(7).table_plies(), None);
        assert_eq!(Score::mate_in(1).mate_moves(), Some(1));
        assert_eq!(Score::mated_in(0).mate_moves(), Some(0));
    }
}
