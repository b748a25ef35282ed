// SPDX-License-Identifier: GPL-3.0-or-later
//! Opening books: where the games of a match begin.
//!
//! Each pair of games takes one opening, so that both engines play it with both colors. Which pair
//! takes which opening follows from the pair's number and the settings alone, so that a resumed
//! match goes on where it stopped.

use std::fmt;
use std::io::{self, BufRead};
use std::path::PathBuf;
use std::str::FromStr;

use chess::pgn::PgnReader;
use chess::{Board, CastlingMode, Epd, Move};
use serde::{Deserialize, Serialize};
use thiserror::Error;
use tools::{Rng, read};

use crate::text_file::is_pgn;

/// The beginning of a game.
#[derive(Clone, Debug)]
pub struct Opening {
    /// The first position.
    pub start: Board,
    /// Moves that the engines do not choose.
    pub moves: Vec<Move>,
}

impl Default for Opening {
    /// The starting position.
    fn default() -> Self {
        Self { start: Board::default(), moves: Vec::new() }
    }
}

/// In which order openings are used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// As in the file.
    #[default]
    Sequential,
    /// Shuffled by the seed.
    Random,
}

impl FromStr for Order {
    type Err = OrderError;

    fn from_str(text: &str) -> Result<Self, OrderError> {
        match text {
            "sequential" => Ok(Self::Sequential),
            "random" => Ok(Self::Random),
            _ => Err(OrderError { token: text.to_owned() }),
        }
    }
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Sequential => "sequential",
            Self::Random => "random",
        })
    }
}

/// A text that names no [`Order`].
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown order `{token}`, expected `sequential` or `random`")]
pub struct OrderError {
    /// The whole text.
    pub token: String,
}

/// Which openings of a book to use, and how.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BookSettings {
    /// EPD or, ending in `.pgn`, games; perhaps compressed (`.zst`, `.xz`).
    pub file: PathBuf,
    /// The order.
    pub order: Order,
    /// Seed of the shuffle.
    pub seed: u64,
    /// The number of the first opening to use, from 1.
    pub start: usize,
    /// Most plies to take from a game; all if `None`.
    pub plies: Option<usize>,
}

/// A book in memory; never empty.
#[derive(Clone, Debug)]
pub struct OpeningBook {
    entries: Vec<Entry>,
    /// Indices into `entries` in the order of use.
    order: Vec<u32>,
    skipped: Vec<Skipped>,
    castling: CastlingMode,
}

/// An opening in little space: books have millions.
#[derive(Clone, Debug)]
struct Entry {
    /// The standard starting position if `None`.
    fen: Option<Box<str>>,
    moves: Box<[Move]>,
}

/// An opening that cannot be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// The line of an EPD file or the number of a game, from 1.
    pub number: usize,
    /// Why.
    pub reason: String,
}

/// Why there is no book.
#[derive(Debug, Error)]
pub enum BookError {
    /// The file cannot be read.
    #[error("cannot read the book `{}`", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// The file holds nothing to play.
    #[error("no playable opening in the book `{}`{}", .path.display(), first_reason(.first.as_ref()))]
    Empty {
        /// The file.
        path: PathBuf,
        /// The first opening that was refused.
        first: Option<Skipped>,
    },
}

fn first_reason(first: Option<&Skipped>) -> String {
    first.map_or_else(String::new, |skipped| format!(": {skipped}"))
}

impl fmt::Display for Skipped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "opening {}: {}", self.number, self.reason)
    }
}

impl OpeningBook {
    /// Reads a book; openings that cannot be played are skipped, see [`Self::skipped`].
    pub fn load(settings: &BookSettings) -> Result<Self, BookError> {
        let path = settings.file.as_path();
        let io_error = |source| BookError::Io { path: path.to_owned(), source };
        let mut book = Self::default();
        let reader = read::open(path).map_err(io_error)?;
        if is_pgn(path) {
            book.read_pgn(reader, settings.plies).map_err(io_error)?;
        } else {
            book.read_epd(reader).map_err(io_error)?;
        }
        if book.entries.is_empty() {
            let (path, first) = (path.to_owned(), book.skipped.into_iter().next());
            return Err(BookError::Empty { path, first });
        }
        book.sort(settings);
        Ok(book)
    }

    fn read_epd(&mut self, reader: impl BufRead) -> io::Result<()> {
        for (number, line) in (1..).zip(read::lines(reader)) {
            match Epd::read_line(&line?) {
                Ok(Some(epd)) => self.push(number, epd.board(), &[]),
                Ok(None) => {}
                Err(error) => self.skip(number, &error),
            }
        }
        Ok(())
    }

    /// Reads games, each cut to at most `plies`. One with a fault is no opening.
    fn read_pgn(&mut self, reader: impl BufRead, plies: Option<usize>) -> io::Result<()> {
        for (number, game) in (1..).zip(PgnReader::mainline(reader)) {
            let game = game?;
            if let Some(error) = game.errors.first() {
                self.skip(number, error);
            } else {
                let moves: Vec<Move> = game.moves().take(plies.unwrap_or(usize::MAX)).collect();
                self.push(number, &game.start, &moves);
            }
        }
        Ok(())
    }

    /// Adds an opening unless its game is over before it begins.
    fn push(&mut self, number: usize, start: &Board, moves: &[Move]) {
        let mut board = *start;
        for &mv in moves {
            board.play(mv);
        }
        if !board.has_legal_moves() {
            self.skip(number, &"the game is already over");
            return;
        }
        if start.is_chess960() {
            self.castling = CastlingMode::Chess960;
        }
        let fen = (*start != Board::default()).then(|| start.fen().to_string().into_boxed_str());
        self.entries.push(Entry { fen, moves: moves.into() });
    }

    fn skip(&mut self, number: usize, reason: &impl fmt::Display) {
        self.skipped.push(Skipped { number, reason: reason.to_string() });
    }

    fn sort(&mut self, settings: &BookSettings) {
        self.order = (0..self.entries.len() as u32).collect();
        if settings.order == Order::Random {
            let mut rng = Rng::new(settings.seed);
            for last in (1..self.order.len()).rev() {
                self.order.swap(last, rng.below(last + 1));
            }
        }
        let first = settings.start.saturating_sub(1) % self.order.len();
        self.order.rotate_left(first);
    }

    /// The number of openings.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Never, as there is no book without openings.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// What could not be played.
    pub fn skipped(&self) -> &[Skipped] {
        &self.skipped
    }

    /// Chess960 if any position needs its notation of castling.
    pub fn castling(&self) -> CastlingMode {
        self.castling
    }

    /// The opening for a pair of games, by the pair's number from 0; from the front again when all
    /// are used.
    pub fn opening(&self, pair: usize) -> Opening {
        let entry = &self.entries[self.order[pair % self.order.len()] as usize];
        let start = match &entry.fen {
            Some(fen) => fen.parse().expect("the position was read before"),
            None => Board::default(),
        };
        Opening { start, moves: entry.moves.to_vec() }
    }
}

impl Default for OpeningBook {
    /// A book under construction.
    fn default() -> Self {
        Self {
            entries: Vec::new(),
            order: Vec::new(),
            skipped: Vec::new(),
            castling: CastlingMode::Standard,
        }
    }
}

/// A book of the starting position alone, for engines that vary by themselves.
pub fn starting_position() -> OpeningBook {
    let mut book = OpeningBook::default();
    let entry = Entry { fen: None, moves: Box::default() };
    book.entries.push(entry);
    book.order.push(0);
    book
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(file: PathBuf) -> BookSettings {
        BookSettings { file, order: Order::Sequential, seed: 1, start: 1, plies: None }
    }

    fn write(folder: &tempfile::TempDir, name: &str, text: &str) -> PathBuf {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    }

    const THREE: &str = "4k3/8/8/8/8/8/8/4K2R w K - 0 1\n\
        # comment\n\
        no position\n\
        7k/5Q2/6K1/8/8/8/8/8 b - - bm Kg8; id \"stalemate\";\n\
        4k3/8/8/8/8/8/4P3/4K3 w - - bm e4;\n\
        4k3/8/8/8/8/8/3P4/4K3 b - - 7 9\n";

    #[test]
    fn bad_lines_are_skipped_and_reported() {
        let folder = tempfile::tempdir().unwrap();
        let book = OpeningBook::load(&settings(write(&folder, "book.epd", THREE))).unwrap();
        assert_eq!(book.len(), 3);
        let numbers: Vec<_> = book.skipped().iter().map(|skipped| skipped.number).collect();
        assert_eq!(numbers, [3, 4]);
        assert_eq!(book.opening(2).start.halfmove_clock(), 7);
        assert_eq!(book.opening(4).start, book.opening(1).start);
        assert_eq!(book.castling(), CastlingMode::Standard);
    }

    #[test]
    fn the_seed_decides_the_order_and_start_rotates_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = write(&folder, "book.epd", THREE);
        let load = |order, seed, start| {
            let settings = BookSettings { order, seed, start, ..settings(path.clone()) };
            OpeningBook::load(&settings).unwrap().order
        };
        assert_eq!(load(Order::Sequential, 0, 2), [1, 2, 0]);
        assert_eq!(load(Order::Random, 5, 1), load(Order::Random, 5, 1));
        assert!((0..9).any(|seed| load(Order::Random, seed, 1) != [0, 1, 2]));
    }

    #[test]
    fn compressed_and_pgn_books_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let packed = zstd::encode_all(THREE.as_bytes(), 1).unwrap();
        let path = folder.path().join("book.epd.zst");
        std::fs::write(&path, packed).unwrap();
        assert_eq!(OpeningBook::load(&settings(path)).unwrap().len(), 3);

        let pgn = "[Event \"?\"]\n\n1. e4 {best} e5 (1... c5 $1) 2. Nf3! *\n\n\
            [FEN \"bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1\"]\n\n1.d4 d5 1-0\n\
            \n[Event \"bad\"]\n\n1. e5 *\n";
        let path = write(&folder, "book.pgn", pgn);
        let book = OpeningBook::load(&BookSettings { plies: Some(2), ..settings(path) }).unwrap();
        assert_eq!((book.len(), book.skipped().len()), (2, 1));
        assert_eq!(book.opening(0).moves.len(), 2);
        assert_eq!(book.castling(), CastlingMode::Chess960);
    }

    #[test]
    fn empty_books_say_why() {
        let folder = tempfile::tempdir().unwrap();
        let error = OpeningBook::load(&settings(write(&folder, "x.epd", "8/8 w - -"))).unwrap_err();
        assert!(error.to_string().contains("opening 1: "), "{error}");
    }
}
