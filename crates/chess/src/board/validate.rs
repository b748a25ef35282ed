// SPDX-License-Identifier: GPL-3.0-or-later
//! From a set-up to a legal position.

use thiserror::Error;

use super::Board;
use crate::{Bitboard, Castling, Color, Rank, Role, Setup, Square, Wing};

/// Why a set-up is not a legal position.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum BoardError {
    /// A side has no king or several.
    #[error("pieces: expected one {color} king, found {found}")]
    Kings {
        /// Whose king.
        color: Color,
        /// How many there are.
        found: usize,
    },
    /// A pawn stands where none can.
    #[error("pieces: expected no pawn on the first or last rank, found one on {0}")]
    PawnOnBackRank(Square),
    /// The side that is not to move is in check, so that its king could be taken.
    #[error("side to move: {0} is to move, but the other king is in check from {1}")]
    OpponentInCheck(Color, Square),
}

impl Setup {
    /// The legal position that this set-up describes.
    ///
    /// Rights that the pieces do not bear out are dropped, not refused, because many programs write
    /// them: castling without the king or the rook in place, and en passant without the pawn. Too
    /// many pieces of a kind are let pass.
    pub fn board(&self) -> Result<Board, BoardError> {
        let mut board = Board::empty();
        for square in Square::all() {
            if let Some(piece) = self.pieces[square.index()] {
                board.put(piece, square);
            }
        }
        board.turn = self.turn;
        board.halfmoves = self.halfmoves;
        board.fullmoves = self.fullmoves.max(1);
        check_pieces(&board)?;
        board.castling = plausible_castling(&board, self.castling);
        board.keys.position ^= board.state_key();
        board.update_checkers();
        if let Some(pawn) = self.en_passant.and_then(|target| double_step(&board, target)) {
            board.offer_en_passant(pawn);
        }
        Ok(board)
    }
}

fn check_pieces(board: &Board) -> Result<(), BoardError> {
    for color in Color::ALL {
        let found = board.by_piece(color, Role::King).len();
        if found != 1 {
            return Err(BoardError::Kings { color, found });
        }
    }
    if let Some(square) = (board.by_role(Role::Pawn) & Bitboard::BACK_RANKS).first() {
        return Err(BoardError::PawnOnBackRank(square));
    }
    let them = !board.turn;
    match board.attackers(board.turn, board.king(them), board.occupied()).first() {
        Some(checker) => Err(BoardError::OpponentInCheck(board.turn, checker)),
        None => Ok(()),
    }
}

/// The rights whose king and rook stand on the back rank, the king between the two rooks.
fn plausible_castling(board: &Board, wanted: Castling) -> Castling {
    let mut castling = Castling::NONE;
    for (color, wing, rook) in wanted.iter() {
        let king = board.king(color);
        let is_home = king.rank().relative_to(color) == Rank::First;
        let is_rook = board.by_piece(color, Role::Rook).contains(rook);
        let is_outside = (rook > king) == (wing == Wing::King);
        if is_home && is_rook && is_outside {
            castling.grant(color, wing, rook.file());
        }
    }
    castling
}

/// The pawn that has just passed over `target`, if one can have done so.
fn double_step(board: &Board, target: Square) -> Option<Square> {
    let us = board.turn;
    if target.rank().relative_to(us) != Rank::Sixth {
        return None;
    }
    let beyond = |ranks: i8| target.relative_to(us).offset(8 * ranks).relative_to(us);
    let (origin, pawn) = (beyond(1), beyond(-1));
    let is_path_clear = !board.occupied().contains(target) && !board.occupied().contains(origin);
    let is_pawn = board.by_piece(!us, Role::Pawn).contains(pawn);
    (is_path_clear && is_pawn).then_some(pawn)
}
