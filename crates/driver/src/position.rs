// SPDX-License-Identifier: GPL-3.0-or-later
//! Positions as engines are told them.

use chess::{Board, CastlingMode, CastlingStyle, Move};
use uci::{Base, UciPosition};

/// A position without moves: `startpos`, or a FEN in the notation of castling that the game uses.
pub fn position_at(start: &Board, castling: CastlingMode) -> UciPosition {
    let style = match castling {
        CastlingMode::Standard => CastlingStyle::XFen,
        CastlingMode::Chess960 => CastlingStyle::Shredder,
    };
    let base = if *start == Board::default() {
        Base::Startpos
    } else {
        Base::Fen(start.fen_with(style).to_string())
    };
    UciPosition { base, moves: Vec::new() }
}

/// A position and the moves since.
pub fn position_after(start: &Board, moves: &[Move], castling: CastlingMode) -> UciPosition {
    let moves = moves.iter().map(|mv| mv.uci(castling).to_string()).collect();
    UciPosition { moves, ..position_at(start, castling) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn castling_is_written_as_the_game_wants_it() {
        let board: Board = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1".parse().unwrap();
        let castle = board.parse_uci("e1g1").unwrap();
        let line = |mode| position_after(&board, &[castle], mode).to_string();
        assert!(line(CastlingMode::Standard).ends_with("w KQkq - 0 1 moves e1g1"));
        assert!(line(CastlingMode::Chess960).ends_with("w HAha - 0 1 moves e1h1"));
        let start = position_at(&Board::default(), CastlingMode::Standard).to_string();
        assert_eq!(start, "position startpos");
    }
}
