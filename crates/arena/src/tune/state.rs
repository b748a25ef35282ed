// SPDX-License-Identifier: GPL-3.0-or-later
//! A tuning run on disk.

use serde::{Deserialize, Serialize};

use crate::spsa::{Spsa, TrialId};
use crate::stats::Trinomial;
use crate::trials::{Header, Saved, TrialError};

/// Everything a run needs to go on, and what its report shows.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TuneState {
    #[serde(flatten)]
    header: Header,
    /// The tuning itself.
    pub spsa: Spsa,
    /// All games so far, from the plus side's view.
    pub games: Trinomial,
}

impl Saved for TuneState {
    const KIND: &'static str = "tune";
    const VERSION: u32 = 1;

    fn header(&self) -> &Header {
        &self.header
    }
}

impl TuneState {
    /// The beginning of a run.
    pub fn new(purpose: &str, spsa: Spsa) -> Self {
        Self { header: Header::new::<Self>(purpose), spsa, games: Trinomial::default() }
    }

    pub(super) fn report(&mut self, id: TrialId, games: Trinomial) -> Result<(), TrialError> {
        self.spsa.report(id, games)?;
        self.games += games;
        Ok(())
    }
}
