// SPDX-License-Identifier: GPL-3.0-or-later
//! Which records a run learns from, and when.

use std::path::PathBuf;

use data::qrec::{Header, RecordFile};

use crate::error::TrainError;
use crate::recipe::Recipe;
use crate::source::{Source, Stream};

pub(super) fn open(recipe: &Recipe, files: &[PathBuf]) -> Result<Source, TrainError> {
    let paths: Vec<_> = files.iter().map(|file| recipe.resolve(file)).collect();
    let source = Source::open(&paths)?;
    if source.is_empty() {
        return Err(TrainError::file(&paths[0], "there are no records to learn from"));
    }
    Ok(source)
}

/// Which records a run learns from, and when.
#[derive(Debug)]
pub(super) struct Phases {
    /// Steps of the whole run.
    pub(super) steps: u64,
    /// The first step on the finishing records.
    pub(super) begin_of_finish: u64,
    train: Source,
    finish: Option<Source>,
}

impl Phases {
    pub(super) fn open(recipe: &Recipe) -> Result<Self, TrainError> {
        let train = open(recipe, &recipe.data.train)?;
        let steps = recipe.steps(train.len());
        let finish = recipe.data.finish.as_ref();
        let share = finish.map_or(0.0, |finish| finish.share);
        let finish = finish.map(|finish| open(recipe, &finish.train)).transpose()?;
        let begin_of_finish = steps - (share * steps as f64) as u64;
        let phases = Self { steps, begin_of_finish, train, finish };
        phases.check_units(&open(recipe, std::slice::from_ref(&recipe.data.validation))?)?;
        Ok(phases)
    }

    /// Makes sure that all scores count the same, those of validation included.
    fn check_units(&self, validation: &Source) -> Result<(), TrainError> {
        let sources = [Some(&self.train), self.finish.as_ref(), Some(validation)];
        let files = sources.into_iter().flatten().flat_map(Source::files);
        data::common_unit(files).map(|_| ()).map_err(TrainError::from)
    }

    /// The records from a step on.
    pub(super) fn stream(&self, step: u64, recipe: &Recipe) -> Stream<'_> {
        let batch = recipe.schedule.batch as u64;
        match &self.finish {
            Some(finish) if step >= self.begin_of_finish => {
                let seed = recipe.seed.wrapping_add(1);
                finish.stream(seed, (step - self.begin_of_finish) * batch)
            }
            _ => self.train.stream(recipe.seed, step * batch),
        }
    }

    /// The files in words, for the network's provenance.
    pub(super) fn describe(&self) -> String {
        let sources = [Some(&self.train), self.finish.as_ref()].into_iter().flatten();
        let describe = |file: &RecordFile| {
            let name = file.path().file_name().unwrap_or_default().to_string_lossy();
            let Header { records, games, checksum, .. } = *file.header();
            let games = if games > 0 { format!(" of {games} games") } else { String::new() };
            format!("{name} ({records} positions{games}, checksum {checksum:016x})")
        };
        let files: Vec<String> =
            sources.flat_map(|source| source.files().iter().map(describe)).collect();
        files.join(", ")
    }
}
