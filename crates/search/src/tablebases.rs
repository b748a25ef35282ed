// SPDX-License-Identifier: GPL-3.0-or-later
//! How the search uses endgame tables.

use std::sync::Arc;

use chess::{Board, Move};
use tablebase::{FiftyMoves, RootMove, TableWdl, Tables, keepers};

use crate::{Bound, Score};

/// Endgame tables, and where in the tree they are asked.
#[derive(Clone, Debug)]
pub struct Tablebases {
    /// The tables, if there are any.
    pub tables: Option<Arc<Tables>>,
    /// Positions with as many men as the limit allows are looked up from this depth on; those with
    /// fewer at any depth.
    pub probe_depth: i32,
    /// Positions with more men are not looked up.
    pub probe_limit: usize,
    /// Whether the fifty-move rule counts.
    pub rule: FiftyMoves,
}

impl Default for Tablebases {
    fn default() -> Self {
        Self { tables: None, probe_depth: 1, probe_limit: 7, rule: FiftyMoves::Counted }
    }
}

impl Tablebases {
    /// The most men of a position that is looked up.
    fn limit(&self) -> usize {
        self.tables.as_ref().map_or(0, |tables| tables.largest().min(self.probe_limit))
    }

    /// Whether a position is looked up in the tree: only right after a capture or a pawn move do the
    /// tables tell the result without asking how long it takes.
    #[inline]
    pub(crate) fn is_probed(&self, board: &Board, depth: i32) -> bool {
        let (men, limit) = (board.occupied().len(), self.limit());
        men <= limit
            && (men < limit || depth >= self.probe_depth)
            && board.halfmove_clock() == 0
            && board.castling().is_none()
    }

    /// The result of a position at a ply, and how to read it.
    pub(crate) fn score(&self, board: &Board, ply: usize) -> Option<(Score, Bound)> {
        let wdl = self.tables.as_ref()?.wdl(board)?.under(self.rule);
        Some(match wdl {
            TableWdl::Win => (Score::table_win_in(ply), Bound::Lower),
            TableWdl::Loss => (-Score::table_win_in(ply), Bound::Upper),
            _ => (Score::DRAW, Bound::Exact),
        })
    }

    /// The moves at the root that keep the best result, each with its score; `None` if the tables do
    /// not know all moves.
    pub(crate) fn root_moves(&self, board: &Board, has_repeated: bool) -> Option<Vec<RootResult>> {
        if board.occupied().len() > self.limit() {
            return None;
        }
        let ranked = self.tables.as_ref()?.root_moves(board, self.rule)?;
        let kept = keepers(&ranked, has_repeated).len();
        let result = |(index, ranked): (usize, &RootMove)| RootResult {
            mv: ranked.mv,
            score: match ranked.wdl {
                TableWdl::Win => Score::table_win_in(0),
                TableWdl::Loss => -Score::table_win_in(0),
                _ => Score::DRAW,
            },
            is_kept: index < kept,
        };
        Some(ranked.iter().enumerate().map(result).collect())
    }
}

/// What the tables say about a move at the root.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct RootResult {
    pub(crate) mv: Move,
    pub(crate) score: Score,
    /// Whether it keeps the best result.
    pub(crate) is_kept: bool,
}
