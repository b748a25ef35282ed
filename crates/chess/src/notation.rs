// SPDX-License-Identifier: GPL-3.0-or-later
//! Moves as text: UCI's long notation.

use std::fmt;

use thiserror::Error;

use crate::{Board, Move, Rank, Role, Square, Wing};

/// How castling is written in UCI notation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum CastlingMode {
    /// By the king's target: `e1g1`.
    #[default]
    Standard,
    /// By the rook's square: `e1h1`.
    Chess960,
}

/// A move that cannot be read or played.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum MoveError {
    /// Not the form of a move.
    #[error("expected a move like {expected}, found `{found}`")]
    Malformed {
        /// An example of the notation.
        expected: &'static str,
        /// What is there.
        found: String,
    },
    /// A move, but not a legal one.
    #[error("`{0}` is not a legal move here")]
    Illegal(String),
    /// Several moves could be meant.
    #[error("`{0}` could be {1} different moves here")]
    Ambiguous(String, usize),
}

/// Wrong text for an error to quote. A mistake may be megabytes long; its beginning is enough to
/// find it.
pub(crate) fn excerpt(text: &str) -> String {
    const SHOWN: usize = 80;
    let mut shown: String = text.chars().take(SHOWN).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown
}

/// A move in UCI notation, ready to be printed.
#[derive(Clone, Copy, Debug)]
pub struct UciMove {
    from: Square,
    to: Square,
    promotion: Option<Role>,
}

impl Move {
    /// The move in UCI notation.
    ///
    /// ```
    /// use chess::{Board, CastlingMode};
    /// let board: Board = "4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse().unwrap();
    /// let castle = board.parse_uci("e1g1").unwrap();
    /// assert_eq!(castle.uci(CastlingMode::Standard).to_string(), "e1g1");
    /// assert_eq!(castle.uci(CastlingMode::Chess960).to_string(), "e1h1");
    /// ```
    pub fn uci(self, mode: CastlingMode) -> UciMove {
        let mut to = self.to();
        if self.is_castle() && mode == CastlingMode::Standard {
            let wing = if to > self.from() { Wing::King } else { Wing::Queen };
            to = Square::new(wing.king_target(crate::Color::White).file(), to.rank());
        }
        UciMove { from: self.from(), to, promotion: self.promotion() }
    }
}

impl fmt::Display for UciMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)?;
        self.promotion.map_or(Ok(()), |role| write!(f, "{}", role.letter()))
    }
}

impl Board {
    /// The legal move that this text means in UCI notation.
    ///
    /// Castling is understood in both notations at any time: programs mix them up, and no position
    /// makes the difference ambiguous. The promotion letter may be of either case.
    pub fn parse_uci(&self, text: &str) -> Result<Move, MoveError> {
        let malformed =
            || MoveError::Malformed { expected: "`e2e4` or `e7e8q`", found: excerpt(text) };
        if !text.is_ascii() || !(4..=5).contains(&text.len()) {
            return Err(malformed());
        }
        let from: Square = text[..2].parse().map_err(|_| malformed())?;
        let to: Square = text[2..4].parse().map_err(|_| malformed())?;
        let promotion = match text[4..].chars().next() {
            Some(letter) => Some(
                Role::from_letter(letter)
                    .filter(|role| Role::PROMOTIONS.contains(role))
                    .ok_or_else(malformed)?,
            ),
            None => None,
        };
        self.find_move(from, to, promotion).ok_or_else(|| MoveError::Illegal(excerpt(text)))
    }

    fn find_move(&self, from: Square, to: Square, promotion: Option<Role>) -> Option<Move> {
        let moves = self.legal_moves();
        let is_meant = |mv: &&Move| mv.from() == from && mv.promotion() == promotion;
        let exact = moves.iter().filter(is_meant).find(|mv| mv.to() == to);
        exact
            .or_else(|| moves.iter().filter(is_meant).find(|mv| self.castles_to(**mv, to)))
            .copied()
    }

    /// Whether castling is named by the king's target, two or more files away.
    fn castles_to(&self, mv: Move, to: Square) -> bool {
        let wing = if mv.to() > mv.from() { Wing::King } else { Wing::Queen };
        mv.is_castle()
            && to.rank() == Rank::First.relative_to(self.turn())
            && to == wing.king_target(self.turn())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_castling_notations_are_read() {
        let board: Board = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1".parse().unwrap();
        for (one, other) in [("e1g1", "e1h1"), ("e1c1", "e1a1")] {
            let mv = board.parse_uci(one).unwrap();
            assert!(mv.is_castle());
            assert_eq!(board.parse_uci(other), Ok(mv));
        }
        let step: Board = "4k3/8/8/8/8/8/8/5KR1 w G - 0 1".parse().unwrap();
        assert!(step.parse_uci("f1g1").unwrap().is_castle());
        let near: Board = "4k3/8/8/8/8/8/8/5K1R w H - 0 1".parse().unwrap();
        assert!(!near.parse_uci("f1g1").unwrap().is_castle());
        assert!(near.parse_uci("f1h1").unwrap().is_castle());
    }

    #[test]
    fn errors_quote_the_text() {
        let board = Board::default();
        assert_eq!(
            board.parse_uci("zzzz").unwrap_err().to_string(),
            "expected a move like `e2e4` or `e7e8q`, found `zzzz`"
        );
        assert_eq!(
            board.parse_uci("e2e5").unwrap_err().to_string(),
            "`e2e5` is not a legal move here"
        );
        for text in ["", "0000", "e2e4x", "e2e4k", "e2é4", "e2e4qq"] {
            assert!(board.parse_uci(text).is_err(), "{text}");
        }
    }
}
