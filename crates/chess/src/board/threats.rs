// SPDX-License-Identifier: GPL-3.0-or-later
//! What a side attacks, and from where it would give check.

use super::Board;
use crate::{Bitboard, ByRole, Color, Move, Piece, Role, Square, attacks};

/// The squares that one side attacks, by the kind of piece that attacks them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Threats {
    /// The squares attacked by pieces of each kind.
    pub by_role: ByRole<Bitboard>,
    /// The squares attacked by any piece.
    pub all: Bitboard,
}

impl Threats {
    /// The squares attacked by anything worth less than a piece of this kind; bishops and knights
    /// count as equal.
    #[inline]
    pub fn by_lesser_than(&self, role: Role) -> Bitboard {
        let [pawns, knights, bishops, rooks, ..] = self.by_role.0;
        match role {
            Role::Pawn => Bitboard::EMPTY,
            Role::Knight | Role::Bishop => pawns,
            Role::Rook => pawns | knights | bishops,
            Role::Queen => pawns | knights | bishops | rooks,
            Role::King => self.all,
        }
    }
}

impl Board {
    /// What a side attacks. A piece guards the squares of its own side too.
    ///
    /// ```
    /// use chess::{Board, Color, Rank, Bitboard};
    /// let threats = Board::default().threats(Color::White);
    /// assert_eq!(threats.by_role[chess::Role::Pawn], Bitboard::rank(Rank::Third));
    /// ```
    pub fn threats(&self, color: Color) -> Threats {
        let occupied = self.occupied();
        let mut by_role = ByRole([Bitboard::EMPTY; Role::NUM]);
        by_role[Role::Pawn] = attacks::pawns(color, self.by_piece(color, Role::Pawn));
        by_role[Role::Knight] = attacks::knights(self.by_piece(color, Role::Knight));
        for role in [Role::Bishop, Role::Rook, Role::Queen] {
            for square in self.by_piece(color, role) {
                by_role[role] |= attacks::of(role, color, square, occupied);
            }
        }
        by_role[Role::King] = attacks::king(self.king(color));
        let all = by_role.0.into_iter().fold(Bitboard::EMPTY, |all, set| all | set);
        Threats { by_role, all }
    }

    /// From where each kind of piece of the side to move would check the enemy king.
    #[inline]
    pub fn check_squares(&self) -> CheckSquares {
        let (us, them) = (self.turn(), !self.turn());
        let (king, occupied) = (self.king(them), self.occupied());
        let bishop = attacks::bishop(king, occupied);
        let rook = attacks::rook(king, occupied);
        let by_role = ByRole([
            attacks::pawn(them, king),
            attacks::knight(king),
            bishop,
            rook,
            bishop | rook,
            Bitboard::EMPTY,
        ]);
        CheckSquares { king, by_role, shields: self.shields(us, king) }
    }

    /// Pieces of `us` that alone stand between one of `us`'s sliders and the enemy king.
    pub(super) fn shields(&self, us: Color, king: Square) -> Bitboard {
        let occupied = self.occupied();
        let aimed = attacks::bishop_rays(king) & self.diagonal_sliders(us)
            | attacks::rook_rays(king) & self.straight_sliders(us);
        aimed
            .into_iter()
            .map(|slider| attacks::between(king, slider) & occupied)
            .filter(|blockers| !blockers.has_several())
            .fold(Bitboard::EMPTY, |shields, blocker| shields | blocker & self.by_color(us))
    }

    /// Whether the enemy king is attacked in the occupation after an unusual move.
    pub(super) fn is_check_by_replay(&self, mv: Move) -> bool {
        let (us, king) = (self.turn(), self.king(!self.turn()));
        let (occupied, landed) = self.after_move(mv);
        let role = match mv.promotion() {
            Some(role) => role,
            None if mv.is_castle() => Role::Rook,
            None => self.piece_on(mv.from()).map_or(Role::Pawn, Piece::role),
        };
        attacks::of(role, us, landed, occupied).contains(king)
            || (self.attackers(us, king, occupied) & (occupied - landed.into())).any()
    }
}

/// Where the enemy king can be checked from in a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CheckSquares {
    /// The king to be checked.
    pub king: Square,
    /// The squares from which a piece of each kind gives check.
    pub by_role: ByRole<Bitboard>,
    /// Pieces that give check by leaving their line.
    pub shields: Bitboard,
}

impl CheckSquares {
    /// Whether a legal move of the board that these squares belong to gives check.
    #[inline]
    pub fn is_check(&self, board: &Board, mv: Move) -> bool {
        let Some(mover) = board.role_on(mv.from()) else { return false };
        if mv.is_castle() || mv.is_en_passant() || mv.is_promotion() {
            return board.is_check_by_replay(mv);
        }
        self.reached_from(mv.from(), mover).contains(mv.to())
    }

    /// The squares from which a piece that comes from a square gives check, itself or by leaving a line.
    #[inline]
    pub fn reached_from(&self, from: Square, role: Role) -> Bitboard {
        if self.shields.contains(from) {
            self.by_role[role] | !attacks::line(self.king, from)
        } else {
            self.by_role[role]
        }
    }
}
