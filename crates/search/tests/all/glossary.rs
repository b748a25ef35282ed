// SPDX-License-Identifier: GPL-3.0-or-later
//! docs/glossary.md names files and identifiers that exist.

use std::fs;
use std::path::Path;

const GLOSSARY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/glossary.md");
const SOURCES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src");

/// What stands between backticks in a cell of the table.
fn quoted(cell: &str) -> Vec<&str> {
    cell.split('`').skip(1).step_by(2).collect()
}

/// Whether a source declares an item of this name: a type, function, constant or field.
fn declares(source: &str, item: &str) -> bool {
    let starts = ["fn ", "struct ", "enum ", "trait ", "type ", "const "];
    let is_end = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    let after = |start: &str| {
        source
            .match_indices(&format!("{start}{item}"))
            .any(|(at, found)| is_end(&source[at + found.len()..]))
    };
    starts.into_iter().any(after) || source.contains(&format!(" {item}: "))
}

#[test]
fn every_name_of_the_glossary_is_where_it_says() {
    let text = fs::read_to_string(GLOSSARY).unwrap();
    let rows = text.lines().filter(|line| line.starts_with("| ") && line.contains(".rs`"));
    let mut checked = 0;
    for row in rows {
        let cells: Vec<&str> = row.split('|').collect();
        let [_, _, names, files, _] = cells[..] else { panic!("not three cells: {row}") };
        let [file] = quoted(files)[..] else { panic!("not one file: {row}") };
        let source = fs::read_to_string(Path::new(SOURCES).join(file))
            .unwrap_or_else(|error| panic!("{file}: {error}"));
        for name in quoted(names) {
            assert!(declares(&source, name), "{file} does not declare `{name}`");
            checked += 1;
        }
    }
    assert!(checked > 80, "{checked}");
}
