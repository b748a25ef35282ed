// SPDX-License-Identifier: GPL-3.0-or-later
//! Why a run of trials cannot go on.

use std::fmt::Display;
use std::path::PathBuf;

use common::store::StoreError;
use thiserror::Error;
use uci::ClientError;

use crate::SpecError;
use crate::openings::BookError;
use crate::referee::RuleError;
use crate::spsa::{ParameterError, SpsaError};

/// Why a run of trials cannot go on.
#[derive(Debug, Error)]
pub enum TrialError {
    /// The configuration makes no sense. The reason is a text, not a source, or it would be told twice.
    #[error("cannot read the configuration: {0}")]
    Config(String),
    /// The engine's description makes no sense.
    #[error(transparent)]
    Engine(#[from] SpecError),
    /// A rule for ending games makes no sense.
    #[error(transparent)]
    Rule(#[from] RuleError),
    /// A field of the configuration makes no sense.
    #[error("bad {field} `{token}`: expected {expected}")]
    Field {
        /// The field.
        field: &'static str,
        /// Its value.
        token: String,
        /// What would be right.
        expected: &'static str,
    },
    /// A parameter line makes no sense.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
    /// The engine printed nothing to tune.
    #[error("`{engine}` printed no tunable parameters: expected OpenBench lines for `tunables`")]
    NoTunables {
        /// The engine.
        engine: String,
    },
    /// The engine does not take an option.
    #[error("`{engine}`: {reason}: expected an engine that `make tune` builds")]
    Option {
        /// The engine.
        engine: String,
        /// What it does not take.
        reason: String,
    },
    /// The run cannot be set up.
    #[error(transparent)]
    Spsa(#[from] SpsaError),
    /// There is no book.
    #[error(transparent)]
    Book(#[from] BookError),
    /// An engine cannot be run.
    #[error(transparent)]
    Client(#[from] ClientError),
    /// A file cannot be read or written, is damaged or in use.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The folder holds something else.
    #[error("`{}`: {reason}", .path.display())]
    Folder {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
}

impl From<toml::de::Error> for TrialError {
    fn from(error: toml::de::Error) -> Self {
        Self::Config(error.to_string())
    }
}

impl TrialError {
    pub(crate) fn field(field: &'static str, token: impl Display, expected: &'static str) -> Self {
        Self::Field { field, token: token.to_string(), expected }
    }
}
