// SPDX-License-Identifier: GPL-3.0-or-later
//! What past searches say about moves.
//!
//! | file | what is remembered | by |
//! |---|---|---|
//! | `quiet` | quiet moves | side, whether the squares are attacked, from, to |
//! | `quiet` | quiet moves | pawn structure, piece, to |
//! | `continuation` | quiet moves | an earlier move of the line, piece, to |
//! | `noisy` | captures and promotions | piece, to, what is taken |
//!
//! Values move towards a bonus or malus by "gravity": the further they have gone that way, the less
//! they still move, so that they stay within bounds and new evidence counts. See
//! <https://www.chessprogramming.org/History_Heuristic>.

mod cell;
mod continuation;
mod noisy;
mod quiet;

use bytemuck::Zeroable;
use chess::{Bitboard, Board, Move, Piece, Role, Square, Threats};

pub(crate) use cell::Cell;
pub(crate) use continuation::{Continuation, ContinuationRow, PieceTo};
use noisy::NoisyHistory;
use quiet::{PawnHistory, PawnRow, ThreatHistory, ThreatTables};

use crate::Params;
use crate::memory::prefetch;

/// How far back continuation history looks, in plies.
pub(crate) const CONTINUATIONS: [usize; 4] = [1, 2, 4, 6];

/// The moves that led to a node: those that continuation history looks at.
pub(crate) type PreviousMoves = [Option<PieceTo>; CONTINUATIONS.len()];

/// All that one thread remembers about moves, in one piece of memory: see [`Large`](crate::memory::Large).
#[derive(Debug, Zeroable)]
pub(crate) struct Histories {
    threat: ThreatHistory,
    pawn: PawnHistory,
    continuation: Continuation,
    noisy: NoisyHistory,
}

/// Where a move is tried.
#[derive(Clone, Copy)]
pub(crate) struct HistoryContext<'a> {
    pub(crate) board: &'a Board,
    /// What the opponent attacks.
    pub(crate) threats: &'a Threats,
    pub(crate) previous_moves: &'a PreviousMoves,
}

impl Histories {
    /// Forgets everything, in the same memory.
    pub(crate) fn clear(&mut self) {
        self.threat.clear();
        self.pawn.clear();
        self.continuation.clear();
        self.noisy.clear();
    }

    /// How well a quiet move has done, all that is known weighed together.
    #[inline]
    pub(crate) fn quiet(
        &self,
        history_context: HistoryContext<'_>,
        mv: Move,
        params: &Params,
    ) -> i32 {
        self.quiets(history_context, params).get(mv)
    }

    /// The same for many moves of one position: what they have in common is looked up once.
    #[inline]
    pub(crate) fn quiets<'a>(
        &'a self,
        history_context: HistoryContext<'a>,
        params: &'a Params,
    ) -> QuietScores<'a> {
        let HistoryContext { board, threats, previous_moves } = history_context;
        QuietScores {
            board,
            attacked: threats.all,
            threat: self.threat.of(board.turn()),
            pawn: self.pawn.row(board),
            continuation: previous_moves.map(|earlier| self.continuation.row(earlier)),
            params,
        }
    }

    /// Rewards a quiet move, or punishes it if the bonus is negative. Continuation history may get
    /// another bonus.
    pub(crate) fn update_quiet(
        &mut self,
        history_context: HistoryContext<'_>,
        mv: Move,
        bonus: i32,
        continuation_bonus: i32,
    ) {
        let HistoryContext { board, threats, previous_moves } = history_context;
        let to = PieceTo::of(board, mv);
        self.threat.update(board, threats, mv, bonus);
        self.pawn.update(board, to, bonus);
        self.update_continuation(previous_moves, to, continuation_bonus);
    }

    /// The same for squares and threats alone.
    pub(crate) fn update_threat(&mut self, board: &Board, threats: &Threats, mv: Move, bonus: i32) {
        self.threat.update(board, threats, mv, bonus);
    }

    /// The same for continuation history alone.
    pub(crate) fn update_continuation(
        &mut self,
        previous_moves: &PreviousMoves,
        to: PieceTo,
        bonus: i32,
    ) {
        for earlier in previous_moves.iter().flatten() {
            self.continuation.update(*earlier, to, bonus);
        }
    }

    /// How well a capture or promotion has done.
    #[inline]
    pub(crate) fn noisy(&self, board: &Board, mv: Move) -> i32 {
        self.noisy.get(board, mv)
    }

    /// The same for a capture whose mover and victim are known.
    #[inline]
    pub(crate) fn capture(&self, piece: Piece, to: Square, victim: Role) -> i32 {
        self.noisy.of_capture(piece, to, victim)
    }

    /// Rewards a capture or promotion, or punishes it.
    pub(crate) fn update_noisy(&mut self, board: &Board, mv: Move, bonus: i32) {
        self.noisy.update(board, mv, bonus);
    }

    /// How well moves of a piece to a square have done with the present pawns, for people to look at.
    pub(crate) fn of_piece(&self, board: &Board, piece: Piece, to: Square) -> i32 {
        self.pawn.row(board)[PieceTo::new(piece, to).index()].get()
    }
}

/// Values in a cache line.
const LINE: usize = 64 / size_of::<quiet::Value>();

/// What is known about the quiet moves of one position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct QuietScores<'a> {
    board: &'a Board,
    attacked: Bitboard,
    threat: &'a ThreatTables,
    pawn: &'a PawnRow,
    continuation: [&'a ContinuationRow; CONTINUATIONS.len()],
    params: &'a Params,
}

/// What is known about the quiet moves of one piece on its square.
#[derive(Clone, Copy, Debug)]
pub(crate) struct QuietScoresFrom<'a> {
    attacked: Bitboard,
    /// By whether the target is attacked.
    threat: [&'a [quiet::Value; 64]; 2],
    pawn: &'a [quiet::Value; 64],
    continuation: [&'a [continuation::Value; 64]; CONTINUATIONS.len()],
    params: &'a Params,
}

impl<'a> QuietScores<'a> {
    /// How well a move has done, all that is known weighed together.
    #[inline]
    pub(crate) fn get(&self, mv: Move) -> i32 {
        let piece = self.board.piece_on(mv.from()).unwrap_or(Piece::WhitePawn);
        self.moves_from(piece, mv.from()).get(mv.to())
    }

    /// Brings what is known about the moves of all pieces of the side to move into the cache. One piece at
    /// a time, each would wait for memory anew.
    #[inline]
    pub(crate) fn prefetch(&self) {
        let [one, two, four, six] = self.continuation;
        for role in Role::ALL {
            let piece = Piece::new(self.board.turn(), role).index();
            for line in [2 * piece, 2 * piece + 1] {
                prefetch(&self.pawn.as_chunks::<LINE>().0[line]);
                for row in [one, two, four, six] {
                    prefetch(&row.as_chunks::<LINE>().0[line]);
                }
            }
        }
    }

    /// The same for all moves of one piece: what they have in common is looked up once.
    #[inline]
    pub(crate) fn moves_from(&self, piece: Piece, from: Square) -> QuietScoresFrom<'a> {
        QuietScoresFrom {
            attacked: self.attacked,
            threat: quiet::of_square(self.threat, self.attacked, from),
            pawn: &self.pawn.as_chunks().0[piece.index()],
            continuation: self.continuation.map(|row| &row.as_chunks().0[piece.index()]),
            params: self.params,
        }
    }
}

impl QuietScoresFrom<'_> {
    /// How well the move to a square has done.
    #[inline]
    pub(crate) fn get(&self, to: Square) -> i32 {
        let (place, p) = (to.index(), self.params);
        let threat = self.threat[usize::from(self.attacked.contains(to))][place].get();
        let [one, two, four, six] = self.continuation.map(|row| row[place].get());
        let sum = p.history_threat_scale() * threat
            + p.history_pawn_scale() * self.pawn[place].get()
            + p.history_cont1_scale() * one
            + p.history_cont2_scale() * two
            + p.history_cont4_scale() * four
            + p.history_cont6_scale() * six;
        if p.history_on() { sum / 1024 } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::Large;

    #[test]
    fn rewards_and_punishments_are_remembered() {
        let board = Board::default();
        let (threats, previous_moves) = (board.threats(!board.turn()), [None; 4]);
        let history_context =
            HistoryContext { board: &board, threats: &threats, previous_moves: &previous_moves };
        let params = Params::default();
        let mut histories = Large::<Histories>::zeroed();
        let good = board.parse_uci("e2e4").unwrap();
        let bad = board.parse_uci("a2a3").unwrap();
        histories.update_quiet(history_context, good, 500, 500);
        histories.update_quiet(history_context, bad, -500, -500);
        assert!(histories.quiet(history_context, good, &params) > 0);
        assert!(histories.quiet(history_context, bad, &params) < 0);
        assert_eq!(histories.of_piece(&board, Piece::WhitePawn, Square::E4), 500);
    }

    #[test]
    fn a_move_is_judged_by_what_came_before_it() {
        let board = Board::default();
        let threats = board.threats(!board.turn());
        let before = Some(PieceTo::new(Piece::BlackPawn, Square::E5));
        let previous_moves = [before, None, None, None];
        let params = Params::default();
        let mut histories = Large::<Histories>::zeroed();
        let mv = board.parse_uci("g1f3").unwrap();
        histories.update_continuation(&previous_moves, PieceTo::of(&board, mv), 1000);
        let quiet = |previous_moves: &PreviousMoves| {
            histories.quiet(
                HistoryContext { board: &board, threats: &threats, previous_moves },
                mv,
                &params,
            )
        };
        assert!(quiet(&previous_moves) > 0);
        assert_eq!(quiet(&[None; 4]), 0);
    }
}
