// SPDX-License-Identifier: GPL-3.0-or-later
//! Moves in sixteen bits.

use std::fmt;
use std::num::NonZeroU16;

use crate::{Role, Square};

/// What a move does besides going from one square to another.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum MoveKind {
    /// A move to an empty square without further effect.
    Quiet = 0,
    /// A pawn's two steps from its first square.
    DoublePush = 1,
    /// The king takes its own rook: castling, in Chess960's notation.
    Castle = 2,
    /// A capture of the piece on the target square.
    Capture = 4,
    /// A pawn captures the pawn that has just passed it.
    EnPassant = 5,
    /// A pawn reaches the last rank and becomes a knight.
    PromoteKnight = 8,
    /// A pawn reaches the last rank and becomes a bishop.
    PromoteBishop = 9,
    /// A pawn reaches the last rank and becomes a rook.
    PromoteRook = 10,
    /// A pawn reaches the last rank and becomes a queen.
    PromoteQueen = 11,
    /// A pawn captures on the last rank and becomes a knight.
    CapturePromoteKnight = 12,
    /// A pawn captures on the last rank and becomes a bishop.
    CapturePromoteBishop = 13,
    /// A pawn captures on the last rank and becomes a rook.
    CapturePromoteRook = 14,
    /// A pawn captures on the last rank and becomes a queen.
    CapturePromoteQueen = 15,
}

/// A move: where from, where to, and of which kind.
///
/// ```text
///  bit  15 14 13 12 | 11 10 9 8 7 6 | 5 4 3 2 1 0
///       kind        | to            | from
///       |  |  +--+--- promotion role, or a special kind
///       |  +--------- capture
///       +------------ promotion
/// ```
///
/// Castling is stored as king takes own rook, which is never ambiguous, also not in Chess960. There
/// is no null value: `Option<Move>` is as small as `Move`.
///
/// ```
/// use chess::{Move, MoveKind, Role, Square};
/// let mv = Move::new(Square::E7, Square::E8, MoveKind::PromoteQueen);
/// assert_eq!((mv.from(), mv.to(), mv.promotion()), (Square::E7, Square::E8, Some(Role::Queen)));
/// assert_eq!(size_of::<Option<Move>>(), 2);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(NonZeroU16);

const CAPTURE_BIT: u16 = 4 << 12;
const PROMOTION_BIT: u16 = 8 << 12;

impl Move {
    /// Puts a move together.
    ///
    /// # Panics
    /// If `from` and `to` are both a1.
    #[inline]
    pub const fn new(from: Square, to: Square, kind: MoveKind) -> Self {
        let bits = from.index() as u16 | (to.index() as u16) << 6 | (kind as u16) << 12;
        match NonZeroU16::new(bits) {
            Some(bits) => Self(bits),
            None => panic!("a move leaves its square"),
        }
    }

    /// A promotion to `role`, which is not a pawn or a king.
    #[inline]
    pub const fn promoting(from: Square, to: Square, role: Role, is_capture: bool) -> Self {
        use MoveKind as K;
        let kind = match (role, is_capture) {
            (Role::Knight, false) => K::PromoteKnight,
            (Role::Bishop, false) => K::PromoteBishop,
            (Role::Rook, false) => K::PromoteRook,
            (_, false) => K::PromoteQueen,
            (Role::Knight, true) => K::CapturePromoteKnight,
            (Role::Bishop, true) => K::CapturePromoteBishop,
            (Role::Rook, true) => K::CapturePromoteRook,
            (_, true) => K::CapturePromoteQueen,
        };
        Self::new(from, to, kind)
    }

    /// The sixteen bits, for tables and files.
    #[inline]
    pub const fn bits(self) -> NonZeroU16 {
        self.0
    }

    /// The move with these bits, unless they are zero or of a kind that does not exist. Whether it
    /// is legal anywhere is another question: see [`Board::is_legal`](crate::Board::is_legal).
    #[inline]
    pub const fn from_bits(bits: u16) -> Option<Self> {
        if matches!(bits >> 12, 3 | 6 | 7) {
            return None;
        }
        match NonZeroU16::new(bits) {
            Some(bits) => Some(Self(bits)),
            None => None,
        }
    }

    /// Where the piece comes from.
    #[inline]
    pub const fn from(self) -> Square {
        Square::from_low_bits(self.0.get() as u32)
    }

    /// Where the piece goes; when castling, where its rook stands.
    #[inline]
    pub const fn to(self) -> Square {
        Square::from_low_bits((self.0.get() >> 6) as u32)
    }

    /// The kind of move.
    #[inline]
    pub const fn kind(self) -> MoveKind {
        use MoveKind as K;
        match self.0.get() >> 12 {
            1 => K::DoublePush,
            2 => K::Castle,
            4 => K::Capture,
            5 => K::EnPassant,
            8 => K::PromoteKnight,
            9 => K::PromoteBishop,
            10 => K::PromoteRook,
            11 => K::PromoteQueen,
            12 => K::CapturePromoteKnight,
            13 => K::CapturePromoteBishop,
            14 => K::CapturePromoteRook,
            15 => K::CapturePromoteQueen,
            _ => K::Quiet,
        }
    }

    /// Whether it takes a piece, en passant included.
    #[inline]
    pub const fn is_capture(self) -> bool {
        self.0.get() & CAPTURE_BIT != 0
    }

    /// Whether a pawn becomes another piece.
    #[inline]
    pub const fn is_promotion(self) -> bool {
        self.0.get() & PROMOTION_BIT != 0
    }

    /// Whether it castles.
    #[inline]
    pub const fn is_castle(self) -> bool {
        self.0.get() >> 12 == MoveKind::Castle as u16
    }

    /// Whether it takes en passant.
    #[inline]
    pub const fn is_en_passant(self) -> bool {
        self.0.get() >> 12 == MoveKind::EnPassant as u16
    }

    /// Whether it changes material at once: a capture, or a promotion to a queen. Promotions to
    /// lesser pieces count as quiet, because they are hardly ever better.
    #[inline]
    pub const fn is_noisy(self) -> bool {
        self.is_capture() && !self.is_promotion() || self.0.get() >> 12 & 0b1011 == 0b1011
    }

    /// What the pawn becomes.
    #[inline]
    pub const fn promotion(self) -> Option<Role> {
        if self.is_promotion() {
            Some(Role::from_index((self.0.get() >> 12 & 3) as u8 + 1))
        } else {
            None
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}({:?})", self.from(), self.to(), self.kind())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_and_fields_are_inverse() {
        for bits in 1..=u16::MAX {
            let Some(mv) = Move::from_bits(bits) else { continue };
            assert_eq!(Move::new(mv.from(), mv.to(), mv.kind()), mv);
            if let Some(role) = mv.promotion() {
                assert_eq!(Move::promoting(mv.from(), mv.to(), role, mv.is_capture()), mv);
            }
        }
    }

    #[test]
    fn noisy_moves_are_captures_and_queen_promotions() {
        use MoveKind as K;
        let noisy = |kind| Move::new(Square::A7, Square::B8, kind).is_noisy();
        assert!(noisy(K::Capture) && noisy(K::EnPassant));
        assert!(noisy(K::PromoteQueen) && noisy(K::CapturePromoteQueen));
        assert!(!noisy(K::Quiet) && !noisy(K::DoublePush) && !noisy(K::Castle));
        assert!(!noisy(K::PromoteRook) && !noisy(K::CapturePromoteKnight));
    }
}
