// SPDX-License-Identifier: GPL-3.0-or-later
//! Static exchange evaluation: what a series of captures on one square is worth.
//!
//! See <https://www.chessprogramming.org/Static_Exchange_Evaluation>.

use super::Board;
use super::play::passed_pawn;
use crate::{Bitboard, ByRole, Color, Move, Rank, Role, Square, attacks};

/// What each kind of piece counts in an exchange, in any unit. The king's entry is not used.
pub type PieceValues = ByRole<i32>;

impl Board {
    /// Whether the exchange that a legal move begins wins at least `threshold` for its side.
    ///
    /// Both sides take with their least valuable piece that may legally do so, and stop when that is
    /// better. Pawns that take on the last rank become queens. Castling wins nothing.
    ///
    /// ```
    /// use chess::{Board, ByRole};
    /// let values = ByRole([1, 3, 3, 5, 9, 0]);
    /// let board: Board = "4k3/3p4/2n5/8/4N3/8/8/R3K3 w - - 0 1".parse().unwrap();
    /// let takes = board.parse_uci("e4f6").unwrap(); // check, but nobody can take
    /// assert!(board.see(takes, 0, &values));
    /// let hangs = board.parse_uci("e4c5").unwrap();
    /// assert!(board.see(hangs, 0, &values));
    /// let loses = board.parse_uci("a1a5").unwrap(); // the knight takes the rook
    /// assert!(board.see(loses, -5, &values) && !board.see(loses, -4, &values));
    /// ```
    pub fn see(&self, mv: Move, threshold: i32, values: &PieceValues) -> bool {
        if mv.is_castle() {
            return threshold <= 0;
        }
        let us = self.turn();
        let (mut victim, gain) = self.first_gain(mv, values);
        // `net` is what `us` has won beyond the threshold if the exchange stops now.
        let mut net = gain - threshold;
        if net < 0 {
            return false;
        }
        // On our first rank a pawn that takes back promotes, and wins more than the victim.
        let may_promote = mv.to().rank().relative_to(us) == Rank::First;
        if net >= values[victim] && !may_promote {
            return true;
        }
        let mut exchange = Exchange::after(self, mv);
        let mut side = !us;
        loop {
            // Whoever is content stops; the other must go on.
            if (side == us) == (net >= 0) {
                return net >= 0;
            }
            let Some(taker) = exchange.take(side) else { return net >= 0 };
            let (arrives, promotion_gain) = exchange.arrival(taker, side, values);
            let gain = values[victim] + promotion_gain;
            net += if side == us { gain } else { -gain };
            victim = arrives;
            side = !side;
        }
    }

    /// The piece that stands on the target after the first move, and what that move wins.
    fn first_gain(&self, mv: Move, values: &PieceValues) -> (Role, i32) {
        let captured = if mv.is_en_passant() { Some(Role::Pawn) } else { self.role_on(mv.to()) };
        let gain = captured.map_or(0, |role| values[role]);
        match mv.promotion() {
            Some(role) => (role, gain + values[role] - values[Role::Pawn]),
            None => (self.role_on(mv.from()).unwrap_or(Role::Pawn), gain),
        }
    }
}

/// A series of captures on one square.
struct Exchange<'a> {
    board: &'a Board,
    target: Square,
    /// Pieces still on the board, the one on the target included.
    occupied: Bitboard,
    /// Pieces of both sides that attack the target and have not taken yet.
    attackers: Bitboard,
}

impl<'a> Exchange<'a> {
    #[inline]
    fn after(board: &'a Board, mv: Move) -> Self {
        let mut occupied = (board.occupied() - mv.from().into()).with(mv.to());
        if mv.is_en_passant() {
            occupied -= passed_pawn(mv).into();
        }
        let target = mv.to();
        let present = occupied - target.into();
        let attackers = board.attackers_of_both(target, occupied) & present;
        Self { board, target, occupied, attackers }
    }

    /// Lets `side` take with its least valuable piece that legally can, and returns that piece.
    #[inline]
    fn take(&mut self, side: Color) -> Option<Role> {
        let own = self.attackers & self.board.by_color(side);
        if own.is_empty() {
            return None;
        }
        let free = own - self.held(side);
        for role in Role::ALL {
            let takers = if role == Role::King { own } else { free };
            let Some(taker) = (takers & self.board.by_role(role)).first() else { continue };
            if role == Role::King && self.is_guarded(side, taker) {
                return None;
            }
            self.lift(role, taker);
            return Some(role);
        }
        None
    }

    /// Pieces of `side` that may not take, because their king would stand in check: those that alone shield
    /// it from an enemy slider, and all if nothing shields it.
    ///
    /// Nothing else can give check in an exchange: a check by another piece was there before, so that
    /// the first move has answered it or was not legal.
    #[inline]
    fn held(&self, side: Color) -> Bitboard {
        let king = self.board.king(side);
        let aimed = attacks::bishop_rays(king) & self.board.diagonal_sliders(!side)
            | attacks::rook_rays(king) & self.board.straight_sliders(!side);
        let mut held = Bitboard::EMPTY;
        for slider in aimed & (self.occupied - self.target.into()) {
            let shields = attacks::between(king, slider) & self.occupied;
            if shields.is_empty() {
                return Bitboard::FULL;
            }
            if !shields.has_several() {
                held |= shields;
            }
        }
        held
    }

    /// Whether the target is guarded by the enemy when `side`'s king has taken there.
    fn is_guarded(&self, side: Color, king: Square) -> bool {
        let enemies = self.board.by_color(!side);
        (self.attackers & enemies).any()
            || (self.sliders_to_target(self.occupied - king.into()) & enemies).any()
    }

    /// Takes a piece away, and finds the sliders that attack the target from behind it.
    #[inline]
    fn lift(&mut self, role: Role, taker: Square) {
        self.occupied -= taker.into();
        let board = self.board;
        if matches!(role, Role::Pawn | Role::Bishop | Role::Queen) {
            let diagonal = board.by_role(Role::Bishop) | board.by_role(Role::Queen);
            self.attackers |= attacks::bishop(self.target, self.occupied) & diagonal;
        }
        if matches!(role, Role::Rook | Role::Queen) {
            let straight = board.by_role(Role::Rook) | board.by_role(Role::Queen);
            self.attackers |= attacks::rook(self.target, self.occupied) & straight;
        }
        if role == Role::King {
            self.attackers |= self.sliders_to_target(self.occupied);
        }
        self.attackers &= self.occupied - self.target.into();
    }

    /// Sliders of both sides that attack the target, if these squares are occupied.
    fn sliders_to_target(&self, occupied: Bitboard) -> Bitboard {
        let board = self.board;
        let queens = board.by_role(Role::Queen);
        (attacks::bishop(self.target, occupied) & (board.by_role(Role::Bishop) | queens)
            | attacks::rook(self.target, occupied) & (board.by_role(Role::Rook) | queens))
            & (occupied - self.target.into())
    }

    /// What stands on the target after a capture by `taker`, and what becoming it is worth.
    fn arrival(&self, taker: Role, side: Color, values: &PieceValues) -> (Role, i32) {
        if taker == Role::Pawn && self.target.rank().relative_to(side) == Rank::Eighth {
            return (Role::Queen, values[Role::Queen] - values[Role::Pawn]);
        }
        (taker, 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const VALUES: PieceValues = ByRole([100, 300, 320, 500, 900, 0]);

    /// The exact value by bisection.
    fn value(fen: &str, mv: &str) -> i32 {
        let board: Board = fen.parse().unwrap();
        let mv = board.parse_uci(mv).unwrap();
        (-2000..=2000).rev().find(|&t| board.see(mv, t, &VALUES)).unwrap()
    }

    #[test]
    fn known_exchanges() {
        for (fen, mv, expected) in [
            ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", 100),
            ("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5", -200),
            ("4k3/8/8/8/3q4/8/8/3RK3 w - - 0 1", "d1d4", 900),
            ("4k3/2p5/3p4/8/8/8/8/3RK3 w - - 0 1", "d1d6", -400),
            // The defender is pinned and cannot take back.
            ("4k3/4r3/3p4/8/8/8/4R3/K2R4 w - - 0 1", "d1d6", 100),
            // En passant.
            ("4k3/8/8/2pP4/8/8/8/4K3 w - c6 0 1", "d5c6", 100),
            // A promotion that is taken back.
            ("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8q", 1100),
            ("r1n1k3/1P6/8/8/8/8/8/4K3 w - - 0 1", "b7c8q", 200),
            // A pawn that takes back and promotes.
            ("7k/8/8/8/8/8/6p1/1K2R3 w - - 0 1", "e1h1", -1300),
            // A king may not take into a guarded square.
            ("8/8/8/3k4/3p4/8/1B6/3RK3 w - - 0 1", "d1d4", 100),
            ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", 0),
        ] {
            assert_eq!(value(fen, mv), expected, "{mv} in {fen}");
        }
    }
}
