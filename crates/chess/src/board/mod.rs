// SPDX-License-Identifier: GPL-3.0-or-later
//! Legal positions.
//!
//! A [`Board`] is made from a [`Setup`](crate::Setup) that has passed validation, and changes only
//! by legal moves. It is a small value that is copied before a move instead of being restored after
//! it.

mod legality;
mod movegen;
mod play;
mod see;
mod threats;
mod validate;

pub use movegen::{All, MoveList, MoveSink, Noisy, Quiet, Stage};
pub use play::{Delta, Placed};
pub use see::PieceValues;
pub use threats::{CheckSquares, Threats};
pub use validate::BoardError;

use std::fmt;

use crate::{
    Bitboard, ByColor, ByRole, Castling, Color, File, Keys, Piece, Rank, Role, Square, Wing,
    attacks, zobrist,
};

/// A legal position, without the moves that led to it.
///
/// ```
/// use chess::{Board, Square};
/// let mut board = Board::default();
/// let mv = board.parse_uci("e2e4").unwrap();
/// board.play(mv);
/// assert_eq!(board.fen().to_string(), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
/// assert_eq!(board.legal_moves().len(), 20);
/// assert!(board.piece_on(Square::E4).is_some());
/// ```
#[derive(Clone, Copy)]
pub struct Board {
    roles: ByRole<Bitboard>,
    colors: ByColor<Bitboard>,
    pieces: [Option<Piece>; 64],
    keys: Keys,
    /// Pieces that give check to the side to move.
    checkers: Bitboard,
    /// Pieces of the side to move that must stay on the line to their king.
    pinned: Bitboard,
    castling: Castling,
    turn: Color,
    /// The file of a pawn that can legally be taken en passant.
    en_passant: Option<File>,
    /// The file of a pawn that has just made two steps, whether it can be taken or not. Only
    /// Polyglot's key asks for it.
    double_step: Option<File>,
    halfmoves: u16,
    fullmoves: u32,
}

impl Board {
    /// The side to move.
    #[inline]
    pub const fn turn(&self) -> Color {
        self.turn
    }

    /// The piece on a square.
    #[inline]
    pub const fn piece_on(&self, square: Square) -> Option<Piece> {
        self.pieces[square.index()]
    }

    /// The kind of piece on a square.
    #[inline]
    pub fn role_on(&self, square: Square) -> Option<Role> {
        self.piece_on(square).map(Piece::role)
    }

    /// All squares with a piece.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.colors[Color::White] | self.colors[Color::Black]
    }

    /// All pieces of a side.
    #[inline]
    pub fn by_color(&self, color: Color) -> Bitboard {
        self.colors[color]
    }

    /// All pieces of a kind.
    #[inline]
    pub fn by_role(&self, role: Role) -> Bitboard {
        self.roles[role]
    }

    /// All pieces of a kind and a side.
    #[inline]
    pub fn by_piece(&self, color: Color, role: Role) -> Bitboard {
        self.colors[color] & self.roles[role]
    }

    /// The pieces of a side that move along diagonals.
    #[inline]
    pub fn diagonal_sliders(&self, color: Color) -> Bitboard {
        self.colors[color] & (self.roles[Role::Bishop] | self.roles[Role::Queen])
    }

    /// The pieces of a side that move along ranks and files.
    #[inline]
    pub fn straight_sliders(&self, color: Color) -> Bitboard {
        self.colors[color] & (self.roles[Role::Rook] | self.roles[Role::Queen])
    }

    /// Where a side's king stands.
    #[inline]
    pub fn king(&self, color: Color) -> Square {
        self.by_piece(color, Role::King).lowest()
    }

    /// The pieces that give check to the side to move.
    #[inline]
    pub const fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// Whether the side to move is in check.
    #[inline]
    pub const fn in_check(&self) -> bool {
        self.checkers.any()
    }

    /// The pieces of the side to move that are pinned to their king.
    #[inline]
    pub const fn pinned(&self) -> Bitboard {
        self.pinned
    }

    /// The rights to castle.
    #[inline]
    pub const fn castling(&self) -> Castling {
        self.castling
    }

    /// The square onto which a pawn can legally capture en passant, if there is one.
    #[inline]
    pub fn en_passant(&self) -> Option<Square> {
        self.en_passant.map(|file| Square::new(file, Rank::Sixth.relative_to(self.turn)))
    }

    /// The piece on each square, a1 first.
    pub(crate) const fn pieces_by_square(&self) -> [Option<Piece>; 64] {
        self.pieces
    }

    /// The file of the pawn that made two steps in the last move, whether or not it can be taken.
    pub(crate) const fn double_step(&self) -> Option<File> {
        self.double_step
    }

    /// Moves of either side since the last capture or pawn move.
    #[inline]
    pub const fn halfmove_clock(&self) -> usize {
        self.halfmoves as usize
    }

    /// The number of the current move as in FEN, from 1.
    #[inline]
    pub const fn fullmove_number(&self) -> u32 {
        self.fullmoves
    }

    /// The keys of the position and of its parts.
    #[inline]
    pub const fn keys(&self) -> &Keys {
        &self.keys
    }

    /// The key of the whole position: equal for positions that count as repeated.
    #[inline]
    pub const fn key(&self) -> u64 {
        self.keys.position
    }

    /// Whether a side has anything besides pawns and its king.
    #[inline]
    pub fn has_pieces(&self, color: Color) -> bool {
        (self.colors[color] - self.roles[Role::Pawn] - self.roles[Role::King]).any()
    }

    /// All pieces of a side that attack a square, if these squares were occupied.
    #[inline]
    pub fn attackers(&self, color: Color, square: Square, occupied: Bitboard) -> Bitboard {
        self.attackers_of_both(square, occupied) & self.colors[color]
    }

    /// All pieces of both sides that attack a square, if these squares were occupied.
    #[inline]
    pub(crate) fn attackers_of_both(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let queens = self.roles[Role::Queen];
        let [white, black] = Color::ALL
            .map(|color| attacks::pawn(!color, square) & self.by_piece(color, Role::Pawn));
        white
            | black
            | attacks::knight(square) & self.roles[Role::Knight]
            | attacks::bishop(square, occupied) & (self.roles[Role::Bishop] | queens)
            | attacks::rook(square, occupied) & (self.roles[Role::Rook] | queens)
            | attacks::king(square) & self.roles[Role::King]
    }

    /// Whether a side attacks a square, if these squares were occupied.
    #[inline]
    pub fn is_attacked(&self, color: Color, square: Square, occupied: Bitboard) -> bool {
        (attacks::pawn(!color, square) & self.by_piece(color, Role::Pawn)
            | attacks::knight(square) & self.by_piece(color, Role::Knight)
            | attacks::king(square) & self.by_piece(color, Role::King))
        .any()
            || (attacks::bishop(square, occupied) & self.diagonal_sliders(color)).any()
            || (attacks::rook(square, occupied) & self.straight_sliders(color)).any()
    }

    /// Whether neither side can ever mate: bare kings, one minor piece, or bishops that all stand on
    /// squares of one colour.
    pub fn is_insufficient_material(&self) -> bool {
        let [_, knights, bishops, ..] = self.roles.0;
        if (self.roles[Role::Pawn] | self.roles[Role::Rook] | self.roles[Role::Queen]).any() {
            return false;
        }
        if knights.any() {
            return self.occupied().len() == 3;
        }
        (bishops & Bitboard::DARK).is_empty() || (bishops & Bitboard::LIGHT).is_empty()
    }

    /// Whether the side to move is mated.
    pub fn is_checkmate(&self) -> bool {
        self.in_check() && !self.has_legal_moves()
    }

    /// Whether the side to move has no move without being in check.
    pub fn is_stalemate(&self) -> bool {
        !self.in_check() && !self.has_legal_moves()
    }

    /// Whether castling starts from squares other than those of standard chess, so that only
    /// Chess960's notation can express it.
    pub fn is_chess960(&self) -> bool {
        self.castling.iter().any(|(color, wing, rook)| {
            let standard = if wing == Wing::King { File::H } else { File::A };
            rook.file() != standard || self.king(color).file() != File::E
        })
    }

    /// Whether two boards show the same position in the sense of the repetition rule: pieces, turn,
    /// castling rights and legal en passant, but not the clocks.
    pub fn is_same_position(&self, other: &Self) -> bool {
        self.pieces == other.pieces
            && self.turn == other.turn
            && self.castling == other.castling
            && self.en_passant == other.en_passant
    }

    /// A board with no piece, to be filled by validation.
    const fn empty() -> Self {
        Self {
            roles: ByRole([Bitboard::EMPTY; Role::NUM]),
            colors: ByColor([Bitboard::EMPTY; 2]),
            pieces: [None; 64],
            keys: Keys { position: 0, pawns: 0, non_pawns: ByColor([0; 2]) },
            checkers: Bitboard::EMPTY,
            pinned: Bitboard::EMPTY,
            castling: Castling::NONE,
            turn: Color::White,
            en_passant: None,
            double_step: None,
            halfmoves: 0,
            fullmoves: 1,
        }
    }

    #[inline]
    fn put(&mut self, piece: Piece, square: Square) {
        let bit = Bitboard::from_square(square);
        self.roles[piece.role()] |= bit;
        self.colors[piece.color()] |= bit;
        self.pieces[square.index()] = Some(piece);
        self.keys.toggle(piece, square);
    }

    #[inline]
    fn remove(&mut self, piece: Piece, square: Square) {
        let bit = Bitboard::from_square(square);
        self.roles[piece.role()] -= bit;
        self.colors[piece.color()] -= bit;
        self.pieces[square.index()] = None;
        self.keys.toggle(piece, square);
    }

    /// Finds the pieces that check the side to move and those of its own that are pinned.
    #[inline]
    fn update_checkers(&mut self) {
        let (us, them) = (self.turn, !self.turn);
        let king = self.king(us);
        let occupied = self.occupied();
        self.checkers = attacks::pawn(us, king) & self.by_piece(them, Role::Pawn)
            | attacks::knight(king) & self.by_piece(them, Role::Knight);
        self.pinned = Bitboard::EMPTY;
        let aimed = attacks::bishop_rays(king) & self.diagonal_sliders(them)
            | attacks::rook_rays(king) & self.straight_sliders(them);
        for slider in aimed {
            let blockers = attacks::between(king, slider) & occupied;
            if blockers.is_empty() {
                self.checkers = self.checkers.with(slider);
            } else if !blockers.has_several() {
                self.pinned |= blockers & self.colors[us];
            }
        }
    }

    /// The part of the key that is not pieces.
    fn state_key(&self) -> u64 {
        let turn = if self.turn == Color::Black { zobrist::BLACK_TO_MOVE } else { 0 };
        turn ^ castling_key(self.castling) ^ self.en_passant.map_or(0, zobrist::en_passant)
    }

    /// The keys computed from nothing, to check those that moves have updated.
    #[must_use]
    pub fn recomputed_keys(&self) -> Keys {
        let mut keys = Keys { position: self.state_key(), ..Keys::default() };
        for square in self.occupied() {
            if let Some(piece) = self.piece_on(square) {
                keys.toggle(piece, square);
            }
        }
        keys
    }
}

/// The part of the key that is rights to castle.
#[cold]
fn castling_key(castling: Castling) -> u64 {
    castling.iter().fold(0, |key, (color, _, rook)| key ^ zobrist::castling(color, rook.file()))
}

impl Default for Board {
    /// The starting position.
    fn default() -> Self {
        crate::Setup::default().board().expect("the starting position is legal")
    }
}

/// Boards are equal if their FENs are: pieces, turn, castling rights, legal en passant and clocks.
impl PartialEq for Board {
    fn eq(&self, other: &Self) -> bool {
        self.is_same_position(other)
            && self.halfmoves == other.halfmoves
            && self.fullmoves == other.fullmoves
    }
}

impl Eq for Board {}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Board({})", self.fen())
    }
}

/// Draws the board with letters, as seen by White.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in Rank::ALL.into_iter().rev() {
            write!(f, "{} ", rank.digit())?;
            for file in File::ALL {
                let letter = self.piece_on(Square::new(file, rank)).map_or('.', Piece::letter);
                write!(f, " {letter}")?;
            }
            writeln!(f)?;
        }
        write!(f, "   a b c d e f g h")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(fen: &str) -> Board {
        fen.parse().unwrap()
    }

    #[test]
    fn a_board_is_three_cache_lines() {
        assert!(size_of::<Board>() <= 192, "{}", size_of::<Board>());
    }

    #[test]
    fn insufficient_material() {
        for (fen, expected) in [
            ("8/8/4k3/8/8/3KN3/8/8 b - - 0 1", true),
            ("8/8/4k3/8/8/3KNN2/8/8 b - - 0 1", false),
            ("8/1b6/4k3/8/8/3K4/5B2/8 w - - 0 1", false),
            ("8/8/4k3/B1B5/1B6/B1B1K3/8/8 w - - 0 1", true),
            ("8/8/4k1n1/8/8/3KN3/8/8 b - - 0 1", false),
            ("8/8/4k3/8/8/3K4/8/8 b - - 0 1", true),
            ("8/8/4k3/8/8/3K4/7P/8 b - - 0 1", false),
        ] {
            assert_eq!(board(fen).is_insufficient_material(), expected, "{fen}");
        }
    }

    #[test]
    fn pins_and_checks() {
        let board = board("4k3/4r3/8/8/7b/8/4BP2/4K3 w - - 0 1");
        assert_eq!(board.pinned(), Bitboard::from(Square::E2) | Square::F2.into());
        assert!(!board.in_check());
    }
}
