// SPDX-License-Identifier: GPL-3.0-or-later
//! Which output weights belong to a move.

use std::cell::OnceCell;

use chess::{Bitboard, Board, ByRole, Color, Move, Piece, PieceValues, Role, Setup, Square, Wing};

use crate::features::threats::Orientation;

/// Rows by piece, target and exchange: six pieces to 64 squares and three lesser promotions on
/// eight files, each good or bad.
pub const PIECE_TO: usize = 2 * (LESSER_PROMOTIONS + 3 * 8);
/// Rows by origin and target.
pub const FROM_TO: usize = 64 * 64;
const LESSER_PROMOTIONS: usize = Role::NUM * 64;

/// What pieces count in the exchange that a move begins.
pub const SEE_VALUES: PieceValues = ByRole([100, 320, 330, 500, 900, 0]);
/// A move is good if the exchange that it begins wins at least this: it may lose a pawn.
pub const SEE_THRESHOLD: i32 = -108;

/// Finds the rows of a position's legal moves.
///
/// ```
/// use chess::Board;
/// use net::policy::MoveRows;
/// let board = Board::default();
/// let rows = MoveRows::new(&board);
/// let (piece_to, from_to) = rows.of(board.parse_uci("g1f3").unwrap());
/// // With the king on e1 the board is mirrored: a knight from b1 to c3, in a good exchange.
/// assert_eq!((piece_to, from_to), (2 * (64 + 18) + 1, 64 + 18));
/// ```
#[derive(Clone, Debug)]
pub struct MoveRows<'a> {
    board: &'a Board,
    orientation: Orientation,
    /// What the other side attacks.
    attacked: Bitboard,
    /// The board with the colors swapped, once it is needed.
    swapped: OnceCell<Board>,
}

impl<'a> MoveRows<'a> {
    /// Prepares for a position.
    pub fn new(board: &'a Board) -> Self {
        let attacked = board.threats(!board.turn()).all;
        Self { board, orientation: Orientation::of(board), attacked, swapped: OnceCell::new() }
    }

    /// The rows of a legal move, below [`PIECE_TO`] and [`FROM_TO`].
    ///
    /// Castling is a move of the king to where it ends, but from-to its rook: in Chess960 a king may
    /// step to the same square.
    pub fn of(&self, mv: Move) -> (u16, u16) {
        let target = self.target(mv);
        let place = match mv.promotion() {
            Some(role @ (Role::Knight | Role::Bishop | Role::Rook)) => {
                LESSER_PROMOTIONS + 8 * (role.index() - 1) + target % 8
            }
            _ => 64 * self.board.role_on(mv.from()).map_or(0, Role::index) + target,
        };
        let piece_to = 2 * place + usize::from(self.is_good(mv));
        let [from, to] = [mv.from(), mv.to()].map(|square| self.orientation.index(square));
        (piece_to as u16, (64 * from + to) as u16)
    }

    /// Where the piece ends, on the turned board.
    fn target(&self, mv: Move) -> usize {
        let square: Square = if mv.is_castle() {
            let wing = if mv.to() > mv.from() { Wing::King } else { Wing::Queen };
            wing.king_target(self.board.turn())
        } else {
            mv.to()
        };
        self.orientation.index(square)
    }

    /// Whether the exchange that a move begins wins at least [`SEE_THRESHOLD`], as White sees it:
    /// among equal takers the rules of exchange prefer the lower square, so that Black's moves are
    /// judged with the colors swapped.
    pub fn is_good(&self, mv: Move) -> bool {
        if mv.is_castle() || self.is_safe(mv) {
            return true;
        }
        match self.board.turn() {
            Color::White => self.board.see(mv, SEE_THRESHOLD, &SEE_VALUES),
            Color::Black => {
                let swapped = self.swapped.get_or_init(|| swap_colors(self.board));
                let mv = Move::new(mv.from().flip_rank(), mv.to().flip_rank(), mv.kind());
                swapped.see(mv, SEE_THRESHOLD, &SEE_VALUES)
            }
        }
    }

    /// Whether nothing can be taken back. If the other side attacks neither the origin nor the
    /// target, it cannot do so through the origin either; only en passant opens another line.
    fn is_safe(&self, mv: Move) -> bool {
        let ends = Bitboard::from(mv.from()) | mv.to().into();
        (self.attacked & ends).is_empty() && !mv.is_en_passant()
    }
}

/// The board with the colors swapped, without rights, which exchanges do not need.
fn swap_colors(board: &Board) -> Board {
    let mut setup = Setup { turn: !board.turn(), ..Setup::EMPTY };
    for square in board.occupied() {
        let swap = |piece: Piece| Piece::new(!piece.color(), piece.role());
        setup.pieces[square.flip_rank().index()] = board.piece_on(square).map(swap);
    }
    setup.board().expect("a legal board is legal with the colors swapped")
}
