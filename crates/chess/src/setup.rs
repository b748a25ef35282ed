// SPDX-License-Identifier: GPL-3.0-or-later
//! Anything that can be written as a FEN, legal or not.

use crate::{Castling, Color, Piece, Square};

/// Pieces on squares, and all else that a FEN says. [`Setup::board`] tells whether it is legal.
///
/// ```
/// use chess::{Piece, Setup, Square};
/// let mut setup = Setup::EMPTY;
/// setup.pieces[Square::E1.index()] = Some(Piece::WhiteKing);
/// assert_eq!(setup.board().unwrap_err().to_string(), "pieces: expected one black king, found 0");
/// setup.pieces[Square::E8.index()] = Some(Piece::BlackKing);
/// assert_eq!(setup.board().unwrap().legal_moves().len(), 5);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// The piece on each square.
    pub pieces: [Option<Piece>; 64],
    /// The side to move.
    pub turn: Color,
    /// The rights to castle.
    pub castling: Castling,
    /// The square that a pawn has just passed over.
    pub en_passant: Option<Square>,
    /// Moves of either side since the last capture or pawn move.
    pub halfmoves: u16,
    /// The number of the current move.
    pub fullmoves: u32,
}

impl Setup {
    /// A board without pieces.
    pub const EMPTY: Self = Self {
        pieces: [None; 64],
        turn: Color::White,
        castling: Castling::NONE,
        en_passant: None,
        halfmoves: 0,
        fullmoves: 1,
    };

    /// The piece on a square.
    pub const fn piece_on(&self, square: Square) -> Option<Piece> {
        self.pieces[square.index()]
    }
}

impl Default for Setup {
    /// The starting position.
    fn default() -> Self {
        crate::fen::STARTING.parse().expect("the starting position is a FEN")
    }
}
