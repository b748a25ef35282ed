// SPDX-License-Identifier: GPL-3.0-or-later
//! Counts of game and pair results, always from the first engine's view.
//!
//! Why five cells and not three: see "Pentanomial model" on the fishtest mathematics page,
//! <https://official-stockfish.github.io/docs/fishtest-wiki/Fishtest-Mathematics.html>.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign};
use std::str::FromStr;

use chess::Color;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::elo::Estimate;
use super::moments::Moments;

/// How one game ended for the first engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FirstResult {
    /// The first engine lost.
    Loss,
    /// Nobody won.
    Draw,
    /// The first engine won.
    Win,
}

impl FirstResult {
    /// The outcome as the second engine sees it.
    #[must_use]
    pub const fn flip(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }

    /// A result as the player of one color sees it.
    pub fn seen_by(color: Color, outcome: chess::Outcome) -> Self {
        match outcome.winner() {
            None => Self::Draw,
            Some(winner) if winner == color => Self::Win,
            Some(_) => Self::Loss,
        }
    }

    const fn half_points(self) -> usize {
        self as usize
    }
}

/// Pairs of games by their common score: LL, LD, WL+DD, WD, WW. Counts saturate.
///
/// ```
/// use arena::stats::{FirstResult, Pentanomial};
///
/// let mut pairs = Pentanomial([21, 134, 309, 203, 59]);
/// pairs.add_pair(FirstResult::Win, FirstResult::Win);
/// assert_eq!(pairs.to_string(), "Ptnml(0-2): [21, 134, 309, 203, 60]");
/// assert_eq!(pairs.elo().unwrap().to_string(), "35.25 +/- 11.89");
/// assert_eq!("21,134,309,203,60".parse(), Ok(pairs));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Pentanomial(pub [u64; 5]);

impl Pentanomial {
    /// Counts one more pair, whose games may come in any order.
    pub fn add_pair(&mut self, one: FirstResult, other: FirstResult) {
        let cell = &mut self.0[one.half_points() + other.half_points()];
        *cell = cell.saturating_add(1);
    }

    /// The number of pairs.
    pub fn pairs(&self) -> u64 {
        self.0.iter().fold(0, |sum, &count| sum.saturating_add(count))
    }

    /// The number of games, two in each pair.
    pub fn games(&self) -> u64 {
        self.pairs().saturating_mul(2)
    }

    /// The same pairs as the second engine sees them.
    #[must_use]
    pub const fn flip(self) -> Self {
        let [ll, ld, even, wd, ww] = self.0;
        Self([ww, wd, even, ld, ll])
    }

    /// Mean and variance of a pair's score; none without pairs.
    pub fn moments(&self) -> Option<Moments> {
        Moments::of(&self.0, 2.0)
    }

    /// The share of all points that the first engine made.
    pub fn score(&self) -> Option<f64> {
        self.moments().map(|moments| moments.mean)
    }

    /// The variance of one pair's score in `0.0..=1.0`.
    pub fn variance(&self) -> Option<f64> {
        self.moments().map(|moments| moments.variance)
    }

    /// See [`Moments::elo`].
    pub fn elo(&self) -> Option<Estimate> {
        self.moments()?.elo()
    }

    /// See [`Moments::nelo`].
    pub fn nelo(&self) -> Option<Estimate> {
        self.moments()?.nelo()
    }

    /// See [`Moments::los`].
    pub fn los(&self) -> Option<f64> {
        self.moments()?.los()
    }

    /// The share of pairs that were split evenly, WL or DD.
    pub fn draw_ratio(&self) -> Option<f64> {
        ratio(self.0[2] as f64, self.pairs() as f64)
    }

    /// Pairs won for each pair lost; none while no pair was lost.
    pub fn pairs_ratio(&self) -> Option<f64> {
        let [ll, ld, _, wd, ww] = self.0.map(|count| count as f64);
        ratio(wd + ww, ll + ld)
    }
}

impl fmt::Display for Pentanomial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Ptnml(0-2): {:?}", self.0)
    }
}

impl FromStr for Pentanomial {
    type Err = CountsError;

    /// Reads five counts between commas, `LL,LD,WL+DD,WD,WW`.
    fn from_str(text: &str) -> Result<Self, CountsError> {
        let counts: Vec<u64> = text
            .split(',')
            .map(|token| {
                let token = token.trim();
                token.parse().map_err(|_| CountsError::Count { token: token.to_owned() })
            })
            .collect::<Result<_, _>>()?;
        let found = counts.len();
        counts.try_into().map(Self).map_err(|_| CountsError::Cells { text: text.to_owned(), found })
    }
}

impl Add for Pentanomial {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i].saturating_add(other.0[i])))
    }
}

impl AddAssign for Pentanomial {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sum for Pentanomial {
    fn sum<I: Iterator<Item = Self>>(counts: I) -> Self {
        counts.fold(Self::default(), Add::add)
    }
}

/// Why a text is no [`Pentanomial`].
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CountsError {
    /// One of the counts is not a whole number in range.
    #[error("bad pair count `{token}`, expected a whole number from 0 to {}", u64::MAX)]
    Count {
        /// What stands in its place.
        token: String,
    },
    /// There are not five of them.
    #[error("{found} pair counts in `{text}`, expected the five of LL,LD,WL+DD,WD,WW")]
    Cells {
        /// The whole text.
        text: String,
        /// How many counts it holds.
        found: usize,
    },
}

/// Single games by their result. Counts saturate.
///
/// ```
/// use arena::stats::{FirstResult, Trinomial};
///
/// let mut games = Trinomial { wins: 10, draws: 20, losses: 9 };
/// games.add_game(FirstResult::Loss);
/// assert_eq!(games.games(), 40);
/// assert_eq!(games.score(), Some(0.5));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Trinomial {
    /// Games the first engine won.
    pub wins: u64,
    /// Games nobody won.
    pub draws: u64,
    /// Games the first engine lost.
    pub losses: u64,
}

impl Trinomial {
    /// Counts one more game.
    pub const fn add_game(&mut self, outcome: FirstResult) {
        let count = match outcome {
            FirstResult::Win => &mut self.wins,
            FirstResult::Draw => &mut self.draws,
            FirstResult::Loss => &mut self.losses,
        };
        *count = count.saturating_add(1);
    }

    /// The number of games.
    pub const fn games(&self) -> u64 {
        self.wins.saturating_add(self.draws).saturating_add(self.losses)
    }

    /// The points the first engine made, one for a win and a half for a draw.
    pub fn points(&self) -> f64 {
        self.wins as f64 + 0.5 * self.draws as f64
    }

    /// The same games as the second engine sees them.
    #[must_use]
    pub const fn flip(self) -> Self {
        Self { wins: self.losses, draws: self.draws, losses: self.wins }
    }

    /// Mean and variance of a game's score; none without games.
    pub fn moments(&self) -> Option<Moments> {
        Moments::of(&self.cells(), 1.0)
    }

    /// The share of all points that the first engine made.
    pub fn score(&self) -> Option<f64> {
        self.moments().map(|moments| moments.mean)
    }

    /// The variance of one game's score.
    pub fn variance(&self) -> Option<f64> {
        self.moments().map(|moments| moments.variance)
    }

    /// See [`Moments::elo`]. For games in pairs the pentanomial interval is the honest one.
    pub fn elo(&self) -> Option<Estimate> {
        self.moments()?.elo()
    }

    /// See [`Moments::nelo`].
    pub fn nelo(&self) -> Option<Estimate> {
        self.moments()?.nelo()
    }

    /// See [`Moments::los`].
    pub fn los(&self) -> Option<f64> {
        self.moments()?.los()
    }

    /// The share of games that were drawn.
    pub fn draw_ratio(&self) -> Option<f64> {
        ratio(self.draws as f64, self.games() as f64)
    }

    /// The counts in order of rising score.
    pub(super) const fn cells(&self) -> [u64; 3] {
        [self.losses, self.draws, self.wins]
    }
}

impl fmt::Display for Trinomial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "+{} ={} -{}", self.wins, self.draws, self.losses)
    }
}

impl Add for Trinomial {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            wins: self.wins.saturating_add(other.wins),
            draws: self.draws.saturating_add(other.draws),
            losses: self.losses.saturating_add(other.losses),
        }
    }
}

impl AddAssign for Trinomial {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sum for Trinomial {
    fn sum<I: Iterator<Item = Self>>(counts: I) -> Self {
        counts.fold(Self::default(), Add::add)
    }
}

fn ratio(part: f64, whole: f64) -> Option<f64> {
    (whole > 0.0).then(|| part / whole)
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "the expected values are exact")]
mod tests {
    use super::*;

    #[test]
    fn pairs_land_in_their_cells() {
        use FirstResult::{Draw, Loss, Win};
        let pairs = [
            (Loss, Loss, 0),
            (Loss, Draw, 1),
            (Draw, Loss, 1),
            (Win, Loss, 2),
            (Loss, Win, 2),
            (Draw, Draw, 2),
            (Win, Draw, 3),
            (Draw, Win, 3),
            (Win, Win, 4),
        ];
        for (one, other, cell) in pairs {
            let mut counts = Pentanomial::default();
            counts.add_pair(one, other);
            assert_eq!(counts.0[cell], 1, "{one:?} {other:?}");
            assert_eq!(counts.pairs(), 1);
            let mut flipped = Pentanomial::default();
            flipped.add_pair(one.flip(), other.flip());
            assert_eq!(flipped, counts.flip());
        }
    }

    #[test]
    fn trinomial_counts_and_flips() {
        let mut games = Trinomial::default();
        for outcome in [FirstResult::Win, FirstResult::Win, FirstResult::Draw, FirstResult::Loss] {
            games.add_game(outcome);
        }
        assert_eq!(games, Trinomial { wins: 2, draws: 1, losses: 1 });
        assert_eq!(games.points(), 2.5);
        assert_eq!(games.flip().points(), 1.5);
        assert_eq!(games.draw_ratio(), Some(0.25));
        assert_eq!(games.variance(), Some((2.0 + 0.25) / 4.0 - 0.625 * 0.625));
        assert_eq!(games.to_string(), "+2 =1 -1");
    }

    #[test]
    fn sums_add_cell_by_cell_and_saturate() {
        let total: Pentanomial =
            [Pentanomial([1, 2, 3, 4, 5]), Pentanomial([10; 5])].into_iter().sum();
        assert_eq!(total, Pentanomial([11, 12, 13, 14, 15]));
        let full = Pentanomial([u64::MAX; 5]) + total;
        assert_eq!((full.pairs(), full.games()), (u64::MAX, u64::MAX));
        let games: Trinomial = [Trinomial { wins: 1, draws: 2, losses: 3 }; 2].into_iter().sum();
        assert_eq!(games, Trinomial { wins: 2, draws: 4, losses: 6 });
    }

    #[test]
    fn ratios_of_nothing_are_none() {
        assert_eq!(Pentanomial::default().draw_ratio(), None);
        assert_eq!(Trinomial::default().draw_ratio(), None);
        assert_eq!(Pentanomial([0, 0, 5, 3, 0]).pairs_ratio(), None);
        assert_eq!(Pentanomial([1, 3, 10, 5, 1]).pairs_ratio(), Some(1.5));
        assert_eq!(Pentanomial([1, 3, 10, 5, 1]).draw_ratio(), Some(0.5));
    }

    #[test]
    fn parsing_names_the_bad_token() {
        assert_eq!(" 1, 2,3 ,4,5".parse(), Ok(Pentanomial([1, 2, 3, 4, 5])));
        for (text, token) in [("1,2,x,4,5", "x"), ("-1,2,3,4,5", "-1"), ("1,2,3,4,", ""), ("", "")]
        {
            let error = CountsError::Count { token: token.to_owned() };
            assert_eq!(text.parse::<Pentanomial>(), Err(error), "{text}");
        }
        let error = "1,2,3".parse::<Pentanomial>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "3 pair counts in `1,2,3`, expected the five of LL,LD,WL+DD,WD,WW"
        );
    }
}
