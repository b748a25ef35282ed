// SPDX-License-Identifier: GPL-3.0-or-later
//! Counts the instructions of a quiet move's update and evaluation with the house's network.
//!
//! ```text
//! cargo build --release -p net --example callgrind_house
//! valgrind --tool=callgrind --toggle-collect='*measured*' \
//!     target/release/examples/callgrind_house avx2 1000
//! ```
//! divides by the number of rounds given. The arguments are the kernels and the rounds.

use std::hint::black_box;
use std::process::ExitCode;
use std::sync::Arc;

use chess::{Board, Delta};
use net::{Kernels, NetEvaluator, random};

const WIDTH: u16 = 512;

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args().collect();
    let [_, kernels, rounds] = &arguments[..] else { return ExitCode::from(2) };
    let (Ok(kernels), Ok(rounds)) = (Kernels::by_name(kernels), rounds.parse()) else {
        return ExitCode::from(2);
    };
    let net = Arc::new(random::with_header(&random::house_header(WIDTH, 4, 8), 1));
    let mut evaluator = NetEvaluator::new(net, kernels);
    let board = Board::default();
    evaluator.reset(&board);
    let mut after = board;
    let delta = after.play(after.parse_uci("g1f3").expect("a legal move"));
    for _ in 0..rounds {
        black_box(measured(&mut evaluator, black_box(&delta), black_box(&after)));
        evaluator.pop();
    }
    ExitCode::SUCCESS
}

/// One quiet move: note it, update both views, run the head.
#[inline(never)]
fn measured(evaluator: &mut NetEvaluator, delta: &Delta, after: &Board) -> i32 {
    evaluator.push(delta);
    evaluator.evaluate(after)
}
