// SPDX-License-Identifier: GPL-3.0-or-later
//! Opening books in Polyglot's format: read, asked and made.
//!
//! A book is a list of entries of sixteen bytes, sorted by the key of the position, each with a move,
//! its weight and a number for learning. See <http://hgm.nubati.net/book_format.html>.
//!
//! ```
//! use chess::{Board, pgn::PgnReader, polyglot::BookMaker};
//! let mut maker = BookMaker::default();
//! for game in PgnReader::mainline("1. e4 e5 1-0\n\n1. d4 1/2-1/2\n\n1. c4 0-1\n".as_bytes()) {
//!     maker.add(&game.unwrap());
//! }
//! let book = maker.finish();
//! let board = Board::default();
//! let found = book.find(&board);
//! let moves: Vec<_> = found.moves.iter().map(|m| (m.uci(&board), m.weight)).collect();
//! assert_eq!(moves, [("e2e4".to_owned(), 2), ("d2d4".to_owned(), 1)]);
//! ```

mod book;
mod key;
mod make;
mod random;

pub use book::{Book, BookError, BookMove, EntryError, Found};
pub use make::BookMaker;
