// SPDX-License-Identifier: GPL-3.0-or-later
//! A game between a person and the engine.

use std::fs;
use std::time::Duration;

use anyhow::{Context, Result};
use chess::pgn::PgnGame;
use chess::{Board, Color, Game, GameResult, Move, MoveError, Outcome};
use search::{Limits, Line, Position, Searcher};

/// How strong the engine plays.
#[derive(Clone, Copy, Debug)]
pub(super) enum Level {
    /// From 1 to 20, by nodes.
    Strength(u32),
    /// By time for each move.
    Time(Duration),
}

impl Level {
    /// Each level looks at about two thirds more positions than the one below: from a handful to
    /// some hundred thousand.
    fn limits(self) -> Limits {
        match self {
            Self::Strength(level) => Limits::of_nodes((20.0 * 1.65f64.powi(level as i32)) as u64),
            Self::Time(time) => Limits { move_time: Some(time), ..Limits::default() },
        }
    }
}

/// Whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Turn {
    Human,
    Engine,
    Nobody,
}

/// The game on the table.
pub(super) struct Table {
    game: Game,
    human: Color,
    has_resigned: bool,
    searcher: Searcher,
    pub(super) level: Level,
}

const OPINION_NODES: u64 = 300_000;

impl Table {
    pub(super) fn new(start: Board, human: Color, level: Level) -> Self {
        let mut searcher = Searcher::new(1, 16);
        searcher.set_network(engine::networks::default_network(net::Kernels::detect()));
        Self { game: Game::new(start), human, has_resigned: false, searcher, level }
    }

    pub(super) const fn human(&self) -> Color {
        self.human
    }

    pub(super) fn board(&self) -> &Board {
        self.game.board()
    }

    pub(super) fn last_move(&self) -> Option<Move> {
        self.game.moves().last().copied()
    }

    /// How the game has ended and why; repetition and the fifty-move rule need not be claimed.
    pub(super) fn verdict(&self) -> Option<(Outcome, String)> {
        if self.has_resigned {
            return Some((Outcome::Decisive { winner: !self.human }, "resignation".to_owned()));
        }
        let ending = self.game.ending().or_else(|| self.game.claim())?;
        Some((ending.outcome, ending.reason.to_string()))
    }

    pub(super) fn turn(&self) -> Turn {
        match self.verdict() {
            Some(_) => Turn::Nobody,
            None if self.board().turn() == self.human => Turn::Human,
            None => Turn::Engine,
        }
    }

    pub(super) fn prompt(&self) -> String {
        match self.turn() {
            Turn::Human => format!("{}. your move", self.board().fullmove_number()),
            _ => String::new(),
        }
    }

    pub(super) fn human_move(&mut self, text: &str) -> Result<(), MoveError> {
        if self.verdict().is_some() {
            return Err(MoveError::Illegal(text.to_owned()));
        }
        let mv = self.board().parse_san(text)?;
        self.game.play(mv);
        Ok(())
    }

    /// Lets the engine move, and tells what it played and what it thought.
    pub(super) fn engine_move(&mut self) -> Option<(String, Line)> {
        let (mv, line) = self.think(&self.level.limits())?;
        let san = self.board().san(mv).to_string();
        self.game.play(mv);
        Some((san, line))
    }

    pub(super) fn hint(&mut self) -> Option<(String, Line)> {
        if self.verdict().is_some() {
            return None;
        }
        let (mv, line) = self.think(&Limits::of_nodes(OPINION_NODES))?;
        Some((self.board().san(mv).to_string(), line))
    }

    /// What the engine thinks of the position, in words.
    pub(super) fn opinion(&mut self) -> String {
        let turn = self.board().turn();
        let Some((_, line)) = self.think(&Limits::of_nodes(OPINION_NODES)) else {
            return "The game is over.".to_owned();
        };
        if let Some(moves) = line.score.mate_moves() {
            let winner = if moves > 0 { turn } else { !turn };
            return format!("{winner} mates in {}", moves.abs());
        }
        let white = if turn == Color::White { line.score } else { -line.score };
        format!("{:+.2} pawns for White", f64::from(white.value()) / 100.0)
    }

    fn think(&mut self, limits: &Limits) -> Option<(Move, Line)> {
        let mut position = Position::new(*self.game.start());
        self.game.moves().iter().for_each(|&mv| position.play(mv));
        let line = self.searcher.think(&position, limits).best?;
        Some((*line.moves.first()?, line))
    }

    /// Takes back to the human's last turn; tells whether there was one.
    pub(super) fn undo(&mut self) -> bool {
        let before = self.game.moves().len();
        self.has_resigned = false;
        while self.game.undo().is_some() && self.board().turn() != self.human {}
        before != self.game.moves().len()
    }

    pub(super) const fn resign(&mut self) {
        self.has_resigned = true;
    }

    /// The moves so far with their numbers.
    pub(super) fn move_text(&self) -> String {
        let moves = self.game.moves().to_vec();
        if moves.is_empty() {
            return "no moves yet".to_owned();
        }
        let line = Line {
            depth: 0,
            selective_depth: 0,
            rank: 1,
            score: search::Score::DRAW,
            bound: search::Bound::Exact,
            moves,
        };
        crate::commands::analyze::moves_text(self.game.start(), &line)
    }

    /// Writes the game as PGN, to a temporary name first so that an old file is never half lost.
    pub(super) fn save(&self, path: &str) -> Result<()> {
        let temporary = format!("{path}.tmp");
        fs::write(&temporary, self.pgn().to_string())
            .with_context(|| format!("writing `{temporary}`"))?;
        fs::rename(&temporary, path).with_context(|| format!("renaming `{temporary}`"))
    }

    fn pgn(&self) -> PgnGame {
        let mut pgn = PgnGame::from(&self.game);
        let [white, black] = match self.human {
            Color::White => ["You", engine::NAME],
            Color::Black => [engine::NAME, "You"],
        };
        pgn.set_tag("Event", "A game in the terminal");
        pgn.set_tag("White", white);
        pgn.set_tag("Black", black);
        pgn.result = GameResult(self.verdict().map(|(outcome, _)| outcome));
        pgn
    }
}
