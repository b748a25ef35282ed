// SPDX-License-Identifier: GPL-3.0-or-later
//! Counting all sequences of legal moves, the classic test of a move generator.
//!
//! See <https://www.chessprogramming.org/Perft>.

use crate::{Board, Move};

/// The number of sequences of `depth` legal moves.
///
/// The last move is counted, not played.
///
/// ```
/// use chess::{Board, perft};
/// assert_eq!(perft(&Board::default(), 4), 197_281);
/// ```
pub fn perft(board: &Board, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => board.count_legal_moves() as u64,
        _ => board.legal_moves().into_iter().map(|mv| perft_after(board, mv, depth)).sum(),
    }
}

/// [`perft`] split by the first move, in the order of generation.
pub fn divide(board: &Board, depth: u32) -> Vec<(Move, u64)> {
    let moves = board.legal_moves().into_iter();
    moves.map(|mv| (mv, perft_after(board, mv, depth.max(1)))).collect()
}

/// The sequences of `depth` moves that begin with `mv`.
pub fn perft_after(board: &Board, mv: Move, depth: u32) -> u64 {
    let mut next = *board;
    next.play(mv);
    perft(&next, depth - 1)
}
