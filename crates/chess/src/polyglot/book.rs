// SPDX-License-Identifier: GPL-3.0-or-later
//! Books in memory and in files.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::Path;

use thiserror::Error;

use crate::{Board, CastlingMode, Move, MoveError, Role, Square};

/// The longest file that is read: a small compressed one may unpack to any length.
const MAX_BYTES: u64 = 256 << 20;

/// A move that a book has for a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookMove {
    /// The move.
    pub mv: Move,
    /// How good it is compared to others of the position; 0 means never to play it.
    pub weight: u16,
    /// A number of which only the book's maker knows the meaning.
    pub learn: u32,
}

/// What a book says about a position.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Found {
    /// The moves, in the order of the book.
    pub moves: Vec<BookMove>,
    /// Entries whose move is not legal, as in a corrupt book.
    pub errors: Vec<EntryError>,
}

impl Found {
    /// Chooses a move: each with the probability of its weight if `random` is equally likely to be
    /// any number.
    pub fn choose(&self, random: u64) -> Option<Move> {
        let total: u64 = self.moves.iter().map(|found| u64::from(found.weight)).sum();
        let mut rest = ((u128::from(random) * u128::from(total)) >> 64) as u64;
        for found in self.moves.iter().filter(|found| found.weight > 0) {
            match rest.checked_sub(u64::from(found.weight)) {
                Some(less) => rest = less,
                None => return Some(found.mv),
            }
        }
        None
    }

    /// The move with the largest weight, the first of several.
    pub fn best(&self) -> Option<Move> {
        let best = self.moves.iter().rev().max_by_key(|found| found.weight);
        best.filter(|found| found.weight > 0).map(|found| found.mv)
    }
}

/// Why there is no book.
#[derive(Debug, Error)]
pub enum BookError {
    /// The file cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A folder, a device or a pipe.
    #[error("expected a file of book entries, found a folder, a device or a pipe")]
    NoFile,
    /// Longer than any book.
    #[error("expected a book of at most {} MiB, found a longer file", MAX_BYTES >> 20)]
    TooLong,
    /// Not a whole number of entries.
    #[error("expected entries of 16 bytes, found {0} bytes more at the end")]
    Truncated(usize),
}

/// Why an entry of a book has no move.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum EntryError {
    /// The bits are not those of a move.
    #[error("expected the bits of a move, found {0:#06x}")]
    NotAMove(u16),
    /// The move cannot be played.
    #[error(transparent)]
    Illegal(#[from] MoveError),
}

/// An entry as the file has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Entry {
    pub(super) key: u64,
    pub(super) mv: u16,
    pub(super) weight: u16,
    pub(super) learn: u32,
}

impl Entry {
    const SIZE: usize = 16;

    fn read(bytes: [u8; Self::SIZE]) -> Self {
        let bits = u128::from_be_bytes(bytes);
        Self {
            key: (bits >> 64) as u64,
            mv: (bits >> 48) as u16,
            weight: (bits >> 32) as u16,
            learn: bits as u32,
        }
    }

    fn bytes(self) -> [u8; Self::SIZE] {
        let low = u64::from(self.mv) << 48 | u64::from(self.weight) << 32 | u64::from(self.learn);
        (u128::from(self.key) << 64 | u128::from(low)).to_be_bytes()
    }
}

/// A book, held in memory.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Book {
    /// Sorted by key.
    entries: Vec<Entry>,
}

impl Book {
    /// Reads a book from a file.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, BookError> {
        // A pipe that nobody writes to would be waited for without end.
        if !fs::metadata(&path)?.is_file() {
            return Err(BookError::NoFile);
        }
        Self::read(File::open(path)?)
    }

    /// Reads a book. One that is not sorted is put in order.
    pub fn read(reader: impl Read) -> Result<Self, BookError> {
        let mut bytes = Vec::new();
        reader.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > MAX_BYTES {
            return Err(BookError::TooLong);
        }
        let (entries, rest) = bytes.as_chunks();
        if !rest.is_empty() {
            return Err(BookError::Truncated(rest.len()));
        }
        Ok(Self::new(entries.iter().copied().map(Entry::read).collect()))
    }

    pub(super) fn new(mut entries: Vec<Entry>) -> Self {
        if !entries.is_sorted_by_key(|entry| entry.key) {
            entries.sort_by_key(|entry| entry.key);
        }
        Self { entries }
    }

    /// How many positions there are.
    pub fn positions(&self) -> usize {
        self.entries.chunk_by(|one, other| one.key == other.key).count()
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// What the book says about a position.
    pub fn find(&self, board: &Board) -> Found {
        let key = board.polyglot_key();
        let first = self.entries.partition_point(|entry| entry.key < key);
        let mut found = Found::default();
        for entry in self.entries[first..].iter().take_while(|entry| entry.key == key) {
            match decode_move(board, entry.mv) {
                Ok(mv) => {
                    let Entry { weight, learn, .. } = *entry;
                    found.moves.push(BookMove { mv, weight, learn });
                }
                Err(error) => found.errors.push(error),
            }
        }
        found
    }

    /// Writes the book's entries.
    pub fn write(&self, mut writer: impl Write) -> io::Result<()> {
        self.entries.iter().try_for_each(|entry| writer.write_all(&entry.bytes()))
    }
}

/// Pieces to which a pawn can be promoted, by the format's number.
const PROMOTIONS: [Option<Role>; 5] =
    [None, Some(Role::Knight), Some(Role::Bishop), Some(Role::Rook), Some(Role::Queen)];

/// The legal move that a book's bits mean.
///
/// ```text
///  bit  15 | 14 13 12  | 11 10 9 8 7 6 | 5 4 3 2 1 0
///       -  | promotion | from          | to
/// ```
///
/// Castling is the king's move to its rook's square; the king's own target is understood too.
fn decode_move(board: &Board, bits: u16) -> Result<Move, EntryError> {
    let square = |shift: u16| Square::from_low_bits(u32::from(bits >> shift));
    let promotion = PROMOTIONS.get(usize::from(bits >> 12)).ok_or(EntryError::NotAMove(bits))?;
    let letter = promotion.map_or_else(String::new, |role| role.letter().to_string());
    Ok(board.parse_uci(&format!("{}{}{letter}", square(6), square(0)))?)
}

/// The bits of a move in a book. Castling is stored as the format does it already.
pub(super) fn encode_move(mv: Move) -> u16 {
    let promotion = PROMOTIONS.iter().position(|&role| role == mv.promotion()).unwrap_or(0);
    (promotion << 12 | mv.from().index() << 6 | mv.to().index()) as u16
}

impl BookMove {
    /// The move in UCI notation, castling as the position's kind of chess has it.
    pub fn uci(&self, board: &Board) -> String {
        let is_960 = board.is_chess960();
        let mode = if is_960 { CastlingMode::Chess960 } else { CastlingMode::Standard };
        self.mv.uci(mode).to_string()
    }
}
