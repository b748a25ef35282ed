// SPDX-License-Identifier: GPL-3.0-or-later
//! Files that commands read: plain, compressed, or standard input.

use std::path::Path;

use anyhow::{Context, Result};
use tools::read::{self, InputReader};

/// Opens a file for reading. One ending in `.zst` or `.xz` is unpacked on the way; `-` is standard
/// input.
pub(crate) fn open(path: &Path) -> Result<InputReader> {
    read::open(path).with_context(|| format!("opening `{}`", path.display()))
}

/// Reads a configuration whole.
pub(crate) fn read_text(path: &Path) -> Result<String> {
    read::read_text(path).with_context(|| format!("reading `{}`", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_files_are_named() {
        let Err(missing) = open(Path::new("no/such.pgn")) else { panic!("there is no such file") };
        assert!(missing.to_string().contains("`no/such.pgn`"), "{missing}");
    }
}
