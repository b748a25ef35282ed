// SPDX-License-Identifier: GPL-3.0-or-later
//! Bad lines and games: counted, named and skipped, never fatal, never silent.

use std::fmt;
use std::io::Write;
use std::path::Path;

use tools::AtomicFile;

use crate::output::finish;
use crate::{DataError, ReadProgress};

/// Where something bad stands in a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// A line, from 1.
    Line(u64),
    /// A game, from 1, and the offset of its first byte in the unpacked file.
    Game {
        /// Which game.
        number: u64,
        /// Where it begins.
        offset: u64,
    },
    /// A game of a text, and the line where it begins, both from 1.
    GameAtLine {
        /// Which game.
        number: u64,
        /// Where it begins.
        line: u64,
    },
    /// A record, from 1.
    Record(u64),
    /// An offset in the unpacked file.
    Byte(u64),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(line) => write!(f, "{line}"),
            Self::Game { number, offset } => write!(f, "game {number} at byte {offset}"),
            Self::GameAtLine { number, line } => write!(f, "{line}: game {number}"),
            Self::Record(number) => write!(f, "record {number}"),
            Self::Byte(offset) => write!(f, "byte {offset}"),
        }
    }
}

/// Something bad that was skipped.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// Where it stands.
    pub place: Place,
    /// What was expected and what was found.
    pub reason: String,
}

impl Problem {
    /// A problem at a place.
    pub fn new(place: Place, reason: impl fmt::Display) -> Self {
        Self { place, reason: reason.to_string() }
    }
}

/// Counts problems, keeps the first ones to show, and writes all to a file if asked to.
#[derive(Debug, Default)]
pub struct Problems {
    count: u64,
    first: Vec<String>,
    log: Option<AtomicFile>,
}

impl Problems {
    /// How many are kept to show.
    pub const SHOWN: usize = 20;

    /// Also writes every problem to a file.
    pub fn logged_to(path: &Path) -> Result<Self, DataError> {
        let log = AtomicFile::create(path).map_err(DataError::io("creating", path))?;
        Ok(Self { log: Some(log), ..Self::default() })
    }

    /// Takes down a problem of a file.
    pub fn report(&mut self, path: &Path, problem: &Problem) -> Result<(), DataError> {
        self.count += 1;
        if self.first.len() >= Self::SHOWN && self.log.is_none() {
            return Ok(());
        }
        let sentence = format!("{}:{}: {}", path.display(), problem.place, problem.reason);
        if let Some(log) = &mut self.log {
            let written = writeln!(log, "{sentence}");
            written.map_err(DataError::io("writing", log.path()))?;
        }
        if self.first.len() < Self::SHOWN {
            self.first.push(sentence);
        }
        Ok(())
    }

    /// How many there were.
    pub const fn count(&self) -> u64 {
        self.count
    }

    /// The first of them, as `file:place: reason`.
    pub fn first(&self) -> &[String] {
        &self.first
    }

    /// Finishes the file, if there is one.
    pub fn finish(&mut self) -> Result<(), DataError> {
        self.log.take().map_or(Ok(()), finish)
    }
}

/// Whom a job tells how it goes.
pub struct Observer<'a> {
    /// Takes down what is bad.
    pub problems: &'a mut Problems,
    /// Is told now and then how far the job is.
    pub progress: &'a mut (dyn FnMut(ReadProgress) + Send),
}

impl fmt::Debug for Observer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Observer").field("problems", &self.problems).finish_non_exhaustive()
    }
}
