// SPDX-License-Identifier: GPL-3.0-or-later
//! Recipes: everything that makes a network, in one TOML file.

use std::path::{Path, PathBuf};

use net::Architecture;
use serde::{Deserialize, Serialize};

use crate::checkpoint::checksum;
use crate::error::TrainError;
use crate::model::{self, Model};
use crate::objective::Objective;
use crate::optimizer::AdamW;
use crate::schedule::{Fall, Schedule};

/// Everything that makes a network.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// The network's name.
    pub name: String,
    /// Which architecture it is.
    pub architecture: String,
    /// What all random numbers follow from.
    #[serde(default = "one")]
    pub seed: u64,
    /// The checkpoint of an earlier run of the same network, or a network's file, whose parameters are the
    /// first ones here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<PathBuf>,
    /// Whether the optimizer's moments are taken from that checkpoint too, and do not begin anew.
    #[serde(default, skip_serializing_if = "is_false")]
    pub keep_moments: bool,
    /// The architecture's own choices.
    pub network: toml::Table,
    /// What is learnt from.
    pub data: DataOptions,
    /// What is learnt.
    #[serde(default)]
    pub objective: Objective,
    /// How long, and how fast.
    pub schedule: ScheduleOptions,
    /// The optimizer's constants.
    #[serde(default)]
    pub optimizer: AdamW,
    /// Where the recipe was read from.
    #[serde(skip)]
    path: PathBuf,
}

/// What is learnt from.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DataOptions {
    /// Shuffled files of records, beside the recipe or in the working directory.
    pub train: Vec<PathBuf>,
    /// Records of other games.
    pub validation: PathBuf,
    /// At most so many of them are used.
    #[serde(default = "validation_positions")]
    pub validation_positions: u64,
    /// Who labelled the positions, for the network's provenance.
    pub labels: String,
    /// Records with a score beyond this, either way, are left out, of validation too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_score: Option<u16>,
    /// Records for the end of the run.
    #[serde(default)]
    pub finish: Option<Finish>,
}

/// The end of a run, on better labels than the rest.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Finish {
    /// Shuffled files of records.
    pub train: Vec<PathBuf>,
    /// The share of all steps.
    pub share: f64,
}

/// How long, and how fast.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScheduleOptions {
    /// Positions of a step.
    pub batch: usize,
    /// How often all training positions are seen; or `steps`.
    #[serde(default)]
    pub passes: Option<f64>,
    /// How many steps are taken; or `passes`.
    #[serde(default)]
    pub steps: Option<u64>,
    /// How the learning rate falls.
    #[serde(default = "cosine")]
    pub fall: Fall,
    /// The highest learning rate.
    #[serde(default = "first_rate")]
    pub first: f32,
    /// The learning rate at the end.
    #[serde(default = "last_rate")]
    pub last: f32,
    /// Steps over which the learning rate rises.
    #[serde(default)]
    pub warm_up: u64,
    /// With `fall = "step"`: steps after which the rate falls.
    #[serde(default)]
    pub every: u64,
    /// With `fall = "step"`: what it is multiplied with.
    #[serde(default = "step_factor")]
    pub factor: f32,
    /// Steps between rows of the log, each with a validation and a checkpoint.
    #[serde(default = "interval")]
    pub interval: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands out references")]
const fn is_false(value: &bool) -> bool {
    !*value
}

const fn one() -> u64 {
    1
}

const fn validation_positions() -> u64 {
    200_000
}

const fn cosine() -> Fall {
    Fall::Cosine
}

const fn first_rate() -> f32 {
    1e-3
}

const fn last_rate() -> f32 {
    1e-5
}

const fn step_factor() -> f32 {
    0.3
}

const fn interval() -> u64 {
    500
}

impl Recipe {
    /// Reads a recipe, changed by settings such as `schedule.passes=2`.
    pub fn read(path: &Path, settings: &[String]) -> Result<Self, TrainError> {
        let text = tools::read::read_text(path).map_err(TrainError::io("reading", path))?;
        Self::parse(&text, path, settings)
    }

    /// A recipe from its text; `path` is named in errors, and data is looked for beside it.
    pub fn parse(text: &str, path: &Path, settings: &[String]) -> Result<Self, TrainError> {
        let bad = |error: &toml::de::Error| {
            let line = error.span().map(|span| 1 + text[..span.start].matches('\n').count());
            let place = line.map_or_else(String::new, |line| format!("line {line}: "));
            TrainError::recipe(path, format!("{place}{}", error.message().replace('\n', " ")))
        };
        let recipe = if settings.is_empty() {
            toml::from_str(text).map_err(|error| bad(&error))
        } else {
            let mut table: toml::Table = toml::from_str(text).map_err(|error| bad(&error))?;
            for setting in settings {
                apply(&mut table, setting).map_err(|reason| TrainError::recipe(path, reason))?;
            }
            toml::Value::Table(table).try_into().map_err(|error: toml::de::Error| {
                TrainError::recipe(path, error.to_string().trim().replace('\n', " "))
            })
        };
        let mut recipe: Self = recipe?;
        path.clone_into(&mut recipe.path);
        recipe.check().map_err(|reason| TrainError::recipe(path, reason))?;
        Ok(recipe)
    }

    fn check(&self) -> Result<(), String> {
        let schedule = &self.schedule;
        if schedule.passes.is_some() == schedule.steps.is_some() {
            return Err("schedule needs one of `passes` and `steps`".to_owned());
        }
        let must = |is_right: bool, key: &str, found: &dyn std::fmt::Display, expected: &str| {
            if is_right { Ok(()) } else { Err(format!("{key} is {found}, expected {expected}")) }
        };
        let name_len = self.name.len();
        must((1..=64).contains(&name_len), "name", &format!("{name_len} bytes long"), "1 to 64")?;
        let is_file_name =
            !self.name.contains(['/', '\\']) && !self.name.contains(char::is_control);
        must(is_file_name, "name", &self.name, "text that can be a file's name")?;
        must(!self.data.train.is_empty(), "data.train", &"empty", "at least one file")?;
        let batch = schedule.batch;
        must((1..=1 << 20).contains(&batch), "schedule.batch", &batch, "1 to 1048576")?;
        let passes = schedule.passes.unwrap_or(1.0);
        must((0.0..1e6).contains(&passes), "schedule.passes", &passes, "a number above 0")?;
        must(schedule.interval > 0, "schedule.interval", &schedule.interval, "at least 1")?;
        for (key, rate) in [("first", schedule.first), ("last", schedule.last)] {
            must((0.0..=1.0).contains(&rate), &format!("schedule.{key}"), &rate, "0 to 1")?;
        }
        let objective = &self.objective;
        let lambda = objective.lambda;
        must((0.0..=1.0).contains(&lambda), "objective.lambda", &lambda, "0 to 1")?;
        let last = objective.last_lambda.unwrap_or(lambda);
        must((0.0..=1.0).contains(&last), "objective.last_lambda", &last, "0 to 1")?;
        let max_score = self.data.max_score.unwrap_or(1);
        must(max_score > 0, "data.max_score", &max_score, "at least 1")?;
        if self.keep_moments {
            let from = self.from.as_deref().unwrap_or_else(|| Path::new(""));
            let is_checkpoint = from.extension().is_some_and(|extension| extension != "qnet");
            must(is_checkpoint, "from", &from.display(), "a checkpoint, whose moments are kept")?;
        }
        let scale = objective.scale;
        must((1.0..=1e5).contains(&scale), "objective.scale", &scale, "1 to 100000")?;
        let is_bounded =
            objective.max_score > 0.0 && (objective.max_score.is_finite() || !objective.is_linear);
        let max_score = objective.max_score;
        must(is_bounded, "objective.max_score", &max_score, "a number above 0, finite if linear")?;
        let smoothing = objective.smoothing;
        must((0.0..=1.0).contains(&smoothing), "objective.smoothing", &smoothing, "0 to 1")?;
        let power = objective.power;
        must((1.0..=8.0).contains(&power), "objective.power", &power, "1 to 8")?;
        if let Some(finish) = &self.data.finish {
            let share = finish.share;
            must((0.0..1.0).contains(&share), "data.finish.share", &share, "0 to 1")?;
            must(!finish.train.is_empty(), "data.finish.train", &"empty", "at least one file")?;
        }
        Ok(())
    }

    /// The file that it was read from.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The network that it asks for.
    pub fn model(&self) -> Result<Box<dyn Model>, TrainError> {
        let bad = |reason: String| TrainError::recipe(&self.path, reason);
        let mut all = Architecture::ALL.into_iter();
        let architecture = all.find(|a| a.name() == self.architecture).ok_or_else(|| {
            let names: Vec<_> = Architecture::ALL.iter().map(|a| a.name()).collect();
            let (found, expected) = (&self.architecture, names.join(", "));
            bad(format!("architecture is `{found}`, expected one of {expected}"))
        })?;
        model::build(architecture, &self.network).map_err(bad)
    }

    /// The recipe as it will be run, settings included.
    pub fn text(&self) -> String {
        toml::to_string(self).expect("a recipe can be written")
    }

    /// A hash of the recipe as it will be run.
    pub fn hash(&self) -> u64 {
        checksum(self.text().as_bytes())
    }

    /// A data file: beside the recipe if it is there, otherwise as seen from the working directory.
    pub fn resolve(&self, file: &Path) -> PathBuf {
        let beside = self.path.parent().unwrap_or_else(|| Path::new("")).join(file);
        if beside.exists() { beside } else { file.to_owned() }
    }

    /// How many steps there are for so many training positions.
    pub fn steps(&self, positions: u64) -> u64 {
        let from_passes =
            |passes: f64| (passes * positions as f64 / self.schedule.batch as f64).ceil() as u64;
        let passes = self.schedule.passes.map(from_passes);
        self.schedule.steps.or(passes).unwrap_or(0)
    }

    /// The learning rates over so many steps.
    pub const fn schedule(&self, steps: u64) -> Schedule {
        let options = &self.schedule;
        Schedule {
            fall: options.fall,
            first: options.first,
            last: options.last,
            warm_up: options.warm_up,
            every: options.every,
            factor: options.factor,
            steps,
        }
    }
}

/// Sets `a.b=value`. What is not TOML is taken as text.
fn apply(table: &mut toml::Table, setting: &str) -> Result<(), String> {
    let (key, value) = (setting.split_once('='))
        .ok_or_else(|| format!("setting `{setting}`: expected `key=value`"))?;
    let parsed = format!("value = {value}").parse::<toml::Table>().ok();
    let parsed = parsed.and_then(|mut table| table.remove("value"));
    let value = parsed.unwrap_or_else(|| toml::Value::String(value.to_owned()));
    let mut path: Vec<&str> = key.split('.').collect();
    let last = path.pop().unwrap_or_default();
    let mut inner = table;
    for part in path {
        let entry = inner.entry(part).or_insert_with(|| toml::Table::new().into());
        inner = entry
            .as_table_mut()
            .ok_or_else(|| format!("setting `{setting}`: `{part}` is no table"))?;
    }
    inner.insert(last.to_owned(), value);
    Ok(())
}
