// SPDX-License-Identifier: GPL-3.0-or-later
//! Which single move turns one position into another.
//!
//! A cuckoo table holds every reversible move of every piece but pawns under the difference that it
//! makes to the position's key. Looking up the difference between two keys tells whether one move
//! leads from one position to the other, and so whether a repetition can be forced at once. See
//! Marcel van Kervinck, *The design and implementation of the Rookie 2.0 chess playing program*.

use crate::{Bitboard, Color, Piece, Role, Square, zobrist};

const SIZE: usize = 8192;

/// How many reversible moves there are: each pair of squares once per piece.
const MOVES: usize = 3668;

#[derive(Clone, Copy)]
struct Slot {
    /// The difference of keys, or zero if the slot is free.
    key: u64,
    from: u8,
    to: u8,
}

/// The two squares between which a piece moves to make this difference between keys.
#[inline]
pub(crate) fn find(difference: u64) -> Option<(Square, Square)> {
    let slot = [first(difference), second(difference)]
        .into_iter()
        .map(|index| &TABLE[index])
        .find(|slot| slot.key == difference && difference != 0)?;
    let square = |index: u8| Square::from_low_bits(u32::from(index));
    Some((square(slot.from), square(slot.to)))
}

const fn first(key: u64) -> usize {
    key as usize & (SIZE - 1)
}

const fn second(key: u64) -> usize {
    (key >> 16) as usize & (SIZE - 1)
}

static TABLE: [Slot; SIZE] = {
    let mut table = [Slot { key: 0, from: 0, to: 0 }; SIZE];
    let mut inserted = 0;
    let mut role = 1;
    while role < Role::NUM {
        let mut from = 0;
        while from < 64 {
            let mut to = from + 1;
            while to < 64 {
                if can_step(Role::ALL[role], from, to) {
                    insert(&mut table, Piece::new(Color::White, Role::ALL[role]), from, to);
                    insert(&mut table, Piece::new(Color::Black, Role::ALL[role]), from, to);
                    inserted += 2;
                }
                to += 1;
            }
            from += 1;
        }
        role += 1;
    }
    assert!(inserted == MOVES);
    table
};

/// Whether a piece gets from one square to the other in one move on an empty board.
const fn can_step(role: Role, from: usize, to: usize) -> bool {
    let files = (from % 8).abs_diff(to % 8);
    let ranks = (from / 8).abs_diff(to / 8);
    let is_diagonal = files == ranks;
    let is_straight = files == 0 || ranks == 0;
    match role {
        Role::Pawn => false,
        Role::Knight => files + ranks == 3 && files != 0 && ranks != 0,
        Role::Bishop => is_diagonal,
        Role::Rook => is_straight,
        Role::Queen => is_diagonal || is_straight,
        Role::King => files <= 1 && ranks <= 1,
    }
}

/// Puts a move into one of its two slots; what sat there moves on to its own other slot.
const fn insert(table: &mut [Slot; SIZE], piece: Piece, from: usize, to: usize) {
    let key = zobrist::piece(piece, Square::from_low_bits(from as u32))
        ^ zobrist::piece(piece, Square::from_low_bits(to as u32))
        ^ zobrist::BLACK_TO_MOVE;
    let mut guest = Slot { key, from: from as u8, to: to as u8 };
    let mut index = first(key);
    loop {
        let host = table[index];
        table[index] = guest;
        if host.key == 0 {
            return;
        }
        guest = host;
        index = if index == first(guest.key) { second(guest.key) } else { first(guest.key) };
    }
}

/// The squares that must be empty for the move to be possible.
#[inline]
pub(crate) fn path((from, to): (Square, Square)) -> Bitboard {
    crate::attacks::between(from, to)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reversible_move_is_found_both_ways() {
        for piece in Piece::ALL.into_iter().filter(|p| p.role() != Role::Pawn) {
            for from in Square::all() {
                let color = piece.color();
                for to in crate::attacks::of(piece.role(), color, from, Bitboard::EMPTY) {
                    let key = zobrist::piece(piece, from)
                        ^ zobrist::piece(piece, to)
                        ^ zobrist::BLACK_TO_MOVE;
                    let (low, high) = (from.min(to), from.max(to));
                    assert_eq!(find(key), Some((low, high)));
                }
            }
        }
        assert_eq!(find(0), None);
        assert_eq!(find(0x1234_5678_9ABC_DEF0), None);
    }
}
