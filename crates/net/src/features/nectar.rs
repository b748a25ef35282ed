// SPDX-License-Identifier: GPL-3.0-or-later
//! Nectar's features: every piece on every square, in White's view, rank 8 first.

use chess::{Color, Piece, Square};

use super::Features;

/// `384·black + 64·role + square`, the squares counted from a8 as a FEN does.
///
/// ```
/// use chess::{Color, Piece, Square};
/// use net::features::{Features, NectarFeatures};
/// let index = |piece, square| NectarFeatures.index(Color::White, Square::E1, piece, square);
/// assert_eq!(index(Piece::WhitePawn, Square::A8), Some(0));
/// assert_eq!(index(Piece::BlackKnight, Square::B7), Some(384 + 64 + 9));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct NectarFeatures;

impl Features for NectarFeatures {
    const LEN: usize = 768;

    #[inline]
    fn index(&self, _view: Color, _king: Square, piece: Piece, square: Square) -> Option<usize> {
        let row = 6 * piece.color().index() + piece.role().index();
        Some(64 * row + square.flip_rank().index())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_index_occurs_once() {
        let mut indices = super::super::all_indices(&NectarFeatures, Color::White, Square::E1);
        indices.sort_unstable();
        assert!(indices.into_iter().eq(0..768));
    }

    #[test]
    fn kings_never_need_a_refresh() {
        assert!(!NectarFeatures.needs_refresh(Color::White, Square::A1, Square::H8));
    }
}
