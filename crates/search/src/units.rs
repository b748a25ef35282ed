// SPDX-License-Identifier: GPL-3.0-or-later
//! What scores are counted in.
//!
//! Networks and the search count in points. People and other programs count in centipawns, of which a
//! hundred win every second game; how many points that is depends on the material on the board, and
//! [`Odds`](crate::Odds) knows it. The types keep the two apart.

use std::fmt;
use std::ops::Neg;

/// The unit of networks and of the search.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Points(pub i32);

/// Hundredths of the advantage that wins every second game.
///
/// ```
/// use search::Centipawns;
/// assert_eq!(Centipawns(-35).to_string(), "-0.35");
/// assert_eq!(format!("{:+}", Centipawns(120)), "+1.20");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Centipawns(pub i32);

impl Centipawns {
    /// The same in pawns.
    pub fn pawns(self) -> f64 {
        f64::from(self.0) / 100.0
    }
}

/// In pawns.
impl fmt::Display for Centipawns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pawns = self.pawns();
        if f.sign_plus() { write!(f, "{pawns:+.2}") } else { write!(f, "{pawns:.2}") }
    }
}

/// A score as users see it.
///
/// ```
/// use search::{Centipawns, ShownScore};
/// assert_eq!(ShownScore::Centipawns(Centipawns(35)).to_string(), "0.35");
/// assert_eq!(ShownScore::Mate(-3).to_string(), "#-3");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ShownScore {
    /// No mate is seen.
    Centipawns(Centipawns),
    /// Moves to mate; negative for the side that is mated.
    Mate(i32),
}

/// As comments of PGN write it.
impl fmt::Display for ShownScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Centipawns(centipawns) => centipawns.fmt(f),
            Self::Mate(moves) => write!(f, "#{moves}"),
        }
    }
}

impl Neg for Points {
    type Output = Self;

    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Neg for Centipawns {
    type Output = Self;

    fn neg(self) -> Self {
        Self(-self.0)
    }
}

/// The same score from the other side.
impl Neg for ShownScore {
    type Output = Self;

    fn neg(self) -> Self {
        match self {
            Self::Centipawns(centipawns) => Self::Centipawns(-centipawns),
            Self::Mate(moves) => Self::Mate(-moves),
        }
    }
}
