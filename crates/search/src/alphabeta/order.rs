// SPDX-License-Identifier: GPL-3.0-or-later
//! In which order moves are tried.
//!
//! The better the first move, the more the rest can be cut. Moves come in stages, and each stage is
//! generated only when the one before was not enough: the table's move, captures that win or hold
//! material, killers, quiet moves by history, captures that lose material.

use arrayvec::ArrayVec;
use chess::{
    Bitboard, Board, ByRole, CheckSquares, Move, MoveKind, MoveList, MoveSink, Noisy, Piece,
    PieceValues, Quiet, Role, Square, Threats,
};

use super::history::{Histories, Quiets, Scene};
use super::table::Table;
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
}

/// What the picker needs to know of its surroundings.
#[derive(Clone, Copy)]
pub(crate) struct Context<'a> {
    pub(crate) scene: Scene<'a>,
    pub(crate) histories: &'a Histories,
    pub(crate) params: &'a Params,
    /// From where the enemy king is checked, if that is known already.
    pub(crate) checks: Option<&'a CheckSquares>,
    /// The table whose entries for the moves' positions will soon be read.
    pub(crate) table: Option<&'a Table>,
}

impl Context<'_> {
    /// Brings what the table knows of the position after a move into the cache.
    #[inline]
    fn fetch(&self, mv: Move) {
        if let Some(table) = self.table {
            table.prefetch_after(self.scene.board, mv);
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
            _ => board.see(self.mv, threshold, &EXCHANGE_VALUES),
        }
    }
}

/// Bits of a key that hold the place of its move in the list.
const PLACE_BITS: u32 = 9;
/// The largest place.
const LAST_PLACE: usize = (1 << PLACE_BITS) - 1;
/// How many keys are compared at a time.
const LANES: usize = 16;

/// Moves with scores, apart from each other so that the best score is found many at a time.
#[derive(Debug)]
struct ScoredMoves {
    moves: ArrayVec<Move, { LAST_PLACE + 1 }>,
    /// Scores of the moves, then [`ScoredMoves::NONE`] so often that whole [`LANES`] can be read. The low
    /// bits hold what the place lacks to the last one: of equal scores the first move has the largest
    /// key.
    keys: ArrayVec<i32, { LAST_PLACE + 1 + LANES }>,
}

impl ScoredMoves {
    /// Less than every key.
    const NONE: i32 = i32::MIN;

    // Not with `new_const`, which writes zeros to all of the room.
    fn new() -> Self {
        Self { moves: ArrayVec::new(), keys: ArrayVec::new() }
    }

    #[inline]
    fn clear(&mut self) {
        self.moves.clear();
        self.keys.clear();
    }

    #[inline]
    fn push(&mut self, mv: Move, score: i32) {
        self.keys.push(Self::key(score, self.moves.len()));
        self.moves.push(mv);
    }

    #[inline]
    const fn key(score: i32, place: usize) -> i32 {
        score << PLACE_BITS | (LAST_PLACE - place) as i32
    }

    /// To be called after the last push.
    #[inline]
    fn fill_lanes(&mut self) {
        self.keys.extend([Self::NONE; LANES]);
    }

    /// Removes the first of the moves with the highest score.
    #[inline]
    fn take_best(&mut self) -> Option<(Move, i32)> {
        let last = self.moves.len().checked_sub(1)?;
        let best = largest(&self.keys, last / LANES);
        let place = LAST_PLACE - (best as usize & LAST_PLACE);
        self.keys[place] = Self::key(self.keys[last] >> PLACE_BITS, place);
        self.keys[last] = Self::NONE;
        Some((self.moves.swap_remove(place), best >> PLACE_BITS))
    }
}

/// The largest key up to the end of a chunk.
///
/// Apart from its caller, because only there the compiler finds that it has instructions for this.
#[inline(never)]
fn largest(keys: &[i32], last_chunk: usize) -> i32 {
    let chunks = keys.as_chunks::<LANES>().0;
    let pairs =
        |one: [i32; LANES], other: &[i32; LANES]| std::array::from_fn(|i| one[i].max(other[i]));
    let lanes: [i32; 16] = chunks[1..=last_chunk].iter().fold(chunks[0], pairs);
    let lanes: [i32; 8] = std::array::from_fn(|i| lanes[i].max(lanes[i + 8]));
    let lanes: [i32; 4] = std::array::from_fn(|i| lanes[i].max(lanes[i + 4]));
    let [a, b, c, d] = lanes;
    a.max(c).max(b.max(d))
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
    pub(crate) fn next_ordered(&mut self, context: Context<'_>) -> Option<Ordered> {
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
    pub(crate) fn next(&mut self, context: Context<'_>) -> Option<Picked> {
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

    fn generate_noisy(&mut self, context: Context<'_>) {
        let Context { scene, histories, params, .. } = context;
        let mut scorer = NoisyScorer {
            board: scene.board,
            histories,
            victim_scale: params.order_victim_scale(),
            table_move: self.table_move,
            scored: &mut self.scored,
        };
        scene.board.generate_into::<Noisy>(&mut scorer);
        self.scored.fill_lanes();
    }

    fn good_noisy(&mut self, context: Context<'_>) -> Option<Picked> {
        let p = context.params;
        while let Some((mv, score)) = self.scored.take_best() {
            context.fetch(mv);
            // What has done well may cost a little.
            let least = p.order_good_base() - score / p.order_good_divisor();
            let is_good = context.scene.board.see(mv, least, &EXCHANGE_VALUES);
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

    fn killer(&mut self, context: Context<'_>) -> Option<Picked> {
        while self.next_killer < self.killers.0.len() && !self.skip_quiets {
            let killer = self.killers.0[self.next_killer];
            self.next_killer += 1;
            if let Some(mv) = killer.filter(|&mv| self.is_usable_killer(context.scene.board, mv)) {
                context.fetch(mv);
                return Some(Picked::plain(mv, OrderedKind::Killer));
            }
        }
        None
    }

    fn is_usable_killer(&self, board: &Board, mv: Move) -> bool {
        Some(mv) != self.table_move && !mv.is_noisy() && board.is_legal(mv)
    }

    fn generate_quiet(&mut self, context: Context<'_>) {
        self.scored.clear();
        if self.skip_quiets {
            return;
        }
        let board = context.scene.board;
        if self.checks_only {
            // They are few: their order is not worth the time that histories take.
            let mut list = MoveList::new();
            board.generate_quiet_checks(&mut list);
            let others = list.into_iter().filter(|&mv| Some(mv) != self.table_move);
            others.for_each(|mv| self.scored.push(mv, 0));
        } else {
            let done = [self.table_move, self.killers.0[0], self.killers.0[1]];
            let mut scorer = QuietScorer::new(context, done, &mut self.scored);
            board.generate_into::<Quiet>(&mut scorer);
        }
        self.scored.fill_lanes();
        self.look_ahead(context);
    }

    fn quiet(&mut self, context: Context<'_>) -> Option<Picked> {
        let (mv, score) = self.upcoming.filter(|_| !self.skip_quiets)?;
        self.look_ahead(context);
        self.score = score;
        Some(Picked::plain(mv, OrderedKind::Quiet))
    }

    /// Finds the quiet move that comes next. The table has the time of a whole search to get it.
    #[inline]
    fn look_ahead(&mut self, context: Context<'_>) {
        self.upcoming = self.scored.take_best();
        if let Some((mv, _)) = self.upcoming {
            context.fetch(mv);
        }
    }

    fn bad_noisy(&mut self, context: Context<'_>) -> Option<Picked> {
        let &(mv, least) = self.bad_noisy.get(self.next_bad)?;
        self.next_bad += 1;
        context.fetch(mv);
        Some(Picked { mv, kind: OrderedKind::BadNoisy, exchange: Exchange::Below(least) })
    }
}

/// What a capture or promotion wins at first sight.
pub(crate) fn gain(board: &Board, mv: Move) -> i32 {
    let victim = if mv.is_en_passant() { Some(Role::Pawn) } else { board.role_on(mv.to()) };
    let promotion = mv.promotion().map_or(0, |role| EXCHANGE_VALUES[role]);
    victim.map_or(0, |role| EXCHANGE_VALUES[role]) + promotion
}

/// Takes captures and promotions as they are generated, and scores them by victim and history.
struct NoisyScorer<'a, 'b> {
    board: &'a Board,
    histories: &'a Histories,
    victim_scale: i32,
    /// It was handed out before.
    table_move: Option<Move>,
    scored: &'b mut ScoredMoves,
}

impl NoisyScorer<'_, '_> {
    /// A capture that is neither en passant nor a promotion.
    #[inline]
    fn capture(&mut self, piece: Piece, mv: Move) {
        let Some(victim) = self.board.role_on(mv.to()).filter(|_| Some(mv) != self.table_move)
        else {
            return;
        };
        let value = self.victim_scale * EXCHANGE_VALUES[victim];
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
struct QuietScorer<'a, 'b> {
    board: &'a Board,
    quiets: Quiets<'a>,
    threats: &'a Threats,
    checks: CheckSquares,
    check_bonus: i32,
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
    fn new(context: Context<'a>, done: [Option<Move>; 3], scored: &'b mut ScoredMoves) -> Self {
        let Context { scene, histories, params: p, checks, .. } = context;
        let scale = |scale: i32| if p.guard_on() { scale } else { 0 };
        Self {
            board: scene.board,
            quiets: histories.quiets(scene, p),
            threats: scene.threats,
            checks: checks.copied().unwrap_or_else(|| scene.board.check_squares()),
            check_bonus: if p.order_check_on() { p.order_check_bonus() } else { 0 },
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
        let value = EXCHANGE_VALUES[role];
        let escape = value * self.guard_escape_scale / 1024;
        Guards {
            escape: if danger.contains(from) { escape } else { 0 },
            enter: value * self.guard_enter_scale / 1024,
            danger,
        }
    }

    /// Moves of one piece from one square.
    #[inline]
    fn add_from(&mut self, piece: Piece, from: Square, targets: Bitboard, kind: MoveKind) {
        let role = piece.role();
        let history = self.quiets.moves_from(piece, from);
        let guards = self.guards(role, from);
        let checking = self.checks.reached_from(from, role);
        for to in targets {
            let check = if checking.contains(to) { self.check_bonus } else { 0 };
            let enter = if guards.danger.contains(to) { guards.enter } else { 0 };
            let score = history.get(to) + check + guards.escape - enter;
            self.add(Move::new(from, to, kind), score);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::Large;

    fn order(
        fen: &str,
        table_move: Option<&str>,
        killer: Option<&str>,
    ) -> Vec<(String, OrderedKind)> {
        let board: Board = fen.parse().unwrap();
        let (histories, params) = (Large::<Histories>::zeroed(), Params::default());
        let mut killers = Killers::default();
        if let Some(mv) = killer {
            killers.add(board.parse_uci(mv).unwrap());
        }
        let table_move = table_move.map(|mv| board.parse_uci(mv).unwrap());
        let mut picker = Picker::new(table_move, killers);
        let (threats, trail) = (board.threats(!board.turn()), [None; 4]);
        let scene = Scene { board: &board, threats: &threats, trail: &trail };
        let context =
            Context { scene, histories: &histories, params: &params, checks: None, table: None };
        std::iter::from_fn(|| picker.next(context))
            .map(|picked| (board.san(picked.mv).to_string(), picked.kind))
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
