// SPDX-License-Identifier: GPL-3.0-or-later
//! The right to castle, for standard chess and Chess960 alike.

use crate::{Bitboard, Color, File, Rank, Square};

/// Towards which wing a king castles.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Wing {
    /// The king ends on the g file, its rook on f.
    King,
    /// The king ends on the c file, its rook on d.
    Queen,
}

impl Wing {
    /// Both wings, the king's first.
    pub const ALL: [Self; 2] = [Self::King, Self::Queen];

    /// Where a king of this color ends.
    #[inline]
    pub const fn king_target(self, color: Color) -> Square {
        let file = if matches!(self, Self::King) { File::G } else { File::C };
        Square::new(file, Rank::First.relative_to(color))
    }

    /// Where its rook ends.
    #[inline]
    pub const fn rook_target(self, color: Color) -> Square {
        let file = if matches!(self, Self::King) { File::F } else { File::D };
        Square::new(file, Rank::First.relative_to(color))
    }
}

/// Which kings may still castle with which rooks.
///
/// A right is kept as the file of its rook, so that any starting position can be expressed.
///
/// ```
/// use chess::{Castling, Color, File, Square, Wing};
/// let mut castling = Castling::NONE;
/// castling.grant(Color::White, Wing::King, File::H);
/// assert_eq!(castling.rook(Color::White, Wing::King), Some(Square::H1));
/// assert_eq!(castling.rook(Color::Black, Wing::King), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Castling {
    /// Files of the rooks in the order of [`Castling::slot`].
    files: [Option<File>; 4],
}

impl Castling {
    /// No right at all.
    pub const NONE: Self = Self { files: [None; 4] };

    #[inline]
    const fn slot(color: Color, wing: Wing) -> usize {
        2 * color as usize + wing as usize
    }

    /// Gives `color` the right to castle with its rook on `file`.
    pub const fn grant(&mut self, color: Color, wing: Wing, file: File) {
        self.files[Self::slot(color, wing)] = Some(file);
    }

    /// Takes a right away.
    pub const fn revoke(&mut self, color: Color, wing: Wing) {
        self.files[Self::slot(color, wing)] = None;
    }

    /// Where the rook stands with which `color` may castle to this wing.
    #[inline]
    pub const fn rook(&self, color: Color, wing: Wing) -> Option<Square> {
        match self.files[Self::slot(color, wing)] {
            Some(file) => Some(Square::new(file, Rank::First.relative_to(color))),
            None => None,
        }
    }

    /// Whether nobody may castle any more.
    #[inline]
    pub fn is_none(&self) -> bool {
        *self == Self::NONE
    }

    /// The four rights as bits, in the order white king, white queen, black king, black queen.
    #[inline]
    pub fn mask(&self) -> usize {
        let bit = |slot: usize| usize::from(self.files[slot].is_some()) << slot;
        bit(0) | bit(1) | bit(2) | bit(3)
    }

    /// Every right with its color, wing and rook.
    pub fn iter(self) -> impl Iterator<Item = (Color, Wing, Square)> {
        Color::ALL.into_iter().flat_map(move |color| {
            Wing::ALL
                .into_iter()
                .filter_map(move |wing| self.rook(color, wing).map(|rook| (color, wing, rook)))
        })
    }

    /// The rights of `color`, all at once.
    #[inline]
    pub(crate) const fn revoke_all(&mut self, color: Color) {
        self.revoke(color, Wing::King);
        self.revoke(color, Wing::Queen);
    }

    /// Takes away the right that goes with a rook on this square, if any.
    #[inline]
    pub(crate) fn revoke_rook(&mut self, color: Color, square: Square) {
        for wing in Wing::ALL {
            if self.rook(color, wing) == Some(square) {
                self.revoke(color, wing);
            }
        }
    }

    /// The squares of all rooks that may still castle.
    pub fn rooks(self) -> Bitboard {
        self.iter().map(|(_, _, rook)| rook).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rights_come_and_go() {
        let mut castling = Castling::NONE;
        castling.grant(Color::White, Wing::Queen, File::B);
        castling.grant(Color::Black, Wing::King, File::G);
        assert_eq!(castling.mask(), 0b0110);
        assert_eq!(castling.rooks(), Bitboard::from(Square::B1) | Square::G8.into());
        castling.revoke_rook(Color::White, Square::B1);
        assert_eq!(castling.mask(), 0b0100);
        castling.revoke_all(Color::Black);
        assert!(castling.is_none());
    }
}
