// SPDX-License-Identifier: GPL-3.0-or-later
//! Which squares a piece attacks, and the lines that join squares.

mod magic;
mod magics;

pub use magic::{bishop, queen, rook};

use crate::{Bitboard, Color, Role, Square};

/// The attacks of a piece of this kind and color.
#[inline]
pub fn of(role: Role, color: Color, square: Square, occupied: Bitboard) -> Bitboard {
    match role {
        Role::Pawn => pawn(color, square),
        Role::Knight => knight(square),
        Role::Bishop => bishop(square, occupied),
        Role::Rook => rook(square, occupied),
        Role::Queen => queen(square, occupied),
        Role::King => king(square),
    }
}

/// The squares that a pawn of this color attacks.
#[inline]
pub fn pawn(color: Color, square: Square) -> Bitboard {
    PAWN[color.index()][square.index()]
}

/// The squares that any of these pawns attacks.
#[inline]
pub const fn pawns(color: Color, pawns: Bitboard) -> Bitboard {
    let forward = pawns.forward(color).0;
    Bitboard((forward & !FILE_A) >> 1 | (forward & !FILE_H) << 1)
}

/// The squares that a knight attacks.
#[inline]
pub fn knight(square: Square) -> Bitboard {
    KNIGHT[square.index()]
}

/// The squares that any of these knights attacks.
#[inline]
pub const fn knights(knights: Bitboard) -> Bitboard {
    let set = knights.0;
    let one = (set & !FILE_A) >> 1 | (set & !FILE_H) << 1;
    let two = (set & !(FILE_A | FILE_A << 1)) >> 2 | (set & !(FILE_H | FILE_H >> 1)) << 2;
    Bitboard(one << 16 | one >> 16 | two << 8 | two >> 8)
}

/// The squares around a king.
#[inline]
pub fn king(square: Square) -> Bitboard {
    KING[square.index()]
}

/// The squares strictly between two squares on a common line; none if they share no line.
///
/// ```
/// use chess::{Bitboard, Square, attacks};
/// let between = attacks::between(Square::B2, Square::E5);
/// assert_eq!(between, Bitboard::from(Square::C3) | Bitboard::from(Square::D4));
/// assert!(attacks::between(Square::A1, Square::B3).is_empty());
/// ```
#[inline]
pub fn between(from: Square, to: Square) -> Bitboard {
    BETWEEN[from.index()][to.index()]
}

/// The whole line through two squares from border to border; none if they share no line.
#[inline]
pub fn line(one: Square, other: Square) -> Bitboard {
    LINE[one.index()][other.index()]
}

/// The attacks of a bishop on an empty board.
#[inline]
pub fn bishop_rays(square: Square) -> Bitboard {
    RAYS[square.index()][0]
}

/// The attacks of a rook on an empty board.
#[inline]
pub fn rook_rays(square: Square) -> Bitboard {
    RAYS[square.index()][1]
}

/// The line through a square that rises to the right, the square included.
#[inline]
pub(crate) fn diagonal(square: Square) -> Bitboard {
    DIAGONALS[square.index()][0]
}

/// The line through a square that falls to the right, the square included.
#[inline]
pub(crate) fn anti_diagonal(square: Square) -> Bitboard {
    DIAGONALS[square.index()][1]
}

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;

static PAWN: [[Bitboard; 64]; 2] = {
    let mut table = [[Bitboard::EMPTY; 64]; 2];
    let mut square = 0;
    while square < 64 {
        table[0][square] = pawns(Color::White, Bitboard(1 << square));
        table[1][square] = pawns(Color::Black, Bitboard(1 << square));
        square += 1;
    }
    table
};

static KNIGHT: [Bitboard; 64] = {
    let mut table = [Bitboard::EMPTY; 64];
    let mut square = 0;
    while square < 64 {
        table[square] = knights(Bitboard(1 << square));
        square += 1;
    }
    table
};

static KING: [Bitboard; 64] = {
    let mut table = [Bitboard::EMPTY; 64];
    let mut square = 0;
    while square < 64 {
        let own = 1u64 << square;
        let row = own | (own & !FILE_A) >> 1 | (own & !FILE_H) << 1;
        table[square] = Bitboard((row | row << 8 | row >> 8) & !own);
        square += 1;
    }
    table
};

/// The eight directions as steps in file and rank; opposite directions are four apart.
const DIRECTIONS: [(i8, i8); 8] =
    [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];

/// The squares in one direction up to the border, nearest first: how many, and which.
const fn walk(square: usize, direction: usize) -> (usize, [usize; 7]) {
    let (file_step, rank_step) = DIRECTIONS[direction];
    let (mut file, mut rank) = ((square % 8) as i8 + file_step, (square / 8) as i8 + rank_step);
    let (mut len, mut squares) = (0, [0; 7]);
    while 0 <= file && file < 8 && 0 <= rank && rank < 8 {
        squares[len] = (rank * 8 + file) as usize;
        len += 1;
        file += file_step;
        rank += rank_step;
    }
    (len, squares)
}

/// The squares of [`walk`] as a set.
const fn ray(square: usize, direction: usize) -> u64 {
    let (len, squares) = walk(square, direction);
    let (mut set, mut i) = (0, 0);
    while i < len {
        set |= 1 << squares[i];
        i += 1;
    }
    set
}

static RAYS: [[Bitboard; 2]; 64] = {
    let mut table = [[Bitboard::EMPTY; 2]; 64];
    let mut square = 0;
    while square < 64 {
        let mut direction = 0;
        while direction < 8 {
            let slot = &mut table[square][(direction + 1) % 2];
            slot.0 |= ray(square, direction);
            direction += 1;
        }
        square += 1;
    }
    table
};

static DIAGONALS: [[Bitboard; 2]; 64] = {
    let mut table = [[Bitboard::EMPTY; 2]; 64];
    let mut square = 0;
    while square < 64 {
        let own = 1 << square;
        table[square][0] = Bitboard(ray(square, 1) | ray(square, 5) | own);
        table[square][1] = Bitboard(ray(square, 3) | ray(square, 7) | own);
        square += 1;
    }
    table
};

static BETWEEN: [[Bitboard; 64]; 64] = {
    let mut table = [[Bitboard::EMPTY; 64]; 64];
    let mut square = 0;
    while square < 64 {
        let mut direction = 0;
        while direction < 8 {
            let (len, squares) = walk(square, direction);
            let (mut passed, mut i) = (0, 0);
            while i < len {
                table[square][squares[i]] = Bitboard(passed);
                passed |= 1 << squares[i];
                i += 1;
            }
            direction += 1;
        }
        square += 1;
    }
    table
};

static LINE: [[Bitboard; 64]; 64] = {
    let mut table = [[Bitboard::EMPTY; 64]; 64];
    let mut square = 0;
    while square < 64 {
        let mut direction = 0;
        while direction < 8 {
            let whole = ray(square, direction) | ray(square, (direction + 4) % 8) | 1 << square;
            let (len, squares) = walk(square, direction);
            let mut i = 0;
            while i < len {
                table[square][squares[i]] = Bitboard(whole);
                i += 1;
            }
            direction += 1;
        }
        square += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bitboard;

    #[test]
    fn leapers_do_not_wrap_around() {
        let expected = bitboard! {
            . . . . . . . .
            . . . . . . . .
            . . . . . . . .
            . . . . . . . .
            . . . . . . . .
            . X . . . . . .
            . . X . . . . .
            . . . . . . . .
        };
        assert_eq!(knight(Square::A1), expected);
        assert_eq!(king(Square::H8).len(), 3);
        assert_eq!(pawn(Color::White, Square::A4), Square::B5.into());
        assert_eq!(pawn(Color::Black, Square::H4), Square::G3.into());
    }

    #[test]
    fn rays_are_sliders_on_an_empty_board() {
        for square in Square::all() {
            assert_eq!(bishop_rays(square), bishop(square, Bitboard::EMPTY));
            assert_eq!(rook_rays(square), rook(square, Bitboard::EMPTY));
        }
    }

    #[test]
    fn lines_and_segments_agree() {
        for one in Square::all() {
            for other in queen(one, Bitboard::EMPTY) {
                let segment = between(one, other);
                assert_eq!(segment, between(other, one));
                assert_eq!(segment.len(), one.distance(other) - 1);
                let whole = line(one, other);
                assert!(whole.contains(one) && whole.contains(other));
                assert_eq!(segment - whole, Bitboard::EMPTY);
            }
            assert!(line(one, one).is_empty() && between(one, one).is_empty());
        }
    }
}
