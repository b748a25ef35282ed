// SPDX-License-Identifier: GPL-3.0-or-later
//! Why a network file was refused.

/// Why a network file was refused, in one sentence.
#[derive(Debug, thiserror::Error)]
pub enum NetFileError {
    /// The file could not be read at all. The sentence holds the reason, so it is not a source as well.
    #[error("cannot read the network file: {0}")]
    Io(std::io::Error),
    /// A field of the header, or the file as a whole, is not what it must be.
    #[error("{field} is {found}, expected {expected}")]
    Field {
        /// What was looked at.
        field: &'static str,
        /// What it held.
        found: String,
        /// What it may hold.
        expected: String,
    },
    /// A weight is not what it must be.
    #[error("tensor `{tensor}`, element {index} is {found}, expected {expected}")]
    Weight {
        /// The tensor that holds the weight.
        tensor: &'static str,
        /// Which element of it.
        index: usize,
        /// The weight.
        found: String,
        /// What it may be.
        expected: String,
    },
    /// A text file that was to be converted holds something else than expected.
    #[error("{text}, line {line}: {found}, expected {expected}")]
    Text {
        /// Which text it is.
        text: &'static str,
        /// The line, counted from 1.
        line: usize,
        /// What it holds.
        found: String,
        /// What it should hold.
        expected: String,
    },
}

#[expect(clippy::needless_pass_by_value, reason = "numbers and texts alike, without a reference")]
impl NetFileError {
    pub(crate) fn field(
        field: &'static str,
        found: impl ToString,
        expected: impl ToString,
    ) -> Self {
        Self::Field { field, found: found.to_string(), expected: expected.to_string() }
    }

    pub(crate) fn text(
        text: &'static str,
        line: usize,
        found: impl ToString,
        expected: impl ToString,
    ) -> Self {
        Self::Text { text, line, found: found.to_string(), expected: expected.to_string() }
    }
}

impl From<std::io::Error> for NetFileError {
    fn from(error: std::io::Error) -> Self {
        Self::Io(error)
    }
}
