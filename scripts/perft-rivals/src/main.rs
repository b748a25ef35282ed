// SPDX-License-Identifier: GPL-3.0-or-later
//! Perft by other chess libraries: `perft-rivals cozy-chess|shakmaty DEPTH FEN` prints the count of
//! nodes and the seconds it took.
//!
//! Like ours, both count the last move without playing it.

use std::env;
use std::process::ExitCode;
use std::time::Instant;

use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Position};

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [library, depth, fen] = arguments.as_slice() else { return usage() };
    let Ok(depth) = depth.parse() else { return usage() };
    let Some((nodes, seconds)) = run(library, depth, fen) else { return usage() };
    println!("{nodes} {seconds}");
    ExitCode::SUCCESS
}

fn usage() -> ExitCode {
    eprintln!("usage: perft-rivals cozy-chess|shakmaty DEPTH FEN");
    ExitCode::from(2)
}

fn run(library: &str, depth: u32, fen: &str) -> Option<(u64, f64)> {
    match library {
        "cozy-chess" => {
            let board = fen.parse().ok()?;
            Some(timed(|| cozy_perft(&board, depth)))
        }
        "shakmaty" => {
            let fen: Fen = fen.parse().ok()?;
            let position = fen.into_position(CastlingMode::Standard).ok()?;
            Some(timed(|| shakmaty_perft(&position, depth)))
        }
        _ => None,
    }
}

fn timed(count: impl FnOnce() -> u64) -> (u64, f64) {
    let start = Instant::now();
    let nodes = count();
    (nodes, start.elapsed().as_secs_f64())
}

fn cozy_perft(board: &cozy_chess::Board, depth: u32) -> u64 {
    let mut nodes = 0;
    board.generate_moves(|moves| {
        if depth <= 1 {
            nodes += moves.len() as u64;
        } else {
            for mv in moves {
                let mut next = board.clone();
                next.play_unchecked(mv);
                nodes += cozy_perft(&next, depth - 1);
            }
        }
        false
    });
    nodes
}

fn shakmaty_perft(position: &Chess, depth: u32) -> u64 {
    let moves = position.legal_moves();
    if depth <= 1 {
        return moves.len() as u64;
    }
    let after = |mv| {
        let mut next = position.clone();
        next.play_unchecked(mv);
        shakmaty_perft(&next, depth - 1)
    };
    moves.into_iter().map(after).sum()
}
