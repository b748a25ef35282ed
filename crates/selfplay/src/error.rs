// SPDX-License-Identifier: GPL-3.0-or-later
//! Why games cannot be played or continued.

use std::path::PathBuf;

use data::DataError;
use thiserror::Error;

/// Why games cannot be played or continued.
#[derive(Debug, Error)]
pub enum SelfPlayError {
    /// The file cannot be read or written.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The file was begun otherwise.
    #[error("`{}` was begun with other settings: {difference}; choose another file", path.display())]
    Settings {
        /// The file of games.
        path: PathBuf,
        /// The first setting that differs.
        difference: String,
    },
    /// Another process writes to the files.
    #[error("`{}` is being written by another self-play: wait for its end, or choose another file", .0.display())]
    InUse(PathBuf),
    /// A thread could not be started.
    #[error("starting a thread: {0}")]
    Thread(std::io::Error),
}
