// SPDX-License-Identifier: GPL-3.0-or-later
//! The position of a game as the server tells it.

use chess::{Board, CastlingMode, Game, Move};
use engine::Position;

use crate::model::GameFull;
use crate::words::Variant;

/// A game's moves so far, and how they are written.
#[derive(Clone, Debug)]
pub(super) struct Moves {
    pub(super) game: Game,
    /// How castling is written to the server.
    pub(super) mode: CastlingMode,
}

/// What a new list of moves is to the one that is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Change {
    /// The same.
    None,
    /// The same, and more.
    Further,
    /// Shorter or different: a take-back, or an old message.
    Back,
}

/// Why a game cannot be followed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum PositionError {
    #[error("the variant `{0}` is not played")]
    Variant(String),
    #[error("the position it begins with: {0}")]
    Start(#[from] chess::FenError),
    #[error("its move {0}: {1}")]
    Move(usize, chess::MoveError),
}

impl Moves {
    /// The game as it stands.
    pub(super) fn new(full: &GameFull) -> Result<Self, PositionError> {
        let Some(variant) = full.variant.known() else {
            return Err(PositionError::Variant(full.variant.key.clone()));
        };
        let start = match full.initial_fen.as_str() {
            "startpos" | "" => Board::default(),
            fen => fen.parse()?,
        };
        let mode = engine::castling_mode(&start, variant == Variant::Chess960);
        let mut moves = Self { game: Game::new(start), mode };
        moves.set(&full.state.moves)?;
        Ok(moves)
    }

    /// What these moves would change.
    pub(super) fn compare(&self, moves: &str) -> Change {
        let mut board = *self.game.start();
        let mut count = 0;
        for text in moves.split_whitespace() {
            let Ok(mv) = board.parse_uci(text) else { return Change::Back };
            if self.game.moves().get(count).is_some_and(|&known| known != mv) {
                return Change::Back;
            }
            board.play(mv);
            count += 1;
        }
        match count.cmp(&self.game.moves().len()) {
            std::cmp::Ordering::Less => Change::Back,
            std::cmp::Ordering::Equal => Change::None,
            std::cmp::Ordering::Greater => Change::Further,
        }
    }

    /// Takes these moves for those of the game. Castling is understood in both notations.
    pub(super) fn set(&mut self, moves: &str) -> Result<(), PositionError> {
        let mut game = Game::new(*self.game.start());
        for (index, text) in moves.split_whitespace().enumerate() {
            let mv = game.board().parse_uci(text);
            game.play(mv.map_err(|error| PositionError::Move(index + 1, error))?);
        }
        self.game = game;
        Ok(())
    }

    /// A move as the server wants it.
    pub(super) fn text(&self, mv: Move) -> String {
        mv.uci(self.mode).to_string()
    }

    /// The position to search, some moves further.
    pub(super) fn position(&self, more: &[Move]) -> Position {
        let mut position = Position::new(*self.game.start());
        self.game.moves().iter().chain(more).for_each(|&mv| position.play(mv));
        position
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(variant: &str, fen: &str, played: &str) -> Result<Moves, PositionError> {
        let json = serde_json::json!({
            "id": "x", "variant": {"key": variant}, "initialFen": fen, "state": {"moves": played}
        });
        Moves::new(&serde_json::from_value(json).unwrap())
    }

    #[test]
    fn both_notations_of_castling_are_read_and_the_right_one_is_written() {
        let opening = "e2e4 e7e5 g1f3 g8f6 f1e2 f8e7";
        for castling in ["e1g1", "e1h1"] {
            let moves = moves("standard", "startpos", &format!("{opening} {castling}")).unwrap();
            assert_eq!(moves.text(*moves.game.moves().last().unwrap()), "e1g1");
            assert_eq!(moves.position(&[]).board(), moves.game.board());
        }
        let moves = moves("chess960", chess::STARTING, &format!("{opening} e1g1")).unwrap();
        assert_eq!(moves.text(*moves.game.moves().last().unwrap()), "e1h1");
    }

    #[test]
    fn changes_are_told_apart() {
        let known = moves("standard", "startpos", "e2e4 e7e5").unwrap();
        for (list, change) in [
            ("e2e4 e7e5", Change::None),
            ("e2e4 e7e5 g1f3", Change::Further),
            ("e2e4", Change::Back),
            ("d2d4 e7e5", Change::Back),
            ("", Change::Back),
            ("e2e4 e7e5 banana", Change::Back),
        ] {
            assert_eq!(known.compare(list), change, "{list}");
        }
    }

    #[test]
    fn what_cannot_be_played_is_refused() {
        let error = |variant, fen, played| moves(variant, fen, played).unwrap_err().to_string();
        assert!(error("atomic", "startpos", "").contains("`atomic`"));
        assert!(error("standard", "8/8", "").contains("position it begins with"));
        assert!(error("standard", "startpos", "e2e4 e2e4").contains("its move 2"));
    }
}
