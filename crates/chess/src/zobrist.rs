// SPDX-License-Identifier: GPL-3.0-or-later
//! Numbers whose exclusive or identifies a position.
//!
//! See <https://www.chessprogramming.org/Zobrist_Hashing>. The numbers are made by the compiler from
//! a fixed seed, so keys are the same on every machine and in every run.

use crate::{ByColor, Color, File, Piece, Role, Square};

/// What identifies a position, whole and in parts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Keys {
    /// The whole position: pieces, side to move, castling rights, and en passant if it is legal.
    pub position: u64,
    /// The pawns of both sides.
    pub pawns: u64,
    /// Each side's pieces other than pawns, the king included.
    pub non_pawns: ByColor<u64>,
}

impl Keys {
    /// Puts a piece on a square, or takes it away.
    #[inline]
    pub(crate) fn toggle(&mut self, piece: Piece, square: Square) {
        let number = PIECES[piece.index()][square.index()];
        self.position ^= number;
        if piece.role() == Role::Pawn {
            self.pawns ^= number;
        } else {
            self.non_pawns[piece.color()] ^= number;
        }
    }
}

/// The number of a piece on a square.
#[inline]
pub(crate) const fn piece(piece: Piece, square: Square) -> u64 {
    PIECES[piece.index()][square.index()]
}

/// The number of the right to castle with the rook on this file. King and queen's side need no
/// difference: the king's own square tells them apart.
#[inline]
pub(crate) const fn castling(color: Color, file: File) -> u64 {
    CASTLING[color.index()][file.index()]
}

/// The number of a pawn on this file that can be taken en passant.
#[inline]
pub(crate) const fn en_passant(file: File) -> u64 {
    EN_PASSANT[file.index()]
}

/// The number of Black's turn.
pub(crate) const BLACK_TO_MOVE: u64 = number(3 << 32);

static PIECES: [[u64; 64]; 12] = PIECES_CONST;

const PIECES_CONST: [[u64; 64]; 12] = {
    let mut table = [[0; 64]; 12];
    let mut i = 0;
    while i < 12 * 64 {
        table[i / 64][i % 64] = number(i as u64);
        i += 1;
    }
    table
};

const CASTLING: [[u64; 8]; 2] = {
    let mut table = [[0; 8]; 2];
    let mut i = 0;
    while i < 16 {
        table[i / 8][i % 8] = number(1 << 32 | i as u64);
        i += 1;
    }
    table
};

const EN_PASSANT: [u64; 8] = {
    let mut table = [0; 8];
    let mut i = 0;
    while i < 8 {
        table[i] = number(2 << 32 | i as u64);
        i += 1;
    }
    table
};

/// The `index`-th output of the `SplitMix64` generator.
const fn number(index: u64) -> u64 {
    const SEED: u64 = 0x51_4E_43_4E_58;
    let mut z = SEED.wrapping_add((index + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_numbers_differ() {
        let mut numbers: Vec<u64> = PIECES.iter().flatten().copied().collect();
        numbers.extend(CASTLING.iter().flatten());
        numbers.extend(EN_PASSANT);
        numbers.push(BLACK_TO_MOVE);
        let len = numbers.len();
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(numbers.len(), len);
    }
}
