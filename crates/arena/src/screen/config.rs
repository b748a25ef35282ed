// SPDX-License-Identifier: GPL-3.0-or-later
//! What a screening is told in its TOML file.

use std::collections::HashSet;
use std::fmt;

use serde::Deserialize;

use super::Design;
use crate::trials::{DuelConfig, TrialError};

/// A screening as its file describes it.
///
/// ```
/// use arena::screen::Config;
///
/// let config = Config::parse(r#"
///     engine = "cmd=./quincunx-tune opt.Hash=16"
///     nodes = 8000
///     games = 16000
///
///     [[entry]]
///     name = "rfp_on"
///     from = 1
///     to = 0
///
///     [[entry]]
///     name = "bolder futility"
///     options = [
///         { name = "fp_base", from = 85, to = 20 },
///         { name = "fp_max_depth", from = 8, to = 12 },
///     ]
/// "#)?;
/// assert_eq!(config.entries()?[1].to_string(), "bolder futility");
/// # Ok::<(), arena::trials::TrialError>(())
/// ```
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// Who plays, and how.
    #[serde(flatten)]
    pub duel: DuelConfig,
    /// How many games to play; even, since they come in pairs.
    pub games: u64,
    /// The chance of an entry to take part in a pair, above 0 and at most 1.
    ///
    /// With 1 every pair tells something about every entry, but each side has half of them made. With
    /// less the sides are nearer to the engine as it is, and the errors larger by up to 1/√share.
    #[serde(default = "all")]
    pub share: f64,
    /// What is screened.
    #[serde(rename = "entry", default)]
    entries: Vec<RawEntry>,
}

fn all() -> f64 {
    1.0
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawEntry {
    name: String,
    from: Option<Value>,
    to: Option<Value>,
    #[serde(default)]
    options: Vec<Change>,
}

/// One option of an entry.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Change {
    /// The UCI option.
    pub name: String,
    /// Its value on the side where the entry is not made.
    pub from: Value,
    /// Its value on the side where it is.
    pub to: Value,
}

/// A change of one or more options, whose effect is measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Its name: that of its option if there is one only.
    pub name: String,
    /// What it changes; never empty.
    pub changes: Vec<Change>,
}

impl Entry {
    /// The options of a side.
    pub fn options(&self, is_made: bool) -> impl Iterator<Item = (String, String)> {
        let value =
            move |change: &Change| if is_made { change.to.text() } else { change.from.text() };
        self.changes.iter().map(move |change| (change.name.clone(), value(change)))
    }
}

/// A single option with its values, a group by its name.
impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.changes[..] {
            [one] if one.name == self.name => {
                write!(f, "{} {} → {}", one.name, one.from.text(), one.to.text())
            }
            _ => f.write_str(&self.name),
        }
    }
}

/// A value of an option as TOML writes it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum Value {
    /// For `check` options.
    Bool(bool),
    /// For `spin` options.
    Int(i64),
    /// For numbers with a fraction.
    Float(f64),
    /// For all others.
    Text(String),
}

impl Value {
    /// The value as UCI writes it.
    pub fn text(&self) -> String {
        match self {
            Self::Bool(value) => value.to_string(),
            Self::Int(value) => value.to_string(),
            Self::Float(value) => value.to_string(),
            Self::Text(value) => value.clone(),
        }
    }
}

impl Config {
    /// Reads the text of a file.
    pub fn parse(text: &str) -> Result<Self, TrialError> {
        let config: Self = toml::from_str(text)?;
        if config.games == 0 || !config.games.is_multiple_of(2) {
            return Err(TrialError::field("games", config.games, "an even number above 0"));
        }
        if !(config.share > 0.0 && config.share <= 1.0) {
            return Err(TrialError::field("share", config.share, "a number above 0, at most 1"));
        }
        config.entries()?;
        Ok(config)
    }

    /// What is screened.
    pub fn entries(&self) -> Result<Vec<Entry>, TrialError> {
        let entries: Vec<Entry> = self.entries.iter().map(entry).collect::<Result<_, _>>()?;
        if entries.is_empty() {
            return Err(TrialError::field("entry", "", "at least one [[entry]]"));
        }
        let (mut names, mut options) = (HashSet::new(), HashSet::new());
        for entry in &entries {
            if !names.insert(&entry.name) {
                return Err(TrialError::field("name", &entry.name, "another name for each entry"));
            }
            if let Some(twice) = entry.changes.iter().find(|change| !options.insert(&change.name)) {
                let expected = "an option in one entry only: two would set it against each other";
                return Err(TrialError::field("option", &twice.name, expected));
            }
        }
        Ok(entries)
    }

    /// The plan of the pairs.
    pub fn design(&self) -> Design {
        Design { seed: self.duel.seed, entries: self.entries.len(), share: self.share }
    }

    /// How many pairs to play.
    pub const fn pairs(&self) -> u64 {
        self.games / 2
    }

    /// What makes two runs the same, for people to read. More games than before are no difference.
    pub fn purpose(&self) -> Result<String, TrialError> {
        let text = |entry: &Entry| {
            let change = |change: &Change| {
                format!("{} {} to {}", change.name, change.from.text(), change.to.text())
            };
            let changes: Vec<String> = entry.changes.iter().map(change).collect();
            format!("{}: {}", entry.name, changes.join(" and "))
        };
        let entries: Vec<String> = self.entries()?.iter().map(text).collect();
        let (duel, seed, share) = (&self.duel, self.duel.seed, self.share);
        let rules = [&duel.draw, &duel.resign].map(|rule| rule.as_deref().unwrap_or("none"));
        Ok(format!(
            "{}; draw {}; resign {}; seed {seed}; share {share}; {}",
            duel.purpose(),
            rules[0],
            rules[1],
            entries.join(", ")
        ))
    }
}

fn entry(raw: &RawEntry) -> Result<Entry, TrialError> {
    let name = raw.name.clone();
    let changes = match (&raw.from, &raw.to, &raw.options[..]) {
        (Some(from), Some(to), []) => {
            vec![Change { name: name.clone(), from: from.clone(), to: to.clone() }]
        }
        (None, None, [_, ..]) => raw.options.clone(),
        _ => {
            let expected =
                "either `from` and `to`, or `options` with a `name`, `from` and `to` each";
            return Err(TrialError::field("entry", name, expected));
        }
    };
    if let Some(same) = changes.iter().find(|change| change.from == change.to) {
        return Err(TrialError::field("entry", &same.name, "two different values `from` and `to`"));
    }
    Ok(Entry { name, changes })
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "engine = \"cmd=x nodes=5\"\ngames = 4\n";

    #[test]
    fn mistakes_are_named() {
        let one = "[[entry]]\nname = \"a\"\nfrom = 1\nto = 0\n";
        for (text, part) in [
            (format!("games = 4\n{one}"), "missing field `engine`"),
            (format!("engine = \"cmd=x\"\ngames = 3\n{one}"), "bad games `3`"),
            (format!("{HEAD}share = 1.5\n{one}"), "bad share `1.5`"),
            (format!("{HEAD}banana = 3\n{one}"), "banana"),
            (HEAD.to_owned(), "at least one [[entry]]"),
            (format!("{HEAD}[[entry]]\nname = \"a\"\nfrom = 1\n"), "either `from` and `to`"),
            (format!("{HEAD}[[entry]]\nname = \"a\"\nfrom = 1\nto = 1\n"), "two different values"),
            (format!("{HEAD}{one}{one}"), "another name"),
            (format!("{HEAD}{one}banana = 1"), "banana"),
            (
                format!(
                    "{HEAD}{one}[[entry]]\nname = \"b\"\noptions = [{{name=\"a\",from=1,to=2}}]"
                ),
                "in one entry only",
            ),
        ] {
            let message = Config::parse(&text).unwrap_err().to_string();
            assert!(message.contains(part), "{message}");
        }
    }

    #[test]
    fn values_are_written_as_uci_does() {
        let text = format!(
            "{HEAD}[[entry]]\nname = \"a\"\noptions = [{{name=\"x\",from=true,to=false}}, \
             {{name=\"y\",from=0.5,to=\"z\"}}, {{name=\"w\",from=85,to=20}}]"
        );
        let entries = Config::parse(&text).unwrap().entries().unwrap();
        let values = |is_made| -> Vec<String> {
            entries[0].options(is_made).map(|(_, value)| value).collect()
        };
        assert_eq!(
            (values(false), values(true)),
            (
                vec!["true".into(), "0.5".into(), "85".into()],
                vec!["false".into(), "z".into(), "20".into()],
            )
        );
    }
}
