// SPDX-License-Identifier: GPL-3.0-or-later
//! Everything that the results of a match depend on, as it is saved with them.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use chess::CastlingMode;
use driver::EngineSpec;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

use super::format::{Format, Pairing};
use crate::openings::BookSettings;
use crate::referee::{DrawRule, ResignRule, Rules, TableRule, TableSettings};
use crate::stats::Sprt;

/// The settings of a match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchSettings {
    /// The engines, each with its limit.
    pub engines: Vec<EngineSpec>,
    /// Who meets whom.
    pub format: Format,
    /// Games of each pairing; until there is a verdict if `None`.
    pub games: Option<u64>,
    /// When to stop early.
    pub sprt: Option<Sprt>,
    /// Where games begin; the starting position if `None`.
    pub book: Option<BookSettings>,
    /// Draws by score.
    pub draw: Option<DrawRule>,
    /// Losses by score.
    pub resign: Option<ResignRule>,
    /// Full moves after which a game is drawn.
    pub max_moves: Option<u32>,
    /// Results by endgame tables.
    pub tables: Option<TableSettings>,
    /// See [`Rules::margin`].
    pub margin_ms: u64,
    /// See [`Rules::patience`].
    pub patience_ms: u64,
    /// Whether castling is written as in Chess960.
    pub chess960: bool,
}

/// Why settings make no match.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SettingsError {
    /// Fewer than two engines.
    #[error("{found} engine given, expected two or more")]
    Engines {
        /// How many there are.
        found: usize,
    },
    /// Two engines of the same name cannot be told apart.
    #[error("two engines are named `{name}`: give one of them another name with `name=`")]
    SameName {
        /// The name.
        name: String,
    },
    /// Nothing ends an engine's search.
    #[error("no limit for `{name}`: give it `tc=`, `st=`, `nodes=` or `depth=`")]
    NoLimit {
        /// The engine.
        name: String,
    },
    /// Nothing ends the match.
    #[error("nothing ends this match: give a number of games or a test")]
    Endless,
    /// A test needs exactly two engines.
    #[error("a test of {found} engines, expected exactly two")]
    TestOfMany {
        /// How many there are.
        found: usize,
    },
    /// The endgame tables cannot be opened.
    #[error("no endgame tables: {reason}")]
    Tables {
        /// Why.
        reason: String,
    },
}

impl MatchSettings {
    /// Whether this is a match that can be played.
    pub fn check(&self) -> Result<(), SettingsError> {
        let found = self.engines.len();
        if found < 2 {
            return Err(SettingsError::Engines { found });
        }
        for (index, engine) in self.engines.iter().enumerate() {
            let name = engine.name.clone();
            if self.engines[..index].iter().any(|other| other.name == name) {
                return Err(SettingsError::SameName { name });
            }
            if engine.limit.is_none() {
                return Err(SettingsError::NoLimit { name });
            }
        }
        match (self.games, self.sprt) {
            (None, None) => Err(SettingsError::Endless),
            (_, Some(_)) if found > 2 => Err(SettingsError::TestOfMany { found }),
            _ => Ok(()),
        }
    }

    /// All pairings, in the order in which they take turns.
    pub fn pairings(&self) -> Vec<Pairing> {
        self.format.pairings(self.engines.len())
    }

    /// The referee's part. Opens the tables, if there are any.
    pub fn rules(&self) -> Result<Rules, SettingsError> {
        let tables = self.tables.as_ref().map(TableRule::open).transpose();
        Ok(Rules {
            draw: self.draw,
            resign: self.resign,
            max_moves: self.max_moves,
            tables: tables.map_err(|error| SettingsError::Tables { reason: error.to_string() })?,
            margin: Duration::from_millis(self.margin_ms),
            patience: Duration::from_millis(self.patience_ms),
            castling: self.castling(),
        })
    }

    /// How castling is written.
    pub fn castling(&self) -> CastlingMode {
        if self.chess960 { CastlingMode::Chess960 } else { CastlingMode::Standard }
    }

    /// What differs in another match. More games than before are no difference.
    pub fn differences(&self, new: &Self) -> Vec<Difference> {
        let may_grow = match (self.games, new.games) {
            (Some(old), Some(new)) => new >= old,
            (_, None) => true,
            (None, Some(_)) => false,
        };
        let games = if may_grow { new.games } else { self.games };
        let (old, new) = (flatten(&Self { games, ..self.clone() }), flatten(new));
        let keys = old.keys().chain(new.keys().filter(|key| !old.contains_key(*key)));
        let differs = |key: &&String| old.get(*key) != new.get(*key);
        let text = |map: &BTreeMap<String, String>, key: &String| map.get(key).cloned();
        keys.filter(differs)
            .map(|key| Difference { key: key.clone(), old: text(&old, key), new: text(&new, key) })
            .collect()
    }
}

/// One setting that differs between two matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The setting, such as `engines.0.options.1`.
    pub key: String,
    /// Its value before; none if it was not there.
    pub old: Option<String>,
    /// Its value now.
    pub new: Option<String>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let show = |value: &Option<String>| value.clone().unwrap_or_else(|| "nothing".to_owned());
        write!(f, "{} was {}, now {}", self.key, show(&self.old), show(&self.new))
    }
}

/// All single values by their path.
fn flatten(settings: &MatchSettings) -> BTreeMap<String, String> {
    let mut values = BTreeMap::new();
    let value = serde_json::to_value(settings).expect("settings are plain data");
    flatten_into("", &value, &mut values);
    values
}

fn flatten_into(path: &str, value: &Value, values: &mut BTreeMap<String, String>) {
    let join = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
    match value {
        Value::Object(map) => {
            map.iter().for_each(|(key, value)| flatten_into(&join(key), value, values));
        }
        Value::Array(list) => {
            let numbered = (0_usize..).zip(list);
            numbered.for_each(|(key, value)| flatten_into(&join(&key.to_string()), value, values));
        }
        Value::Null => {}
        value => {
            values.insert(path.to_owned(), value.to_string());
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn settings() -> MatchSettings {
        MatchSettings {
            engines: vec![
                "cmd=x name=A nodes=5 opt.Hash=1".parse().unwrap(),
                "cmd=x name=B nodes=5".parse().unwrap(),
            ],
            format: Format::RoundRobin,
            games: Some(4),
            sprt: None,
            book: None,
            draw: None,
            resign: None,
            max_moves: None,
            tables: None,
            margin_ms: 0,
            patience_ms: 1000,
            chess960: false,
        }
    }

    #[test]
    fn differences_are_named_and_more_games_are_none() {
        let old = settings();
        let mut new = settings();
        assert_eq!(old.differences(&new), []);
        new.games = Some(8);
        assert_eq!(old.differences(&new), []);
        assert_eq!(new.differences(&old)[0].to_string(), "games was 8, now 4");
        new.engines[0].options[0].1 = "2".to_owned();
        new.max_moves = Some(7);
        let texts: Vec<_> = old.differences(&new).iter().map(ToString::to_string).collect();
        assert_eq!(
            texts,
            ["engines.0.options.0.1 was \"1\", now \"2\"", "max_moves was nothing, now 7"]
        );
    }

    #[test]
    fn settings_survive_json() {
        let json = serde_json::to_string(&settings()).unwrap();
        assert_eq!(serde_json::from_str::<MatchSettings>(&json).unwrap(), settings());
        // Runs that were begun before there were tables go on.
        let old = json.replace(r#""tables":null,"#, "");
        assert_eq!(serde_json::from_str::<MatchSettings>(&old).unwrap(), settings());
    }

    #[test]
    fn nonsense_is_refused() {
        let with = |change: fn(&mut MatchSettings)| {
            let mut settings = settings();
            change(&mut settings);
            settings.check().unwrap_err().to_string()
        };
        assert!(with(|settings| settings.engines.truncate(1)).contains("expected two"));
        assert!(with(|settings| settings.engines[1].name = "A".into()).contains("`A`"));
        assert!(with(|settings| settings.engines[1].limit.nodes = None).contains("`B`"));
        assert!(with(|settings| settings.games = None).contains("ends"));
    }
}
