// SPDX-License-Identifier: GPL-3.0-or-later
//! Why training cannot begin or go on.

use std::io;
use std::path::{Path, PathBuf};

/// Why training cannot begin or go on, in one sentence.
#[derive(Debug, thiserror::Error)]
pub enum TrainError {
    /// A file could not be read or written.
    #[error("{action} `{path}`")]
    Io {
        /// What was tried.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The run's directory cannot be used.
    #[error(transparent)]
    Store(#[from] common::store::StoreError),
    /// A file does not hold what it should.
    #[error("`{path}`: {reason}")]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A recipe is not what it must be.
    #[error("recipe `{path}`: {reason}")]
    Recipe {
        /// The recipe's file.
        path: PathBuf,
        /// The line or key, what it holds, and what was expected.
        reason: String,
    },
    /// Training data could not be used.
    #[error(transparent)]
    Data(#[from] data::DataError),
    /// The network could not be written.
    #[error("the trained network cannot be written: {0}")]
    Export(#[from] net::NetFileError),
}

impl TrainError {
    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { action, path, source }
    }

    pub(crate) fn file(path: &Path, reason: impl Into<String>) -> Self {
        Self::File { path: path.to_owned(), reason: reason.into() }
    }

    pub(crate) fn recipe(path: &Path, reason: impl Into<String>) -> Self {
        Self::Recipe { path: path.to_owned(), reason: reason.into() }
    }
}
