// SPDX-License-Identifier: GPL-3.0-or-later
//! In which order moves are tried.
//!
//! The better the first move, the more the rest can be cut. Moves come in stages, and each stage is
//! generated only when the one before was not enough: the table's move, captures that win or hold
//! material, killers, quiet moves by history, captures that lose material.

mod score;
mod scored_moves;

use arrayvec::ArrayVec;
use chess::{Board, CheckSquares, Move, MoveList, Noisy, Quiet, Role, Threats};

use super::exchange::SEE_VALUES;
use super::history::{Histories, HistoryContext};
use super::table::Table;
use crate::Params;
use score::{NoisyScorer, QuietScorer};
use scored_moves::ScoredMoves;

/// Where a move came from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum OrderedKind {
    /// The table's move.
    Table,
    /// A capture or promotion that does not lose material.
    GoodNoisy,
    /// A quiet move that refuted a sibling.
    Killer,
    /// Any other quiet move.
    Quiet,
    /// A capture that loses material.
    BadNoisy,
}

/// A move in the order in which the search tries it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ordered {
    /// The move.
    pub mv: Move,
    /// Where it came from.
    pub kind: OrderedKind,
    /// Its rank within its kind: the higher, the earlier.
    pub score: i32,
}

/// Two quiet moves that refuted siblings, the latest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Killers([Option<Move>; 2]);

impl Killers {
    #[inline]
    pub(crate) fn add(&mut self, mv: Move) {
        if self.0[0] != Some(mv) {
            self.0 = [Some(mv), self.0[0]];
        }
    }
}

/// What the picker needs to know of its surroundings.
#[derive(Clone, Copy)]
pub(crate) struct OrderingContext<'a> {
    pub(crate) history_context: HistoryContext<'a>,
    pub(crate) histories: &'a Histories,
    pub(crate) params: &'a Params,
    /// From where the enemy king is checked, if that is known already.
    pub(crate) checks: Option<&'a CheckSquares>,
    /// What the opponent attacks, if that is known already.
    pub(crate) threats: Option<&'a Threats>,
    /// The table whose entries for the moves' positions will soon be read.
    pub(crate) table: Option<&'a Table>,
}

impl OrderingContext<'_> {
    /// Brings what the table knows of the position after a move into the cache.
    #[inline]
    fn fetch(&self, mv: Move) {
        if let Some(table) = self.table {
            table.prefetch_after(self.history_context.board, mv);
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    Table,
    GenerateNoisy,
    GoodNoisy,
    Killers,
    Quiet,
    BadNoisy,
}

/// A move as the picker hands it out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Picked {
    pub(crate) mv: Move,
    pub(crate) kind: OrderedKind,
    exchange: Exchange,
}

// It is handed out in a register. In memory, its parts would be written one by one and then read at
// once, for which processors wait.
const _: () = assert!(size_of::<Option<Picked>>() <= size_of::<u64>());

/// What the order has already found out about a capture's exchange. The numbers are small enough in
/// every range of the parameters.
#[derive(Clone, Copy, Debug)]
enum Exchange {
    Unknown,
    AtLeast(i16),
    Below(i16),
}

impl Picked {
    const fn plain(mv: Move, kind: OrderedKind) -> Self {
        Self { mv, kind, exchange: Exchange::Unknown }
    }

    /// Whether the exchange that the move begins wins at least `threshold`.
    #[inline]
    pub(crate) fn wins(self, board: &Board, threshold: i32) -> bool {
        match self.exchange {
            Exchange::AtLeast(least) if threshold <= least.into() => true,
            Exchange::Below(most) if threshold >= most.into() => false,
            _ => board.see(self.mv, threshold, &SEE_VALUES),
        }
    }
}

/// Hands out the moves of a position one by one.
#[derive(Debug)]
pub(crate) struct Picker {
    step: Step,
    table_move: Option<Move>,
    killers: Killers,
    next_killer: usize,
    scored: ScoredMoves,
    /// The quiet move that comes next.
    upcoming: Option<(Move, i32)>,
    /// What the last move was ranked by.
    score: i32,
    /// Captures that lose, with what their exchanges fail to win.
    bad_noisy: ArrayVec<(Move, i16), 64>,
    next_bad: usize,
    skip_quiets: bool,
    /// Whether only those quiet moves are wanted that give check.
    checks_only: bool,
}

impl Picker {
    /// All moves. The table's move must be legal.
    #[inline]
    pub(crate) fn new(table_move: Option<Move>, killers: Killers) -> Self {
        Self {
            step: Step::Table,
            table_move,
            killers,
            next_killer: 0,
            scored: ScoredMoves::new(),
            upcoming: None,
            score: 0,
            bad_noisy: ArrayVec::new(),
            next_bad: 0,
            skip_quiets: false,
            checks_only: false,
        }
    }

    /// Captures and promotions only.
    #[inline]
    pub(crate) fn noisy_only(table_move: Option<Move>) -> Self {
        let mut picker = Self::new(table_move.filter(|mv| mv.is_noisy()), Killers::default());
        picker.skip_quiets = true;
        picker
    }

    /// Captures, promotions and quiet checks.
    #[inline]
    pub(crate) fn with_checks(table_move: Option<Move>) -> Self {
        let mut picker = Self::new(table_move.filter(|mv| mv.is_noisy()), Killers::default());
        picker.checks_only = true;
        picker
    }

    /// Leaves out quiet moves that have not been handed out yet.
    pub(crate) fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    /// The next move as outsiders see it.
    pub(crate) fn next_ordered(&mut self, context: OrderingContext<'_>) -> Option<Ordered> {
        self.score = 0;
        let Picked { mv, kind, .. } = self.next(context)?;
        Some(Ordered { mv, kind, score: self.score })
    }

    /// The next move.
    ///
    /// The table's entry for its position is already on the way, but not for the table's own move: whoever
    /// has looked that up can ask earlier.
    ///
    /// The steps follow each other as plain conditions, which processors foresee better than a jump to
    /// the present step.
    pub(crate) fn next(&mut self, context: OrderingContext<'_>) -> Option<Picked> {
        if self.step == Step::Table {
            self.step = Step::GenerateNoisy;
            if let Some(mv) = self.table_move {
                return Some(Picked::plain(mv, OrderedKind::Table));
            }
        }
        if self.step == Step::GenerateNoisy {
            self.step = Step::GoodNoisy;
            self.generate_noisy(context);
        }
        if self.step == Step::GoodNoisy {
            if let Some(picked) = self.good_noisy(context) {
                return Some(picked);
            }
            self.step = if self.skip_quiets { Step::BadNoisy } else { Step::Killers };
        }
        if self.step == Step::Killers {
            if let Some(picked) = self.killer(context) {
                return Some(picked);
            }
            self.step = Step::Quiet;
            self.generate_quiet(context);
        }
        if self.step == Step::Quiet {
            if let Some(picked) = self.quiet(context) {
                return Some(picked);
            }
            self.step = Step::BadNoisy;
        }
        self.bad_noisy(context)
    }

    fn generate_noisy(&mut self, context: OrderingContext<'_>) {
        let OrderingContext { history_context, histories, params, threats, .. } = context;
        let mut scorer = NoisyScorer {
            board: history_context.board,
            histories,
            victim_scale: params.order_victim_scale(),
            table_move: self.table_move,
            scored: &mut self.scored,
        };
        history_context.board.generate_into::<Noisy>(&mut scorer, threats);
        self.scored.fill_lanes();
    }

    fn good_noisy(&mut self, context: OrderingContext<'_>) -> Option<Picked> {
        let p = context.params;
        while let Some((mv, score)) = self.scored.take_best() {
            context.fetch(mv);
            // What has done well may cost a little.
            let least = p.order_good_base() - score / p.order_good_divisor();
            let is_good = context.history_context.board.see(mv, least, &SEE_VALUES);
            let least = least as i16;
            if is_good || self.bad_noisy.is_full() {
                self.score = score;
                let exchange =
                    if is_good { Exchange::AtLeast(least) } else { Exchange::Below(least) };
                return Some(Picked { mv, kind: OrderedKind::GoodNoisy, exchange });
            }
            self.bad_noisy.push((mv, least));
        }
        None
    }

    fn killer(&mut self, context: OrderingContext<'_>) -> Option<Picked> {
        while self.next_killer < self.killers.0.len() && !self.skip_quiets {
            let killer = self.killers.0[self.next_killer];
            self.next_killer += 1;
            if let Some(mv) =
                killer.filter(|&mv| self.is_usable_killer(context.history_context.board, mv))
            {
                context.fetch(mv);
                return Some(Picked::plain(mv, OrderedKind::Killer));
            }
        }
        None
    }

    fn is_usable_killer(&self, board: &Board, mv: Move) -> bool {
        Some(mv) != self.table_move && !mv.is_noisy() && board.is_legal(mv)
    }

    fn generate_quiet(&mut self, context: OrderingContext<'_>) {
        self.scored.clear();
        if self.skip_quiets {
            return;
        }
        let board = context.history_context.board;
        if self.checks_only {
            // They are few: their order is not worth the time that histories take.
            let mut list = MoveList::new();
            board.generate_quiet_checks(&mut list);
            let others = list.iter().filter(|&&mv| Some(mv) != self.table_move);
            others.for_each(|&mv| self.scored.push(mv, 0));
        } else {
            let done = [self.table_move, self.killers.0[0], self.killers.0[1]];
            let mut scorer = QuietScorer::new(context, done, &mut self.scored);
            scorer.quiets.prefetch();
            board.generate_into::<Quiet>(&mut scorer, context.threats);
        }
        self.scored.fill_lanes();
        self.look_ahead(context);
    }

    fn quiet(&mut self, context: OrderingContext<'_>) -> Option<Picked> {
        let (mv, score) = self.upcoming.filter(|_| !self.skip_quiets)?;
        self.look_ahead(context);
        self.score = score;
        Some(Picked::plain(mv, OrderedKind::Quiet))
    }

    /// Finds the quiet move that comes next. The table has the time of a whole search to get it.
    #[inline]
    fn look_ahead(&mut self, context: OrderingContext<'_>) {
        self.upcoming = self.scored.take_best();
        if let Some((mv, _)) = self.upcoming {
            context.fetch(mv);
        }
    }

    fn bad_noisy(&mut self, context: OrderingContext<'_>) -> Option<Picked> {
        let &(mv, least) = self.bad_noisy.get(self.next_bad)?;
        self.next_bad += 1;
        context.fetch(mv);
        Some(Picked { mv, kind: OrderedKind::BadNoisy, exchange: Exchange::Below(least) })
    }
}

/// What a capture or promotion wins at first sight.
pub(crate) fn gain(board: &Board, mv: Move) -> i32 {
    let victim = if mv.is_en_passant() { Some(Role::Pawn) } else { board.role_on(mv.to()) };
    let promotion = mv.promotion().map_or(0, |role| SEE_VALUES[role]);
    victim.map_or(0, |role| SEE_VALUES[role]) + promotion
}

#[cfg(test)]
mod tests;
