// SPDX-License-Identifier: GPL-3.0-or-later
//! What is wrong with a configuration: every mistake, with its line and, where there is one, a hint.

use std::fmt;

/// One mistake.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mistake {
    /// The line, from 1.
    pub line: usize,
    /// The key with its sections, such as `challenge.speeds`; empty for a mistake of syntax.
    pub key: String,
    /// What is wrong, and what was expected.
    pub message: String,
    /// What may have been meant.
    pub hint: Option<String>,
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: ", self.line)?;
        if !self.key.is_empty() {
            write!(f, "`{}`: ", self.key)?;
        }
        f.write_str(&self.message)?;
        self.hint.as_ref().map_or(Ok(()), |hint| write!(f, "\n  hint: {hint}"))
    }
}

/// All mistakes of a file, in the order of its lines.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub struct Mistakes(pub Vec<Mistake>);

impl fmt::Display for Mistakes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.0.len();
        write!(f, "{count} mistake{}", if count == 1 { "" } else { "s" })?;
        self.0.iter().try_for_each(|mistake| write!(f, "\n{mistake}"))
    }
}
