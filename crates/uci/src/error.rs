// SPDX-License-Identifier: GPL-3.0-or-later
//! Commands that cannot be obeyed.

/// Why a line with a known command cannot be obeyed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommandError {
    /// The line ends too early.
    #[error("`{command}`: expected {expected}, found nothing")]
    Missing {
        /// The command's word.
        command: &'static str,
        /// What should have followed.
        expected: &'static str,
    },
    /// Something else stands where an argument should.
    #[error("`{command}`: expected {expected}, found `{token}`")]
    Unexpected {
        /// The command's word.
        command: &'static str,
        /// What was found, clipped.
        token: String,
        /// What should have been there.
        expected: &'static str,
    },
}
