// SPDX-License-Identifier: GPL-3.0-or-later
//! Where the results of a match are kept.

use tools::store::StoreError;

use super::standings::{PairResult, Standings};
use super::worker::{BoardView, PairRecord};

/// Where results are kept.
pub trait Journal {
    /// The pairs that it holds already.
    fn finished_pairs(&self) -> &[PairResult];
    /// Whether what it holds is still there when the program has ended.
    fn is_lasting(&self) -> bool {
        true
    }
    /// Keeps one more pair.
    fn add(&mut self, pair: &PairRecord, standings: &Standings) -> Result<(), StoreError>;
    /// Shows the games under way to whoever watches.
    fn show(&mut self, _boards: &[BoardView]) {}
}

/// Keeps nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoJournal;

impl Journal for NoJournal {
    fn finished_pairs(&self) -> &[PairResult] {
        &[]
    }

    fn is_lasting(&self) -> bool {
        false
    }

    fn add(&mut self, _: &PairRecord, _: &Standings) -> Result<(), StoreError> {
        Ok(())
    }
}
