// SPDX-License-Identifier: GPL-3.0-or-later
//! Material and piece-square tables, blended between middlegame and endgame.
//!
//! The answer to a missing network: it needs no file and cannot fail. Each side's pieces have a
//! value for the middlegame and one for the endgame, depending on where they stand; the two sums
//! are blended by how many pieces are left.

use chess::{Board, Color, Delta, Piece, Placed, Role, Square};

use super::tables::{TABLES, TEMPO};

/// The sums of one position, White's view.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Tally {
    middlegame: i32,
    endgame: i32,
    /// Pieces left, weighted: 24 at the start of a game.
    phase: i32,
}

const FULL_PHASE: i32 = 24;

impl Tally {
    #[inline]
    fn add(&mut self, Placed { piece, square }: Placed, times: i32) {
        let (middlegame, endgame) = VALUES[piece.index()][square.index()];
        self.middlegame += times * i32::from(middlegame);
        self.endgame += times * i32::from(endgame);
        self.phase += times * phase(piece.role());
    }

    fn of(board: &Board) -> Self {
        let mut tally = Self::default();
        for square in board.occupied() {
            if let Some(piece) = board.piece_on(square) {
                tally.add(Placed { piece, square }, 1);
            }
        }
        tally
    }
}

/// The sums of every position of a line of play.
#[derive(Clone, Debug, Default)]
pub(super) struct Material {
    line: Vec<Tally>,
}

impl Material {
    pub(super) fn reset(&mut self, board: &Board) {
        self.line.clear();
        self.line.push(Tally::of(board));
    }

    #[inline]
    pub(super) fn push(&mut self, delta: &Delta) {
        let mut tally = self.last();
        delta.off.iter().for_each(|&placed| tally.add(placed, -1));
        delta.on.iter().for_each(|&placed| tally.add(placed, 1));
        self.line.push(tally);
    }

    #[inline]
    pub(super) fn pop(&mut self) {
        self.line.pop();
    }

    #[inline]
    pub(super) fn evaluate(&self, turn: Color) -> i32 {
        let tally = self.last();
        let phase = tally.phase.min(FULL_PHASE);
        let blend = tally.middlegame * phase + tally.endgame * (FULL_PHASE - phase);
        let white = blend / FULL_PHASE;
        TEMPO + if turn == Color::White { white } else { -white }
    }

    #[inline]
    fn last(&self) -> Tally {
        self.line.last().copied().unwrap_or_default()
    }
}

const fn phase(role: Role) -> i32 {
    match role {
        Role::Pawn | Role::King => 0,
        Role::Knight | Role::Bishop => 1,
        Role::Rook => 2,
        Role::Queen => 4,
    }
}

/// The values of each piece on each square, negative for Black's.
static VALUES: [[(i16, i16); 64]; Piece::NUM] = {
    let mut values = [[(0, 0); 64]; Piece::NUM];
    let mut piece = 0;
    while piece < Piece::NUM {
        let mut index = 0;
        while index < 64 {
            values[piece][index] = value(Piece::ALL[piece], index);
            index += 1;
        }
        piece += 1;
    }
    values
};

const fn value(piece: Piece, index: usize) -> (i16, i16) {
    let Some(square) = Square::try_from_index(index) else { return (0, 0) };
    let square = square.relative_to(piece.color());
    let file = square.file().index();
    let column = if file < 4 { file } else { 7 - file };
    let (middlegame, endgame) = TABLES[piece.role().index()][4 * square.rank().index() + column];
    let sign = if matches!(piece.color(), Color::White) { 1 } else { -1 };
    (sign * middlegame as i16, sign * endgame as i16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn following_moves_equals_beginning_anew() {
        let mut board = Board::default();
        let mut material = Material::default();
        material.reset(&board);
        for i in 0..120usize {
            let moves = board.legal_moves();
            let Some(&mv) = moves.get(i * 7 % moves.len().max(1)) else { break };
            let delta = board.play(mv);
            material.push(&delta);
            assert_eq!(material.last(), Tally::of(&board), "{board:?}");
        }
    }

    #[test]
    fn colors_are_treated_alike() {
        let fen = "r1bqk2r/pp3ppp/2n1pn2/3p4/3P4/2PB1N2/P4PPP/R1BQ1RK1 w kq - 0 9";
        let mirrored = "r1bq1rk1/p4ppp/2pb1n2/3p4/3P4/2N1PN2/PP3PPP/R1BQK2R b KQ - 0 9";
        let [one, other] = [fen, mirrored].map(|fen| {
            let board: Board = fen.parse().unwrap();
            let mut material = Material::default();
            material.reset(&board);
            material.evaluate(board.turn())
        });
        assert_eq!(one, other);
    }
}
