// SPDX-License-Identifier: GPL-3.0-or-later
//! A position in 32 bytes, as viriformat and our own records have it.

use bytemuck::{Pod, Zeroable};
use chess::{Bitboard, Board, BoardError, Color, File, Piece, Rank, Role, Setup, Square, Wing};
use thiserror::Error;

/// The code of a rook that may still castle.
const UNMOVED_ROOK: u8 = 6;
const NO_SQUARE: u8 = 64;
const BLACK_TO_MOVE: u8 = 0x80;

/// Why 32 bytes are not a position, or a position does not fit into 32 bytes.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum PackError {
    /// There is no room for so many.
    #[error("expected at most 32 pieces, found {0}")]
    TooManyPieces(usize),
    /// A nibble stands for no piece.
    #[error("expected a piece code from 0 to 6, found {code} on {square}")]
    Code {
        /// What was found.
        code: u8,
        /// Where.
        square: Square,
    },
    /// A rook is said to be unmoved where it cannot be, or there are several on one wing.
    #[error("the rook on {0} cannot have the right to castle")]
    Castling(Square),
    /// The en passant byte is no square.
    #[error("expected an en passant square below 64 or 64 for none, found {0}")]
    EnPassant(u8),
    /// The result byte is no result.
    #[error("expected a result of 0, 1 or 2, found {0}")]
    Outcome(u8),
    /// A stored move is impossible.
    #[error("the best move {0:#06x} is not legal in its position")]
    BestMove(u16),
    /// The pieces do not make a legal position.
    #[error(transparent)]
    Board(#[from] BoardError),
}

/// The layout, all numbers little-endian. Two fields mean different things in the two formats.
///
/// ```text
/// byte 0        8                24          25         26    28     30      31
///      occupied | 16 × 2 pieces | turn, e.p. | halfmoves | word | score | result | byte
/// ```
///
/// The n-th nibble, the low one of a byte first, is the piece on the n-th occupied square from a1:
/// pawn 0 to king 5, 6 for a rook that may castle, plus 8 for Black. The en passant square, 64 for
/// none, is in the lower seven bits, Black to move in the highest.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Packed {
    occupied: u64,
    codes: [u8; 16],
    turn_en_passant: u8,
    halfmoves: u8,
    word: u16,
    score: i16,
    pub(crate) outcome: u8,
    pub(crate) byte: u8,
}

impl Packed {
    pub(crate) fn new(board: &Board) -> Result<Self, PackError> {
        let occupied = board.occupied();
        if occupied.len() > 32 {
            return Err(PackError::TooManyPieces(occupied.len()));
        }
        let unmoved = board.castling().rooks();
        let mut codes = 0u128;
        for (i, square) in occupied.into_iter().enumerate() {
            let Some(piece) = board.piece_on(square) else { continue };
            let role = if unmoved.contains(square) { UNMOVED_ROOK } else { piece.role() as u8 };
            codes |= u128::from(role | (piece.color() as u8) << 3) << (4 * i);
        }
        let en_passant = board.en_passant().map_or(NO_SQUARE, |square| square.index() as u8);
        let turn = if board.turn() == Color::Black { BLACK_TO_MOVE } else { 0 };
        Ok(Self {
            occupied: occupied.0.to_le(),
            codes: codes.to_le_bytes(),
            turn_en_passant: turn | en_passant,
            halfmoves: board.halfmove_clock().min(255) as u8,
            ..Self::zeroed()
        })
    }

    #[inline]
    pub(crate) const fn occupied(&self) -> Bitboard {
        Bitboard(u64::from_le(self.occupied))
    }

    /// The nibbles, the first square's lowest.
    #[inline]
    pub(crate) const fn codes(&self) -> u128 {
        u128::from_le_bytes(self.codes)
    }

    #[inline]
    pub(crate) const fn turn(&self) -> Color {
        if self.turn_en_passant & BLACK_TO_MOVE == 0 { Color::White } else { Color::Black }
    }

    #[inline]
    pub(crate) const fn halfmoves(&self) -> u8 {
        self.halfmoves
    }

    #[inline]
    pub(crate) const fn word(&self) -> u16 {
        u16::from_le(self.word)
    }

    pub(crate) const fn set_word(&mut self, word: u16) {
        self.word = word.to_le();
    }

    #[inline]
    pub(crate) const fn score(&self) -> i16 {
        i16::from_le(self.score)
    }

    pub(crate) const fn set_score(&mut self, score: i16) {
        self.score = score.to_le();
    }

    /// What makes two positions the same: pieces, castling rights, turn and en passant.
    #[inline]
    pub(crate) const fn identity(&self) -> (u64, u128, u8) {
        (self.occupied, self.codes(), self.turn_en_passant)
    }

    /// The position, at this move number.
    pub(crate) fn board(&self, fullmoves: u32) -> Result<Board, PackError> {
        let occupied = self.occupied();
        if occupied.len() > 32 {
            return Err(PackError::TooManyPieces(occupied.len()));
        }
        let mut setup = Setup { turn: self.turn(), fullmoves, ..Setup::EMPTY };
        setup.halfmoves = u16::from(self.halfmoves);
        setup.en_passant = match self.turn_en_passant & !BLACK_TO_MOVE {
            NO_SQUARE => None,
            index => Some(
                Square::try_from_index(usize::from(index)).ok_or(PackError::EnPassant(index))?,
            ),
        };
        let mut unmoved = Bitboard::EMPTY;
        let mut codes = self.codes();
        for square in occupied {
            let code = (codes & 7) as u8;
            let color = if codes & 8 == 0 { Color::White } else { Color::Black };
            let role = match code {
                UNMOVED_ROOK => {
                    unmoved = unmoved.with(square);
                    Role::Rook
                }
                7 => return Err(PackError::Code { code, square }),
                _ => Role::ALL[usize::from(code)],
            };
            setup.pieces[square.index()] = Some(Piece::new(color, role));
            codes >>= 4;
        }
        for rook in unmoved {
            grant(&mut setup, rook)?;
        }
        Ok(setup.board()?)
    }
}

/// Gives the right to castle with this rook, towards the wing on which it stands.
fn grant(setup: &mut Setup, rook: Square) -> Result<(), PackError> {
    let impossible = PackError::Castling(rook);
    let Some(piece) = setup.piece_on(rook) else { return Err(impossible) };
    let color = piece.color();
    let home = Rank::First.relative_to(color);
    let king = File::ALL.into_iter().find(|&file| {
        setup.piece_on(Square::new(file, home)) == Some(Piece::new(color, Role::King))
    });
    let Some(king) = king.filter(|_| rook.rank() == home) else { return Err(impossible) };
    let wing = if rook.file() > king { Wing::King } else { Wing::Queen };
    if setup.castling.rook(color, wing).is_some() {
        return Err(impossible);
    }
    setup.castling.grant(color, wing, rook.file());
    Ok(())
}
