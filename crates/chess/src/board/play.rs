// SPDX-License-Identifier: GPL-3.0-or-later
//! Playing moves.

use arrayvec::ArrayVec;

use super::{Board, castling_key};
use crate::{Bitboard, Color, Move, MoveKind, Piece, Role, Square, Wing, attacks, zobrist};

/// A piece on a square.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Placed {
    /// The piece.
    pub piece: Piece,
    /// Where it stands.
    pub square: Square,
}

/// What a move changed on the board: which pieces left which squares, and which entered.
///
/// Networks follow a game by these changes instead of looking at the whole board again.
///
/// ```
/// use chess::{Board, Piece, Placed, Square};
/// let mut board: Board = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1".parse().unwrap();
/// let delta = board.play(board.parse_uci("e4d5").unwrap());
/// assert_eq!(delta.on.as_slice(), [Placed { piece: Piece::WhitePawn, square: Square::D5 }]);
/// assert_eq!(delta.off.len(), 2);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Delta {
    /// The pieces that left, the mover first.
    pub off: ArrayVec<Placed, 2>,
    /// The pieces that entered, the mover first.
    pub on: ArrayVec<Placed, 2>,
}

impl Board {
    /// Plays a legal move.
    ///
    /// # Panics
    /// If there is no piece to move. Other illegal moves are caught in debug builds only.
    #[inline]
    pub fn play(&mut self, mv: Move) -> Delta {
        debug_assert!(self.is_legal(mv), "{mv:?} is not legal in {self:?}");
        let us = self.turn;
        let mover = self.piece_on(mv.from()).expect("a legal move moves a piece");
        let mut delta = Delta::default();
        self.forget_en_passant();
        self.halfmoves = self.halfmoves.saturating_add(1);
        if mv.is_castle() {
            self.castle(mv, &mut delta);
        } else {
            self.lift(mover, mv.from(), &mut delta);
            self.capture(mv, &mut delta);
            let entering = mv.promotion().map_or(mover, |role| Piece::new(us, role));
            self.drop(entering, mv.to(), &mut delta);
        }
        self.update_castling(mover, mv);
        if mover.role() == Role::Pawn {
            self.halfmoves = 0;
        }
        self.fullmoves = self.fullmoves.saturating_add(u32::from(us == Color::Black));
        self.pass_turn();
        if mv.kind() == MoveKind::DoublePush {
            self.offer_en_passant(mv.to());
        }
        self.update_checkers();
        delta
    }

    /// Passes the turn without a move. The clock stands still, and nobody may be in check.
    #[inline]
    pub fn play_null(&mut self) {
        debug_assert!(!self.in_check(), "a null move out of check in {self:?}");
        self.forget_en_passant();
        self.fullmoves = self.fullmoves.saturating_add(u32::from(self.turn == Color::Black));
        self.pass_turn();
        self.update_checkers();
    }

    /// The key after a move, to fetch a table's entry early. Ignores what rarely matters: castling,
    /// promotion and en passant.
    #[inline]
    pub fn key_after(&self, mv: Move) -> u64 {
        let Some(mover) = self.piece_on(mv.from()) else { return self.key() };
        let captured = self.piece_on(mv.to()).map_or(0, |piece| zobrist::piece(piece, mv.to()));
        self.key()
            ^ zobrist::BLACK_TO_MOVE
            ^ zobrist::piece(mover, mv.from())
            ^ zobrist::piece(mover, mv.to())
            ^ captured
    }

    /// The key after a null move. Ignores en passant, as above.
    #[inline]
    pub const fn key_after_null(&self) -> u64 {
        self.key() ^ zobrist::BLACK_TO_MOVE
    }

    #[inline]
    fn lift(&mut self, piece: Piece, square: Square, delta: &mut Delta) {
        self.remove(piece, square);
        delta.off.push(Placed { piece, square });
    }

    #[inline]
    fn drop(&mut self, piece: Piece, square: Square, delta: &mut Delta) {
        self.put(piece, square);
        delta.on.push(Placed { piece, square });
    }

    #[inline]
    fn capture(&mut self, mv: Move, delta: &mut Delta) {
        if !mv.is_capture() {
            return;
        }
        let square = if mv.is_en_passant() { passed_pawn(mv) } else { mv.to() };
        let piece = self.piece_on(square).expect("a capture takes a piece");
        self.lift(piece, square, delta);
        self.halfmoves = 0;
        if piece.role() == Role::Rook && !self.castling.is_none() {
            self.change_castling(|castling| castling.revoke_rook(piece.color(), square));
        }
    }

    fn castle(&mut self, mv: Move, delta: &mut Delta) {
        let us = self.turn;
        let wing = if mv.to() > mv.from() { Wing::King } else { Wing::Queen };
        let [king, rook] = [Role::King, Role::Rook].map(|role| Piece::new(us, role));
        // In Chess960 one piece may land where the other stood: lift both before dropping either.
        self.lift(king, mv.from(), delta);
        self.lift(rook, mv.to(), delta);
        self.drop(king, wing.king_target(us), delta);
        self.drop(rook, wing.rook_target(us), delta);
    }

    #[inline]
    fn update_castling(&mut self, mover: Piece, mv: Move) {
        if self.castling.is_none() {
            return;
        }
        match mover.role() {
            Role::King => self.change_castling(|castling| castling.revoke_all(mover.color())),
            Role::Rook => {
                self.change_castling(|castling| castling.revoke_rook(mover.color(), mv.from()));
            }
            _ => (),
        }
    }

    #[inline]
    fn change_castling(&mut self, change: impl FnOnce(&mut crate::Castling)) {
        let before = self.castling;
        change(&mut self.castling);
        // Most kings and rooks have nothing left to lose.
        if self.castling != before {
            self.keys.position ^= castling_key(before) ^ castling_key(self.castling);
        }
    }

    #[inline]
    fn forget_en_passant(&mut self) {
        self.double_step = None;
        if let Some(file) = self.en_passant.take() {
            self.keys.position ^= zobrist::en_passant(file);
        }
    }

    #[inline]
    fn pass_turn(&mut self) {
        self.turn = !self.turn;
        self.keys.position ^= zobrist::BLACK_TO_MOVE;
    }

    /// Notes that the pawn on `pawn` made two steps, and whether it can legally be taken for it.
    ///
    /// Only a legal capture counts: otherwise positions that are equal by the rules would have
    /// different keys.
    pub(super) fn offer_en_passant(&mut self, pawn: Square) {
        self.double_step = Some(pawn.file());
        let target = passed_square(pawn, !self.turn);
        let takers = attacks::pawn(!self.turn, target) & self.by_piece(self.turn, Role::Pawn);
        if takers.into_iter().any(|taker| self.is_en_passant_safe(taker, target)) {
            self.en_passant = Some(pawn.file());
            self.keys.position ^= zobrist::en_passant(pawn.file());
        }
    }

    /// Whether the king of the side to move is safe after a capture en passant. Two pawns leave
    /// their squares at once, so that pins do not tell.
    pub(super) fn is_en_passant_safe(&self, taker: Square, target: Square) -> bool {
        let (us, them) = (self.turn, !self.turn);
        let taken = Bitboard::from_square(target.relative_to(us).offset(-8).relative_to(us));
        let occupied = (self.occupied() - taken - taker.into()).with(target);
        (self.attackers(them, self.king(us), occupied) - taken).is_empty()
    }
}

/// The square of the pawn that a capture en passant takes: beside the taker, on the target's file.
#[inline]
pub(super) fn passed_pawn(mv: Move) -> Square {
    Square::new(mv.to().file(), mv.from().rank())
}

/// The square that a pawn of `color`, now on `pawn`, has passed over.
#[inline]
fn passed_square(pawn: Square, color: Color) -> Square {
    pawn.relative_to(color).offset(-8).relative_to(color)
}
