// SPDX-License-Identifier: GPL-3.0-or-later
//! Games of tree searches: every move with how often each legal move was visited, from which a policy
//! learns more than from the best move alone.
//!
//! ```text
//! file    "QUINCVIS", version (u16, now 1), unit of the scores (`c` for centipawns), five zeros; then games
//! game    start position (32 bytes, as in viriformat), plies, then six zeros
//! ply     move (u16), score (i16), number of legal moves (u16), a byte of visits for each of them
//! visits  scaled so that the most visited move has 255; by the moves' sixteen bits, the smallest first
//! ```
//!
//! Moves and scores are viriformat's ([`viri`](crate::viri)). A game can be cut out without replaying
//! it, and whole games are appended, so that a file that was broken off can be continued.

mod reader;
mod sample;
mod writer;

pub use reader::{RawVisits, VisitsError, VisitsReader};
pub use sample::{SampleSummary, Sampling, sample};
pub use writer::{write_header, write_visits};

use chess::{Board, Move, Outcome};

use crate::LabelScore;
use crate::viri::encode_move;

/// What a file begins with.
const MAGIC: [u8; 8] = *b"QUINCVIS";
/// The version that is written and read.
const VERSION: u16 = 1;
/// Where the header says what scores count.
const UNIT: usize = 10;
/// Bytes before the first game.
pub const HEADER_BYTES: usize = 16;
/// Bytes of a ply before its visits, and of the mark behind the last ply.
const PLY: usize = 6;

/// A move of a game, and what the tree search thought of all.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VisitedMove {
    /// The move that was played.
    pub mv: Move,
    /// The score in White's view.
    pub score: LabelScore,
    /// The visits of the legal moves in the order of [`sorted_moves`], 255 for the most visited.
    pub visits: Vec<u8>,
}

/// A game of a tree search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VisitedGame {
    /// The position before the first move.
    pub start: Board,
    /// How the game ended.
    pub outcome: Outcome,
    /// The moves, each legal where it stands.
    pub moves: Vec<VisitedMove>,
}

/// The legal moves in the order in which their visits are stored.
pub fn sorted_moves(board: &Board) -> Vec<Move> {
    let mut moves: Vec<Move> = board.legal_moves().into_iter().collect();
    moves.sort_by_key(|&mv| encode_move(mv));
    moves
}

impl VisitedMove {
    /// Scales counts of visits to bytes. Whatever was visited at all stays above zero.
    pub fn new(board: &Board, mv: Move, score: LabelScore, count: impl Fn(Move) -> u32) -> Self {
        let counts: Vec<u32> = sorted_moves(board).into_iter().map(count).collect();
        let most = u64::from(counts.iter().copied().max().unwrap_or(0).max(1));
        let scale = |count: u32| (u64::from(count) * 255).div_ceil(most) as u8;
        Self { mv, score, visits: counts.into_iter().map(scale).collect() }
    }
}
