// SPDX-License-Identifier: GPL-3.0-or-later
//! Kinds of pieces with and without a color, and tables with one entry per kind.

use std::ops::{Index, IndexMut};

use crate::Color;

/// A kind of piece without its color.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Role {
    /// ♙
    Pawn,
    /// ♘
    Knight,
    /// ♗
    Bishop,
    /// ♖
    Rook,
    /// ♕
    Queen,
    /// ♔
    King,
}

impl Role {
    /// How many kinds there are.
    pub const NUM: usize = 6;
    /// All kinds from pawn to king.
    pub const ALL: [Self; Self::NUM] =
        [Self::Pawn, Self::Knight, Self::Bishop, Self::Rook, Self::Queen, Self::King];
    /// What a pawn may become, the usual choice first.
    pub const PROMOTIONS: [Self; 4] = [Self::Queen, Self::Rook, Self::Bishop, Self::Knight];

    /// 0 for a pawn to 5 for a king.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The lower-case English letter, as in FEN and UCI.
    pub const fn letter(self) -> char {
        match self {
            Self::Pawn => 'p',
            Self::Knight => 'n',
            Self::Bishop => 'b',
            Self::Rook => 'r',
            Self::Queen => 'q',
            Self::King => 'k',
        }
    }

    /// Reads an English letter in either case.
    pub const fn from_letter(letter: char) -> Option<Self> {
        Some(match letter.to_ascii_lowercase() {
            'p' => Self::Pawn,
            'n' => Self::Knight,
            'b' => Self::Bishop,
            'r' => Self::Rook,
            'q' => Self::Queen,
            'k' => Self::King,
            _ => return None,
        })
    }

    /// The kind with this index; the inverse of [`Role::index`]. Indices above 5 are a king.
    #[inline]
    pub(crate) const fn from_index(index: u8) -> Self {
        match index {
            0 => Self::Pawn,
            1 => Self::Knight,
            2 => Self::Bishop,
            3 => Self::Rook,
            4 => Self::Queen,
            _ => Self::King,
        }
    }
}

/// One value per kind of piece, indexed by [`Role`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub struct ByRole<T>(pub [T; Role::NUM]);

impl<T> Index<Role> for ByRole<T> {
    type Output = T;

    #[inline]
    fn index(&self, role: Role) -> &T {
        &self.0[role.index()]
    }
}

impl<T> IndexMut<Role> for ByRole<T> {
    #[inline]
    fn index_mut(&mut self, role: Role) -> &mut T {
        &mut self.0[role.index()]
    }
}

/// A piece with its color.
///
/// ```
/// use chess::{Color, Piece, Role};
/// let queen = Piece::from_letter('q').unwrap();
/// assert_eq!((queen.color(), queen.role()), (Color::Black, Role::Queen));
/// assert_eq!(Piece::new(Color::White, Role::Knight).letter(), 'N');
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[repr(u8)]
#[expect(missing_docs, reason = "the names say it all")]
pub enum Piece {
    WhitePawn,
    BlackPawn,
    WhiteKnight,
    BlackKnight,
    WhiteBishop,
    BlackBishop,
    WhiteRook,
    BlackRook,
    WhiteQueen,
    BlackQueen,
    WhiteKing,
    BlackKing,
}

impl Piece {
    /// How many pieces there are: six kinds in two colors.
    pub const NUM: usize = 12;
    /// All pieces, ordered by kind, then by color.
    pub const ALL: [Self; Self::NUM] = [
        Self::WhitePawn,
        Self::BlackPawn,
        Self::WhiteKnight,
        Self::BlackKnight,
        Self::WhiteBishop,
        Self::BlackBishop,
        Self::WhiteRook,
        Self::BlackRook,
        Self::WhiteQueen,
        Self::BlackQueen,
        Self::WhiteKing,
        Self::BlackKing,
    ];

    /// The piece of this kind and color.
    #[inline]
    pub const fn new(color: Color, role: Role) -> Self {
        Self::ALL[2 * role.index() + color.index()]
    }

    /// 0 to 11: twice the role's index plus the color's.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Whose piece it is.
    #[inline]
    pub const fn color(self) -> Color {
        if self as u8 & 1 == 0 { Color::White } else { Color::Black }
    }

    /// The kind of piece.
    #[inline]
    pub const fn role(self) -> Role {
        Role::from_index(self as u8 >> 1)
    }

    /// The FEN letter: upper case for White.
    pub const fn letter(self) -> char {
        match self.color() {
            Color::White => self.role().letter().to_ascii_uppercase(),
            Color::Black => self.role().letter(),
        }
    }

    /// Reads a FEN letter.
    pub const fn from_letter(letter: char) -> Option<Self> {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        match Role::from_letter(letter) {
            Some(role) => Some(Self::new(color, role)),
            None => None,
        }
    }

    /// The figurine, such as `♞`.
    pub const fn symbol(self) -> char {
        match self {
            Self::WhiteKing => '♔',
            Self::WhiteQueen => '♕',
            Self::WhiteRook => '♖',
            Self::WhiteBishop => '♗',
            Self::WhiteKnight => '♘',
            Self::WhitePawn => '♙',
            Self::BlackKing => '♚',
            Self::BlackQueen => '♛',
            Self::BlackRook => '♜',
            Self::BlackBishop => '♝',
            Self::BlackKnight => '♞',
            Self::BlackPawn => '♟',
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_and_indices_are_inverse() {
        for (i, piece) in Piece::ALL.into_iter().enumerate() {
            assert_eq!(piece.index(), i);
            assert_eq!(Piece::new(piece.color(), piece.role()), piece);
            assert_eq!(Piece::from_letter(piece.letter()), Some(piece));
        }
        assert_eq!(Piece::from_letter('x'), None);
    }
}
