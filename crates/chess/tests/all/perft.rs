// SPDX-License-Identifier: GPL-3.0-or-later
//! Known counts of move sequences: the suites of `tests/data/perft`, and those of the shared data
//! directory if it is there. `make perft` goes deeper.

use std::fs;
use std::path::{Path, PathBuf};

use chess::{Board, perft};
use rayon::prelude::*;

const OWN_SUITES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/perft");
const SHARED_SUITES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data/perft");

#[test]
fn reduced_suites_are_right() {
    let entries = check_suites(Path::new(OWN_SUITES), 10_000_000);
    assert!(entries > 450, "{entries}");
}

#[test]
fn shared_suites_are_right() {
    let suites = Path::new(SHARED_SUITES);
    if suites.is_dir() {
        let entries = check_suites(suites, 1_000_000);
        assert!(entries > 7000, "{entries}");
    }
}

/// Checks the counts up to `max_nodes` of all entries in a directory, and returns their number.
fn check_suites(directory: &Path, max_nodes: u64) -> usize {
    let mut paths: Vec<PathBuf> = fs::read_dir(directory)
        .unwrap()
        .map(|file| file.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "epd"))
        .collect();
    paths.sort();
    let texts: Vec<String> = paths.iter().map(|path| fs::read_to_string(path).unwrap()).collect();
    let lines: Vec<&str> = texts.iter().flat_map(|text| text.lines()).collect();
    lines.par_iter().for_each(|line| check_entry(line, max_nodes));
    lines.len()
}

fn check_entry(line: &str, max_nodes: u64) {
    let (fen, counts) = line.split_once(';').expect("a suite's line has counts");
    let board: Board = fen.parse().unwrap();
    for count in counts.split(';') {
        let (depth, expected) = count.trim().split_once(' ').expect("a count has two parts");
        let depth: u32 = depth.strip_prefix('D').expect("a depth begins with D").parse().unwrap();
        let expected: u64 = expected.trim().parse().unwrap();
        if expected <= max_nodes {
            assert_eq!(perft(&board, depth), expected, "depth {depth} of {fen}");
        }
    }
}
