// SPDX-License-Identifier: GPL-3.0-or-later
//! A board drawn with figurines.

use std::fmt::Write;

use chess::{Bitboard, Board, Color, File, Move, Rank, Square};

/// How the board is drawn.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoardView {
    /// From whose side it is seen.
    pub(super) from: Color,
    /// Without colors, for pipes and those who asked for none.
    pub(super) is_plain: bool,
}

const LIGHT: &str = "\x1b[48;5;180m";
const DARK: &str = "\x1b[48;5;137m";
const MARKED: &str = "\x1b[48;5;143m";
const WHITE_PIECE: &str = "\x1b[1;38;5;231m";
const BLACK_PIECE: &str = "\x1b[1;38;5;16m";
const PLAIN: &str = "\x1b[0m";

impl BoardView {
    /// The board with the squares of the last move marked.
    pub(super) fn draw(self, board: &Board, last: Option<Move>) -> String {
        let (mut ranks, mut files) = (Rank::ALL, File::ALL);
        match self.from {
            Color::White => ranks.reverse(),
            Color::Black => files.reverse(),
        }
        let marked = last.map_or(Bitboard::EMPTY, |mv| Bitboard::from(mv.from()) | mv.to().into());
        let mut text = String::new();
        for rank in ranks {
            let _ = write!(text, "  {} ", rank.digit());
            for file in files {
                self.draw_square(&mut text, board, Square::new(file, rank), marked);
            }
            text.push('\n');
        }
        text.push_str("    ");
        for file in files {
            let _ = write!(text, " {} ", file.letter());
        }
        text
    }

    fn draw_square(self, text: &mut String, board: &Board, square: Square, marked: Bitboard) {
        let piece = board.piece_on(square);
        if self.is_plain {
            let symbol = piece.map_or('·', chess::Piece::symbol);
            let (left, right) = if marked.contains(square) { ('[', ']') } else { (' ', ' ') };
            let _ = write!(text, "{left}{symbol}{right}");
            return;
        }
        let ground = match () {
            () if marked.contains(square) => MARKED,
            () if Bitboard::LIGHT.contains(square) => LIGHT,
            () => DARK,
        };
        // Filled figurines for both sides: the outlined ones are hard to tell apart on color.
        let (ink, symbol) = match piece {
            None => ("", ' '),
            Some(piece) => {
                let filled = chess::Piece::new(Color::Black, piece.role()).symbol();
                (if piece.color() == Color::White { WHITE_PIECE } else { BLACK_PIECE }, filled)
            }
        };
        let _ = write!(text, "{ground}{ink} {symbol} {PLAIN}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_board_turns_around() {
        let board = Board::default();
        let draw = |from| BoardView { from, is_plain: true }.draw(&board, None);
        assert!(draw(Color::White).starts_with("  8  ♜"));
        assert!(draw(Color::Black).starts_with("  1  ♖"));
        assert!(draw(Color::Black).ends_with(" b  a "));
    }
}
