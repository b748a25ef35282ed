// SPDX-License-Identifier: GPL-3.0-or-later
//! A move as the protocol writes it.
//!
//! Only the shape is checked here, since legality needs a board and this crate has none. The null
//! move `0000` is not a move: where the protocol allows it, the type is `Option<MoveText>`.

use std::fmt;
use std::str::FromStr;

use crate::token::excerpt;

/// Marks that there is no promotion letter.
const NO_PROMOTION: u8 = 0;

/// Two squares and perhaps a promotion letter, in lower case.
///
/// ```
/// use uci::MoveText;
///
/// let mv: MoveText = "A7A8Q".parse()?;
/// assert_eq!(mv.to_string(), "a7a8q");
/// assert_eq!((mv.from_square(), mv.to_square(), mv.promotion()), ("a7", "a8", Some('q')));
/// assert!("0000".parse::<MoveText>().is_err());
/// # Ok::<(), uci::MoveTextError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MoveText {
    /// ASCII; the last byte is [`NO_PROMOTION`] or one of `nbrq`.
    bytes: [u8; 5],
}

/// Why a token is not a [`MoveText`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveTextError {
    /// The token has another shape.
    #[error(
        "bad move `{token}`: expected two squares and perhaps n, b, r or q, as in e2e4 or e7e8q"
    )]
    Malformed {
        /// The offending token, clipped.
        token: String,
    },
    /// The token is the null move.
    #[error("bad move `0000`: expected a real move, not the null move")]
    Null,
}

impl MoveText {
    /// The move as text, four or five characters.
    pub fn as_str(&self) -> &str {
        let length = if self.bytes[4] == NO_PROMOTION { 4 } else { 5 };
        self.ascii(0, length)
    }

    /// The square that the piece leaves, such as `e2`.
    pub fn from_square(&self) -> &str {
        self.ascii(0, 2)
    }

    /// The square that the piece enters, such as `e4`; the rook's square when castling in Chess960.
    pub fn to_square(&self) -> &str {
        self.ascii(2, 4)
    }

    /// One of `n`, `b`, `r` and `q`, if the move promotes.
    pub fn promotion(&self) -> Option<char> {
        (self.bytes[4] != NO_PROMOTION).then_some(char::from(self.bytes[4]))
    }

    fn ascii(&self, start: usize, end: usize) -> &str {
        std::str::from_utf8(&self.bytes[start..end]).expect("a parsed move is ASCII")
    }
}

impl FromStr for MoveText {
    type Err = MoveTextError;

    fn from_str(token: &str) -> Result<Self, Self::Err> {
        if token == "0000" {
            return Err(MoveTextError::Null);
        }
        let malformed = || MoveTextError::Malformed { token: excerpt(token) };
        let mut bytes = [NO_PROMOTION; 5];
        if !matches!(token.len(), 4 | 5) {
            return Err(malformed());
        }
        for (lower, byte) in bytes.iter_mut().zip(token.bytes()) {
            *lower = byte.to_ascii_lowercase();
        }

        let is_square = |square: &[u8]| matches!(square, [b'a'..=b'h', b'1'..=b'8']);
        let has_promotion = token.len() == 5;
        let is_well_formed = is_square(&bytes[0..2])
            && is_square(&bytes[2..4])
            && (!has_promotion || b"nbrq".contains(&bytes[4]));
        if is_well_formed { Ok(Self { bytes }) } else { Err(malformed()) }
    }
}

impl fmt::Display for MoveText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for MoveText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MoveText({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_round_trip_in_lower_case() {
        for (text, printed) in
            [("e2e4", "e2e4"), ("E2E4", "e2e4"), ("a7a8Q", "a7a8q"), ("h2h1n", "h2h1n")]
        {
            let mv: MoveText = text.parse().unwrap();
            assert_eq!(mv.to_string(), printed);
            assert_eq!(printed.parse(), Ok(mv));
        }
    }

    #[test]
    fn every_pair_of_squares_is_a_move() {
        let squares: Vec<String> =
            ('a'..='h').flat_map(|file| (1..=8).map(move |rank| format!("{file}{rank}"))).collect();
        for from in &squares {
            for to in &squares {
                let mv: MoveText = format!("{from}{to}").parse().unwrap();
                assert_eq!((mv.from_square(), mv.to_square()), (from.as_str(), to.as_str()));
                assert_eq!(mv.promotion(), None);
            }
        }
    }

    #[test]
    fn other_shapes_are_refused_by_name() {
        for token in [
            "", "e2", "e2e", "e2e9", "i2e4", "e2-e4", "a7a8k", "a7a8p", "a7a8qq", "Nf3", "O-O",
            "é2e4",
        ] {
            let error = token.parse::<MoveText>().unwrap_err();
            assert!(error.to_string().contains(&format!("`{token}`")), "{error}");
            assert!(error.to_string().contains("expected two squares"), "{error}");
        }
    }

    #[test]
    fn the_null_move_is_an_error_of_its_own() {
        assert_eq!("0000".parse::<MoveText>(), Err(MoveTextError::Null));
    }

    #[test]
    fn a_long_token_is_clipped_in_the_message() {
        let error = "x".repeat(100_000).parse::<MoveText>().unwrap_err();
        assert!(error.to_string().len() < 200);
    }
}
