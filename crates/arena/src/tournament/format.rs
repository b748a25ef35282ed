// SPDX-License-Identifier: GPL-3.0-or-later
//! Who meets whom.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Kinds of tournaments. With two engines they are all the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Everybody meets everybody.
    #[default]
    RoundRobin,
    /// The first engine meets all others.
    Gauntlet,
}

/// Two engines that meet, by their place in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Pairing {
    /// White in the first game of each pair.
    pub first: usize,
    /// Its opponent.
    pub second: usize,
}

impl Format {
    /// All pairings among this many engines, in the order in which they take turns.
    pub fn pairings(self, engines: usize) -> Vec<Pairing> {
        let firsts = match self {
            Self::RoundRobin => engines,
            Self::Gauntlet => engines.min(1),
        };
        let opponents = |first| (first + 1..engines).map(move |second| Pairing { first, second });
        (0..firsts).flat_map(opponents).collect()
    }
}

/// A text that names no [`Format`].
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown format `{token}`, expected `round-robin` or `gauntlet`")]
pub struct FormatError {
    /// The whole text.
    pub token: String,
}

impl FromStr for Format {
    type Err = FormatError;

    fn from_str(text: &str) -> Result<Self, FormatError> {
        match text {
            "round-robin" | "roundrobin" => Ok(Self::RoundRobin),
            "gauntlet" => Ok(Self::Gauntlet),
            _ => Err(FormatError { token: text.to_owned() }),
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::RoundRobin => "round-robin",
            Self::Gauntlet => "gauntlet",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_meets_whom_they_should() {
        let pairs = |format: Format, engines| {
            let pairings = format.pairings(engines);
            pairings.iter().map(|pairing| (pairing.first, pairing.second)).collect::<Vec<_>>()
        };
        assert_eq!(pairs(Format::RoundRobin, 3), [(0, 1), (0, 2), (1, 2)]);
        assert_eq!(pairs(Format::Gauntlet, 3), [(0, 1), (0, 2)]);
        assert_eq!(pairs(Format::Gauntlet, 2), pairs(Format::RoundRobin, 2));
        assert_eq!(pairs(Format::Gauntlet, 0), []);
    }
}
