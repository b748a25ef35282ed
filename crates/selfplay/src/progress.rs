// SPDX-License-Identifier: GPL-3.0-or-later
//! How far a run has come.

/// How far a run has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct GenerationProgress {
    /// Games in the files.
    pub games: u64,
    /// Positions in them.
    pub positions: u64,
}
