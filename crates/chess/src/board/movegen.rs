// SPDX-License-Identifier: GPL-3.0-or-later
//! Legal moves.
//!
//! Generation is fully legal and works on whole sets: masks of checks and pins are known before the
//! first move is written, so no move is tried out. The same code fills lists and counts moves.

use arrayvec::ArrayVec;

use super::{Board, CheckSquares, Threats};
use crate::{Bitboard, Color, File, Move, MoveKind, Rank, Role, Square, Wing, attacks};

/// A list of moves, long enough for any position.
///
/// Possible games have at most 218 moves in a position. Positions set up by hand may have more
/// queens, but each of the squares not occupied by their own side can be reached along at most eight
/// lines, which keeps every board below this capacity.
pub type MoveList = ArrayVec<Move, 512>;

/// Which moves to generate.
pub trait Stage {
    /// Captures and promotions to a queen.
    const NOISY: bool;
    /// All other moves.
    const QUIET: bool;
}

/// Every legal move.
#[derive(Debug)]
pub enum All {}

/// Captures and promotions to a queen: see [`Move::is_noisy`].
#[derive(Debug)]
pub enum Noisy {}

/// What [`Noisy`] leaves out.
#[derive(Debug)]
pub enum Quiet {}

impl Stage for All {
    const NOISY: bool = true;
    const QUIET: bool = true;
}

impl Stage for Noisy {
    const NOISY: bool = true;
    const QUIET: bool = false;
}

impl Stage for Quiet {
    const NOISY: bool = false;
    const QUIET: bool = true;
}

impl Board {
    /// Every legal move.
    ///
    /// ```
    /// let board = chess::Board::default();
    /// assert_eq!(board.legal_moves().len(), 20);
    /// ```
    #[inline]
    pub fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        self.generate::<All>(&mut moves);
        moves
    }

    /// Appends the legal moves of a stage. In check, these are the evasions of that kind.
    #[inline]
    pub fn generate<S: Stage>(&self, moves: &mut MoveList) {
        Generator::new(self).run::<S>(moves);
    }

    /// Hands the legal moves of a stage to whoever takes them, in the order of [`Board::generate`]. Who
    /// knows what the opponent attacks, saves looking it up again for the king.
    #[inline]
    pub fn generate_into<S: Stage>(&self, sink: &mut impl MoveSink, threats: Option<&Threats>) {
        debug_assert!(threats.is_none_or(|known| *known == self.threats(!self.turn())));
        Generator { attacked: threats.map(|threats| threats.all), ..Generator::new(self) }
            .run::<S>(sink);
    }

    /// Appends those moves of the stage [`Quiet`] that give check.
    #[inline]
    pub fn generate_quiet_checks(&self, moves: &mut MoveList) {
        let mut checks = Checks { board: self, squares: self.check_squares(), moves };
        Generator::new(self).run::<Quiet>(&mut checks);
    }

    /// How many legal moves there are, without listing them.
    #[inline]
    pub fn count_legal_moves(&self) -> usize {
        let mut count = Count(0);
        Generator::new(self).run::<All>(&mut count);
        count.0
    }

    /// Whether there is any legal move.
    pub fn has_legal_moves(&self) -> bool {
        self.count_legal_moves() > 0
    }

    /// Whether the king of the side to move may castle to this wing with this rook now: nobody in
    /// the way, and no attacked square on the king's way.
    pub(super) fn may_castle(&self, wing: Wing, rook: Square) -> bool {
        let (us, them) = (self.turn(), !self.turn());
        let king = self.king(us);
        let (king_target, rook_target) = (wing.king_target(us), wing.rook_target(us));
        let king_path = attacks::between(king, king_target).with(king_target);
        let rook_path = attacks::between(rook, rook_target).with(rook_target);
        let others = self.occupied() - king.into() - rook.into();
        if self.in_check() || ((king_path | rook_path) & others).any() {
            return false;
        }
        // With the rook lifted too: in Chess960 it may be what shields the king's target.
        king_path.into_iter().all(|square| {
            let shield = if square == king_target { rook_target } else { rook };
            !self.is_attacked(them, square, others.with(shield))
        })
    }
}

/// What takes generated moves: a list, a counter, or a search that scores them as they come.
pub trait MoveSink {
    /// Moves of one piece; those onto `enemies` are captures.
    fn piece(&mut self, from: Square, targets: Bitboard, enemies: Bitboard);
    /// Moves of pawns that each came `step` indices to their target.
    fn pawns(&mut self, targets: Bitboard, step: i8, kind: MoveKind);
    /// Promotions of pawns that each came `step` indices to their target.
    fn promotions(&mut self, targets: Bitboard, step: i8, roles: &[Role], is_capture: bool);
    /// Any other move.
    fn one(&mut self, mv: Move);
}

impl MoveSink for MoveList {
    #[inline]
    fn piece(&mut self, from: Square, targets: Bitboard, enemies: Bitboard) {
        for to in targets & enemies {
            self.push(Move::new(from, to, MoveKind::Capture));
        }
        for to in targets - enemies {
            self.push(Move::new(from, to, MoveKind::Quiet));
        }
    }

    #[inline]
    fn pawns(&mut self, targets: Bitboard, step: i8, kind: MoveKind) {
        for to in targets {
            self.push(Move::new(to.offset(-step), to, kind));
        }
    }

    #[inline]
    fn promotions(&mut self, targets: Bitboard, step: i8, roles: &[Role], is_capture: bool) {
        for to in targets {
            for &role in roles {
                self.push(Move::promoting(to.offset(-step), to, role, is_capture));
            }
        }
    }

    #[inline]
    fn one(&mut self, mv: Move) {
        self.push(mv);
    }
}

/// Keeps only moves that give check.
struct Checks<'a> {
    board: &'a Board,
    squares: CheckSquares,
    moves: &'a mut MoveList,
}

impl MoveSink for Checks<'_> {
    #[inline]
    fn piece(&mut self, from: Square, targets: Bitboard, enemies: Bitboard) {
        let Some(role) = self.board.role_on(from) else { return };
        self.moves.piece(from, targets & self.squares.reached_from(from, role), enemies);
    }

    #[inline]
    fn pawns(&mut self, targets: Bitboard, step: i8, kind: MoveKind) {
        let is_check =
            |&to: &Square| self.squares.reached_from(to.offset(-step), Role::Pawn).contains(to);
        self.moves.pawns(targets.into_iter().filter(is_check).collect(), step, kind);
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
        if self.squares.is_check(self.board, mv) {
            self.moves.one(mv);
        }
    }
}

struct Count(usize);

impl MoveSink for Count {
    #[inline]
    fn piece(&mut self, _: Square, targets: Bitboard, _: Bitboard) {
        self.0 += targets.len();
    }

    #[inline]
    fn pawns(&mut self, targets: Bitboard, _: i8, _: MoveKind) {
        self.0 += targets.len();
    }

    #[inline]
    fn promotions(&mut self, targets: Bitboard, _: i8, roles: &[Role], _: bool) {
        self.0 += targets.len() * roles.len();
    }

    #[inline]
    fn one(&mut self, _: Move) {
        self.0 += 1;
    }
}

struct Generator<'a> {
    board: &'a Board,
    us: Color,
    occupied: Bitboard,
    /// What the opponent attacks, if that is known.
    attacked: Option<Bitboard>,
}

impl<'a> Generator<'a> {
    #[inline]
    fn new(board: &'a Board) -> Self {
        Self { board, us: board.turn(), occupied: board.occupied(), attacked: None }
    }

    #[inline]
    fn run<S: Stage>(&self, sink: &mut impl MoveSink) {
        self.king_moves::<S>(sink);
        let checkers = self.board.checkers();
        if checkers.has_several() {
            return;
        }
        // In check, other pieces must take the checker or stand in its way.
        let king = self.board.king(self.us);
        let useful = match checkers.first() {
            Some(checker) => attacks::between(king, checker).with(checker),
            None => Bitboard::FULL,
        };
        self.piece_moves(self.stage_targets::<S>() & useful, sink);
        self.pawn_moves::<S>(useful, sink);
        if S::NOISY {
            self.en_passant(sink);
        }
        if S::QUIET && checkers.is_empty() {
            self.castling(sink);
        }
    }

    #[inline]
    fn enemies(&self) -> Bitboard {
        self.board.by_color(!self.us)
    }

    /// Where a piece may go in this stage, as far as the pieces there decide it.
    #[inline]
    fn stage_targets<S: Stage>(&self) -> Bitboard {
        match (S::NOISY, S::QUIET) {
            (true, true) => !self.board.by_color(self.us),
            (true, false) => self.enemies(),
            _ => !self.occupied,
        }
    }

    #[inline]
    fn king_moves<S: Stage>(&self, sink: &mut impl MoveSink) {
        let them = !self.us;
        let king = self.board.king(self.us);
        // Unless in check, there is no line that goes on behind the king.
        if let Some(attacked) = self.attacked.filter(|_| !self.board.in_check()) {
            let targets = attacks::king(king) & (self.stage_targets::<S>() - attacked);
            return sink.piece(king, targets, self.enemies());
        }
        let guarded = attacks::pawns(them, self.board.by_piece(them, Role::Pawn))
            | attacks::king(self.board.king(them));
        // The king does not shield squares behind itself.
        let without_king = self.occupied - king.into();
        let targets = (attacks::king(king) & (self.stage_targets::<S>() - guarded))
            .into_iter()
            .filter(|&to| !self.board.is_attacked(them, to, without_king))
            .collect();
        sink.piece(king, targets, self.enemies());
    }

    #[inline]
    fn piece_moves(&self, targets: Bitboard, sink: &mut impl MoveSink) {
        let (board, pinned, enemies) = (self.board, self.board.pinned(), self.enemies());
        let king = board.king(self.us);
        for from in board.by_piece(self.us, Role::Knight) - pinned {
            sink.piece(from, attacks::knight(from) & targets, enemies);
        }
        let along_pin = |from| {
            if pinned.contains(from) { attacks::line(king, from) } else { Bitboard::FULL }
        };
        for from in board.diagonal_sliders(self.us) {
            let reach = attacks::bishop(from, self.occupied) & along_pin(from);
            sink.piece(from, reach & targets, enemies);
        }
        for from in board.straight_sliders(self.us) {
            let reach = attacks::rook(from, self.occupied) & along_pin(from);
            sink.piece(from, reach & targets, enemies);
        }
    }

    #[inline]
    fn pawn_moves<S: Stage>(&self, useful: Bitboard, sink: &mut impl MoveSink) {
        let last = Bitboard::rank(Rank::Eighth.relative_to(self.us));
        self.pushes::<S>(useful, last, sink);
        if S::NOISY || (self.board.by_piece(self.us, Role::Pawn).forward(self.us) & last).any() {
            self.pawn_captures::<S>(useful, last, sink);
        }
    }

    #[inline]
    fn pushes<S: Stage>(&self, useful: Bitboard, last: Bitboard, sink: &mut impl MoveSink) {
        let (us, pinned) = (self.us, self.board.pinned());
        let file = Bitboard::file(self.board.king(us).file());
        // A pinned pawn may only advance towards or away from its king.
        let pawns = self.board.by_piece(us, Role::Pawn) - (pinned - file);
        let step = forward_step(us);
        let third = Bitboard::rank(Rank::Third.relative_to(us));
        let single = pawns.forward(us) - self.occupied;
        let double = (single & third).forward(us) - self.occupied;
        if S::QUIET {
            sink.pawns((single & useful) - last, step, MoveKind::Quiet);
            sink.pawns(double & useful, 2 * step, MoveKind::DoublePush);
        }
        let promoting = single & useful & last;
        if promoting.any() {
            sink.promotions(promoting, step, promotions::<S>(), false);
        }
    }

    #[inline]
    fn pawn_captures<S: Stage>(&self, useful: Bitboard, last: Bitboard, sink: &mut impl MoveSink) {
        let (us, pinned) = (self.us, self.board.pinned());
        let king = self.board.king(us);
        let pawns = self.board.by_piece(us, Role::Pawn);
        // Going forward along a falling or rising diagonal, as White sees the board.
        let (to_a, to_h) = match us {
            Color::White => (attacks::anti_diagonal(king), attacks::diagonal(king)),
            Color::Black => (attacks::diagonal(king), attacks::anti_diagonal(king)),
        };
        for (side_step, border, pin_line) in [(-1, File::A, to_a), (1, File::H, to_h)] {
            let free = pawns - Bitboard::file(border) - (pinned - pin_line);
            let targets = free.forward(us).shift(side_step) & self.enemies() & useful;
            let step = forward_step(us) + side_step;
            if S::NOISY {
                sink.pawns(targets - last, step, MoveKind::Capture);
            }
            if (targets & last).any() {
                sink.promotions(targets & last, step, promotions::<S>(), true);
            }
        }
    }

    #[inline]
    fn en_passant(&self, sink: &mut impl MoveSink) {
        let Some(target) = self.board.en_passant() else { return };
        let pawns = self.board.by_piece(self.us, Role::Pawn);
        for from in attacks::pawn(!self.us, target) & pawns {
            if self.board.is_en_passant_safe(from, target) {
                sink.one(Move::new(from, target, MoveKind::EnPassant));
            }
        }
    }

    #[inline]
    fn castling(&self, sink: &mut impl MoveSink) {
        let castling = self.board.castling();
        if castling.is_none() {
            return;
        }
        for wing in Wing::ALL {
            if let Some(rook) = castling.rook(self.us, wing)
                && self.board.may_castle(wing, rook)
            {
                sink.one(Move::new(self.board.king(self.us), rook, MoveKind::Castle));
            }
        }
    }
}

/// What a pawn may become in this stage.
#[inline]
const fn promotions<S: Stage>() -> &'static [Role] {
    const QUIET: &[Role] = &[Role::Rook, Role::Bishop, Role::Knight];
    match (S::NOISY, S::QUIET) {
        (true, true) => &Role::PROMOTIONS,
        (true, false) => &[Role::Queen],
        _ => QUIET,
    }
}

/// The index distance of one step forward.
#[inline]
const fn forward_step(color: Color) -> i8 {
    match color {
        Color::White => 8,
        Color::Black => -8,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOARDS: [&str; 6] = [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "8/8/8/8/1k1Pp2R/8/8/4K3 b - d3 0 1",
        "4k3/8/8/2pP4/8/8/B7/4K3 w - c6 0 1",
        "5k2/2P5/8/3N1P2/8/1B3Q2/5K2/4R3 w - - 0 1",
        "5k2/8/8/8/6P1/8/8/R3K2R w KQ - 0 1",
    ];

    #[test]
    fn quiet_checks_are_the_quiet_moves_that_check() {
        for fen in BOARDS {
            let board: Board = fen.parse().unwrap();
            let (mut quiet, mut checks) = (MoveList::new(), MoveList::new());
            board.generate::<Quiet>(&mut quiet);
            board.generate_quiet_checks(&mut checks);
            quiet.retain(|mv| board.gives_check(*mv));
            assert_eq!(checks, quiet, "{fen}");
        }
    }

    #[test]
    fn stages_split_the_moves() {
        for fen in BOARDS {
            let board: Board = fen.parse().unwrap();
            let (mut noisy, mut quiet) = (MoveList::new(), MoveList::new());
            board.generate::<Noisy>(&mut noisy);
            board.generate::<Quiet>(&mut quiet);
            assert!(noisy.iter().all(|mv| mv.is_noisy()), "{fen}");
            assert!(!quiet.iter().any(|mv| mv.is_noisy()), "{fen}");
            let mut both: Vec<_> = noisy.into_iter().chain(quiet).collect();
            let mut all: Vec<_> = board.legal_moves().into_iter().collect();
            both.sort_unstable();
            all.sort_unstable();
            assert_eq!(both, all, "{fen}");
            assert_eq!(board.count_legal_moves(), all.len(), "{fen}");
        }
    }
}
