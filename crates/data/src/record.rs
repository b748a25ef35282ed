// SPDX-License-Identifier: GPL-3.0-or-later
//! One labelled position in 32 bytes: what trainers read.

use bytemuck::{Pod, Zeroable};
use chess::{Bitboard, Board, Color, Move, Outcome, Role, Square, Squares};

use crate::LabelScore;
use crate::outcome;
use crate::packed::{PackError, Packed};

const QUIET: u8 = 1;
const NO_SCORE: u8 = 1 << 1;
const NO_OUTCOME: u8 = 1 << 2;

/// What is known of a position: its labels.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Label {
    /// The best move, which is legal in the position.
    pub best_move: Option<Move>,
    /// The score, if there is one.
    pub score: Option<LabelScore>,
    /// How the game ended.
    pub outcome: Option<Outcome>,
}

/// A position with its labels, in 32 bytes that files hold as they are.
///
/// ```text
/// byte  0  u64       occupied squares, a1 lowest
///       8  16 bytes  pieces, a nibble each, low one first: pawn 0 … king 5, 6 a rook that may
///                    castle; plus 8 for Black
///      24  u8        en passant square or 64, plus 128 if Black is to move
///      25  u8        half-move clock, at most 255
///      26  u16       best move in the bits of `chess::Move`, 0 if unknown
///      28  i16       score in centipawns, White's view
///      30  u8        result: White won 2, draw 1, Black won 0
///      31  u8        bit 0: quiet; bit 1: no score; bit 2: no result
/// ```
///
/// Every 32 bytes are a record, also nonsense: the accessors never fail, and [`Record::board`] and
/// [`Record::check`] tell. The number of the move is not kept.
///
/// ```
/// use chess::{Board, Color, Role, Square, White};
/// use data::{LabelScore, Label, Record};
/// let board = Board::default();
/// let score = Some(LabelScore::clamped(White::new(25)));
/// let record = Record::new(&board, Label { score, ..Label::default() }).unwrap();
/// assert_eq!(record.board().unwrap(), board);
/// assert_eq!((record.score().get(), record.has_outcome()), (25, false));
/// assert_eq!(record.pieces().next(), Some((Color::White, Role::Rook, Square::A1)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable)]
#[repr(transparent)]
pub struct Record(Packed);

impl Record {
    /// The size in bytes.
    pub const SIZE: usize = size_of::<Self>();

    /// Packs a position and what is known of it. Fails only for more than 32 pieces.
    pub fn new(board: &Board, label: Label) -> Result<Self, PackError> {
        let mut packed = Packed::new(board)?;
        packed.set_word(label.best_move.map_or(0, |mv| mv.bits().get()));
        packed.set_score(label.score.unwrap_or_default().get());
        packed.outcome = outcome::code(label.outcome.unwrap_or(Outcome::Draw));
        packed.byte = if label.score.is_none() { NO_SCORE } else { 0 }
            | if label.outcome.is_none() { NO_OUTCOME } else { 0 };
        Ok(Self(packed))
    }

    /// The position, if the bytes make one. It is at move 1.
    pub fn board(&self) -> Result<Board, PackError> {
        self.0.board(1)
    }

    /// Whether position, best move and result are all possible.
    pub fn check(&self) -> Result<(), PackError> {
        let board = self.board()?;
        outcome::from_code(self.0.outcome).ok_or(PackError::Outcome(self.0.outcome))?;
        let is_legal = |mv: Move| board.is_legal(mv);
        match self.0.word() {
            0 => Ok(()),
            bits if Move::from_bits(bits).is_some_and(is_legal) => Ok(()),
            bits => Err(PackError::BestMove(bits)),
        }
    }

    /// The pieces from a1 to h8, without building a board: the way for trainers.
    #[inline]
    pub fn pieces(&self) -> Pieces {
        Pieces { squares: self.0.occupied().into_iter(), codes: self.0.codes() }
    }

    /// The occupied squares.
    #[inline]
    pub const fn occupied(&self) -> Bitboard {
        self.0.occupied()
    }

    /// How many pieces there are, kings and pawns included.
    #[inline]
    pub const fn piece_count(&self) -> usize {
        self.0.occupied().len()
    }

    /// The side to move.
    #[inline]
    pub const fn side_to_move(&self) -> Color {
        self.0.turn()
    }

    /// Half-moves since the last capture or pawn move, at most 255.
    #[inline]
    pub const fn halfmove_clock(&self) -> u8 {
        self.0.halfmoves()
    }

    /// The score in White's view; 0 if there is none. It is in centipawns if the file is, which its
    /// [`Header`](crate::qrec::Header) says.
    #[inline]
    pub const fn score(&self) -> LabelScore {
        LabelScore::from_stored(self.0.score())
    }

    /// Whether there is a score.
    #[inline]
    pub const fn has_score(&self) -> bool {
        self.0.byte & NO_SCORE == 0
    }

    /// The game's result, if it is known.
    #[inline]
    pub const fn outcome(&self) -> Option<Outcome> {
        if self.has_outcome() { outcome::from_code(self.0.outcome) } else { None }
    }

    /// Whether the game's result is known.
    #[inline]
    pub const fn has_outcome(&self) -> bool {
        self.0.byte & NO_OUTCOME == 0
    }

    /// What White scored: 0, ½ or 1; ½ if the result is not known.
    #[inline]
    pub fn white_points(&self) -> f32 {
        f32::from(self.0.outcome.min(2)) * 0.5
    }

    /// The best move, if it is known. It is legal in any record that [`Record::check`] passes.
    #[inline]
    pub const fn best_move(&self) -> Option<Move> {
        Move::from_bits(self.0.word())
    }

    /// All that is known of the position.
    pub const fn label(&self) -> Label {
        Label {
            best_move: self.best_move(),
            score: if self.has_score() { Some(self.score()) } else { None },
            outcome: self.outcome(),
        }
    }

    /// Whether the position passed the filter when it was written.
    #[inline]
    pub const fn is_quiet(&self) -> bool {
        self.0.byte & QUIET != 0
    }

    /// Whether the score is smaller than this either way. A record without a score is.
    pub const fn is_below(&self, max_score: Option<u16>) -> bool {
        match max_score {
            Some(most) if self.has_score() => self.score().get().unsigned_abs() < most,
            _ => true,
        }
    }

    /// Says whether the position passes the filter.
    #[must_use]
    pub const fn with_quiet(mut self, is_quiet: bool) -> Self {
        self.0.byte = self.0.byte & !QUIET | if is_quiet { QUIET } else { 0 };
        self
    }

    /// The same position with another score.
    #[must_use]
    pub const fn with_score(mut self, score: LabelScore) -> Self {
        self.0.set_score(score.get());
        self.0.byte &= !NO_SCORE;
        self
    }

    /// The same position with another best move.
    #[must_use]
    pub fn with_best_move(mut self, best_move: Option<Move>) -> Self {
        self.0.set_word(best_move.map_or(0, |mv| mv.bits().get()));
        self
    }

    /// Equal for equal positions, whatever their labels and clocks: pieces, castling rights, turn
    /// and en passant.
    #[inline]
    pub const fn identity(&self) -> (u64, u128, u8) {
        self.0.identity()
    }
}

/// What each piece code stands for. A code that a checked file cannot hold counts as a king, so
/// that reading need not fail.
const PIECES: [(Color, Role); 16] = {
    let mut pieces = [(Color::White, Role::King); 16];
    let mut code = 0;
    while code < 16 {
        pieces[code].0 = if code < 8 { Color::White } else { Color::Black };
        if code % 8 < 6 {
            pieces[code].1 = Role::ALL[code % 8];
        } else if code % 8 == 6 {
            pieces[code].1 = Role::Rook;
        }
        code += 1;
    }
    pieces
};

/// The pieces of a [`Record`] from a1 to h8.
#[derive(Clone, Debug)]
pub struct Pieces {
    squares: Squares,
    codes: u128,
}

impl Iterator for Pieces {
    type Item = (Color, Role, Square);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let square = self.squares.next()?;
        let (color, role) = PIECES[(self.codes & 15) as usize];
        self.codes >>= 4;
        Some((color, role, square))
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.squares.size_hint()
    }
}

impl ExactSizeIterator for Pieces {}
