// SPDX-License-Identifier: GPL-3.0-or-later
//! How moves are scored as they are generated.

use chess::{
    Bitboard, Board, CheckSquares, Move, MoveKind, MoveSink, Piece, Role, Square, Threats,
};

use super::scored_moves::ScoredMoves;
use super::{OrderingContext, gain};
use crate::alphabeta::exchange::SEE_VALUES;
use crate::alphabeta::history::{Histories, QuietScores};

/// Takes captures and promotions as they are generated, and scores them by victim and history.
pub(super) struct NoisyScorer<'a, 'b> {
    pub(super) board: &'a Board,
    pub(super) histories: &'a Histories,
    pub(super) victim_scale: i32,
    /// It was handed out before.
    pub(super) table_move: Option<Move>,
    pub(super) scored: &'b mut ScoredMoves,
}

impl NoisyScorer<'_, '_> {
    /// A capture that is neither en passant nor a promotion.
    #[inline]
    fn capture(&mut self, piece: Piece, mv: Move) {
        let Some(victim) = self.board.role_on(mv.to()).filter(|_| Some(mv) != self.table_move)
        else {
            return;
        };
        let value = self.victim_scale * SEE_VALUES[victim];
        self.scored.push(mv, value + self.histories.capture(piece, mv.to(), victim));
    }
}

impl MoveSink for NoisyScorer<'_, '_> {
    #[inline]
    fn piece(&mut self, from: Square, targets: Bitboard, _: Bitboard) {
        let Some(piece) = self.board.piece_on(from) else { return };
        for to in targets {
            self.capture(piece, Move::new(from, to, MoveKind::Capture));
        }
    }

    #[inline]
    fn pawns(&mut self, targets: Bitboard, step: i8, kind: MoveKind) {
        let pawn = Piece::new(self.board.turn(), Role::Pawn);
        for to in targets {
            self.capture(pawn, Move::new(to.offset(-step), to, kind));
        }
    }

    #[inline]
    fn promotions(&mut self, targets: Bitboard, step: i8, roles: &[Role], is_capture: bool) {
        for to in targets {
            for &role in roles {
                self.one(Move::promoting(to.offset(-step), to, role, is_capture));
            }
        }
    }

    #[inline]
    fn one(&mut self, mv: Move) {
        if Some(mv) != self.table_move {
            let value = self.victim_scale * gain(self.board, mv);
            self.scored.push(mv, value + self.histories.noisy(self.board, mv));
        }
    }
}

/// Takes quiet moves as they are generated, and scores them by history, checks and guards.
pub(super) struct QuietScorer<'a, 'b> {
    board: &'a Board,
    pub(super) quiets: QuietScores<'a>,
    threats: &'a Threats,
    checks: CheckSquares,
    check_bonus: i32,
    only_safe_checks: bool,
    guard_escape_scale: i32,
    guard_enter_scale: i32,
    /// Moves that were handed out before, or will not be.
    done: [Option<Move>; 3],
    scored: &'b mut ScoredMoves,
}

/// What a piece on its square wins or loses wherever it goes.
struct Guards {
    escape: i32,
    enter: i32,
    danger: Bitboard,
}

impl<'a, 'b> QuietScorer<'a, 'b> {
    pub(super) fn new(
        context: OrderingContext<'a>,
        done: [Option<Move>; 3],
        scored: &'b mut ScoredMoves,
    ) -> Self {
        let OrderingContext { history_context, histories, params: p, checks, .. } = context;
        let scale = |scale: i32| if p.guard_on() { scale } else { 0 };
        Self {
            board: history_context.board,
            quiets: histories.quiets(history_context, p),
            threats: history_context.threats,
            checks: checks.copied().unwrap_or_else(|| history_context.board.check_squares()),
            check_bonus: if p.order_check_on() { p.order_check_bonus() } else { 0 },
            only_safe_checks: p.order_check_see_try() != 0,
            guard_escape_scale: scale(p.guard_escape_scale()),
            guard_enter_scale: scale(p.guard_enter_scale()),
            done,
            scored,
        }
    }

    #[inline]
    fn add(&mut self, mv: Move, score: i32) {
        if !self.done.contains(&Some(mv)) {
            self.scored.push(mv, score);
        }
    }

    /// A piece that leaves a square attacked by a cheaper one comes earlier, one that enters such a
    /// square later.
    #[inline]
    fn guards(&self, role: Role, from: Square) -> Guards {
        if role == Role::King {
            return Guards { escape: 0, enter: 0, danger: Bitboard::EMPTY };
        }
        let danger = self.threats.by_lesser_than(role);
        let value = SEE_VALUES[role];
        let escape = value * self.guard_escape_scale / 1024;
        Guards {
            escape: if danger.contains(from) { escape } else { 0 },
            enter: value * self.guard_enter_scale / 1024,
            danger,
        }
    }

    /// Whether a check counts as such: if asked for, only one that does not lose the piece.
    #[inline]
    fn counts_as_check(&self, mv: Move) -> bool {
        !self.only_safe_checks || self.board.see(mv, 0, &SEE_VALUES)
    }

    /// Moves of one piece from one square.
    #[inline]
    fn add_from(&mut self, piece: Piece, from: Square, targets: Bitboard, kind: MoveKind) {
        let role = piece.role();
        let history = self.quiets.moves_from(piece, from);
        let guards = self.guards(role, from);
        let checking = self.checks.reached_from(from, role);
        for to in targets {
            let mv = Move::new(from, to, kind);
            let is_check = checking.contains(to) && self.counts_as_check(mv);
            let check = if is_check { self.check_bonus } else { 0 };
            let enter = if guards.danger.contains(to) { guards.enter } else { 0 };
            let score = history.get(to) + check + guards.escape - enter;
            self.add(mv, score);
        }
    }

    /// Castling and lesser promotions, which have no guards.
    fn unusual(&mut self, mv: Move) {
        let is_check = self.check_bonus != 0 && self.checks.is_check(self.board, mv);
        let check = if is_check { self.check_bonus } else { 0 };
        self.add(mv, self.quiets.get(mv) + check);
    }
}

impl MoveSink for QuietScorer<'_, '_> {
    #[inline]
    fn piece(&mut self, from: Square, targets: Bitboard, _: Bitboard) {
        if let Some(piece) = self.board.piece_on(from) {
            self.add_from(piece, from, targets, MoveKind::Quiet);
        }
    }

    #[inline]
    fn pawns(&mut self, targets: Bitboard, step: i8, kind: MoveKind) {
        let pawn = Piece::new(self.board.turn(), Role::Pawn);
        for to in targets {
            self.add_from(pawn, to.offset(-step), to.into(), kind);
        }
    }

    #[inline]
    fn promotions(&mut self, targets: Bitboard, step: i8, roles: &[Role], is_capture: bool) {
        for to in targets {
            for &role in roles {
                self.unusual(Move::promoting(to.offset(-step), to, role, is_capture));
            }
        }
    }

    #[inline]
    fn one(&mut self, mv: Move) {
        self.unusual(mv);
    }
}
