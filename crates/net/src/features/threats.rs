// SPDX-License-Identifier: GPL-3.0-or-later
//! The policy's features: every piece on every square, told apart by whether it is attacked and
//! whether it is defended.
//!
//! They are computed from scratch: a leaf of the tree has little in common with the leaf before.

use chess::{Board, Color, File, Square};

/// How many features there are: 768 for each of the four cases.
pub const LEN: usize = 4 * SET;
/// The pieces of both sides on 64 squares.
const SET: usize = 768;

/// How a board is turned before a network sees it: the side to move plays upwards, and its king
/// stands on the files a to d.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Orientation(usize);

impl Orientation {
    /// How this board is turned.
    pub fn of(board: &Board) -> Self {
        let us = board.turn();
        let ranks = if us == Color::White { 0 } else { 56 };
        let files = if board.king(us).file() > File::D { 7 } else { 0 };
        Self(ranks | files)
    }

    /// The index of a square on the turned board.
    #[inline]
    pub const fn index(self, square: Square) -> usize {
        square.index() ^ self.0
    }
}

/// Calls `add` with the feature of every piece:
/// `768·(2·attacked + defended) + 384·theirs + 64·role + square`.
///
/// Attacked is what a piece of the other side attacks, defended what one of its own side does; pins
/// do not matter.
///
/// ```
/// use chess::Board;
/// use net::features::threats;
/// let mut features = Vec::new();
/// threats::for_each(&Board::default(), |feature| features.push(feature));
/// assert_eq!(features.len(), 32);
/// assert!(features.contains(&(768 + 8))); // the pawn h2, mirrored to a2, defended
/// assert!(features.contains(&(64 * 3 + 7))); // nobody defends the rook a1, mirrored to h1
/// ```
pub fn for_each(board: &Board, mut add: impl FnMut(usize)) {
    let us = board.turn();
    let orientation = Orientation::of(board);
    let attacks = [us, !us].map(|side| board.threats(side).all);
    for (side, color) in [us, !us].into_iter().enumerate() {
        let (defended, attacked) = (attacks[side], attacks[1 - side]);
        for square in board.by_color(color) {
            let Some(role) = board.role_on(square) else { continue };
            let case =
                2 * usize::from(attacked.contains(square)) + usize::from(defended.contains(square));
            let piece = 384 * side + 64 * role.index();
            add(SET * case + piece + orientation.index(square));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn features(fen: &str) -> Vec<usize> {
        let mut features = Vec::new();
        for_each(&fen.parse().unwrap(), |feature| features.push(feature));
        features.sort_unstable();
        features
    }

    #[test]
    fn each_case_has_its_own_rows() {
        // The rook attacks the pawn and defends its king; the pawn's king defends the pawn.
        let (rook, king) = (64 * 3 + 3, 64 * 5);
        let (their_king, pawn) = (384 + 64 * 5 + 60, 384 + 51);
        let mut expected = vec![rook, SET + king, their_king, 3 * SET + pawn];
        expected.sort_unstable();
        assert_eq!(features("4k3/3p4/8/8/8/8/8/K2R4 w - - 0 1"), expected);
    }

    #[test]
    fn mirrored_and_swapped_boards_have_the_same_features() {
        let original = features("r5k1/5ppp/2n5/8/4P3/8/5PPP/2R3K1 w - - 0 1");
        assert_eq!(original, features("2r3k1/5ppp/8/4p3/8/2N5/5PPP/R5K1 b - - 0 1"));
        assert_eq!(original, features("1k5r/ppp5/5n2/8/3P4/8/PPP5/1K3R2 w - - 0 1"));
    }
}
