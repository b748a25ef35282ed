// SPDX-License-Identifier: GPL-3.0-or-later
//! From the page's positions to games, with a sentence if they are not sound.

use chess::{Board, FenError, Game, MoveError};
use thiserror::Error;

use crate::protocol::Place;

/// The longest FEN that is read.
const MAX_FEN: usize = 200;
/// The longest game that is read, in plies.
const MAX_PLIES: usize = 2000;

/// Why a position is refused.
#[derive(Debug, Error)]
pub enum PlaceError {
    /// The FEN is not sound.
    #[error("the position is refused: {0}")]
    Fen(#[from] FenError),
    /// A move is not legal.
    #[error("move {number} is refused: {error}")]
    Move {
        /// Its number, from 1.
        number: usize,
        /// Why.
        error: MoveError,
    },
    /// There is too much of it.
    #[error("a game may have {MAX_PLIES} plies and a FEN {MAX_FEN} characters: this has more")]
    TooLong,
}

impl Place {
    /// The game.
    pub fn game(&self) -> Result<Game, PlaceError> {
        if self.fen.len() > MAX_FEN || self.moves.len() > MAX_PLIES {
            return Err(PlaceError::TooLong);
        }
        let start: Board = self.fen.parse()?;
        let mut game = Game::new(start);
        for (i, text) in self.moves.iter().enumerate() {
            let mv = game.board().parse_uci(text);
            game.play(mv.map_err(|error| PlaceError::Move { number: i + 1, error })?);
        }
        Ok(game)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(fen: &str, moves: &[&str]) -> Place {
        Place { fen: fen.into(), moves: moves.iter().map(|&mv| mv.into()).collect() }
    }

    #[test]
    fn castling_is_read_in_both_notations() {
        let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        let [king, rook] = ["e1g1", "e1h1"].map(|mv| place(fen, &[mv]).game().unwrap());
        assert_eq!(king.board(), rook.board());
    }

    #[test]
    fn faults_get_sentences() {
        let error = place(chess::STARTING, &["e2e4", "e2e4"]).game().unwrap_err().to_string();
        assert!(error.starts_with("move 2 is refused: "), "{error}");
        let error = place("8/8/8/8/8/8/8/8 w - - 0 1", &[]).game().unwrap_err().to_string();
        assert!(error.starts_with("the position is refused: "), "{error}");
        assert!(matches!(place(&"8".repeat(900), &[]).game(), Err(PlaceError::TooLong)));
    }
}
