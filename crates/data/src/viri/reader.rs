// SPDX-License-Identifier: GPL-3.0-or-later
//! Reading games, in two steps: cutting a stream into games, and replaying them. The second is most
//! of the work and can be done by other threads.

use std::io::{self, BufRead, ErrorKind};

use bytemuck::pod_read_unaligned;
use thiserror::Error;

use super::writer::LEAF;
use super::{decode_move, write_game};
use crate::outcome;
use crate::packed::{PackError, Packed};
use crate::unit::converted;
use crate::{
    Conversion, LabelScore, Origin, Place, Problem, Record, ScoredGame, ScoredMove, Unit, hash,
};

const HEADER: usize = Record::SIZE;
const PLY: usize = 4;
/// Where the header says what scores count.
const UNIT: usize = 31;
/// Where the header of a leaf has the first bits of its game's hash, and how many they are.
const FAMILY: usize = 26;
const FAMILY_BITS: u32 = 16;
/// No game is longer: with the seventy-five-move rule, 30 captures and 96 pawn moves bound it.
pub(crate) const MAX_PLIES: usize = 20_000;

/// Why bytes are not a game.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum GameError {
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
}

/// A game as it stands in the file, found but not yet replayed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RawGame {
    bytes: Vec<u8>,
    number: u64,
    offset: u64,
    /// The hash from before the scores were converted.
    old_hash: Option<u64>,
}

impl RawGame {
    /// Where the game stands in its file.
    pub const fn place(&self) -> Place {
        Place::Game { number: self.number, offset: self.offset }
    }

    /// The game's bytes, its end mark excluded.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// How many bytes it takes in the file, its end mark included.
    pub const fn length(&self) -> u64 {
        (self.bytes.len() + PLY) as u64
    }

    /// How many moves it has.
    pub const fn plies(&self) -> usize {
        (self.bytes.len() - HEADER) / PLY
    }

    /// A hash of the game's content, the same wherever it stands, whether it says its unit, and after its
    /// scores were converted.
    ///
    /// That of a leaf begins as that of its game does, so that a share of all hashes takes both or neither.
    pub fn hash(&self) -> u64 {
        match (self.old_hash, self.unit()) {
            (Some(hash), _) => hash,
            _ if self.is_leaf() => {
                let family = u16::from_le_bytes([self.bytes[FAMILY], self.bytes[FAMILY + 1]]);
                u64::from(family) << (u64::BITS - FAMILY_BITS)
                    | hash::bytes(0, &self.bytes) >> FAMILY_BITS
            }
            (None, None) => hash::bytes(0, &self.bytes),
            (None, Some(_)) => unmarked_hash(self.bytes.clone()),
        }
    }

    /// What the scores count, if the game says so.
    pub fn unit(&self) -> Option<Unit> {
        if self.is_leaf() { Some(Unit::Centipawns) } else { Unit::from_mark(self.bytes[UNIT]) }
    }

    /// Whether it is a position out of a search and not a game.
    pub fn is_leaf(&self) -> bool {
        self.bytes[UNIT] == LEAF
    }

    /// The same game, marked as one in centipawns.
    pub(crate) fn marked(mut self) -> Self {
        self.bytes[UNIT] = Unit::mark(Some(Unit::Centipawns));
        self
    }

    /// The same game with its scores converted from points, and marked.
    pub(crate) fn converted(self, convert: Conversion) -> Result<Self, Problem> {
        let mut game = self.decode_or_problem()?;
        let mut board = game.start;
        for scored in &mut game.moves {
            scored.score = converted(&board, scored.score, convert);
            board.play(scored.mv);
        }
        let mut bytes = Vec::with_capacity(self.bytes.len() + PLY);
        write_game(&mut bytes, &game).map_err(|error| Problem::new(self.place(), error))?;
        bytes.truncate(bytes.len() - PLY);
        Ok(Self { bytes, old_hash: Some(self.hash()), ..self })
    }

    /// Replays the game. Its scores are centipawns if the game is marked so, or if whoever reads it knows.
    pub fn decode(&self) -> Result<ScoredGame, GameError> {
        let (header, plies) = self.bytes.split_at(HEADER);
        let packed: Packed = pod_read_unaligned(header);
        let origin = if self.is_leaf() {
            Origin::Leaf { family: packed.word() }
        } else {
            let outcome = outcome::from_code(packed.outcome);
            Origin::Game(outcome.ok_or(PackError::Outcome(packed.outcome))?)
        };
        let number = if self.is_leaf() { 1 } else { packed.word() };
        let start = packed.board(u32::from(number))?;
        let mut board = start;
        let mut moves = Vec::with_capacity(plies.len() / PLY);
        for &[a, b, c, d] in plies.as_chunks::<PLY>().0 {
            let bits = u16::from_le_bytes([a, b]);
            let mv = decode_move(&board, bits).ok_or_else(|| GameError::Move {
                ply: moves.len() + 1,
                bits,
                fen: board.fen().to_string(),
            })?;
            moves.push(ScoredMove {
                mv,
                score: LabelScore::from_stored(i16::from_le_bytes([c, d])),
            });
            board.play(mv);
        }
        Ok(ScoredGame { start, origin, moves })
    }

    /// Replays the game, and says where it stands if that fails.
    pub fn decode_or_problem(&self) -> Result<ScoredGame, Problem> {
        self.decode().map_err(|error| Problem::new(self.place(), error))
    }
}

fn unmarked_hash(mut bytes: Vec<u8>) -> u64 {
    bytes[UNIT] = 0;
    hash::bytes(0, &bytes)
}

/// What leaves remember of the game that these bytes, its end mark included, are.
pub(super) fn family_of(game: &[u8]) -> u16 {
    let hash = unmarked_hash(game[..game.len() - PLY].to_vec());
    (hash >> (u64::BITS - FAMILY_BITS)) as u16
}

/// Cuts a stream into games.
///
/// As an iterator it replays them as well. A game that cannot be replayed is a [`Problem`], and
/// the next call goes on behind it; only a cut or unreadable stream ends early, and says so.
///
/// ```
/// use data::viri::{GameReader, write_game};
/// use data::{LabelScore, Origin, ScoredGame, ScoredMove};
/// let start = chess::Board::default();
/// let mv = start.parse_uci("e2e4").unwrap();
/// let moves = vec![ScoredMove { mv, score: LabelScore::clamped(chess::White::new(30)) }];
/// let game = ScoredGame { start, origin: Origin::Game(chess::Outcome::Draw), moves };
/// let mut bytes = Vec::new();
/// write_game(&mut bytes, &game).unwrap();
/// assert_eq!(GameReader::new(&bytes[..]).next(), Some(Ok(game)));
/// ```
#[derive(Debug)]
pub struct GameReader<R> {
    stream: R,
    offset: u64,
    games: u64,
    has_ended: bool,
}

impl<R: BufRead> GameReader<R> {
    /// Reads games from here on.
    pub const fn new(stream: R) -> Self {
        Self { stream, offset: 0, games: 0, has_ended: false }
    }

    /// What is read from.
    pub(crate) const fn stream(&self) -> &R {
        &self.stream
    }

    /// The next game without replaying it.
    pub fn next_raw(&mut self) -> Option<Result<RawGame, Problem>> {
        if self.has_ended {
            return None;
        }
        let (number, offset) = (self.games + 1, self.offset);
        let mut bytes = Vec::with_capacity(HEADER + 128 * PLY);
        let result = self.read_game(&mut bytes);
        self.games = number;
        let place = Place::Game { number, offset };
        let cut = |read: usize| {
            Problem::new(
                place,
                format!("the file ends in the middle of a game, after {read} bytes"),
            )
        };
        match result {
            Ok(plies) if plies <= MAX_PLIES => {
                Some(Ok(RawGame { bytes, number, offset, old_hash: None }))
            }
            Ok(plies) => {
                let reason = format!("expected at most {MAX_PLIES} moves, found {plies}");
                Some(Err(Problem::new(place, reason)))
            }
            Err(error) => {
                self.has_ended = true;
                match error.kind() {
                    ErrorKind::UnexpectedEof if self.offset == offset => None,
                    ErrorKind::UnexpectedEof => Some(Err(cut((self.offset - offset) as usize))),
                    _ => {
                        Some(Err(Problem::new(place, format!("the file cannot be read: {error}"))))
                    }
                }
            }
        }
    }

    /// Reads one game and returns its number of moves, of which no more than needed are kept.
    fn read_game(&mut self, bytes: &mut Vec<u8>) -> io::Result<usize> {
        let mut header = [0; HEADER];
        self.fill(&mut header)?;
        bytes.extend(header);
        let mut plies = 0;
        loop {
            let mut ply = [0; PLY];
            self.fill(&mut ply)?;
            if ply == [0; PLY] {
                return Ok(plies);
            }
            plies += 1;
            if plies <= MAX_PLIES {
                bytes.extend(ply);
            }
        }
    }

    /// Like `read_exact`, but counts also what a cut file still had.
    fn fill(&mut self, mut buffer: &mut [u8]) -> io::Result<()> {
        while !buffer.is_empty() {
            match self.stream.read(buffer) {
                Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
                Ok(count) => {
                    self.offset += count as u64;
                    buffer = &mut buffer[count..];
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => (),
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

impl<R: BufRead> Iterator for GameReader<R> {
    type Item = Result<ScoredGame, Problem>;

    fn next(&mut self) -> Option<Self::Item> {
        Some(self.next_raw()?.and_then(|raw| raw.decode_or_problem()))
    }
}
