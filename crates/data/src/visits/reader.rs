// SPDX-License-Identifier: GPL-3.0-or-later
//! Reading games with visits: cutting a stream into games, and replaying them.

use std::io::{self, ErrorKind, Read};

use bytemuck::pod_read_unaligned;
use thiserror::Error;

use super::{HEADER_BYTES, MAGIC, PLY, UNIT, VERSION, VisitedGame, VisitedMove, sorted_moves};
use crate::outcome;
use crate::packed::{PackError, Packed};
use crate::record::Record;
use crate::viri::{MAX_PLIES, decode_move};
use crate::{LabelScore, Unit};

/// Why bytes are not games with visits.
#[derive(Debug, Error)]
pub enum VisitsError {
    /// The file begins otherwise.
    #[error("expected `QUINCVIS` at the beginning, found {0:?}")]
    Magic(String),
    /// The file is of another version.
    #[error("expected version {VERSION}, found {0}")]
    Version(u16),
    /// The file ends in the middle of something.
    #[error("the file ends in the middle of game {0}")]
    Cut(u64),
    /// A game without end.
    #[error("game {0}: expected at most {MAX_PLIES} moves, found more")]
    Long(u64),
    /// The file cannot be read.
    #[error("the file cannot be read: {0}")]
    Io(#[from] io::Error),
    /// The start position is not one.
    #[error("start position: {0}")]
    Start(#[from] PackError),
    /// A move cannot be played.
    #[error("ply {ply}: expected a legal move, found {bits:#06x} in {fen}")]
    Move {
        /// Which, from 1.
        ply: usize,
        /// The bits found.
        bits: u16,
        /// The position before it.
        fen: String,
    },
    /// There are not as many visits as legal moves.
    #[error("ply {ply}: expected visits of {expected} moves, found {found}")]
    Count {
        /// Which, from 1.
        ply: usize,
        /// Legal moves.
        expected: usize,
        /// Visits.
        found: usize,
    },
}

/// A game as it stands in the file, found but not yet replayed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RawVisits {
    bytes: Vec<u8>,
    plies: usize,
}

impl RawVisits {
    /// How many bytes it takes in the file, its end mark included.
    pub const fn length(&self) -> u64 {
        (self.bytes.len() + PLY) as u64
    }

    /// How many moves it has.
    pub const fn plies(&self) -> usize {
        self.plies
    }

    /// A hash of all that the game is.
    pub(super) fn hash(&self) -> u64 {
        crate::hash::bytes(0, &self.bytes)
    }

    /// Replays the game.
    pub fn decode(&self) -> Result<VisitedGame, VisitsError> {
        let (header, mut rest) = self.bytes.split_at(Record::SIZE);
        let packed: Packed = pod_read_unaligned(header);
        let start = packed.board(u32::from(packed.word()))?;
        let outcome =
            outcome::from_code(packed.outcome).ok_or(PackError::Outcome(packed.outcome))?;
        let mut board = start;
        let mut moves = Vec::with_capacity(self.plies);
        while let Some((&[a, b, c, d, e, f], after)) = rest.split_first_chunk() {
            let (ply, bits) = (moves.len() + 1, u16::from_le_bytes([a, b]));
            let (visits, after) = after.split_at(u16::from_le_bytes([e, f]).into());
            rest = after;
            let mv = decode_move(&board, bits).ok_or_else(|| VisitsError::Move {
                ply,
                bits,
                fen: board.fen().to_string(),
            })?;
            let expected = sorted_moves(&board).len();
            if visits.len() != expected {
                return Err(VisitsError::Count { ply, expected, found: visits.len() });
            }
            let score = LabelScore::from_stored(i16::from_le_bytes([c, d]));
            moves.push(VisitedMove { mv, score, visits: visits.to_vec() });
            board.play(mv);
        }
        Ok(VisitedGame { start, outcome, moves })
    }
}

/// Cuts a stream into games.
///
/// ```
/// use data::LabelScore;
/// use data::visits::{VisitedGame, VisitedMove, VisitsReader, write_header, write_visits};
/// let start = chess::Board::default();
/// let mv = start.parse_uci("e2e4").unwrap();
/// let score = LabelScore::clamped(chess::White::new(30));
/// let moves = vec![VisitedMove::new(&start, mv, score, |other| if other == mv { 700 } else { 10 })];
/// let game = VisitedGame { start, outcome: chess::Outcome::Draw, moves };
/// let mut bytes = Vec::new();
/// write_header(&mut bytes).unwrap();
/// write_visits(&mut bytes, &game).unwrap();
/// let mut reader = VisitsReader::new(&bytes[..]).unwrap();
/// assert_eq!(reader.next().unwrap().unwrap().decode().unwrap(), game);
/// assert!(reader.next().is_none());
/// ```
#[derive(Debug)]
pub struct VisitsReader<R> {
    stream: R,
    unit: Unit,
    games: u64,
    has_ended: bool,
}

impl<R: Read> VisitsReader<R> {
    /// Reads games from a stream, whose beginning is checked.
    pub fn new(mut stream: R) -> Result<Self, VisitsError> {
        let mut header = [0; HEADER_BYTES];
        stream.read_exact(&mut header).map_err(|error| cut(error, 0))?;
        if header[..8] != MAGIC {
            return Err(VisitsError::Magic(String::from_utf8_lossy(&header[..8]).into_owned()));
        }
        let version = u16::from_le_bytes([header[8], header[9]]);
        if version != VERSION {
            return Err(VisitsError::Version(version));
        }
        // Only our own self-play writes such files, and it wrote points before it marked them.
        let unit = Unit::from_mark(header[UNIT]).unwrap_or(Unit::Points);
        Ok(Self { stream, unit, games: 0, has_ended: false })
    }

    /// What the scores count.
    pub const fn unit(&self) -> Unit {
        self.unit
    }

    /// The bytes of the next game; `None` where the file ends between two games.
    fn read_game(&mut self) -> io::Result<Option<RawVisits>> {
        let mut bytes = vec![0; Record::SIZE];
        if self.stream.read(&mut bytes[..1])? == 0 {
            return Ok(None);
        }
        self.stream.read_exact(&mut bytes[1..])?;
        let mut plies = 0;
        loop {
            let mut ply = [0; PLY];
            self.stream.read_exact(&mut ply)?;
            if ply == [0; PLY] {
                return Ok(Some(RawVisits { bytes, plies }));
            }
            plies += 1;
            if plies > MAX_PLIES {
                return Err(ErrorKind::FileTooLarge.into());
            }
            bytes.extend(ply);
            let visits = usize::from(u16::from_le_bytes([ply[4], ply[5]]));
            let from = bytes.len();
            bytes.resize(from + visits, 0);
            self.stream.read_exact(&mut bytes[from..])?;
        }
    }
}

fn cut(error: io::Error, game: u64) -> VisitsError {
    match error.kind() {
        ErrorKind::UnexpectedEof => VisitsError::Cut(game),
        ErrorKind::FileTooLarge => VisitsError::Long(game),
        _ => VisitsError::Io(error),
    }
}

impl<R: Read> Iterator for VisitsReader<R> {
    type Item = Result<RawVisits, VisitsError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.has_ended {
            return None;
        }
        self.games += 1;
        let game = self.read_game().map_err(|error| cut(error, self.games));
        self.has_ended = game.is_err();
        game.transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::visits::write_header;

    #[test]
    fn a_game_without_end_is_refused() {
        let mut header = Vec::new();
        write_header(&mut header).unwrap();
        let mut games = VisitsReader::new(header.chain(io::repeat(1))).unwrap();
        let error = games.next().unwrap().unwrap_err().to_string();
        assert_eq!(error, "game 1: expected at most 20000 moves, found more");
        assert!(games.next().is_none());
    }
}
