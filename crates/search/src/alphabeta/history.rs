// SPDX-License-Identifier: GPL-3.0-or-later
//! What past cutoffs say about quiet moves.
//!
//! Values move towards a bonus or malus by "gravity": the further they have gone that way, the less
//! they still move, so that they stay within bounds and new evidence counts. See
//! <https://www.chessprogramming.org/History_Heuristic>.

use chess::{Board, Color, Move, Piece, Square};

/// The largest value of a table's cell.
pub(crate) const MAX_HISTORY: i32 = 8192;

/// A value that is pulled back the further it has moved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Cell(i16);

impl Cell {
    #[inline]
    fn update(&mut self, bonus: i32) {
        // Clamped before the formula: only then does the value stay within bounds.
        let bonus = bonus.clamp(-MAX_HISTORY, MAX_HISTORY);
        let value = i32::from(self.0);
        self.0 = (value + bonus - value * bonus.abs() / MAX_HISTORY) as i16;
    }
}

/// How well quiet moves have done, by side and squares, and by piece and target.
#[derive(Clone, Debug)]
pub(crate) struct QuietHistory {
    by_squares: Box<[[[Cell; 64]; 64]; 2]>,
    by_piece: Box<[[Cell; 64]; Piece::NUM]>,
}

impl QuietHistory {
    pub(crate) fn new() -> Self {
        Self {
            by_squares: Box::new([[[Cell(0); 64]; 64]; 2]),
            by_piece: Box::new([[Cell(0); 64]; Piece::NUM]),
        }
    }

    /// How well a quiet move has done, between plus and minus [`MAX_HISTORY`].
    #[inline]
    pub(crate) fn get(&self, board: &Board, mv: Move) -> i32 {
        let squares = self.by_squares[board.turn().index()][mv.from().index()][mv.to().index()];
        let piece = board.piece_on(mv.from()).map_or(Cell(0), |piece| self.cell(piece, mv.to()));
        i32::midpoint(i32::from(squares.0), i32::from(piece.0))
    }

    /// Rewards a quiet move, or punishes it if the bonus is negative.
    #[inline]
    pub(crate) fn update(&mut self, board: &Board, mv: Move, bonus: i32) {
        let turn: Color = board.turn();
        self.by_squares[turn.index()][mv.from().index()][mv.to().index()].update(bonus);
        if let Some(piece) = board.piece_on(mv.from()) {
            self.by_piece[piece.index()][mv.to().index()].update(bonus);
        }
    }

    /// How well moves of a piece to a square have done.
    pub(crate) fn of_piece(&self, piece: Piece, to: Square) -> i32 {
        i32::from(self.cell(piece, to).0)
    }

    #[inline]
    fn cell(&self, piece: Piece, to: Square) -> Cell {
        self.by_piece[piece.index()][to.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gravity_keeps_values_in_bounds() {
        let mut cell = Cell::default();
        for bonus in [MAX_HISTORY, 100_000, 5_000, MAX_HISTORY] {
            cell.update(bonus);
            assert!(i32::from(cell.0) <= MAX_HISTORY);
        }
        assert_eq!(i32::from(cell.0), MAX_HISTORY);
        let before = cell.0;
        cell.update(-1000);
        assert!(cell.0 < before);
        for _ in 0..100 {
            cell.update(-100_000);
        }
        assert_eq!(i32::from(cell.0), -MAX_HISTORY);
    }

    #[test]
    fn rewards_and_punishments_are_remembered() {
        let board = Board::default();
        let mut history = QuietHistory::new();
        let good = board.parse_uci("e2e4").unwrap();
        let bad = board.parse_uci("a2a3").unwrap();
        history.update(&board, good, 500);
        history.update(&board, bad, -500);
        assert_eq!((history.get(&board, good), history.get(&board, bad)), (500, -500));
        assert_eq!(history.of_piece(Piece::WhitePawn, Square::E4), 500);
    }
}
