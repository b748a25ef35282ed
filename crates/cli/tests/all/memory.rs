// SPDX-License-Identifier: GPL-3.0-or-later
//! How much memory the engine takes beside its hash table: docs/concepts/trust.md promises a limit.

use crate::common::Engine;

const HASH: u64 = 16;
const THREADS: u64 = 2;

/// What the program and its networks may take, in MiB.
const PROGRAM: u64 = 48;
/// What each thread may take: its stack, its histories and its accumulators.
const PER_THREAD: u64 = 8;

const POSITIONS: [&str; 4] = [
    "startpos",
    "fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "fen 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "fen rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
];

/// A thousand short searches, and one that fills the table, with networks that come and go.
#[test]
fn a_thousand_searches_stay_within_hash_and_a_constant() {
    const NETWORKS: [&str; 7] =
        ["house", "batu", "napoleon", "nectar", "rengar", "tal", "material"];
    let mut engine = Engine::start();
    engine.send(&format!("setoption name Hash value {HASH}"));
    engine.send(&format!("setoption name Threads value {THREADS}"));
    for (mode, nodes) in [("alphabeta", 400_000), ("mcts", 30_000), ("classic", 200)] {
        engine.send(&format!("setoption name SearchMode value {mode}"));
        for search in 0..334 {
            if search % 20 == 0 {
                let network = NETWORKS[search / 20 % NETWORKS.len()];
                engine.send(&format!("setoption name Network value {network}"));
            }
            engine.send(&format!("position {}", POSITIONS[search % POSITIONS.len()]));
            engine.send("go nodes 60");
            engine.wait_for("bestmove");
            engine.said.clear();
        }
        engine.send(&format!("go nodes {nodes}"));
        engine.wait_for("bestmove");
        let (peak, most) = (engine.peak_memory(), HASH + PROGRAM + THREADS * PER_THREAD);
        assert!(peak <= most, "{mode}: {peak} MiB, expected at most {most}");
    }
}
