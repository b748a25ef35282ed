// SPDX-License-Identifier: GPL-3.0-or-later
//! A screening on disk.

use serde::{Deserialize, Serialize};

use super::fit::{Fit, Row, fit};
use super::{Config, Design, Entry};
use crate::stats::{FirstResult, Pentanomial};
use crate::trials::{Header, Saved, TrialError};

/// Faults that are kept in words; of more only the number is kept.
const MOST_FAULTS: usize = 20;

/// What came out of a pair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairGames {
    /// Both games as the plus side sees them.
    pub outcomes: [FirstResult; 2],
    /// What cost a side its game, in words.
    pub faults: Vec<String>,
}

/// Everything a screening needs to go on, and what its report shows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ScreenState {
    #[serde(flatten)]
    header: Header,
    design: Design,
    /// Each entry as tables write it.
    names: Vec<String>,
    scores: Scores,
    fault_count: u64,
    faults: Vec<String>,
}

impl Saved for ScreenState {
    const KIND: &'static str = "screen";
    const VERSION: u32 = 1;

    fn header(&self) -> &Header {
        &self.header
    }
}

impl ScreenState {
    /// The beginning of a run.
    pub fn new(config: &Config) -> Result<Self, TrialError> {
        Ok(Self {
            header: Header::new::<Self>(&config.purpose()?),
            design: config.design(),
            names: config.entries()?.iter().map(Entry::to_string).collect(),
            scores: Scores::default(),
            fault_count: 0,
            faults: Vec::new(),
        })
    }

    /// Half points of the plus side in a pair; none if it was not played.
    pub fn score(&self, pair: u64) -> Option<u8> {
        self.scores.0.get(pair as usize).copied().flatten()
    }

    /// Keeps a pair.
    pub fn add(&mut self, pair: u64, games: PairGames) {
        let mut points = Pentanomial::default();
        let [one, other] = games.outcomes;
        points.add_pair(one, other);
        let cell = points.0.iter().position(|&count| count > 0).unwrap_or_default();
        self.scores.set(pair as usize, cell as u8);
        self.fault_count += games.faults.len() as u64;
        let room = MOST_FAULTS.saturating_sub(self.faults.len());
        self.faults.extend(games.faults.into_iter().take(room));
    }

    /// How many pairs were played.
    pub fn pairs(&self) -> u64 {
        self.scores.played().count() as u64
    }

    /// All pairs as the plus side sees them: even, unless something is wrong with the coins.
    pub fn pentanomial(&self) -> Pentanomial {
        let mut pairs = Pentanomial::default();
        self.scores.played().for_each(|(_, score)| pairs.0[usize::from(score)] += 1);
        pairs
    }

    /// Each entry as tables write it.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// How many games an engine lost by a fault.
    pub const fn fault_count(&self) -> u64 {
        self.fault_count
    }

    /// The first faults in words.
    pub fn faults(&self) -> &[String] {
        &self.faults
    }

    /// What the pairs say.
    pub fn fit(&self) -> Fit {
        let row = |(pair, score): (usize, u8)| -> Row {
            let sides = self.design.sides(pair as u64);
            (sides.into_iter().map(super::Side::sign).collect(), f64::from(score) / 4.0)
        };
        let rows: Vec<Row> = self.scores.played().map(row).collect();
        fit(self.names.len(), &rows)
    }
}

/// The half points of each pair by its number; a letter each on disk.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
struct Scores(Vec<Option<u8>>);

impl Scores {
    fn set(&mut self, pair: usize, score: u8) {
        if self.0.len() <= pair {
            self.0.resize(pair + 1, None);
        }
        self.0[pair] = Some(score);
    }

    fn played(&self) -> impl Iterator<Item = (usize, u8)> {
        self.0.iter().enumerate().filter_map(|(pair, score)| Some((pair, (*score)?)))
    }
}

impl From<Scores> for String {
    fn from(scores: Scores) -> Self {
        let letter = |score: &Option<u8>| score.map_or('.', |score| char::from(b'0' + score));
        scores.0.iter().map(letter).collect()
    }
}

impl TryFrom<String> for Scores {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let score = |letter: char| match letter {
            '.' => Ok(None),
            '0'..='4' => Ok(Some(letter as u8 - b'0')),
            _ => Err(format!("bad score `{letter}` of a pair: expected 0 to 4, or a dot")),
        };
        text.chars().map(score).collect::<Result<_, _>>().map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_survive_the_disk() {
        let mut scores = Scores::default();
        scores.set(3, 4);
        scores.set(0, 0);
        let text = String::from(scores.clone());
        assert_eq!(text, "0..4");
        assert_eq!(Scores::try_from(text), Ok(scores));
        assert!(Scores::try_from("05".to_owned()).unwrap_err().contains("`5`"));
    }
}
