// SPDX-License-Identifier: GPL-3.0-or-later
//! What it means to set an option.

use crate::config::Target;
use crate::fault::SettingFault;

/// What an option changes besides being remembered.
pub(crate) type Change<T> = fn(&mut Target<'_>, &T) -> Result<(), SettingFault>;

/// When an option takes effect, and on what.
pub(crate) enum Effect<T> {
    /// It is only remembered, and read by what comes later.
    Remember,
    /// It changes the searcher. While a search is under way, it waits for the end.
    AfterSearch(Change<T>),
    /// It changes the searcher. While a search is under way, it is refused.
    NotInSearch(Change<T>),
}

/// When an option takes effect.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Timing {
    /// At once.
    Now,
    /// When the search has ended.
    AfterSearch,
    /// At once, and never during a search.
    NotInSearch,
}

impl<T> Effect<T> {
    pub(crate) const fn timing(&self) -> Timing {
        match self {
            Self::Remember => Timing::Now,
            Self::AfterSearch(_) => Timing::AfterSearch,
            Self::NotInSearch(_) => Timing::NotInSearch,
        }
    }

    /// Changes the searcher.
    pub(crate) fn act(
        &self,
        target: Option<&mut Target<'_>>,
        value: &T,
    ) -> Result<(), SettingFault> {
        match (self, target) {
            (Self::AfterSearch(change) | Self::NotInSearch(change), Some(target)) => {
                change(target, value)
            }
            _ => Ok(()),
        }
    }
}
