// SPDX-License-Identifier: GPL-3.0-or-later
//! Start positions of Chess960.

use chess::Board;
use tools::Rng;

/// How many back ranks there are.
const RANKS: usize = 960;

/// A random start position, with two different back ranks if wanted.
pub(crate) fn random(rng: &mut Rng, is_double: bool) -> Option<Board> {
    let white = rng.below(RANKS);
    let black = if is_double { rng.below(RANKS) } else { white };
    board(white, black)
}

fn board(white: usize, black: usize) -> Option<Board> {
    let (white, black) = (back_rank(white), back_rank(black));
    let rooks = |rank: &[u8; 8]| -> Vec<char> {
        let files = (b'a'..=b'h').zip(rank).filter(|(_, piece)| **piece == b'r');
        files.map(|(file, _)| char::from(file)).collect()
    };
    let text = |rank: &[u8; 8]| String::from_utf8_lossy(rank).into_owned();
    let rights: String =
        rooks(&white).iter().map(char::to_ascii_uppercase).chain(rooks(&black)).collect();
    let (upper, lower) = (text(&white).to_uppercase(), text(&black));
    format!("{lower}/pppppppp/8/8/8/8/PPPPPPPP/{upper} w {rights} - 0 1").parse().ok()
}

/// The back rank of a number in Scharnagl's numbering, of which 518 is the usual one.
fn back_rank(number: usize) -> [u8; 8] {
    let mut rank = [0; 8];
    let (rest, light) = (number / 4, number % 4);
    let (rest, dark) = (rest / 4, rest % 4);
    let (knights, queen) = (rest / 6, rest % 6);
    rank[2 * light + 1] = b'b';
    rank[2 * dark] = b'b';
    place(&mut rank, queen, b'q');
    let (first, second) = KNIGHTS[knights];
    place(&mut rank, second, b'n');
    place(&mut rank, first, b'n');
    for piece in *b"rkr" {
        place(&mut rank, 0, piece);
    }
    rank
}

/// Where the knights stand among the five squares that are left for them.
const KNIGHTS: [(usize, usize); 10] =
    [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)];

/// Puts a piece on the free square of this number.
fn place(rank: &mut [u8; 8], number: usize, piece: u8) {
    if let Some(square) = rank.iter_mut().filter(|square| **square == 0).nth(number) {
        *square = piece;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_back_ranks_are_legal_and_different() {
        assert_eq!(&back_rank(518), b"rnbqkbnr");
        let mut ranks: Vec<_> = (0..RANKS).map(back_rank).collect();
        ranks.sort_unstable();
        ranks.dedup();
        assert_eq!(ranks.len(), RANKS);
        for number in 0..RANKS {
            let board = board(number, RANKS - 1 - number).expect("a legal position");
            assert_eq!(board.castling().iter().count(), 4);
        }
    }
}
