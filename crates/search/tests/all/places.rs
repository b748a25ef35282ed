// SPDX-License-Identifier: GPL-3.0-or-later
//! ARCHITECTURE.md says that a heuristic is three places: its declaration, its method and its call. So its
//! switch, numbers and counters are named in at most two files besides the declaration.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use search::{Heuristic, Params, Scope};

const SOURCES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src");

/// Files besides the declaration that may name what belongs to a heuristic.
const MOST: usize = 2;

/// The text of every source file without comments and tests, and without the declarations.
fn sources(folder: &Path, found: &mut Vec<(String, String)>) {
    for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if path.is_dir() && name != "params" {
            sources(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs")
            && !["tests.rs", "testing.rs", "effects.rs"].contains(&&*name)
        {
            let text = fs::read_to_string(&path).unwrap();
            let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
            let code = code.lines().filter(|line| !line.trim_start().starts_with("//"));
            found.push((path.display().to_string(), code.collect::<Vec<_>>().join("\n")));
        }
    }
}

/// Whether a text names an item, not only one whose name contains this one.
fn names(text: &str, item: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(item).any(|(start, _)| {
        let before = text[..start].chars().next_back();
        let after = text[start + item.len()..].chars().next();
        !before.is_some_and(is_part) && !after.is_some_and(is_part)
    })
}

/// The names of a heuristic's switch and numbers. The groups of `params/tried.rs` hold changes that wait for
/// a screen, each a heuristic of its own.
fn items(heuristic: &Heuristic) -> Vec<Vec<&'static str>> {
    let switch = heuristic.switch.map(|(spec, _)| spec.name);
    let all = switch.into_iter().chain(heuristic.numbers.iter().map(|spec| spec.name));
    if heuristic.name.starts_with("tried_") {
        all.map(|item| vec![item]).collect()
    } else {
        vec![all.collect()]
    }
}

#[test]
fn a_heuristic_is_at_most_three_places() {
    let mut files = vec![];
    sources(Path::new(SOURCES), &mut files);
    assert!(files.len() > 30, "{SOURCES}");
    for heuristic in Params::heuristics().filter(|heuristic| heuristic.scope == Scope::AlphaBeta) {
        for items in items(heuristic) {
            let uses = |text: &str| items.iter().any(|item| names(text, item));
            let places: BTreeSet<&str> = files
                .iter()
                .filter(|(_, text)| uses(text))
                .map(|(path, _)| path.strip_prefix(SOURCES).unwrap_or(path))
                .collect();
            assert!((1..=MOST).contains(&places.len()), "{}: {places:?}", items.join(", "));
        }
    }
}

#[test]
fn every_number_is_read_somewhere() {
    let mut files = vec![];
    sources(Path::new(SOURCES), &mut files);
    for spec in Params::SPECS {
        let is_read = files.iter().any(|(_, text)| names(text, spec.name));
        assert!(is_read, "`{}` is declared and never read", spec.name);
    }
}
