// SPDX-License-Identifier: GPL-3.0-or-later
//! What you touch to add an architecture: the table in docs/concepts/networks.md promises at most eight edits
//! in files of others.

use std::fs;
use std::path::{Path, PathBuf};

/// The most edits.
const MOST: usize = 8;

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The lines of code, tests and comments left out, that name an architecture in files that are not its own.
fn places(architecture: &str) -> Vec<String> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    for entry in fs::read_dir(&crates).unwrap() {
        let source = entry.unwrap().path().join("src");
        if source.is_dir() {
            sources(&source, &mut files);
        }
    }
    let mut places = Vec::new();
    for file in files {
        let name = file.strip_prefix(&crates).unwrap().display().to_string();
        // Files of other programs are converted where somebody has such files.
        let is_import = name.starts_with("net/src/import/") || name.contains("/convert");
        if is_import || name.to_lowercase().contains(architecture) {
            continue;
        }
        let text = fs::read_to_string(&file).unwrap();
        let code = text.split("#[cfg(test)]").next().unwrap();
        let is_comment = |line: &&str| line.trim_start().starts_with("//");
        let lines = code.lines().filter(|line| !is_comment(line));
        let named = lines.filter(|line| line.to_lowercase().contains(architecture));
        places.extend(named.map(|line| format!("{name}: {}", line.trim())));
    }
    places
}

#[test]
fn an_architecture_is_added_in_few_places() {
    // One that sees the board in a way of its own.
    let places = places("rengar");
    assert!((4..=MOST).contains(&places.len()), "{} places:\n{}", places.len(), places.join("\n"));
}
