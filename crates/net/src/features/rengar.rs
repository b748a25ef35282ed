// SPDX-License-Identifier: GPL-3.0-or-later
//! Rengar's features: 184 orbits of four under mirroring files and swapping colors.

use chess::{Color, Piece, Rank, Role, Square};

use super::Features;

/// The signs of a feature in the three classes that are not fully symmetric.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Signs {
    /// +1 for White's pieces, -1 for Black's: flips when the colors are swapped.
    pub vertical: i16,
    /// +1 on the files e to h, -1 on a to d: flips when the files are mirrored.
    pub horizontal: i16,
}

/// `4·orbit + 2·black + queenside`: the four members of an orbit stand side by side.
///
/// Pawns never stand on the back ranks, which leaves 48 squares for them: 2·(48 + 5·64) = 736.
///
/// ```
/// use chess::{Piece, Square};
/// use net::features::RengarFeatures;
/// let orbit = RengarFeatures::orbit;
/// assert_eq!(orbit(Piece::WhiteKing, Square::E1), orbit(Piece::BlackKing, Square::D8));
/// assert_eq!(RengarFeatures::signs(4 * 17 + 3).vertical, -1);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct RengarFeatures;

impl RengarFeatures {
    /// How many orbits there are.
    pub const ORBITS: usize = 184;

    /// The orbit of a piece on a square. A pawn must not stand on a back rank.
    #[inline]
    pub const fn orbit(piece: Piece, square: Square) -> usize {
        let rank = square.rank().index();
        let from_enemy = match piece.color() {
            Color::White => 7 - rank,
            Color::Black => rank,
        };
        let file = square.file().index();
        let folded = if file < 4 { file } else { 7 - file };
        // Pawns have no back ranks: their 24 orbits come first, then 32 of every other role.
        32 * piece.role().index() + 4 * from_enemy + folded
            - if matches!(piece.role(), Role::Pawn) { 4 } else { 8 }
    }

    /// The signs of the feature with this index.
    #[inline]
    pub const fn signs(index: usize) -> Signs {
        Signs {
            vertical: if index & 2 == 0 { 1 } else { -1 },
            horizontal: if index & 1 == 0 { 1 } else { -1 },
        }
    }
}

impl Features for RengarFeatures {
    const LEN: usize = 4 * Self::ORBITS;

    #[inline]
    fn index(&self, _view: Color, _king: Square, piece: Piece, square: Square) -> Option<usize> {
        let is_back = matches!(square.rank(), Rank::First | Rank::Eighth);
        if piece.role() == Role::Pawn && is_back {
            return None;
        }
        let is_queenside = square.file().index() < 4;
        let member = 2 * piece.color().index() + usize::from(is_queenside);
        Some(4 * Self::orbit(piece, square) + member)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_index_occurs_once() {
        let mut indices = super::super::all_indices(&RengarFeatures, Color::White, Square::E1);
        indices.sort_unstable();
        assert!(indices.into_iter().eq(0..736));
    }

    #[test]
    fn symmetries_keep_the_orbit_and_flip_the_signs() {
        let index = |piece, square| RengarFeatures.index(Color::White, Square::E1, piece, square);
        for piece in Piece::ALL {
            let other = Piece::new(!piece.color(), piece.role());
            for square in Square::all() {
                let Some(one) = index(piece, square) else { continue };
                let mirrored = index(piece, square.flip_file()).unwrap();
                let swapped = index(other, square.flip_rank()).unwrap();
                assert_eq!([mirrored / 4, swapped / 4], [one / 4; 2]);
                let signs = RengarFeatures::signs;
                assert_eq!(signs(mirrored).horizontal, -signs(one).horizontal);
                assert_eq!(signs(mirrored).vertical, signs(one).vertical);
                assert_eq!(signs(swapped).horizontal, signs(one).horizontal);
                assert_eq!(signs(swapped).vertical, -signs(one).vertical);
            }
        }
    }

    #[test]
    fn offsets_are_those_of_the_original() {
        // off[role] + 4·rank + file with the offsets -4, 24, 56, 88, 120, 152.
        let first = |role| RengarFeatures::orbit(Piece::new(Color::Black, role), Square::A2) - 4;
        let expected = [24, 56, 88, 120, 152];
        assert_eq!(Role::ALL[1..].iter().map(|&role| first(role)).collect::<Vec<_>>(), expected);
        assert_eq!(RengarFeatures::orbit(Piece::BlackPawn, Square::A2), 0);
    }
}
