// SPDX-License-Identifier: GPL-3.0-or-later
//! Tables within documents that people write: only what stands between two marks is the tool's.
//!
//! ```text
//! <!-- league networks-clock -->
//! | Rank | Name | …
//! <!-- end of league -->
//! ```

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use crate::output;

const END: &str = "<!-- end of league -->";

/// Puts a league's table into a document, in place of the one that was there.
pub(super) fn update(path: &Path, league: &str, table: &str) -> Result<()> {
    let updated = updated(path, league, table)?;
    output::write(path, updated.as_bytes())
}

/// Does the document have a place for this league's table? Better asked before days of games.
pub(super) fn check(path: &Path, league: &str) -> Result<()> {
    updated(path, league, "").map(drop)
}

fn updated(path: &Path, league: &str, table: &str) -> Result<String> {
    let text = fs::read_to_string(path)
        .with_context(|| format!("reading the document `{}`", path.display()))?;
    with_table(&text, league, table).with_context(|| {
        let begin = begin_of(league);
        format!("{}: expected a line `{begin}` and after it `{END}`", path.display())
    })
}

fn begin_of(league: &str) -> String {
    format!("<!-- league {league} -->")
}

/// The document with another table between the league's marks; `None` if it has no such marks.
fn with_table(text: &str, league: &str, table: &str) -> Option<String> {
    let (before, rest) = text.split_once(&begin_of(league))?;
    let (old, after) = rest.split_once(END)?;
    // The end of another league's table is not ours.
    if old.contains("<!--") {
        return None;
    }
    Some(format!("{before}{}\n{table}{END}{after}", begin_of(league)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "One\n<!-- league a -->\nold\n<!-- end of league -->\nTwo\n\
                        <!-- league b -->\n<!-- end of league -->\n";

    #[test]
    fn only_the_named_table_changes() {
        let once = with_table(TEXT, "a", "| new |\n").expect("marks");
        assert_eq!(once, TEXT.replace("old\n", "| new |\n"));
        assert_eq!(with_table(&once, "a", "| new |\n").as_ref(), Some(&once));
        let both = with_table(&once, "b", "| more |\n").expect("marks");
        assert!(both.ends_with("<!-- league b -->\n| more |\n<!-- end of league -->\n"), "{both}");
        assert!(both.contains("| new |"), "{both}");
    }

    #[test]
    fn missing_marks_are_noticed() {
        assert_eq!(with_table(TEXT, "c", ""), None);
        assert_eq!(with_table("<!-- league a -->\n", "a", ""), None);
        let unfinished = TEXT.replacen("<!-- end of league -->\n", "", 1);
        assert_eq!(with_table(&unfinished, "a", ""), None);
    }
}
