// SPDX-License-Identifier: GPL-3.0-or-later
//! A game with everything its text says: tags, moves, variations, comments and glyphs.

use super::{PgnError, PgnErrorKind};
use crate::{Board, CastlingStyle, Game, GameResult, Move};

/// A game as read from PGN, or to be written to it.
///
/// ```
/// use chess::{Board, Game, pgn::PgnGame};
/// let mut game = Game::default();
/// for san in ["d4", "d5", "c4"] {
///     game.play(game.board().parse_san(san).unwrap());
/// }
/// let mut pgn = PgnGame::from(&game);
/// pgn.set_tag("White", "Capablanca");
/// let text = pgn.to_string();
/// assert!(text.contains("[White \"Capablanca\"]"));
/// assert!(text.ends_with("\n\n1. d4 d5 2. c4 *\n"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PgnGame {
    /// Names and values, in the order of the text.
    pub tags: Vec<(String, String)>,
    /// The position the moves begin with.
    pub start: Board,
    /// The moves that were played, with variations.
    pub mainline: PgnLine,
    /// How the game ended.
    pub result: GameResult,
    /// What could not be read.
    pub errors: Vec<PgnError>,
}

/// Moves that follow each other.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PgnLine {
    /// What is said before the first move.
    pub comments: Vec<String>,
    /// The moves.
    pub moves: Vec<PgnNode>,
}

/// A move and what is said about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PgnNode {
    /// The move, or nothing where an annotator lets a side pass: `--`.
    pub mv: Option<Move>,
    /// Glyphs by number: 1 is `!`, 2 is `?`, and so on.
    pub nags: Vec<u8>,
    /// What is said after it.
    pub comments: Vec<String>,
    /// Lines that begin with another move instead.
    pub variations: Vec<PgnLine>,
}

impl PgnNode {
    /// A move about which nothing is said.
    pub fn new(mv: Move) -> Self {
        Self { mv: Some(mv), ..Self::null() }
    }

    /// A null move.
    pub const fn null() -> Self {
        Self { mv: None, nags: Vec::new(), comments: Vec::new(), variations: Vec::new() }
    }
}

impl PgnLine {
    pub(super) const fn is_empty(&self) -> bool {
        self.moves.is_empty() && self.comments.is_empty()
    }

    /// Where a comment belongs that comes next.
    pub(super) fn comments_mut(&mut self) -> &mut Vec<String> {
        match self.moves.last_mut() {
            Some(node) => &mut node.comments,
            None => &mut self.comments,
        }
    }
}

impl PgnGame {
    /// A game without moves. Its tags tell the position if it is not the usual one.
    pub fn new(start: Board) -> Self {
        let mut game = Self {
            tags: Vec::new(),
            start,
            mainline: PgnLine::default(),
            result: GameResult::default(),
            errors: Vec::new(),
        };
        if start != Board::default() {
            if start.is_chess960() {
                game.set_tag("Variant", "Chess960");
            }
            game.set_tag("SetUp", "1");
            game.set_tag("FEN", &start.fen_with(CastlingStyle::XFen).to_string());
        }
        game
    }

    /// The first tag of this name.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str())
    }

    /// Changes a tag, or adds it.
    pub fn set_tag(&mut self, name: &str, value: &str) {
        match self.tags.iter_mut().find(|(other, _)| other == name) {
            Some((_, old)) => value.clone_into(old),
            None => self.tags.push((name.to_owned(), value.to_owned())),
        }
    }

    /// The moves that were played, without what is said about them, up to a null move if there is
    /// one.
    pub fn moves(&self) -> impl Iterator<Item = Move> {
        self.mainline.moves.iter().map_while(|node| node.mv)
    }

    /// The moves as a game whose rules can be asked.
    pub fn game(&self) -> Game {
        let mut game = Game::new(self.start);
        self.moves().for_each(|mv| game.play(mv));
        game
    }
}

impl From<&Game> for PgnGame {
    /// The game's moves, and its result if it ended by itself.
    fn from(game: &Game) -> Self {
        let mut pgn = Self::new(*game.start());
        pgn.mainline.moves = game.moves().iter().map(|&mv| PgnNode::new(mv)).collect();
        pgn.result = GameResult(game.outcome());
        pgn
    }
}

/// The position that the tags describe.
pub(super) fn start_position(tags: &[(String, String)]) -> Result<Board, PgnErrorKind> {
    let value = |name: &str| {
        let tag = tags.iter().find(|(other, _)| other.eq_ignore_ascii_case(name));
        tag.map(|(_, value)| value.trim()).filter(|value| !value.is_empty())
    };
    if let Some(variant) = value("Variant").filter(|variant| !is_chess(variant)) {
        return Err(PgnErrorKind::Variant(variant.chars().take(80).collect()));
    }
    match value("FEN") {
        Some("?" | "-") | None => Ok(Board::default()),
        Some(fen) => Ok(fen.parse()?),
    }
}

/// Whether a variant has the rules of chess or Chess960, which differ in the first position only.
fn is_chess(variant: &str) -> bool {
    let letters = variant.chars().filter(char::is_ascii_alphanumeric);
    let name: String = letters.map(|c| c.to_ascii_lowercase()).collect();
    let name = name.strip_suffix("chess").unwrap_or(&name);
    matches!(
        name,
        "" | "standard"
            | "normal"
            | "orthodox"
            | "classical"
            | "fromposition"
            | "chess960"
            | "960"
            | "frc"
            | "dfrc"
            | "fischerandom"
            | "fischerrandom"
            | "fischerrandomchess960"
            | "doublefischerandom"
            | "doublefischerrandom"
            | "nocastle"
    )
}
