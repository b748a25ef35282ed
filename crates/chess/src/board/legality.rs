// SPDX-License-Identifier: GPL-3.0-or-later
//! Whether a move from elsewhere, such as a table that may hold another position's move, is legal
//! here.

use super::Board;
use super::play::passed_pawn;
use crate::{Bitboard, Move, MoveKind, Rank, Role, Square, Wing, attacks};

impl Board {
    /// Whether the move is legal, for any bits that make a [`Move`].
    ///
    /// Much cheaper than generating all moves.
    #[inline]
    pub fn is_legal(&self, mv: Move) -> bool {
        let us = self.turn();
        let Some(mover) = self.piece_on(mv.from()).filter(|piece| piece.color() == us) else {
            return false;
        };
        match mover.role() {
            Role::King if mv.is_castle() => self.is_legal_castle(mv),
            Role::Pawn if mv.is_en_passant() => self.is_legal_en_passant(mv),
            role => self.is_plausible(role, mv) && self.leaves_king_safe(role, mv),
        }
    }

    fn is_legal_castle(&self, mv: Move) -> bool {
        Wing::ALL.into_iter().any(|wing| {
            self.castling().rook(self.turn(), wing) == Some(mv.to())
                && self.may_castle(wing, mv.to())
        })
    }

    fn is_legal_en_passant(&self, mv: Move) -> bool {
        self.en_passant() == Some(mv.to())
            && attacks::pawn(self.turn(), mv.from()).contains(mv.to())
            && self.is_en_passant_safe(mv.from(), mv.to())
    }

    /// Whether a piece moves like this, its king's safety aside.
    fn is_plausible(&self, role: Role, mv: Move) -> bool {
        let (us, to) = (self.turn(), mv.to());
        if self.by_color(us).contains(to) || mv.is_capture() != self.by_color(!us).contains(to) {
            return false;
        }
        if role == Role::Pawn {
            return self.is_plausible_pawn_move(mv);
        }
        matches!(mv.kind(), MoveKind::Quiet | MoveKind::Capture)
            && attacks::of(role, us, mv.from(), self.occupied()).contains(to)
    }

    fn is_plausible_pawn_move(&self, mv: Move) -> bool {
        let us = self.turn();
        let from = Bitboard::from_square(mv.from());
        let promotes = mv.to().rank().relative_to(us) == Rank::Eighth;
        if promotes != mv.is_promotion() {
            return false;
        }
        let single = from.forward(us) - self.occupied();
        match mv.kind() {
            MoveKind::Castle | MoveKind::EnPassant => false,
            MoveKind::DoublePush => {
                let third = Bitboard::rank(Rank::Third.relative_to(us));
                ((single & third).forward(us) - self.occupied()).contains(mv.to())
            }
            _ if mv.is_capture() => attacks::pawn(us, mv.from()).contains(mv.to()),
            _ => single.contains(mv.to()),
        }
    }

    fn leaves_king_safe(&self, role: Role, mv: Move) -> bool {
        let (us, them) = (self.turn(), !self.turn());
        let king = self.king(us);
        if role == Role::King {
            return !self.is_attacked(them, mv.to(), self.occupied() - king.into());
        }
        let answers_check = match self.checkers().first() {
            None => true,
            Some(_) if self.checkers().has_several() => false,
            Some(checker) => attacks::between(king, checker).with(checker).contains(mv.to()),
        };
        let keeps_pin =
            !self.pinned().contains(mv.from()) || attacks::line(king, mv.from()).contains(mv.to());
        answers_check && keeps_pin
    }

    /// Whether a legal move gives check.
    ///
    /// To ask for many moves of one position, compute [`Board::check_squares`] once. For a single one,
    /// the lines through the king tell it with less.
    pub fn gives_check(&self, mv: Move) -> bool {
        let Some(mover) = self.role_on(mv.from()) else { return false };
        if mv.is_castle() || mv.is_en_passant() || mv.is_promotion() {
            return self.is_check_by_replay(mv);
        }
        let (us, king) = (self.turn(), self.king(!self.turn()));
        let is_aimed = match mover {
            Role::Pawn => attacks::pawn(us, mv.to()).contains(king),
            Role::Knight => attacks::knight(mv.to()).contains(king),
            Role::Bishop => attacks::bishop_rays(mv.to()).contains(king),
            Role::Rook => attacks::rook_rays(mv.to()).contains(king),
            Role::Queen => !attacks::line(mv.to(), king).is_empty(),
            Role::King => false,
        };
        let others = self.occupied() - mv.from().into();
        if is_aimed && (attacks::between(mv.to(), king) & others).is_empty() {
            return true;
        }
        let line = attacks::line(king, mv.from());
        !line.is_empty() && !line.contains(mv.to()) && self.shields(us, king).contains(mv.from())
    }

    /// The occupied squares after a move, and where the mover lands.
    pub(super) fn after_move(&self, mv: Move) -> (Bitboard, Square) {
        let without = self.occupied() - mv.from().into();
        match mv.kind() {
            MoveKind::Castle => {
                let wing = if mv.to() > mv.from() { Wing::King } else { Wing::Queen };
                let us = self.turn();
                let landed = without - mv.to().into();
                let rook = wing.rook_target(us);
                (landed.with(wing.king_target(us)).with(rook), rook)
            }
            MoveKind::EnPassant => ((without - passed_pawn(mv).into()).with(mv.to()), mv.to()),
            _ => (without.with(mv.to()), mv.to()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exactly_the_generated_moves_are_legal() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",
            "4k3/8/8/2pP4/8/8/B7/4K3 w - c6 0 1",
            "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 0 1",
            "4k3/8/8/8/1b6/5n2/8/R3K2R w KQ - 0 1",
            "4k3/8/8/8/8/8/8/RK6 w A - 0 1",
            "8/8/8/8/8/8/8/rR1K3k w B - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        ] {
            let board: Board = fen.parse().unwrap();
            let legal = board.legal_moves();
            for bits in 1..=u16::MAX {
                let Some(mv) = Move::from_bits(bits) else { continue };
                assert_eq!(board.is_legal(mv), legal.contains(&mv), "{mv:?} in {fen}");
            }
        }
    }
}
