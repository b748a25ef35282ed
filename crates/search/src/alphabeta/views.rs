// SPDX-License-Identifier: GPL-3.0-or-later
//! What the table and the histories know, for people who look into the search.

use chess::{Board, Move, Piece, Square};

use super::AlphaBeta;
use super::exchange::SEE_VALUES;
use super::history::{HistoryContext, PreviousMoves};
use super::order::{Killers, Ordered, OrderedKind, OrderingContext, Picker};
use super::table::{TableStats, table_key};
use crate::{Bound, Params, Score};

/// What the transposition table knows of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TableView {
    /// The best or refuting move.
    pub mv: Option<Move>,
    /// The score and how to read it; `None` if only the evaluation is known.
    pub score: Option<(Score, Bound)>,
    /// The static evaluation; `None` in check.
    pub eval: Option<Score>,
    /// How deep the search was.
    pub depth: i32,
}

impl AlphaBeta {
    /// How the table has been used since it was made or cleared.
    pub(crate) fn table_stats(&self) -> TableStats {
        self.table.stats()
    }

    /// What the table knows of a position.
    pub(crate) fn lookup(&self, board: &Board) -> Option<TableView> {
        let entry = self.table.probe(table_key(board))?;
        Some(TableView {
            mv: entry.mv.filter(|&mv| board.is_legal(mv)),
            score: entry.score,
            eval: entry.eval,
            depth: entry.depth,
        })
    }

    /// The legal moves in the order in which a search would try them now.
    pub(crate) fn move_order(&self, board: &Board, params: &Params) -> Vec<Ordered> {
        self.ordered(board, params, Picker::new(self.table_move(board), Killers::default()))
    }

    /// The moves that quiescence would try now at its first ply, in its order, as far as no window
    /// decides.
    pub(crate) fn forcing_moves(&self, board: &Board, params: &Params) -> Vec<Ordered> {
        if board.in_check() {
            return self.move_order(board, params);
        }
        let table_move = self.table_move(board);
        let picker = if params.qs_checks_on() {
            Picker::with_checks(table_move)
        } else {
            Picker::noisy_only(table_move)
        };
        let mut moves = self.ordered(board, params, picker);
        let margin = params.qs_see_margin();
        moves.retain(|ordered| !params.qs_see_on() || board.see(ordered.mv, margin, &SEE_VALUES));
        moves
    }

    /// The legal quiet moves with the bonuses that order them, the best first. A search would try the
    /// table's move and the killers before them.
    pub(crate) fn quiet_order(&self, board: &Board, params: &Params) -> Vec<Ordered> {
        let mut moves = self.ordered(board, params, Picker::new(None, Killers::default()));
        moves.retain(|ordered| ordered.kind == OrderedKind::Quiet);
        moves
    }

    /// How well quiet moves of a piece to a square have done, with the pawns of a board,
    /// between plus and minus 8192.
    pub(crate) fn history_of(&self, board: &Board, piece: Piece, to: Square) -> i32 {
        self.workers[0].histories.of_piece(board, piece, to)
    }

    fn table_move(&self, board: &Board) -> Option<Move> {
        self.lookup(board).and_then(|view| view.mv)
    }

    fn ordered(&self, board: &Board, params: &Params, mut picker: Picker) -> Vec<Ordered> {
        let histories = &self.workers[0].histories;
        let (threats, previous_moves) = (board.threats(!board.turn()), PreviousMoves::default());
        let history_context =
            HistoryContext { board, threats: &threats, previous_moves: &previous_moves };
        let context = OrderingContext {
            history_context,
            histories,
            params,
            checks: None,
            threats: None,
            table: None,
        };
        std::iter::from_fn(|| picker.next_ordered(context)).collect()
    }
}
