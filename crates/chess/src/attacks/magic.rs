// SPDX-License-Identifier: GPL-3.0-or-later
//! Attacks of sliding pieces by magic bitboards.
//!
//! The blockers on a piece's lines are multiplied by a number found once by search, such that the
//! top bits of the product index a table of attack sets. All tables are made by the compiler. See
//! <https://www.chessprogramming.org/Magic_Bitboards>.

use super::magics;
use crate::{Bitboard, Square};

#[derive(Clone, Copy)]
struct Magic {
    /// Squares whose occupation matters.
    mask: u64,
    factor: u64,
    shift: u32,
    /// Where this square's part of the table begins.
    offset: u32,
}

impl Magic {
    #[inline]
    const fn slot(&self, occupied: u64) -> usize {
        let index = (occupied & self.mask).wrapping_mul(self.factor) >> self.shift;
        self.offset as usize + index as usize
    }
}

/// The attacks of a bishop that sees the board with these squares occupied.
#[inline]
pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    BISHOP_TABLE[BISHOPS[square.index()].slot(occupied.0)]
}

/// The attacks of a rook that sees the board with these squares occupied.
///
/// ```
/// use chess::{Square, attacks, bitboard};
/// let occupied = bitboard! {
///     . . . . . . . .
///     . . . . . . . .
///     . . . X . . . .
///     . . . . . . . .
///     . X . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
/// };
/// let expected = bitboard! {
///     . . . . . . . .
///     . . . . . . . .
///     . . . X . . . .
///     . . . X . . . .
///     . X X . X X X X
///     . . . X . . . .
///     . . . X . . . .
///     . . . X . . . .
/// };
/// assert_eq!(attacks::rook(Square::D4, occupied), expected);
/// ```
#[inline]
pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    ROOK_TABLE[ROOKS[square.index()].slot(occupied.0)]
}

/// The attacks of a queen that sees the board with these squares occupied.
#[inline]
pub fn queen(square: Square, occupied: Bitboard) -> Bitboard {
    bishop(square, occupied) | rook(square, occupied)
}

static BISHOPS: [Magic; 64] = make_magics(&magics::BISHOP, Slider::Bishop);
static ROOKS: [Magic; 64] = make_magics(&magics::ROOK, Slider::Rook);
static BISHOP_TABLE: [Bitboard; 5248] = make_table(&BISHOPS_CONST, Slider::Bishop);
#[expect(long_running_const_eval, reason = "one entry per arrangement of blockers")]
static ROOK_TABLE: [Bitboard; 102_400] = make_table(&ROOKS_CONST, Slider::Rook);
const BISHOPS_CONST: [Magic; 64] = make_magics(&magics::BISHOP, Slider::Bishop);
const ROOKS_CONST: [Magic; 64] = make_magics(&magics::ROOK, Slider::Rook);

#[derive(Clone, Copy)]
enum Slider {
    Bishop,
    Rook,
}

impl Slider {
    /// The piece's two lines through a square, the square itself excluded.
    const fn lines(self, square: usize) -> [u64; 2] {
        let (file, rank) = (square % 8, square / 8);
        let own = 1 << square;
        match self {
            Self::Rook => [(0x0101_0101_0101_0101 << file) & !own, (0xFFu64 << (8 * rank)) & !own],
            Self::Bishop => [diagonal(rank, file) & !own, anti_diagonal(rank, file) & !own],
        }
    }

    const fn attacks(self, square: usize, occupied: u64) -> u64 {
        let [one, other] = self.lines(square);
        line_attacks(square, one, occupied) | line_attacks(square, other, occupied)
    }

    /// The lines without those border squares that end them: what stands there blocks nothing.
    const fn mask(self, square: usize) -> u64 {
        let (file, rank) = (square % 8, square / 8);
        let outer_ranks = 0xFF00_0000_0000_00FF & !(0xFF << (8 * rank));
        let outer_files = 0x8181_8181_8181_8181 & !(0x0101_0101_0101_0101 << file);
        let [one, other] = self.lines(square);
        (one | other) & !(outer_ranks | outer_files)
    }
}

const fn diagonal(rank: usize, file: usize) -> u64 {
    const MAIN: u64 = 0x8040_2010_0804_0201;
    if rank >= file { MAIN << (8 * (rank - file)) } else { MAIN >> (8 * (file - rank)) }
}

const fn anti_diagonal(rank: usize, file: usize) -> u64 {
    const MAIN: u64 = 0x0102_0408_1020_4080;
    let sum = rank + file;
    if sum >= 7 { MAIN << (8 * (sum - 7)) } else { MAIN >> (8 * (7 - sum)) }
}

/// Subtracting the slider from the blockers flips every bit up to the first blocker; the same on
/// the mirrored board finds the other direction.
const fn line_attacks(square: usize, line: u64, occupied: u64) -> u64 {
    let (slider, blockers) = (1u64 << square, occupied & line);
    let up = blockers.wrapping_sub(slider << 1);
    let down = blockers.reverse_bits().wrapping_sub(slider.reverse_bits() << 1).reverse_bits();
    (up ^ down) & line
}

const fn make_magics(factors: &[u64; 64], slider: Slider) -> [Magic; 64] {
    let mut magics = [Magic { mask: 0, factor: 0, shift: 0, offset: 0 }; 64];
    let mut offset = 0;
    let mut square = 0;
    while square < 64 {
        let mask = slider.mask(square);
        let bits = mask.count_ones();
        magics[square] = Magic { mask, factor: factors[square], shift: 64 - bits, offset };
        offset += 1 << bits;
        square += 1;
    }
    magics
}

const fn make_table<const N: usize>(magics: &[Magic; 64], slider: Slider) -> [Bitboard; N] {
    let mut table = [Bitboard::EMPTY; N];
    let mut square = 0;
    while square < 64 {
        let magic = &magics[square];
        let mut occupied = 0u64;
        loop {
            table[magic.slot(occupied)] = Bitboard(slider.attacks(square, occupied));
            // The next subset of the mask.
            occupied = occupied.wrapping_sub(magic.mask) & magic.mask;
            if occupied == 0 {
                break;
            }
        }
        square += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Walks each direction step by step.
    fn walk(square: Square, occupied: Bitboard, steps: [(i8, i8); 4]) -> Bitboard {
        let mut set = Bitboard::EMPTY;
        for (file_step, rank_step) in steps {
            let (mut file, mut rank) =
                (square.file().index() as i8 + file_step, square.rank().index() as i8 + rank_step);
            while (0..8).contains(&file) && (0..8).contains(&rank) {
                let target = Square::try_from_index((rank * 8 + file) as usize).unwrap();
                set = set.with(target);
                if occupied.contains(target) {
                    break;
                }
                (file, rank) = (file + file_step, rank + rank_step);
            }
        }
        set
    }

    #[test]
    fn tables_agree_with_walking() {
        let mut random = 0x9E37_79B9_7F4A_7C15u64;
        for _ in 0..500 {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            for (square, occupied) in
                Square::all().zip([random, random & random << 5].iter().cycle())
            {
                let occupied = Bitboard(*occupied);
                let rooks = walk(square, occupied, [(0, 1), (0, -1), (1, 0), (-1, 0)]);
                let bishops = walk(square, occupied, [(1, 1), (1, -1), (-1, 1), (-1, -1)]);
                assert_eq!(rook(square, occupied), rooks);
                assert_eq!(bishop(square, occupied), bishops);
                assert_eq!(queen(square, occupied), rooks | bishops);
            }
        }
    }
}
