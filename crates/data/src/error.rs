// SPDX-License-Identifier: GPL-3.0-or-later
//! What stops a whole job, as against one bad line of it.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// Why a job on data cannot go on. What only spoils one line or game is a
/// [`Problem`](crate::Problem).
#[derive(Debug, Error)]
pub enum DataError {
    /// A file could not be opened, read or written.
    #[error("{action} `{}`", path.display())]
    Io {
        /// What was tried, such as `opening`.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A file is not what its name or header promises.
    #[error("`{}`: {reason}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// What was expected and what was found.
        reason: String,
    },
    /// The request makes no sense.
    #[error("{0}")]
    Usage(String),
}

impl DataError {
    /// A failed `action` on a file, for `map_err`.
    pub fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io { action, path: path.to_owned(), source }
    }

    /// A file that is not what it should be.
    pub fn format(path: &Path, reason: impl Into<String>) -> Self {
        Self::Format { path: path.to_owned(), reason: reason.into() }
    }
}
