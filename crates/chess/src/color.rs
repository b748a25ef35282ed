// SPDX-License-Identifier: GPL-3.0-or-later
//! The two sides, and tables with one entry per side.

use std::fmt;
use std::ops::{Index, IndexMut, Neg, Not};

/// A side of the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Color {
    /// The side that moves first.
    White,
    /// The other side.
    Black,
}

impl Color {
    /// Both sides, White first.
    pub const ALL: [Self; 2] = [Self::White, Self::Black];

    /// 0 for White, 1 for Black.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The other side, also in `const` contexts.
    #[inline]
    #[must_use]
    pub const fn opposite(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }
}

impl Not for Color {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        self.opposite()
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::White => "white",
            Self::Black => "black",
        })
    }
}

/// A value in White's view: what is good for White is positive.
///
/// Scores of a search are for the side to move; what is written into games and shown beside a board is for
/// White. The type says which one a value is.
///
/// ```
/// use chess::{Color, White};
/// let score = White::seen_by(Color::Black, 30);
/// assert_eq!(score, White::new(-30));
/// assert_eq!((score.view_of(Color::White), score.view_of(Color::Black)), (-30, 30));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct White<T>(T);

impl<T> White<T> {
    /// A value that is in White's view already.
    pub const fn new(value: T) -> Self {
        Self(value)
    }

    /// The value, in White's view.
    pub fn get(self) -> T {
        self.0
    }

    /// Another value in the same view.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> White<U> {
        White(change(self.0))
    }
}

impl<T: Neg<Output = T>> White<T> {
    /// What a side sees, turned into White's view.
    pub fn seen_by(color: Color, value: T) -> Self {
        Self(if color == Color::White { value } else { -value })
    }

    /// The value as a side sees it.
    pub fn view_of(self, color: Color) -> T {
        if color == Color::White { self.0 } else { -self.0 }
    }
}

/// One value per side, indexed by [`Color`].
///
/// ```
/// use chess::{ByColor, Color};
/// let mut pawns = ByColor([8, 7]);
/// pawns[Color::White] -= 1;
/// assert_eq!(pawns[Color::White], pawns[Color::Black]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub struct ByColor<T>(pub [T; 2]);

impl<T> Index<Color> for ByColor<T> {
    type Output = T;

    #[inline]
    fn index(&self, color: Color) -> &T {
        &self.0[color.index()]
    }
}

impl<T> IndexMut<Color> for ByColor<T> {
    #[inline]
    fn index_mut(&mut self, color: Color) -> &mut T {
        &mut self.0[color.index()]
    }
}
