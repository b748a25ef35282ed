// SPDX-License-Identifier: GPL-3.0-or-later
//! Batu's four positions give what Batu expects of them, at its depths.

use engine::{BATU_POSITIONS, batu_bench, networks};
use net::Kernels;

/// What a network misses of the four.
fn missed(network: &str) -> Vec<String> {
    let network = networks::load(network, Kernels::detect()).expect("it is in the binary");
    let entries = batu_bench(&network).filter(|entry| !entry.is_found());
    let line = |entry: engine::BatuEntry| {
        let position = entry.position;
        let (label, depth, expected) = (position.label, position.depth, position.expected);
        format!("{label} (depth {depth}): {:?} {}, expected {expected}", entry.score(), entry.mv)
    };
    entries.map(line).collect()
}

#[test]
fn every_network_finds_what_batu_expects() {
    for network in ["batu", "house"] {
        assert_eq!(missed(network), Vec::<String>::new(), "{network}");
    }
}

#[test]
fn the_positions_are_those_of_batus_readme() {
    let depths: Vec<u32> = BATU_POSITIONS.iter().map(|position| position.depth).collect();
    assert_eq!(depths, [7, 6, 10, 6]);
    for position in BATU_POSITIONS {
        assert!(position.fen.parse::<chess::Board>().is_ok(), "{}", position.fen);
    }
}
