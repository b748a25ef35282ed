// SPDX-License-Identifier: GPL-3.0-or-later
//! Evaluations per second of every architecture, from scratch and move by move, for every table of
//! kernels that this processor can run.
//!
//! ```text
//! cargo bench -p net
//! ```
//! Every figure is the best of many short rounds, so that other work on the machine matters less.
//! "Refresh" sums up all pieces again, "quiet" follows a knight's move and "king" a king's that
//! crosses to the other half of the board, each with its evaluation. Tal's kings move for nothing.
//! Napoleon and the policy begin anew every time; the policy's figure is for all moves of a position.
#![expect(clippy::print_stdout, reason = "a table is what a benchmark is for")]

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use chess::{Board, Delta};
use net::policy::{Policy, PolicyEvaluator};
use net::{Architecture, Header, Kernels, Net, NetEvaluator, random};

const ROUNDS: usize = 60;
const ROUND: Duration = Duration::from_millis(3);
const FEN: &str = "r1bq1rk1/pp2bppp/2n2n2/2pp4/3P4/2N1PN2/PP2BPPP/R1BQK2R w KQ - 0 9";

/// A board and a move on it.
struct Case {
    board: Board,
    after: Board,
    delta: Delta,
}

impl Case {
    fn new(uci: &str) -> Self {
        let board: Board = FEN.parse().expect("a legal position");
        let mut after = board;
        let delta = after.play(after.parse_uci(uci).expect("a legal move"));
        Self { board, after, delta }
    }
}

/// Calls per second: the best of several rounds.
fn rate(mut work: impl FnMut()) -> f64 {
    let round = |_| {
        let (start, mut calls) = (Instant::now(), 0u32);
        while start.elapsed() < ROUND {
            for _ in 0..16 {
                work();
            }
            calls += 16;
        }
        f64::from(calls) / start.elapsed().as_secs_f64()
    };
    (0..ROUNDS).map(round).fold(0.0, f64::max)
}

/// Takes turns between a full board and a bare one, which have nothing in common but the kings: as if
/// there were no cache.
fn refresh(net: &Arc<Net>, kernels: Kernels, case: &Case) -> f64 {
    let mut evaluator = NetEvaluator::new(Arc::clone(net), kernels).without_memory();
    let bare: Board = "4k3/8/8/8/8/8/8/4K3 w - - 0 1".parse().expect("a legal position");
    let both = rate(|| {
        evaluator.reset(black_box(&case.board));
        black_box(evaluator.evaluate(&case.board));
        evaluator.reset(black_box(&bare));
        black_box(evaluator.evaluate(&bare));
    });
    2.0 * both
}

fn follow(net: &Arc<Net>, kernels: Kernels, case: &Case) -> f64 {
    let mut evaluator = NetEvaluator::new(Arc::clone(net), kernels).without_memory();
    evaluator.reset(&case.board);
    rate(|| {
        evaluator.push(black_box(&case.delta));
        black_box(evaluator.evaluate(black_box(&case.after)));
        evaluator.pop();
    })
}

fn headers() -> Vec<(&'static str, Header)> {
    use Architecture::{Batu, Napoleon, Nectar, Rengar, Tal};
    vec![
        ("nectar 16", random::header(Nectar)),
        ("rengar 4x32", random::header(Rengar)),
        ("tal 8", random::header(Tal)),
        ("batu 256x32", random::header(Batu)),
        ("napoleon", random::header(Napoleon)),
        ("house 512 screlu", random::house_header(512, 4, 8)),
        ("house 512 pairwise", random::pairwise_header(512, 4, 8)),
    ]
}

/// The moves of a position, ranked from scratch.
fn rank(policy: &Arc<Policy>, kernels: Kernels, board: &Board) -> f64 {
    let mut policy = PolicyEvaluator::new(Arc::clone(policy), kernels);
    let moves = board.legal_moves();
    rate(|| {
        black_box(policy.priors(black_box(board), &moves, 1.0));
    })
}

fn print_row(name: &str, kernels: Kernels, rates: &[f64]) {
    let figures: Vec<_> = rates.iter().map(|rate| format!("{:>9.0}", rate / 1000.0)).collect();
    println!("{name:<20} {:<9} {}", kernels.name(), figures.join(" "));
}

fn main() {
    let (quiet, king) = (Case::new("f3d2"), Case::new("e1d2"));
    println!("thousands of evaluations per second\n");
    println!("{:<20} {:<9} {:>9} {:>9} {:>9}", "network", "kernels", "refresh", "quiet", "king");
    for (name, header) in headers() {
        let net = Arc::new(random::with_header(&header, 1));
        for kernels in Kernels::available() {
            let figures = [
                refresh(&net, kernels, &quiet),
                follow(&net, kernels, &quiet),
                follow(&net, kernels, &king),
            ];
            print_row(name, kernels, &figures);
        }
    }
    let policy = Arc::new(random::policy_of_width(512, 1));
    for kernels in Kernels::available() {
        print_row("policy 512", kernels, &[rank(&policy, kernels, &quiet.board)]);
    }
    for absent in ["avx2", "avx512", "avx512vnni", "neon"] {
        if Kernels::by_name(absent).is_err() {
            println!("\n{absent}: this processor has not got it");
        }
    }
}
