// SPDX-License-Identifier: GPL-3.0-or-later
//! What must hold for any bytes: for the tests, and for both fuzzers.

use std::sync::Arc;

use chess::Board;
use net::policy::{Policy, PolicyEvaluator};
use net::{Kernels, Net, NetEvaluator};

const FENS: [&str; 4] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/8/8/k7/8/K7 b - - 0 1",
];

/// Reads bytes as a network. What is accepted is written as it was read, and can be evaluated on the
/// fastest path with the same outcome as on the plain one.
pub(crate) fn network_file(bytes: &[u8]) -> bool {
    match (Net::from_bytes(bytes), Policy::from_bytes(bytes)) {
        (Err(net), Err(policy)) => {
            assert!(![net, policy].map(|error| error.to_string()).contains(&String::new()));
            return false;
        }
        (Ok(_), Ok(_)) => panic!("a network is of one kind"),
        (Ok(net), Err(_)) => check_value(net, bytes),
        (Err(_), Ok(policy)) => check_policy(policy, bytes),
    }
    true
}

fn boards() -> impl Iterator<Item = Board> {
    FENS.iter().map(|fen| fen.parse().expect("a legal position"))
}

fn check_value(net: Net, bytes: &[u8]) {
    assert_eq!(net.to_bytes(), bytes);
    let net = Arc::new(net);
    let tables = [Kernels::portable(), Kernels::detect()];
    let [mut plain, mut fast] = tables.map(|kernels| NetEvaluator::new(net.clone(), kernels));
    for board in boards() {
        plain.reset(&board);
        fast.reset(&board);
        let points = plain.evaluate(&board);
        assert_eq!(fast.evaluate(&board), points);
        assert!(points.abs() <= 1_000_000, "{points} points");
    }
}

fn check_policy(policy: Policy, bytes: &[u8]) {
    assert_eq!(policy.to_bytes(), bytes);
    let policy = Arc::new(policy);
    let tables = [Kernels::portable(), Kernels::detect()];
    let [mut plain, mut fast] = tables.map(|kernels| PolicyEvaluator::new(policy.clone(), kernels));
    for board in boards() {
        let moves = board.legal_moves();
        let priors = plain.priors(&board, &moves, 1.0);
        assert!(priors.iter().all(|prior| (0.0..=1.0).contains(prior)), "{priors:?}");
        assert_eq!(fast.priors(&board, &moves, 1.0), priors);
    }
}
