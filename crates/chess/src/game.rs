// SPDX-License-Identifier: GPL-3.0-or-later
//! Games: the moves played from a position, and how a game ends.
//!
//! The laws know two kinds of draws: those that end a game by themselves (see [`Game::ending`]) and
//! those that a player must claim (see [`Game::claim`]). Checkmate comes before all of them.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::{Board, Color, History, Move};

/// A game that goes on: where it began and what was played.
///
/// There is no limit to its length.
///
/// ```
/// use chess::{Color, Game, Outcome, Reason};
/// let mut game = Game::default();
/// for san in ["f3", "e5", "g4", "Qh4#"] {
///     game.play(game.board().parse_san(san).unwrap());
/// }
/// let ending = game.ending().unwrap();
/// assert_eq!(ending.outcome, Outcome::Decisive { winner: Color::Black });
/// assert_eq!(ending.reason, Reason::Checkmate);
/// assert_eq!(ending.outcome.to_string(), "0-1");
/// assert_eq!(game.undo().map(|mv| game.board().san(mv).to_string()), Some("Qh4#".to_owned()));
/// assert_eq!(game.ending(), None);
/// ```
#[derive(Clone, Debug)]
pub struct Game {
    /// All positions, the present one last; never empty.
    boards: Vec<Board>,
    moves: Vec<Move>,
    history: History,
}

impl Game {
    /// A game that begins with this position.
    pub fn new(start: Board) -> Self {
        Self { boards: vec![start], moves: Vec::new(), history: History::new(&start) }
    }

    /// The position the game began with.
    pub fn start(&self) -> &Board {
        &self.boards[0]
    }

    /// The present position.
    pub fn board(&self) -> &Board {
        &self.boards[self.moves.len()]
    }

    /// The moves played so far.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Plays a legal move.
    ///
    /// # Panics
    /// If the move is not legal.
    pub fn play(&mut self, mv: Move) {
        let mut board = *self.board();
        assert!(board.is_legal(mv), "{mv:?} is not legal in {board:?}");
        board.play(mv);
        self.history.push(&board);
        self.boards.push(board);
        self.moves.push(mv);
    }

    /// Takes the last move back and returns it.
    pub fn undo(&mut self) -> Option<Move> {
        let mv = self.moves.pop()?;
        self.boards.pop();
        self.history.pop();
        Some(mv)
    }

    /// How often the present position has occurred, this time included.
    pub fn occurrences(&self) -> usize {
        self.history.occurrences()
    }

    /// How the game has ended by itself, if it has.
    pub fn ending(&self) -> Option<Ending> {
        let board = self.board();
        board.ending().or_else(|| {
            if board.halfmove_clock() >= 150 {
                Some(Ending::draw(Reason::SeventyFiveMoves))
            } else if self.occurrences() >= 5 {
                Some(Ending::draw(Reason::Fivefold))
            } else {
                None
            }
        })
    }

    /// The result of a game that has ended by itself.
    pub fn outcome(&self) -> Option<Outcome> {
        self.ending().map(|ending| ending.outcome)
    }

    /// The draw that the side to move may claim: fifty moves without capture or pawn move, or the
    /// third occurrence of a position. There is none after checkmate or stalemate.
    pub fn claim(&self) -> Option<Ending> {
        let claim = self.board().claim(self.occurrences())?;
        self.board().has_legal_moves().then_some(claim)
    }
}

/// The rules by which a game ends, for those who keep no [`Game`]: a search, a tree, self-play.
impl Board {
    /// How every game ends that comes to this position: by mate, stalemate, or without material to mate.
    pub fn ending(&self) -> Option<Ending> {
        if !self.has_legal_moves() {
            return Some(if self.in_check() {
                let outcome = Outcome::Decisive { winner: !self.turn() };
                Ending { outcome, reason: Reason::Checkmate }
            } else {
                Ending::draw(Reason::Stalemate)
            });
        }
        self.is_insufficient_material().then_some(Ending::draw(Reason::InsufficientMaterial))
    }

    /// How a game ends in this position, which has occurred so often, if every draw that may be claimed is.
    pub fn ending_with_claims(&self, occurrences: usize) -> Option<Ending> {
        self.ending().or_else(|| self.claim(occurrences))
    }

    /// The draw that may be claimed, if the game is not over.
    fn claim(&self, occurrences: usize) -> Option<Ending> {
        if self.halfmove_clock() >= 100 {
            Some(Ending::draw(Reason::FiftyMoves))
        } else {
            (occurrences >= 3).then_some(Ending::draw(Reason::Threefold))
        }
    }
}

impl Default for Game {
    /// A game from the starting position.
    fn default() -> Self {
        Self::new(Board::default())
    }
}

/// Who won, if anybody.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// One side won.
    Decisive {
        /// That side.
        winner: Color,
    },
    /// Nobody did.
    Draw,
}

impl Outcome {
    /// The winner, unless it is a draw.
    pub const fn winner(self) -> Option<Color> {
        match self {
            Self::Decisive { winner } => Some(winner),
            Self::Draw => None,
        }
    }
}

/// Why a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reason {
    /// The side to move is in check and has no move.
    Checkmate,
    /// The side to move is not in check and has no move.
    Stalemate,
    /// Neither side can ever mate.
    InsufficientMaterial,
    /// A position occurred for the third time; must be claimed.
    Threefold,
    /// A position occurred for the fifth time.
    Fivefold,
    /// Fifty moves of each side without capture or pawn move; must be claimed.
    FiftyMoves,
    /// Seventy-five moves of each side without capture or pawn move.
    SeventyFiveMoves,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Checkmate => "checkmate",
            Self::Stalemate => "stalemate",
            Self::InsufficientMaterial => "insufficient material",
            Self::Threefold => "threefold repetition",
            Self::Fivefold => "fivefold repetition",
            Self::FiftyMoves => "fifty-move rule",
            Self::SeventyFiveMoves => "seventy-five-move rule",
        })
    }
}

/// A result and why it came to be.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Ending {
    /// Who won.
    pub outcome: Outcome,
    /// Why.
    pub reason: Reason,
}

impl Ending {
    const fn draw(reason: Reason) -> Self {
        Self { outcome: Outcome::Draw, reason }
    }
}

/// A result as PGN writes it: an [`Outcome`], or `*` if there is none or it is not known.
///
/// ```
/// use chess::{Color, GameResult, Outcome};
/// let result: GameResult = "1-0".parse().unwrap();
/// assert_eq!(result.0, Some(Outcome::Decisive { winner: Color::White }));
/// assert_eq!(GameResult::default().to_string(), "*");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct GameResult(pub Option<Outcome>);

impl From<Outcome> for GameResult {
    fn from(outcome: Outcome) -> Self {
        Self(Some(outcome))
    }
}

/// Text that should have been a result.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("expected a result of `1-0`, `0-1`, `1/2-1/2` and `*`, found `{0}`")]
pub struct ResultError(pub String);

impl FromStr for GameResult {
    type Err = ResultError;

    fn from_str(text: &str) -> Result<Self, ResultError> {
        Ok(Self(match text {
            "1-0" => Some(Outcome::Decisive { winner: Color::White }),
            "0-1" => Some(Outcome::Decisive { winner: Color::Black }),
            "1/2-1/2" => Some(Outcome::Draw),
            "*" => None,
            _ => return Err(ResultError(text.chars().take(40).collect())),
        }))
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Decisive { winner: Color::White } => "1-0",
            Self::Decisive { winner: Color::Black } => "0-1",
            Self::Draw => "1/2-1/2",
        })
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(outcome) => outcome.fmt(f),
            None => f.write_str("*"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(fen: &str, moves: &[&str]) -> Game {
        let mut game = Game::new(fen.parse().unwrap());
        for mv in moves {
            game.play(game.board().parse_uci(mv).unwrap());
        }
        game
    }

    #[test]
    fn mate_comes_before_the_move_rules() {
        let game = game("7k/8/6K1/8/8/8/8/R7 w - - 149 90", &["a1a8"]);
        assert_eq!(game.outcome(), Some(Outcome::Decisive { winner: Color::White }));
        assert_eq!(game.claim(), None);
    }

    #[test]
    fn shuffling_is_claimed_first_and_ends_later() {
        let mut game = Game::default();
        for round in 1..=4 {
            for mv in ["g1f3", "g8f6", "f3g1", "f6g8"] {
                assert_eq!(game.ending(), None);
                game.play(game.board().parse_uci(mv).unwrap());
            }
            assert_eq!(game.occurrences(), round + 1);
            let claim = game.claim().map(|ending| ending.reason);
            assert_eq!(claim, (round >= 2).then_some(Reason::Threefold));
        }
        assert_eq!(game.ending(), Some(Ending::draw(Reason::Fivefold)));
    }

    #[test]
    fn a_board_knows_how_games_end_on_it() {
        let reason = |fen: &str, occurrences| {
            let board: Board = fen.parse().unwrap();
            board.ending_with_claims(occurrences).map(|ending| ending.reason)
        };
        // Mate comes before the fifty moves, which come before repetition.
        assert_eq!(reason("R5k1/5ppp/8/8/8/8/8/6K1 b - - 100 80", 3), Some(Reason::Checkmate));
        assert_eq!(reason("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 1), Some(Reason::Stalemate));
        assert_eq!(reason("8/8/4k3/8/8/4K3/8/8 w - - 0 1", 1), Some(Reason::InsufficientMaterial));
        assert_eq!(reason("8/8/4k3/8/8/4K3/4P3/8 w - - 100 80", 3), Some(Reason::FiftyMoves));
        assert_eq!(reason("8/8/4k3/8/8/4K3/4P3/8 w - - 99 80", 3), Some(Reason::Threefold));
        assert_eq!(reason("8/8/4k3/8/8/4K3/4P3/8 w - - 99 80", 2), None);
    }

    #[test]
    fn undo_goes_back_to_the_start_and_no_further() {
        let mut game = game(crate::STARTING, &["e2e4", "e7e5"]);
        assert_eq!(game.moves().len(), 2);
        assert!(game.undo().is_some() && game.undo().is_some());
        assert_eq!(game.board(), game.start());
        assert_eq!((game.undo(), game.occurrences()), (None, 1));
    }

    #[test]
    fn results_print_and_parse() {
        for text in ["1-0", "0-1", "1/2-1/2", "*"] {
            assert_eq!(text.parse::<GameResult>().unwrap().to_string(), text);
        }
        assert!("2-0".parse::<GameResult>().unwrap_err().to_string().ends_with("found `2-0`"));
    }
}
