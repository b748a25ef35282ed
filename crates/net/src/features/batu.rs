// SPDX-License-Identifier: GPL-3.0-or-later
//! Batu's features: every piece on every square, in White's view, rooks before knights.

use chess::{Color, Piece, Role, Square};

use super::Features;

/// `64·piece + square`, the pieces in the order `PRNBQKprnbqk`, the squares counted from a8.
///
/// ```
/// use chess::{Color, Piece, Square};
/// use net::features::{BatuFeatures, Features};
/// let index = |piece, square| BatuFeatures.index(Color::White, Square::E1, piece, square);
/// assert_eq!(index(Piece::WhiteRook, Square::H1), Some(64 + 63));
/// assert_eq!(index(Piece::BlackKnight, Square::A8), Some(64 * 8));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct BatuFeatures;

impl BatuFeatures {
    /// The place of a role in the order PRNBQK.
    #[inline]
    const fn order(role: Role) -> usize {
        match role {
            Role::Pawn => 0,
            Role::Rook => 1,
            Role::Knight => 2,
            Role::Bishop => 3,
            Role::Queen => 4,
            Role::King => 5,
        }
    }
}

impl Features for BatuFeatures {
    const LEN: usize = 768;

    #[inline]
    fn index(&self, _view: Color, _king: Square, piece: Piece, square: Square) -> Option<usize> {
        let row = 6 * piece.color().index() + Self::order(piece.role());
        Some(64 * row + square.flip_rank().index())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_index_occurs_once() {
        let mut indices = super::super::all_indices(&BatuFeatures, Color::White, Square::E1);
        indices.sort_unstable();
        assert!(indices.into_iter().eq(0..768));
    }
}
