// SPDX-License-Identifier: GPL-3.0-or-later
//! Results as the tables know them.

use std::fmt;
use std::ops::Neg;

use shakmaty_syzygy::MaybeRounded;

/// The result of a position with best play, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TableWdl {
    /// A loss.
    Loss = -2,
    /// A loss that the fifty-move rule saves.
    BlessedLoss = -1,
    /// A draw.
    Draw = 0,
    /// A win that the fifty-move rule spoils.
    CursedWin = 1,
    /// A win.
    Win = 2,
}

impl TableWdl {
    /// -2 for a loss to 2 for a win.
    pub const fn value(self) -> i32 {
        self as i32
    }

    /// Whether one side mates if it is given enough moves.
    pub const fn is_decisive(self) -> bool {
        !matches!(self, Self::Draw)
    }

    /// The result if the fifty-move rule counts, or does not.
    #[must_use]
    pub const fn under(self, rule: FiftyMoves) -> Self {
        match (self, rule) {
            (Self::CursedWin, FiftyMoves::Ignored) => Self::Win,
            (Self::BlessedLoss, FiftyMoves::Ignored) => Self::Loss,
            _ => self,
        }
    }

    /// The result in words.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Loss => "loss",
            Self::BlessedLoss => "blessed loss",
            Self::Draw => "draw",
            Self::CursedWin => "cursed win",
            Self::Win => "win",
        }
    }
}

/// The same result for the other side.
impl Neg for TableWdl {
    type Output = Self;

    fn neg(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::BlessedLoss => Self::CursedWin,
            Self::Draw => Self::Draw,
            Self::CursedWin => Self::BlessedLoss,
            Self::Win => Self::Loss,
        }
    }
}

impl fmt::Display for TableWdl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl From<shakmaty_syzygy::Wdl> for TableWdl {
    fn from(wdl: shakmaty_syzygy::Wdl) -> Self {
        match wdl {
            shakmaty_syzygy::Wdl::Loss => Self::Loss,
            shakmaty_syzygy::Wdl::BlessedLoss => Self::BlessedLoss,
            shakmaty_syzygy::Wdl::Draw => Self::Draw,
            shakmaty_syzygy::Wdl::CursedWin => Self::CursedWin,
            shakmaty_syzygy::Wdl::Win => Self::Win,
        }
    }
}

/// Whether fifty moves without capture or pawn move are a draw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FiftyMoves {
    /// They are.
    #[default]
    Counted,
    /// They are not.
    Ignored,
}

/// Plies to the next capture, pawn move or mate with best play.
///
/// Positive if the side to move wins, negative if it loses, 0 in a draw; beyond ±100 the
/// fifty-move rule makes it a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Dtz {
    /// The plies.
    pub plies: i32,
    /// Whether it is not rounded. Most tables count moves, so that there may be a ply more.
    pub is_exact: bool,
}

impl From<MaybeRounded<shakmaty_syzygy::Dtz>> for Dtz {
    fn from(dtz: MaybeRounded<shakmaty_syzygy::Dtz>) -> Self {
        let is_exact = matches!(dtz, MaybeRounded::Precise(_));
        Self { plies: i32::from(dtz.ignore_rounding()), is_exact }
    }
}

impl fmt::Display for Dtz {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.plies.to_string())
    }
}
