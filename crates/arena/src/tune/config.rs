// SPDX-License-Identifier: GPL-3.0-or-later
//! What a tuning run is told in its TOML file.

use std::num::{NonZeroU32, NonZeroU64};
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::TuneError;
use crate::openings::{Book, BookSettings, Order, starting_position};
use crate::referee::Rules;
use crate::spsa::{Parameter, Schedule};
use crate::{EngineSpec, Limit};

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
/// # Ok::<(), arena::tune::TuneError>(())
/// ```
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// The engine in words, as [`EngineSpec`] reads them.
    pub engine: String,
    /// The clock, such as `1+0.01`.
    pub tc: Option<String>,
    /// Nodes for each move.
    pub nodes: Option<NonZeroU64>,
    /// Depth of each move.
    pub depth: Option<NonZeroU32>,
    /// The opening book; the starting position if there is none.
    pub book: Option<PathBuf>,
    /// Plies to take from the book's games.
    pub plies: Option<usize>,
    /// When games are drawn by score, such as `movenumber=34 movecount=8 score=20`.
    pub draw: Option<String>,
    /// When games are lost by score, such as `movecount=3 score=600`.
    pub resign: Option<String>,
    /// Games of a trial; even, since they come in pairs.
    #[serde(default = "two")]
    pub games: u32,
    /// How many trials to play.
    pub trials: u64,
    /// Trials at the same time.
    #[serde(default = "one")]
    pub concurrency: usize,
    /// The seed of everything random.
    #[serde(default)]
    pub seed: u64,
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
    /// The run's folder; beside the file by default.
    pub out: Option<PathBuf>,
}

fn two() -> u32 {
    2
}

fn one() -> usize {
    1
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
    pub fn parse(text: &str) -> Result<Self, TuneError> {
        let config: Self = toml::from_str(text)?;
        if config.games == 0 || !config.games.is_multiple_of(2) {
            return Err(TuneError::field("games", config.games, "an even number above 0"));
        }
        if let Some(rate) = config.rate.filter(|&rate| !(rate > 0.0 && rate <= 1.0)) {
            return Err(TuneError::field("rate", rate, "a number above 0, at most 1"));
        }
        Ok(config)
    }

    /// The engine with its limits.
    pub fn engine(&self) -> Result<EngineSpec, TuneError> {
        let mut spec: EngineSpec = self.engine.parse()?;
        let tc = match &self.tc {
            None => None,
            Some(text) => {
                let tc = text.parse();
                Some(tc.map_err(|_| TuneError::field("tc", text, "a clock such as 1+0.01"))?)
            }
        };
        let limit = Limit { tc, nodes: self.nodes, depth: self.depth, movetime: None };
        spec.limit = spec.limit.or(&limit);
        if spec.limit.is_none() {
            return Err(TuneError::field("tc", "", "one of tc, nodes and depth"));
        }
        Ok(spec)
    }

    /// The opening book.
    pub fn book(&self) -> Result<Book, TuneError> {
        let Some(file) = &self.book else { return Ok(starting_position()) };
        let settings = BookSettings {
            file: file.clone(),
            order: Order::Random,
            seed: self.seed,
            start: 1,
            plies: self.plies,
        };
        Ok(Book::load(&settings)?)
    }

    /// The rules of the games.
    pub fn rules(&self, book: &Book) -> Result<Rules, TuneError> {
        let draw = self.draw.as_deref().map(str::parse).transpose()?;
        let resign = self.resign.as_deref().map(str::parse).transpose()?;
        Ok(Rules { draw, resign, castling: book.castling(), ..Rules::default() })
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
    pub fn parameters(&self) -> Result<ParameterSource, TuneError> {
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

    /// The folder of the run: `out`, or the file's name without its ending.
    pub fn folder(&self, file: &Path) -> PathBuf {
        self.out.clone().unwrap_or_else(|| file.with_extension(""))
    }

    /// What makes two runs the same, for people to read.
    pub fn purpose(&self) -> String {
        let Self { engine, trials, games, seed, .. } = self;
        let limit = self.engine().map_or_else(|_| String::new(), |spec| spec.limit.to_string());
        let book = self.book.as_ref().map_or("no book".into(), |book| book.to_string_lossy());
        format!("{engine}; {limit}; {book}; {trials} trials of {games} games; seed {seed}")
    }
}

#[cfg(test)]
mod tests {
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
        assert!(bare.engine().unwrap_err().to_string().contains("one of tc, nodes and depth"));
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
        assert_eq!(asked.folder(Path::new("runs/lmr.toml")), Path::new("runs/lmr"));
    }
}
