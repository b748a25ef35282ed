// SPDX-License-Identifier: GPL-3.0-or-later
//! Games as text: PGN, read as a stream and written.
//!
//! [`PgnReader`] yields one [`PgnGame`] after the other and keeps no more than one in memory. It
//! forgives what files in the wild contain, and what it cannot read it reports with the game, the
//! move and the token, and goes on with the next game.
//!
//! The text is taken apart by our own tokenizer, not by the crate `pgn-reader` 0.29, which would be
//! two to three times as fast: with `shakmaty` it needs 4 to 12 ms for a megabyte, we 14 to 34 ms,
//! most of it for the moves. But it drops what it cannot read without a word, so that `1. Sf3`
//! becomes a game without moves and `1. e4 xyz e5` one without a fault; it gives up at a comment that
//! is never closed, and all games after it are lost; and it brings a second set of chess types. Here
//! every such token is an error that names it.
//!
//! As in `python-chess` and `pgn-reader`, a blank line after moves ends a game.
//!
//! ```
//! use chess::pgn::PgnReader;
//! let text = "[White \"A\"]\n\n1. e4 {best} (1. d4 d5) e5 2. Nf3! *\n\n1. e4 Ke7 *\n";
//! let games: Vec<_> = PgnReader::new(text.as_bytes()).collect::<Result<_, _>>().unwrap();
//! assert_eq!(games[0].tag("White"), Some("A"));
//! assert_eq!(games[0].mainline.moves.len(), 3);
//! assert_eq!(games[0].mainline.moves[0].variations[0].moves.len(), 2);
//! assert_eq!(games[1].errors[0].to_string(), "game 2, 1... `Ke7` is not a legal move here");
//! ```

mod builder;
mod comment;
mod error;
mod game;
mod lexer;
mod reader;
mod scanner;
mod tag;
mod writer;

pub use comment::{CommentScore, EngineNote, Eval, clock, elapsed, engine_note, eval};
pub use error::{PgnError, PgnErrorKind, Place};
pub use game::{PgnGame, PgnLine, PgnNode};
pub use reader::{Detail, PgnReader};
