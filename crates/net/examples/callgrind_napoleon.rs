// SPDX-License-Identifier: GPL-3.0-or-later
//! Evaluates positions with a random Napoleon, to count instructions:
//!
//! ```text
//! cargo build --release -p net --example callgrind_napoleon
//! valgrind --tool=callgrind --toggle-collect='*evaluate_all*' \
//!     target/release/examples/callgrind_napoleon avx2
//! ```
//!
//! The first argument chooses the kernels, the second how often the positions are gone through. The
//! last line has the multiply-adds to divide the instructions by.

use std::error::Error;
use std::io::{Write, stdout};
use std::sync::Arc;
use std::time::Instant;

use chess::Board;
use net::{Architecture, Kernels, NapoleonShape, NetEvaluator, random};

const FENS: [&str; 5] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 b - - 0 10",
    "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
];

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let kernels = Kernels::by_name(&args.next().unwrap_or_else(|| "auto".to_owned()))?;
    let rounds: usize = args.next().map_or(Ok(1), |rounds| rounds.parse())?;
    let boards = FENS.iter().map(|fen| fen.parse()).collect::<Result<Vec<Board>, _>>()?;
    let net = Arc::new(random::network(Architecture::Napoleon, 1));
    let shape = NapoleonShape::from_header(net.header())?;
    let mut evaluator = NetEvaluator::new(net, kernels).without_memory();
    let (mut points, mut fastest) = (0, f64::MAX);
    for _ in 0..rounds {
        let start = Instant::now();
        points += evaluate_all(&mut evaluator, &boards);
        fastest = fastest.min(start.elapsed().as_secs_f64() * 1e6 / boards.len() as f64);
    }
    let macs = shape.multiply_adds() * boards.len() * rounds;
    writeln!(stdout(), "points {points}, {fastest:.1} µs per evaluation, {macs} multiply-adds")?;
    Ok(())
}

#[inline(never)]
fn evaluate_all(evaluator: &mut NetEvaluator, boards: &[Board]) -> i64 {
    boards.iter().map(|board| i64::from(evaluator.evaluate(board))).sum()
}
