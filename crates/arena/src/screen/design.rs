// SPDX-License-Identifier: GPL-3.0-or-later
//! On which side of a pair each entry is made.

use serde::{Deserialize, Serialize};

use tools::Rng;

/// Where an entry is made in one pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// On the side whose points count.
    Plus,
    /// On the other side.
    Minus,
    /// On neither: the pair says nothing about it.
    Neither,
}

impl Side {
    /// The share of the entry's effect that the plus side has over the minus side.
    pub const fn sign(self) -> f64 {
        match self {
            Self::Plus => 1.0,
            Self::Minus => -1.0,
            Self::Neither => 0.0,
        }
    }
}

/// The plan of all pairs. The plan of one follows from the seed and the pair's number alone.
///
/// ```
/// use arena::screen::Design;
///
/// let design = Design { seed: 1, entries: 34, share: 1.0 };
/// assert_eq!(design.sides(1000), design.sides(1000));
/// assert_ne!(design.sides(1000), design.sides(1001));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Design {
    /// The seed.
    pub seed: u64,
    /// How many entries there are.
    pub entries: usize,
    /// The chance of an entry to take part in a pair.
    pub share: f64,
}

impl Design {
    /// Where each entry of a pair is made.
    pub fn sides(&self, pair: u64) -> Vec<Side> {
        let mut rng = Rng::of_part(self.seed, pair);
        (0..self.entries).map(|_| self.side(&mut rng)).collect()
    }

    fn side(&self, rng: &mut Rng) -> Side {
        let takes_part = rng.unit() < self.share;
        match (takes_part, rng.coin()) {
            (false, _) => Side::Neither,
            (true, true) => Side::Plus,
            (true, false) => Side::Minus,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sums of products over pairs stay within five standard deviations of their expected values.
    #[test]
    fn entries_are_made_evenly_and_independently() {
        const PAIRS: u64 = 4000;
        for share in [1.0, 0.3] {
            let design = Design { seed: 5, entries: 6, share };
            let rows: Vec<Vec<Side>> = (0..PAIRS).map(|pair| design.sides(pair)).collect();
            let sum = |term: &dyn Fn(&[Side]) -> f64| rows.iter().map(|row| term(row)).sum::<f64>();
            let bound = 5.0 * (PAIRS as f64).sqrt();
            for i in 0..6 {
                assert!(sum(&|row| row[i].sign()).abs() < bound);
                let parts = sum(&|row| row[i].sign().abs());
                assert!((parts - share * PAIRS as f64).abs() < bound, "{parts}");
                for j in 0..i {
                    assert!(sum(&|row| row[i].sign() * row[j].sign()).abs() < bound);
                }
            }
        }
    }
}
