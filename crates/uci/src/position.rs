// SPDX-License-Identifier: GPL-3.0-or-later
//! `position`: where a game starts and the moves since.
//!
//! FEN and moves stay text: the engine resolves them against a board and may accept more than the
//! protocol promises, such as both notations of castling.

use std::fmt;

use crate::error::CommandError;
use crate::token::{collapse, excerpt, split_around, split_word, words};

/// One `position` command.
///
/// ```
/// use uci::{Base, Command, UciPosition};
///
/// let Command::Position(position) = "position startpos moves e2e4 e7e5".parse()? else { panic!() };
/// assert_eq!(position, UciPosition { base: Base::Startpos, moves: vec!["e2e4".into(), "e7e5".into()] });
/// # Ok::<(), uci::CommandError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct UciPosition {
    /// The position before the first move.
    pub base: Base,
    /// The moves as sent, not even checked for their shape.
    pub moves: Vec<String>,
}

/// Where a game starts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Base {
    /// The standard starting position.
    Startpos,
    /// A FEN of one or more fields, with single blanks between them.
    Fen(String),
}

impl UciPosition {
    /// Reads what follows the word `position`.
    pub(crate) fn parse(arguments: &str) -> Result<Self, CommandError> {
        const COMMAND: &str = "position";
        let expected = "`startpos` or `fen`";
        let (keyword, rest) = split_word(arguments);
        let is_moves = |word: &str| word.eq_ignore_ascii_case("moves");
        let (before, moves) = split_around(rest, is_moves).unwrap_or((rest, ""));
        if keyword.is_empty() {
            return Err(CommandError::Missing { command: COMMAND, expected });
        }
        let base = if keyword.eq_ignore_ascii_case("startpos") {
            let (extra, _) = split_word(before);
            if !extra.is_empty() {
                let (token, expected) = (excerpt(extra), "`moves` after `startpos`");
                return Err(CommandError::Unexpected { command: COMMAND, token, expected });
            }
            Base::Startpos
        } else if keyword.eq_ignore_ascii_case("fen") {
            if before.is_empty() {
                let expected = "a FEN after `fen`";
                return Err(CommandError::Missing { command: COMMAND, expected });
            }
            Base::Fen(collapse(before))
        } else {
            let token = excerpt(keyword);
            return Err(CommandError::Unexpected { command: COMMAND, token, expected });
        };
        Ok(Self { base, moves: words(moves) })
    }
}

impl fmt::Display for UciPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "position {}", self.base)?;
        if !self.moves.is_empty() {
            write!(f, " moves {}", self.moves.join(" "))?;
        }
        Ok(())
    }
}

impl fmt::Display for Base {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Startpos => f.write_str("startpos"),
            Self::Fen(fen) => write!(f, "fen {fen}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FEN: &str = "8/P6k/8/8/8/8/8/K7 w - - 0 1";

    fn startpos(moves: &[&str]) -> UciPosition {
        UciPosition { base: Base::Startpos, moves: moves.iter().map(ToString::to_string).collect() }
    }

    fn fen(fen: &str, moves: &[&str]) -> UciPosition {
        UciPosition { base: Base::Fen(fen.to_owned()), ..startpos(moves) }
    }

    #[test]
    fn both_bases_with_and_without_moves() {
        for (arguments, position) in [
            ("startpos", startpos(&[])),
            ("startpos moves", startpos(&[])),
            ("startpos   moves   e2e4   e7e5 ", startpos(&["e2e4", "e7e5"])),
            ("STARTPOS MOVES E2E4", startpos(&["E2E4"])),
            ("startpos moves e4 zzzz 0000 O-O", startpos(&["e4", "zzzz", "0000", "O-O"])),
            ("fen 8/P6k/8/8/8/8/8/K7 w - - 0 1", fen(FEN, &[])),
            ("fen 8/P6k/8/8/8/8/8/K7  w -  - 0 1 moves a7a8Q", fen(FEN, &["a7a8Q"])),
            ("fen 8/P6k/8/8/8/8/8/K7 w - - 0 1 moves ", fen(FEN, &[])),
            ("fen 8/8/8", fen("8/8/8", &[])),
            ("fen a b c d e f g h i", fen("a b c d e f g h i", &[])),
        ] {
            assert_eq!(UciPosition::parse(arguments), Ok(position.clone()), "{arguments}");
            let printed = position.to_string();
            assert_eq!(
                UciPosition::parse(printed.strip_prefix("position ").unwrap()),
                Ok(position)
            );
        }
    }

    #[test]
    fn errors_name_the_token_and_what_was_expected() {
        for (arguments, message) in [
            ("", "`position`: expected `startpos` or `fen`, found nothing"),
            ("banana", "`position`: expected `startpos` or `fen`, found `banana`"),
            ("moves e2e4", "`position`: expected `startpos` or `fen`, found `moves`"),
            ("startpos e2e4 e7e5", "`position`: expected `moves` after `startpos`, found `e2e4`"),
            (
                "startpos e2e4 moves e7e5",
                "`position`: expected `moves` after `startpos`, found `e2e4`",
            ),
            ("fen", "`position`: expected a FEN after `fen`, found nothing"),
            ("fen moves e2e4", "`position`: expected a FEN after `fen`, found nothing"),
        ] {
            assert_eq!(UciPosition::parse(arguments).unwrap_err().to_string(), message);
        }
    }
}
