// SPDX-License-Identifier: GPL-3.0-or-later
//! What can be wrong with a game's text.

use std::fmt;

use thiserror::Error;

use crate::{Board, Color, FenError, MoveError};

/// A fault in a game, and where it is.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("game {game}, {place} {kind}")]
pub struct PgnError {
    /// Which game of the file, from 1.
    pub game: usize,
    /// Where in the game.
    pub place: Place,
    /// What is wrong.
    #[source]
    pub kind: PgnErrorKind,
}

/// Where in a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// Among the tags.
    Tags,
    /// Where the next move is, or would be.
    Move {
        /// Its number.
        number: u32,
        /// Whose move.
        turn: Color,
    },
}

impl Place {
    pub(super) const fn of(board: &Board) -> Self {
        Self::Move { number: board.fullmove_number(), turn: board.turn() }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tags => f.write_str("tags:"),
            Self::Move { number, turn: Color::White } => write!(f, "{number}."),
            Self::Move { number, turn: Color::Black } => write!(f, "{number}..."),
        }
    }
}

/// What is wrong with a game.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum PgnErrorKind {
    /// A move that cannot be read or played. The line ends before it.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// The position in the tag `FEN` is wrong. No move of the game is read.
    #[error("FEN: {0}")]
    Fen(#[from] FenError),
    /// The game follows rules that are not those of chess. No move of it is read.
    #[error("expected the variant `Standard` or `Chess960`, found `{0}`")]
    Variant(String),
    /// Not a tag.
    #[error("expected a tag like `[White \"Name\"]`, found `{0}`")]
    Tag(String),
    /// Not a glyph.
    #[error("expected a glyph like `$1` or `!?`, found `{0}`")]
    Nag(String),
    /// A comment goes on to the end of the file or to the next game.
    #[error("expected `}}` at the end of the comment `{0}`")]
    UnclosedComment(String),
    /// A variation goes on to the end of the game.
    #[error("expected `)` at the end of a variation")]
    UnclosedVariation,
    /// A variation ends that never began.
    #[error("found `)` outside a variation")]
    StrayClose,
    /// A variation where there is no move that it could replace.
    #[error("expected a move before the variation")]
    NoMove,
    /// Variations within variations, deeper than any game needs. They are left out.
    #[error("variations are nested too deeply")]
    TooDeep,
    /// More moves after the result.
    #[error("expected nothing after the result, found `{0}`")]
    AfterResult(String),
    /// Text that means nothing here.
    #[error("expected a move, found `{0}`")]
    Unexpected(String),
}
