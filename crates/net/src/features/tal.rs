// SPDX-License-Identifier: GPL-3.0-or-later
//! Tal's features: every piece but the kings, as each side sees it.

use chess::{Color, Piece, Role, Square};

use super::Features;

/// `64·(role + 5·theirs) + square`, the board turned so that the view's side plays upwards.
///
/// Kings are no features, so that a king's move changes no row.
///
/// ```
/// use chess::{Color, Piece, Square};
/// use net::features::{Features, TalFeatures};
/// let index = |view, piece, square| TalFeatures.index(view, Square::E1, piece, square);
/// assert_eq!(index(Color::White, Piece::BlackPawn, Square::E5), Some(64 * 5 + 36));
/// assert_eq!(index(Color::Black, Piece::BlackPawn, Square::E5), Some(28));
/// assert_eq!(index(Color::Black, Piece::WhiteKing, Square::E1), None);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct TalFeatures;

impl Features for TalFeatures {
    const LEN: usize = 640;

    #[inline]
    fn index(&self, view: Color, _king: Square, piece: Piece, square: Square) -> Option<usize> {
        if piece.role() == Role::King {
            return None;
        }
        let row = piece.role().index() + if piece.color() == view { 0 } else { 5 };
        Some(64 * row + square.relative_to(view).index())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_index_occurs_once_in_each_view() {
        for view in Color::ALL {
            let mut indices = super::super::all_indices(&TalFeatures, view, Square::E1);
            indices.sort_unstable();
            assert!(indices.into_iter().eq(0..640));
        }
    }

    #[test]
    fn views_swap_with_the_colors() {
        for piece in Piece::ALL {
            let other = Piece::new(!piece.color(), piece.role());
            for square in Square::all() {
                let white = TalFeatures.index(Color::White, Square::E1, piece, square);
                let flipped = square.flip_rank();
                assert_eq!(white, TalFeatures.index(Color::Black, Square::E1, other, flipped));
            }
        }
    }
}
