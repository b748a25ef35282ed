// SPDX-License-Identifier: GPL-3.0-or-later
//! Napoleon's planes: boards of numbers with the pieces and what they attack.
//!
//! | planes | squares hold |
//! |---|---|
//! | 0 – 5 | 1 where the side to move has a pawn, knight, bishop, rook, queen, king |
//! | 6 – 11 | -1 where the other side has one |
//! | 12 – 17 | how many of the mover's pawns, …, kings attack the square |
//! | 18 – 23 | minus how many of the other side's do |
//! | 24 – 29 | the sums of both, by kind of piece |
//! | 30 | the sum of 24 to 29 |
//! | 31, 32 | the sums of 12 to 17 and of 18 to 23 |
//! | 33 | how many squares the piece on this square attacks |
//!
//! The board is turned top to bottom if Black is to move, and never left to right. Pins do not
//! matter, and a piece attacks the squares of its own side too.

use chess::{Board, Color, Role, attacks};

/// How many planes there are.
pub const PLANES: usize = 34;
/// No cell of a plane is larger than this: a queen attacks at most 27 squares.
pub const MAX_CELL: f32 = 27.0;

const ATTACKS: usize = 12;
const SUMS: usize = 24;
const TOTAL: usize = 30;
const SIDES: usize = 31;
const MOBILITY: usize = 33;

/// One number for each square, a1 first, as the side to move sees the board.
pub type Plane = [f32; 64];

/// Fills all planes. Positions that differ only by colour have equal planes.
///
/// ```
/// use chess::Board;
/// use net::features::planes::{PLANES, fill};
/// let mut planes = [[0.0; 64]; PLANES];
/// fill(&Board::default(), &mut planes);
/// assert_eq!(planes[0][8..16], [1.0; 8]); // own pawns
/// assert_eq!(planes[31][16..24], [2.0, 2.0, 3.0, 2.0, 2.0, 3.0, 2.0, 2.0]); // attackers of a3 to h3
/// ```
pub fn fill(board: &Board, planes: &mut [Plane; PLANES]) {
    let us = board.turn();
    planes[MOBILITY] = [0.0; 64];
    fill_side(board, us, 1.0, 0, planes);
    fill_side(board, !us, -1.0, Role::NUM, planes);
    fill_sums(planes);
}

/// What each plane holds, in a few words.
pub fn names() -> Vec<String> {
    let pieces = super::names::kinds();
    let attacks = pieces.iter().map(|piece| format!("{piece} attacks"));
    let sums = Role::ALL.map(|role| format!("{} attacks", super::names::name(role)));
    let others = ["all attacks", "own attacks", "their attacks", "mobility"].map(str::to_owned);
    pieces.iter().cloned().chain(attacks).chain(sums).chain(others).collect()
}

/// The planes of one side's pieces, which begin `offset` after the mover's.
fn fill_side(board: &Board, side: Color, sign: f32, offset: usize, planes: &mut [Plane; PLANES]) {
    let (us, occupied) = (board.turn(), board.occupied());
    for role in Role::ALL {
        let plane = offset + role.index();
        planes[plane] = [0.0; 64];
        planes[ATTACKS + plane] = [0.0; 64];
        for square in board.by_piece(side, role) {
            let attacked = attacks::of(role, side, square, occupied);
            let place = square.relative_to(us).index();
            planes[plane][place] = sign;
            planes[MOBILITY][place] = attacked.len() as f32;
            for target in attacked {
                planes[ATTACKS + plane][target.relative_to(us).index()] += sign;
            }
        }
    }
}

/// The planes that are sums of others.
fn fill_sums(planes: &mut [Plane; PLANES]) {
    const THEIRS: usize = ATTACKS + Role::NUM;
    for role in 0..Role::NUM {
        planes[SUMS + role] = sum(&[planes[ATTACKS + role], planes[THEIRS + role]]);
    }
    planes[SIDES] = sum(&planes[ATTACKS..THEIRS]);
    planes[SIDES + 1] = sum(&planes[THEIRS..SUMS]);
    planes[TOTAL] = sum(&planes[SIDES..SIDES + 2]);
}

/// The sum of planes, square by square.
fn sum(planes: &[Plane]) -> Plane {
    let mut total = [0.0; 64];
    for plane in planes {
        total.iter_mut().zip(plane).for_each(|(total, cell)| *total += cell);
    }
    total
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Square;

    /// The planes by asking each square who attacks it.
    fn slow(board: &Board) -> Vec<Plane> {
        let mut planes = vec![[0.0; 64]; PLANES];
        let (us, occupied) = (board.turn(), board.occupied());
        for square in Square::all() {
            let cell = square.relative_to(us).index();
            let mut count = |plane: usize, by: f32| planes[plane][cell] += by;
            if let Some(piece) = board.piece_on(square) {
                let (base, sign) = if piece.color() == us { (0, 1.0) } else { (6, -1.0) };
                count(base + piece.role().index(), sign);
                let attacked = attacks::of(piece.role(), piece.color(), square, occupied);
                count(33, attacked.into_iter().count() as f32);
            }
            for (base, side, sign) in [(12, us, 1.0), (18, !us, -1.0)] {
                for attacker in board.attackers(side, square, occupied) {
                    let role = board.role_on(attacker).unwrap().index();
                    count(base + role, sign);
                    count(24 + role, sign);
                    count(30, sign);
                    count(if side == us { 31 } else { 32 }, sign);
                }
            }
        }
        planes
    }

    #[test]
    fn planes_agree_with_the_slow_definition() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 0 1",
            "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
        ] {
            let board: Board = fen.parse().unwrap();
            let mut planes = [[f32::NAN; 64]; PLANES];
            fill(&board, &mut planes);
            assert_eq!(planes.to_vec(), slow(&board), "{fen}");
            assert!(planes.as_flattened().iter().all(|cell| cell.abs() <= MAX_CELL));
        }
    }
}
