// SPDX-License-Identifier: GPL-3.0-or-later
//! Correction history: by how much searches have disagreed with the evaluation of similar positions.
//!
//! The evaluation errs in the same direction wherever the same pawns, the same pieces of one side or
//! the same last moves are on the board. What a search finds is the better value; the difference,
//! averaged per feature, is added to later evaluations. The table keeps the evaluation as the network
//! gave it, since corrections change.

use bytemuck::Zeroable;
use chess::{Board, Color, Role};

use super::exchange::SEE_VALUES;
use super::history::{Cell, PieceTo};
use super::optimism::Optimism;
use crate::memory::prefetch;
use crate::{Params, Score};

const SLOTS: usize = 16384;
/// The largest value of a cell.
const MAX: i32 = 1024;

type Value = Cell<MAX>;
/// By the side to move.
type CorrectionTable = [[Value; SLOTS]; 2];
/// By an earlier move, then by the last one.
type MoveTable = [Value; PieceTo::NUM * PieceTo::NUM];

/// The last moves of the line that corrections look at: the last one with those two and four plies
/// before the node.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LastMoves {
    pub(super) last: Option<PieceTo>,
    pub(super) second: Option<PieceTo>,
    pub(super) fourth: Option<PieceTo>,
}

impl LastMoves {
    /// The cells of the table of moves for the last move after each of the two earlier ones.
    #[inline]
    fn cells(self) -> [Option<usize>; 2] {
        let cell =
            |earlier: Option<PieceTo>| Some(PieceTo::NUM * earlier?.index() + self.last?.index());
        [cell(self.second), cell(self.fourth)]
    }
}

/// The corrections that one thread has learnt, in one piece of memory.
#[derive(Debug, Zeroable)]
pub(super) struct Corrections {
    pawns: CorrectionTable,
    non_pawns: [CorrectionTable; 2],
    moves: MoveTable,
}

impl Corrections {
    /// Forgets everything, in the same memory.
    pub(super) fn clear(&mut self) {
        let tables = self.non_pawns.iter_mut().flatten().chain(&mut self.pawns);
        tables.for_each(|table| table.fill(Value::default()));
        self.moves.fill(Value::default());
    }

    /// What to add to the evaluation, in points.
    #[inline]
    pub(super) fn get(&self, board: &Board, moves: LastMoves, params: &Params) -> i32 {
        let turn = board.turn().index();
        let keys = board.keys();
        let pawns = self.pawns[turn][slot(keys.pawns)].get();
        let non_pawns: i32 = Color::ALL
            .into_iter()
            .map(|side| self.non_pawns[side.index()][turn][slot(keys.non_pawns[side])].get())
            .sum();
        let [second, fourth] =
            moves.cells().map(|cell| cell.map_or(0, |cell| self.moves[cell].get()));
        let by_moves = second + fourth;
        (params.corr_pawn_scale() * pawns
            + params.corr_non_pawn_scale() * non_pawns
            + params.corr_move_scale() * by_moves)
            / MAX
    }

    /// Brings into the cache what will be looked up for a board after these moves.
    #[inline]
    pub(super) fn prefetch(&self, board: &Board, moves: LastMoves) {
        let (turn, keys) = (board.turn().index(), board.keys());
        prefetch(&self.pawns[turn][slot(keys.pawns)]);
        for side in Color::ALL {
            prefetch(&self.non_pawns[side.index()][turn][slot(keys.non_pawns[side])]);
        }
        let [second, fourth] = moves.cells();
        second.inspect(|&cell| prefetch(&self.moves[cell]));
        fourth.inspect(|&cell| prefetch(&self.moves[cell]));
    }

    /// Learns by how many points a search disagreed with the evaluation, weighted by its depth.
    pub(super) fn learn(&mut self, board: &Board, moves: LastMoves, weighted_error: i32) {
        let bonus = weighted_error.clamp(-MAX / 4, MAX / 4);
        let turn = board.turn().index();
        let keys = board.keys();
        self.pawns[turn][slot(keys.pawns)].update(bonus);
        for side in Color::ALL {
            self.non_pawns[side.index()][turn][slot(keys.non_pawns[side])].update(bonus);
        }
        for cell in moves.cells().into_iter().flatten() {
            self.moves[cell].update(bonus);
        }
    }
}

#[inline]
const fn slot(key: u64) -> usize {
    key as usize % SLOTS
}

/// The evaluation as the search uses it: with optimism, drawn towards zero as the fifty-move rule comes
/// near, then corrected.
#[inline]
pub(super) fn corrected(
    raw: Score,
    optimism: Optimism,
    board: &Board,
    correction: i32,
    params: &Params,
) -> Score {
    let raw = weighed_by_material(raw, board, params);
    let plies = if params.fifty_on() { (board.halfmove_clock() as i32).min(100) } else { 0 };
    let left = 200 - plies;
    Score::new((raw.value() + optimism.points(board)) * left / 200 + correction)
}

/// The weight of an evaluation without any material on the board.
const MATERIAL_BASE: i32 = 21032;

/// The sum of that weight and the material that leaves the evaluation as it is.
const MATERIAL_DIVISOR: i32 = 27015;

/// The evaluation weighed by the material on the board: with much of it, an advantage tells sooner.
#[inline]
fn weighed_by_material(raw: Score, board: &Board, params: &Params) -> Score {
    if params.eval_material_try() == 0 {
        return raw;
    }
    let count = |role| board.by_role(role).len() as i32 * SEE_VALUES[role];
    let material: i32 = Role::ALL.into_iter().map(count).sum();
    Score::new(raw.value() * (MATERIAL_BASE + material) / MATERIAL_DIVISOR)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::Large;

    #[test]
    fn errors_are_learnt_and_bounded() {
        let (board, params) = (Board::default(), Params::default());
        let mut corrections = Large::<Corrections>::zeroed();
        let moves = LastMoves::default();
        assert_eq!(corrections.get(&board, moves, &params), 0);
        for _ in 0..1000 {
            corrections.learn(&board, moves, 12_500);
        }
        let largest = params.corr_pawn_scale() + 2 * params.corr_non_pawn_scale();
        let found = corrections.get(&board, moves, &params);
        assert!(0 < found && found <= largest, "{found}");
        let mut other = board;
        other.play_null();
        assert_eq!(corrections.get(&other, moves, &params), 0, "the other side's is its own");
    }

    #[test]
    fn material_adds_weight_to_the_evaluation_if_asked_for() {
        let eval = |board: &Board, value| {
            let params = Params::default().with("eval_material_try", value);
            corrected(Score::new(500), Optimism::default(), board, 0, &params).value()
        };
        let few: Board = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1".parse().unwrap();
        assert_eq!((eval(&Board::default(), 0), eval(&few, 0)), (500, 500));
        assert!(eval(&Board::default(), 1) > 500 && eval(&few, 1) < 450);
    }

    #[test]
    fn the_clock_draws_the_evaluation_to_zero() {
        let board: Board = "4k3/8/8/8/8/8/8/R3K3 w - - 80 90".parse().unwrap();
        let with = |fifty_on| {
            let params = Params::default().with("fifty_on", fifty_on);
            corrected(Score::new(500), Optimism::default(), &board, 10, &params)
        };
        assert_eq!((with(1), with(0)), (Score::new(310), Score::new(510)));
    }
}
