// SPDX-License-Identifier: GPL-3.0-or-later
//! What a tuning run is told in its TOML file.

use serde::Deserialize;

use crate::spsa::{Parameter, Schedule};
use crate::trials::{DuelConfig, TrialError};

/// A tuning run as its file describes it.
///
/// ```
/// use arena::tune::Config;
///
/// let config = Config::parse(r#"
///     engine = "cmd=./quincunx opt.Hash=16"
///     tc = "1+0.01"
///     book = "books/8moves_v3.epd.zst"
///     trials = 2000
///     parameters = ["rfp_margin, int, 80, 20, 200, 8, 0.002"]
/// "#)?;
/// assert_eq!((config.trials, config.games), (2000, 2));
/// # Ok::<(), arena::trials::TrialError>(())
/// ```
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// Who plays, and how.
    #[serde(flatten)]
    pub duel: DuelConfig,
    /// Games of a trial; even, since they come in pairs.
    #[serde(default = "two")]
    pub games: u32,
    /// How many trials to play.
    pub trials: u64,
    /// The exponent of the learning rate.
    pub alpha: Option<f64>,
    /// The exponent of the step.
    pub gamma: Option<f64>,
    /// The trials over which the learning rate is held back, as a share of all.
    pub a_ratio: Option<f64>,
    /// The learning rate at the end of the run for all parameters, in place of their own: a short run must
    /// take larger steps to get anywhere.
    pub rate: Option<f64>,
    /// What to tune, as OpenBench lines; the engine is asked if there are none.
    #[serde(default)]
    pub parameters: Vec<String>,
    /// Only parameters whose names start with one of these.
    #[serde(default)]
    pub only: Vec<String>,
}

fn two() -> u32 {
    2
}

/// Where the list of parameters comes from.
#[derive(Clone, Debug, PartialEq)]
pub enum ParameterSource {
    /// The file.
    Given(Vec<Parameter>),
    /// The engine, by its answer to `tunables`.
    Engine,
}

impl Config {
    /// Reads the text of a file.
    pub fn parse(text: &str) -> Result<Self, TrialError> {
        let config: Self = toml::from_str(text)?;
        if config.games == 0 || !config.games.is_multiple_of(2) {
            return Err(TrialError::field("games", config.games, "an even number above 0"));
        }
        if let Some(rate) = config.rate.filter(|&rate| !(rate > 0.0 && rate <= 1.0)) {
            return Err(TrialError::field("rate", rate, "a number above 0, at most 1"));
        }
        Ok(config)
    }

    /// How steps and rates fall.
    pub fn schedule(&self) -> Schedule {
        let default = Schedule::new(self.trials);
        Schedule {
            trials: self.trials,
            alpha: self.alpha.unwrap_or(default.alpha),
            gamma: self.gamma.unwrap_or(default.gamma),
            a_ratio: self.a_ratio.unwrap_or(default.a_ratio),
        }
    }

    /// What to tune, or whom to ask.
    pub fn parameters(&self) -> Result<ParameterSource, TrialError> {
        if self.parameters.is_empty() {
            return Ok(ParameterSource::Engine);
        }
        let parsed = self.parameters.iter().map(|line| line.parse()).collect::<Result<_, _>>()?;
        Ok(ParameterSource::Given(self.wanted(parsed)))
    }

    /// The parameters that `only` lets through, with the run's `rate`.
    pub fn wanted(&self, mut parameters: Vec<Parameter>) -> Vec<Parameter> {
        let is_wanted = |name: &str| self.only.iter().any(|start| name.starts_with(start));
        parameters.retain(|parameter| self.only.is_empty() || is_wanted(parameter.name()));
        match self.rate {
            Some(rate) => parameters.into_iter().map(|one| one.with_rate(rate)).collect(),
            None => parameters,
        }
    }

    /// What makes two runs the same, for people to read.
    pub fn purpose(&self) -> String {
        let Self { duel, trials, games, .. } = self;
        format!("{}; {trials} trials of {games} games; seed {}", duel.purpose(), duel.seed)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    const LINE: &str = "rfp_margin, int, 80, 20, 200, 8, 0.002";

    #[test]
    fn mistakes_are_named() {
        for (text, part) in [
            ("trials = 5", "missing field `engine`"),
            ("engine = \"cmd=x\"\ntrials = 5\ngames = 3", "bad games `3`"),
            ("engine = \"cmd=x\"\ntrials = 5\nrate = 0.0", "bad rate `0`"),
            ("engine = \"cmd=x\"\ntrials = 5\nbanana = 3", "banana"),
        ] {
            let message = Config::parse(text).unwrap_err().to_string();
            assert!(message.contains(part), "{message}");
        }
        let bare = Config::parse("engine = \"cmd=x\"\ntrials = 5").unwrap();
        assert!(bare.duel.engine().unwrap_err().to_string().contains("one of tc, nodes and depth"));
    }

    #[test]
    fn parameters_come_from_the_file_or_the_engine() {
        let text = format!("engine = \"cmd=x nodes=5\"\ntrials = 5\nparameters = [\"{LINE}\"]");
        let given = Config::parse(&text).unwrap();
        let source = given.parameters().unwrap();
        assert_eq!(source, ParameterSource::Given(vec![LINE.parse().unwrap()]));
        let faster = Config { rate: Some(0.01), ..given.clone() };
        let expected = LINE.replace("0.002", "0.01").parse().unwrap();
        assert_eq!(faster.parameters().unwrap(), ParameterSource::Given(vec![expected]));
        let none = Config { only: vec!["lmr".into()], ..given.clone() };
        assert_eq!(none.parameters().unwrap(), ParameterSource::Given(Vec::new()));
        let asked = Config { parameters: Vec::new(), ..given };
        assert_eq!(asked.parameters().unwrap(), ParameterSource::Engine);
        assert_eq!(asked.duel.folder(Path::new("runs/lmr.toml")), Path::new("runs/lmr"));
    }
}
