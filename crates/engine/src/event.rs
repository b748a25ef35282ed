// SPDX-License-Identifier: GPL-3.0-or-later
//! What an engine tells of a search.

use std::fmt;
use std::sync::Arc;

use search::{Answer, Info};

use crate::fault::SettingFault;

/// Something that happened in a search. The last event is always [`Event::Ended`].
#[derive(Clone, PartialEq, Debug)]
pub enum Event {
    /// What the search has found so far. An engine that is limited in strength tells nothing.
    Info(Info),
    /// The search failed, for a reason that is a defect of the engine; its best answer follows.
    Failed(String),
    /// The search has ended with the move to play and the line behind it.
    Ended(Answer),
}

/// Who is told of events. The search's own threads call it.
pub type Listener = Arc<dyn Fn(Event) + Send + Sync>;

/// Something that a user should know about a setting.
#[derive(Debug)]
pub enum Notice {
    /// Endgame tables were opened: how many files, and the most men in them.
    Tables {
        /// Files found.
        files: usize,
        /// Men in the largest of them.
        men: usize,
    },
    /// A file that is not our own was loaded as a network.
    TakenFor {
        /// The file or folder.
        path: String,
        /// What it was taken for.
        what: String,
    },
    /// A network could not be loaded, and material evaluates instead; why.
    FellBack(String),
    /// A setting that had to wait for the end of a search has failed.
    Setting(SettingError),
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tables { files, men } => write!(f, "{files} tables of up to {men} men"),
            Self::TakenFor { path, what } => write!(f, "`{path}` is taken for {what}"),
            Self::FellBack(error) => write!(f, "{error}; `material` evaluates instead"),
            Self::Setting(error) => error.fmt(f),
        }
    }
}

/// Why an option was not set.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct SettingError(Box<Reason>);

impl<R: Into<Reason>> From<R> for SettingError {
    fn from(reason: R) -> Self {
        Self(Box::new(reason.into()))
    }
}

#[derive(Debug, thiserror::Error)]
pub(crate) enum Reason {
    #[error("no option `{0}`: `uci` lists them")]
    Unknown(String),
    #[error(transparent)]
    Value(#[from] uci::OptionError),
    #[error("{0}")]
    Range(#[from] uci::OptionWarning),
    #[error("{0}: refused while a search is under way: `stop` it first")]
    Searching(&'static str),
    #[error("{0}: {1}")]
    Fault(&'static str, SettingFault),
}
