// SPDX-License-Identifier: GPL-3.0-or-later
//! Sets of squares.

use std::fmt;
use std::ops::{
    BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub, SubAssign,
};

use crate::{Color, File, Rank, Square};

/// A set of squares, one bit per square with a1 lowest.
///
/// The operators are those of sets: `|` union, `&` intersection, `^` symmetric difference,
/// `-` difference, `!` complement. Boards are drawn as seen by White:
///
/// ```
/// use chess::{Bitboard, File, Square, bitboard};
/// let cross = bitboard! {
///     . . . . X . . .
///     . . . . X . . .
///     . . . . X . . .
///     . . . . X . . .
///     X X X X X X X X
///     . . . . X . . .
///     . . . . X . . .
///     . . . . X . . .
/// };
/// assert_eq!(cross, Bitboard::file(File::E) | Bitboard::rank(Square::E4.rank()));
/// assert!(cross.contains(Square::A4));
/// assert_eq!(cross.len(), 15);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub struct Bitboard(pub u64);

impl Bitboard {
    /// No square.
    pub const EMPTY: Self = Self(0);
    /// Every square.
    pub const FULL: Self = Self(!0);
    /// The squares of the colour of a1.
    pub const DARK: Self = Self(0xAA55_AA55_AA55_AA55);
    /// The squares of the colour of h1.
    pub const LIGHT: Self = Self(!Self::DARK.0);
    /// The first and the eighth rank, where no pawn can stand.
    pub const BACK_RANKS: Self = Self(0xFF00_0000_0000_00FF);

    /// All squares of a file.
    #[inline]
    pub const fn file(file: File) -> Self {
        Self(0x0101_0101_0101_0101 << file.index())
    }

    /// All squares of a rank.
    #[inline]
    pub const fn rank(rank: Rank) -> Self {
        Self(0xFF << (8 * rank.index()))
    }

    /// The set of this one square.
    #[inline]
    pub const fn from_square(square: Square) -> Self {
        Self(1 << square.index())
    }

    /// Whether the square is in the set.
    #[inline]
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square.index() & 1 != 0
    }

    /// Whether no square is in the set.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether any square is in the set.
    #[inline]
    pub const fn any(self) -> bool {
        self.0 != 0
    }

    /// Whether at least two squares are in the set.
    #[inline]
    pub const fn has_several(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// How many squares are in the set.
    #[inline]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// The square with the lowest index.
    #[inline]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(self.lowest()) }
    }

    /// The square with the lowest index; h8's neighbour a1 if the set is empty.
    #[inline]
    pub(crate) const fn lowest(self) -> Square {
        Square::from_low_bits(self.0.trailing_zeros())
    }

    /// The set with this square added.
    #[inline]
    #[must_use]
    pub const fn with(self, square: Square) -> Self {
        Self(self.0 | Self::from_square(square).0)
    }

    /// The set moved by a signed number of indices. Squares that leave at the top or the bottom
    /// vanish; the caller masks files that would wrap around.
    #[inline]
    #[must_use]
    pub(crate) const fn shift(self, by: i8) -> Self {
        if by >= 0 { Self(self.0 << by) } else { Self(self.0 >> -by) }
    }

    /// The set one rank further up the board as `color` sees it.
    #[inline]
    #[must_use]
    pub const fn forward(self, color: Color) -> Self {
        match color {
            Color::White => Self(self.0 << 8),
            Color::Black => Self(self.0 >> 8),
        }
    }

    /// The set mirrored top to bottom.
    #[inline]
    #[must_use]
    pub const fn flip_ranks(self) -> Self {
        Self(self.0.swap_bytes())
    }
}

impl From<Square> for Bitboard {
    #[inline]
    fn from(square: Square) -> Self {
        Self::from_square(square)
    }
}

macro_rules! set_operator {
    ($trait:ident $method:ident $assign_trait:ident $assign_method:ident, |$a:ident, $b:ident| $body:expr) => {
        impl $trait for Bitboard {
            type Output = Self;
            #[inline]
            fn $method(self, other: Self) -> Self {
                let ($a, $b) = (self.0, other.0);
                Self($body)
            }
        }
        impl $assign_trait for Bitboard {
            #[inline]
            fn $assign_method(&mut self, other: Self) {
                *self = $trait::$method(*self, other);
            }
        }
    };
}

set_operator!(BitAnd bitand BitAndAssign bitand_assign, |a, b| a & b);
set_operator!(BitOr bitor BitOrAssign bitor_assign, |a, b| a | b);
set_operator!(BitXor bitxor BitXorAssign bitxor_assign, |a, b| a ^ b);
set_operator!(Sub sub SubAssign sub_assign, |a, b| a & !b);

impl Not for Bitboard {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline]
    fn into_iter(self) -> Squares {
        Squares(self)
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Self::EMPTY, Self::with)
    }
}

/// The squares of a set from a1 to h8.
#[derive(Clone, Debug)]
pub struct Squares(Bitboard);

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        let square = self.0.first()?;
        self.0.0 &= self.0.0 - 1;
        Some(square)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0.len(), Some(self.0.len()))
    }
}

impl ExactSizeIterator for Squares {}

impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "bitboard! {{")?;
        for rank in Rank::ALL.into_iter().rev() {
            write!(f, "   ")?;
            for file in File::ALL {
                let mark = if self.contains(Square::new(file, rank)) { 'X' } else { '.' };
                write!(f, " {mark}")?;
            }
            writeln!(f)?;
        }
        write!(f, "}}")
    }
}

/// Draws a [`Bitboard`](crate::Bitboard) as seen by White: `X` is in the set, `.` is not.
#[macro_export]
macro_rules! bitboard {
    ($($mark:tt)*) => {{
        const MARKS: &[&str] = &[$(stringify!($mark)),*];
        const { assert!(MARKS.len() == 64, "a board has 64 squares") };
        let mut board = 0u64;
        let mut i = 0;
        while i < 64 {
            match MARKS[i].as_bytes() {
                b"X" => board |= 1 << (i ^ 56),
                b"." => (),
                _ => panic!("squares are drawn as X or ."),
            }
            i += 1;
        }
        $crate::Bitboard(board)
    }};
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_iterates_in_order_and_collects_again() {
        let set = Bitboard(0x8000_1234_0000_0001);
        let squares: Vec<_> = set.into_iter().collect();
        assert!(squares.is_sorted());
        assert_eq!(squares.len(), set.len());
        assert_eq!(squares.into_iter().collect::<Bitboard>(), set);
    }

    #[test]
    fn colours_of_squares() {
        assert!(Bitboard::DARK.contains(Square::A1));
        assert!(Bitboard::LIGHT.contains(Square::H1));
        assert_eq!(Bitboard::DARK.len(), 32);
    }

    #[test]
    fn debug_draws_what_the_macro_reads() {
        let drawn = format!("{:?}", Bitboard::from(Square::A8));
        assert!(drawn.lines().nth(1).unwrap().contains("X . . . . . . ."));
    }
}
