// SPDX-License-Identifier: GPL-3.0-or-later
//! In which order moves are tried.
//!
//! The better the first move, the more the rest can be cut. Moves come in stages, and each stage is
//! generated only when the one before was not enough: the table's move, captures that win or hold
//! material, killers, quiet moves by history, captures that lose material.

use arrayvec::ArrayVec;
use chess::{Board, ByRole, CheckSquares, Move, MoveList, Noisy, PieceValues, Quiet, Role};

use super::history::{Histories, Quiets, Scene};
use crate::Params;

/// What pieces count in exchanges, in points.
pub(crate) const EXCHANGE_VALUES: PieceValues = ByRole([100, 320, 330, 500, 950, 0]);

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

    #[inline]
    pub(crate) fn contains(self, mv: Move) -> bool {
        self.0.contains(&Some(mv))
    }
}

/// What the picker needs to know of its surroundings.
#[derive(Clone, Copy)]
pub(crate) struct Context<'a> {
    pub(crate) scene: Scene<'a>,
    pub(crate) histories: &'a Histories,
    pub(crate) params: &'a Params,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    Table,
    GenerateNoisy,
    GoodNoisy,
    Killers,
    GenerateQuiet,
    Quiet,
    BadNoisy,
    Done,
}

#[derive(Clone, Copy, Debug)]
struct Scored {
    mv: Move,
    score: i32,
}

/// Hands out the moves of a position one by one.
#[derive(Debug)]
pub(crate) struct Picker {
    step: Step,
    table_move: Option<Move>,
    killers: Killers,
    next_killer: usize,
    moves: ArrayVec<Scored, 512>,
    bad_noisy: ArrayVec<Move, 64>,
    next_bad: usize,
    skip_quiets: bool,
    /// Whether only those quiet moves are wanted that give check.
    checks_only: bool,
}

impl Picker {
    /// All moves. The table's move must be legal.
    pub(crate) fn new(table_move: Option<Move>, killers: Killers) -> Self {
        Self {
            step: Step::Table,
            table_move,
            killers,
            next_killer: 0,
            moves: ArrayVec::new(),
            bad_noisy: ArrayVec::new(),
            next_bad: 0,
            skip_quiets: false,
            checks_only: false,
        }
    }

    /// Captures and promotions only.
    pub(crate) fn noisy_only(table_move: Option<Move>) -> Self {
        let table_move = table_move.filter(|mv| mv.is_noisy());
        Self { skip_quiets: true, ..Self::new(table_move, Killers::default()) }
    }

    /// Captures, promotions and quiet checks.
    pub(crate) fn with_checks(table_move: Option<Move>) -> Self {
        let table_move = table_move.filter(|mv| mv.is_noisy());
        Self { checks_only: true, ..Self::new(table_move, Killers::default()) }
    }

    /// Leaves out quiet moves that have not been handed out yet.
    pub(crate) fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    /// The next move.
    pub(crate) fn next(&mut self, context: Context<'_>) -> Option<Ordered> {
        loop {
            let found = match self.step {
                Step::Table => self.table(),
                Step::GenerateNoisy => self.generate_noisy(context),
                Step::GoodNoisy => self.good_noisy(context),
                Step::Killers => self.killer(context),
                Step::GenerateQuiet => self.generate_quiet(context),
                Step::Quiet => self.quiet(),
                Step::BadNoisy => self.bad_noisy(),
                Step::Done => return None,
            };
            if found.is_some() {
                return found;
            }
        }
    }

    fn table(&mut self) -> Option<Ordered> {
        self.step = Step::GenerateNoisy;
        self.table_move.map(|mv| Ordered { mv, kind: OrderedKind::Table, score: 0 })
    }

    fn generate_noisy(&mut self, context: Context<'_>) -> Option<Ordered> {
        self.step = Step::GoodNoisy;
        let mut list = MoveList::new();
        let board = context.scene.board;
        board.generate::<Noisy>(&mut list);
        self.take(&list, |mv| {
            context.params.order_victim_scale * gain(board, mv) + context.histories.noisy(board, mv)
        });
        None
    }

    fn good_noisy(&mut self, context: Context<'_>) -> Option<Ordered> {
        let p = context.params;
        while let Some(Scored { mv, score }) = self.take_best() {
            // What has done well may cost a little.
            let least = p.order_good_base - score / p.order_good_divisor;
            if self.bad_noisy.is_full() || context.scene.board.see(mv, least, &EXCHANGE_VALUES) {
                return Some(Ordered { mv, kind: OrderedKind::GoodNoisy, score });
            }
            self.bad_noisy.push(mv);
        }
        self.step = if self.skip_quiets { Step::BadNoisy } else { Step::Killers };
        None
    }

    fn killer(&mut self, context: Context<'_>) -> Option<Ordered> {
        while self.next_killer < self.killers.0.len() && !self.skip_quiets {
            let killer = self.killers.0[self.next_killer];
            self.next_killer += 1;
            if let Some(mv) = killer.filter(|&mv| self.is_usable_killer(context.scene.board, mv)) {
                return Some(Ordered { mv, kind: OrderedKind::Killer, score: 0 });
            }
        }
        self.step = Step::GenerateQuiet;
        None
    }

    fn is_usable_killer(&self, board: &Board, mv: Move) -> bool {
        Some(mv) != self.table_move && !mv.is_noisy() && board.is_legal(mv)
    }

    fn generate_quiet(&mut self, context: Context<'_>) -> Option<Ordered> {
        self.step = Step::Quiet;
        if self.skip_quiets {
            return None;
        }
        let mut list = MoveList::new();
        let board = context.scene.board;
        if self.checks_only {
            // They are few: their order is not worth the time that histories take.
            board.generate_quiet_checks(&mut list);
            self.take(&list, |_| 0);
            return None;
        }
        board.generate::<Quiet>(&mut list);
        let scorer = QuietScorer::new(context);
        let killers = self.killers;
        self.take(&list, |mv| scorer.score(mv));
        self.moves.retain(|scored| !killers.contains(scored.mv));
        None
    }

    fn quiet(&mut self) -> Option<Ordered> {
        let best = if self.skip_quiets { None } else { self.take_best() };
        let Some(Scored { mv, score }) = best else {
            self.step = Step::BadNoisy;
            return None;
        };
        Some(Ordered { mv, kind: OrderedKind::Quiet, score })
    }

    fn bad_noisy(&mut self) -> Option<Ordered> {
        let Some(&mv) = self.bad_noisy.get(self.next_bad) else {
            self.step = Step::Done;
            return None;
        };
        self.next_bad += 1;
        Some(Ordered { mv, kind: OrderedKind::BadNoisy, score: 0 })
    }

    fn take(&mut self, list: &MoveList, score: impl Fn(Move) -> i32) {
        let table_move = self.table_move;
        self.moves.clear();
        let others = list.iter().filter(|&&mv| Some(mv) != table_move);
        self.moves.extend(others.map(|&mv| Scored { mv, score: score(mv) }));
    }

    /// Removes the move with the highest score; the earliest generated of equals.
    #[inline]
    fn take_best(&mut self) -> Option<Scored> {
        // One number for score and place: its maximum is found without a jump that nobody can foresee.
        let key = |(place, scored): (usize, &Scored)| {
            (i64::from(scored.score) << 32) | i64::from(u32::MAX - place as u32)
        };
        let best = self.moves.iter().enumerate().map(key).fold(i64::MIN, i64::max);
        let place = (u32::MAX - best as u32) as usize;
        (!self.moves.is_empty()).then(|| self.moves.swap_remove(place))
    }
}

/// What a capture or promotion wins at first sight.
pub(crate) fn gain(board: &Board, mv: Move) -> i32 {
    let victim = if mv.is_en_passant() { Some(Role::Pawn) } else { board.role_on(mv.to()) };
    let promotion = mv.promotion().map_or(0, |role| EXCHANGE_VALUES[role]);
    victim.map_or(0, |role| EXCHANGE_VALUES[role]) + promotion
}

/// Scores quiet moves by history, checks and guards.
struct QuietScorer<'a> {
    context: Context<'a>,
    quiets: Quiets<'a>,
    checks: CheckSquares,
}

impl<'a> QuietScorer<'a> {
    fn new(context: Context<'a>) -> Self {
        let Context { scene, histories, params } = context;
        let quiets = histories.quiets(scene, params);
        Self { context, quiets, checks: scene.board.check_squares() }
    }

    fn score(&self, mv: Move) -> i32 {
        self.quiets.get(mv) + self.check_bonus(mv) + self.guard_bonus(mv)
    }

    fn check_bonus(&self, mv: Move) -> i32 {
        let Context { scene: Scene { board, .. }, params, .. } = self.context;
        if params.order_check_on != 0 && self.checks.is_check(board, mv) {
            params.order_check_bonus
        } else {
            0
        }
    }

    /// A piece that leaves a square attacked by a cheaper one comes earlier, one that enters such a
    /// square later.
    fn guard_bonus(&self, mv: Move) -> i32 {
        let Context { scene: Scene { board, threats, .. }, params, .. } = self.context;
        let Some(role) = board.role_on(mv.from()).filter(|&role| role != Role::King) else {
            return 0;
        };
        if params.guard_on == 0 || mv.is_castle() {
            return 0;
        }
        let danger = threats.by_lesser_than(role);
        let value = EXCHANGE_VALUES[role];
        let mut bonus = 0;
        if danger.contains(mv.from()) {
            bonus += value * params.guard_escape_scale / 1024;
        }
        if danger.contains(mv.to()) {
            bonus -= value * params.guard_enter_scale / 1024;
        }
        bonus
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(
        fen: &str,
        table_move: Option<&str>,
        killer: Option<&str>,
    ) -> Vec<(String, OrderedKind)> {
        let board: Board = fen.parse().unwrap();
        let (histories, params) = (Histories::new(), Params::default());
        let mut killers = Killers::default();
        if let Some(mv) = killer {
            killers.add(board.parse_uci(mv).unwrap());
        }
        let table_move = table_move.map(|mv| board.parse_uci(mv).unwrap());
        let mut picker = Picker::new(table_move, killers);
        let (threats, trail) = (board.threats(!board.turn()), [None; 4]);
        let scene = Scene { board: &board, threats: &threats, trail: &trail };
        let context = Context { scene, histories: &histories, params: &params };
        std::iter::from_fn(|| picker.next(context))
            .map(|ordered| (board.san(ordered.mv).to_string(), ordered.kind))
            .collect()
    }

    const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

    #[test]
    fn every_move_comes_exactly_once_in_stages() {
        let moves = order(KIWIPETE, Some("e2a6"), Some("a2a3"));
        let board: Board = KIWIPETE.parse().unwrap();
        let mut names: Vec<_> = moves.iter().map(|(san, _)| san.clone()).collect();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), board.legal_moves().len());
        assert_eq!(moves.len(), names.len());
        assert!(moves.is_sorted_by_key(|(_, kind)| *kind));
        assert_eq!(moves[0], ("Bxa6".to_owned(), OrderedKind::Table));
        assert!(moves.contains(&("a3".to_owned(), OrderedKind::Killer)));
    }

    #[test]
    fn a_hanging_queen_is_taken_first_and_an_attacked_one_moves_first() {
        let moves = order("4k3/8/8/3q4/4P3/8/8/Q3K3 w - - 0 1", None, None);
        assert_eq!(moves[0].0, "exd5");
        let moves = order("4k3/8/8/1p6/2Q5/8/7P/4K3 w - - 0 1", None, None);
        let quiet = moves.iter().find(|(_, kind)| *kind == OrderedKind::Quiet).unwrap();
        assert!(quiet.0.starts_with('Q'), "{moves:?}");
    }
}
