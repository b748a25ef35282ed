// SPDX-License-Identifier: GPL-3.0-or-later
//! One self-contained HTML page for a run: charts as inline SVG, nothing loaded from elsewhere.
//!
//! The folder says what it is: `run.json` and `log.csv` of a match, or `state.json` of a tuning or a
//! screening.

mod league_page;
mod match_page;
mod screen_page;
mod tune_page;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

pub use league_page::league;

use crate::run::{self, LogError};
use crate::trials::{self, Saved, TrialError};
use crate::{screen, tune};

/// Why there is no page.
#[derive(Debug, Error)]
pub enum ReportError {
    /// The folder holds no run.
    #[error(
        "`{}` is no run: expected {} of a match or {} of a tuning or a screening",
        .path.display(), run::STATE_FILE, trials::STATE_FILE
    )]
    NoRun {
        /// The folder.
        path: PathBuf,
    },
    /// A file cannot be read.
    #[error("cannot read `{}`", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// The state of a match makes no sense.
    #[error("cannot understand `{}`", .path.display())]
    State {
        /// The file.
        path: PathBuf,
        /// Why.
        source: serde_json::Error,
    },
    /// The log of a match makes no sense.
    #[error("cannot understand `{}`", .path.display())]
    Log {
        /// The file.
        path: PathBuf,
        /// Why.
        source: LogError,
    },
    /// The state of a tuning or a screening makes no sense.
    #[error(transparent)]
    Trials(#[from] TrialError),
}

/// The page of a run.
pub fn render(folder: &Path) -> Result<String, ReportError> {
    if folder.join(run::STATE_FILE).exists() {
        return match_page::render(folder);
    }
    if let Some(state) = tune::TuneState::read(folder)? {
        return Ok(tune_page::render(&state));
    }
    match screen::ScreenState::read(folder)? {
        Some(state) => Ok(screen_page::render(&state)),
        None => Err(ReportError::NoRun { path: folder.to_owned() }),
    }
}

fn read(path: &Path) -> Result<String, ReportError> {
    fs::read_to_string(path).map_err(|source| ReportError::Io { path: path.to_owned(), source })
}
