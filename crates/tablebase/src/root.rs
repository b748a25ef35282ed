// SPDX-License-Identifier: GPL-3.0-or-later
//! What each move of a position leads to.

use std::cmp::Reverse;

use chess::{Board, Move};
use shakmaty_syzygy::AmbiguousWdl;

use crate::{Dtz, FiftyMoves, TableWdl, Tables};

/// A move and its result for the side that makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RootMove {
    /// The move.
    pub mv: Move,
    /// The result with best play from there on, the clock counted unless the rule is ignored.
    ///
    /// Where the tables cannot tell whether the rule saves the loser, it says that it does.
    pub wdl: TableWdl,
    /// The distance from before the move, if there is a table of it.
    pub dtz: Option<Dtz>,
    /// Whether it mates at once.
    pub is_mate: bool,
}

impl RootMove {
    /// Small for good moves: the better result, then the shorter way to a win or the longer way to a
    /// loss.
    pub(crate) fn order(&self) -> (Reverse<TableWdl>, Reverse<bool>, i32) {
        let plies = self.dtz.map_or(0, |dtz| dtz.plies);
        (Reverse(self.wdl), Reverse(self.is_mate), plies)
    }
}

/// The moves that keep the best result, of moves in the order of [`Tables::root_moves`].
///
/// All of them win (or draw) with best play, so that an engine may choose among them as it likes.
/// But if a position of the game has already been repeated, it is time to make progress: then only
/// those with the shortest way are left.
pub fn keepers(ranked: &[RootMove], has_repeated: bool) -> &[RootMove] {
    let Some(best) = ranked.first() else { return ranked };
    let must_hurry = has_repeated && best.wdl > TableWdl::Draw;
    let is_kept =
        |one: &RootMove| one.wdl == best.wdl && (!must_hurry || one.order() == best.order());
    &ranked[..ranked.iter().take_while(|one| is_kept(one)).count()]
}

/// The result of a legal move.
pub(crate) fn judge(
    tables: &Tables,
    board: &Board,
    mv: Move,
    rule: FiftyMoves,
) -> Option<RootMove> {
    let mut after = *board;
    after.play(mv);
    if !after.has_legal_moves() {
        return Some(last_move(mv, after.in_check()));
    }
    let (wdl, dtz) = if after.halfmove_clock() == 0 {
        let wdl = -tables.wdl(&after)?;
        (wdl, Some(before_zeroing(wdl)))
    } else {
        quiet_move(tables, &after)?
    };
    Some(RootMove { mv, wdl: wdl.under(rule), dtz, is_mate: false })
}

/// A move that ends the game by mate or stalemate.
fn last_move(mv: Move, is_mate: bool) -> RootMove {
    let wdl = if is_mate { TableWdl::Win } else { TableWdl::Draw };
    RootMove { mv, wdl, dtz: Some(before_zeroing(wdl)), is_mate }
}

/// Captures and pawn moves start the count anew, so that the result behind them is all that counts.
fn before_zeroing(wdl: TableWdl) -> Dtz {
    let plies = match wdl {
        TableWdl::Loss => -1,
        TableWdl::BlessedLoss => -101,
        TableWdl::Draw => 0,
        TableWdl::CursedWin => 101,
        TableWdl::Win => 1,
    };
    Dtz { plies, is_exact: true }
}

/// The result of a move that the clock goes on after.
fn quiet_move(tables: &Tables, after: &Board) -> Option<(TableWdl, Option<Dtz>)> {
    let Some(dtz) = tables.rounded_dtz(after) else {
        return Some((-tables.wdl(after)?, None));
    };
    let clock = after.halfmove_clock() as u32;
    let wdl = match -AmbiguousWdl::from_dtz_and_halfmoves(dtz, clock) {
        AmbiguousWdl::MaybeWin => TableWdl::CursedWin,
        AmbiguousWdl::MaybeLoss => TableWdl::BlessedLoss,
        certain => certain.after_zeroing().into(),
    };
    Some((wdl, Some((-dtz).add_plies_saturating(1).into())))
}
