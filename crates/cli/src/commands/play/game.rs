// SPDX-License-Identifier: GPL-3.0-or-later
//! A game between a person and the engine.

use std::time::Duration;

use anyhow::Result;
use chess::pgn::PgnGame;
use chess::{Board, Color, Game, GameResult, Move, MoveError, Outcome, White};
use engine::{Engine, Limits, Line, Odds, Position, Setting, ShownScore, Strength};

use super::moves;

/// How strong the engine plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Level {
    /// One of the levels of the option `Skill Level`; the highest is no limit.
    Skill(i64),
    /// A rating.
    Elo(i64),
}

impl Level {
    pub(super) const FULL: Self = Self::Skill(Strength::LEVELS);

    fn settings(self) -> [Setting; 3] {
        let (is_limited, elo, level) = match self {
            Self::Skill(level) => (false, *Strength::ELO.start(), level),
            Self::Elo(elo) => (true, elo, Strength::LEVELS),
        };
        [Setting::LimitStrength(is_limited), Setting::Elo(elo), Setting::SkillLevel(level)]
    }

    /// The rating that goes with it; none if the engine is not limited.
    fn elo(self) -> Option<i64> {
        match self {
            Self::Elo(elo) => Some(elo),
            Self::Skill(level) => Strength::elo_of_level(level),
        }
    }
}

impl std::fmt::Display for Level {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Skill(level) => write!(f, "level {level}"),
            Self::Elo(elo) => write!(f, "Elo {elo}"),
        }
    }
}

/// The score of a line that begins on this board.
fn score_of(line: &Line, board: &Board) -> White<ShownScore> {
    White::seen_by(board.turn(), Odds::on(board).shown(line.score))
}

/// A score in words.
pub(super) fn in_words(score: White<ShownScore>) -> String {
    match score.get() {
        ShownScore::Centipawns(centipawns) => format!("{centipawns:+} for White"),
        ShownScore::Mate(moves) if moves > 0 => format!("White mates in {moves}"),
        ShownScore::Mate(moves) => format!("Black mates in {}", -moves),
    }
}

/// Whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Turn {
    Human,
    Engine,
    Nobody,
}

/// A move that the engine would play, and what it thinks of it.
pub(super) struct Thought {
    mv: Move,
    pub(super) san: String,
    pub(super) score: White<ShownScore>,
    /// The moves that it expects, its own first.
    pub(super) moves: Vec<Move>,
}

/// A game under way.
pub(super) struct Session {
    game: Game,
    human: Color,
    has_resigned: bool,
    engine: Engine,
    /// What evaluates, and which search: for people.
    network_and_mode: String,
    level: Level,
    /// For a move, if the engine plays by time.
    time: Option<Duration>,
    /// The score that goes with each move; none for the person's.
    scores: Vec<Option<White<ShownScore>>>,
}

/// What a hint or an opinion costs.
const OPINION_NODES: u64 = 300_000;
/// What the engine takes for a move if it is limited by nothing else.
const FULL_TIME: Duration = Duration::from_secs(2);

impl Session {
    pub(super) fn new(
        start: Board,
        human: Color,
        engine: Engine,
        network_and_mode: String,
    ) -> Self {
        Self {
            game: Game::new(start),
            human,
            has_resigned: false,
            engine,
            network_and_mode,
            level: Level::FULL,
            time: None,
            scores: vec![],
        }
    }

    pub(super) const fn set_level(&mut self, level: Level) {
        self.level = level;
    }

    pub(super) const fn set_time(&mut self, time: Option<Duration>) {
        self.time = time;
    }

    pub(super) const fn level(&self) -> Level {
        self.level
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

    /// Whom the person plays against, as in `level 3, house`.
    pub(super) fn opponent(&self) -> String {
        let time = self.time.map(|time| format!("{} s a move, ", time.as_secs_f64()));
        let level = if self.time.is_some() && self.level == Level::FULL {
            String::new()
        } else {
            format!("{}, ", self.level)
        };
        format!("{level}{}{}", time.unwrap_or_default(), self.network_and_mode)
    }

    pub(super) fn prompt(&self) -> String {
        if self.turn() != Turn::Human {
            return String::new();
        }
        let dots = if self.human == Color::White { "." } else { "..." };
        format!("{}{dots} your move ({})", self.board().fullmove_number(), self.opponent())
    }

    pub(super) fn human_move(&mut self, text: &str) -> Result<(), MoveError> {
        if self.verdict().is_some() {
            return Err(MoveError::Illegal(text.to_owned()));
        }
        self.play(moves::read(self.board(), text)?, None);
        Ok(())
    }

    fn play(&mut self, mv: Move, score: Option<White<ShownScore>>) {
        self.scores.truncate(self.game.moves().len());
        self.game.play(mv);
        self.scores.push(score);
    }

    /// Lets the engine move, and tells what it played and what it thought.
    pub(super) fn engine_move(&mut self) -> Result<Option<Thought>> {
        let is_limited = self.level != Level::FULL;
        let move_time = self.time.or((!is_limited).then_some(FULL_TIME));
        let limits = Limits { move_time, ..Limits::default() };
        let thought = self.think(self.level, limits)?;
        if let Some(thought) = &thought {
            self.play(thought.mv, Some(thought.score));
        }
        Ok(thought)
    }

    /// What the engine would play, as strong as it can; none if the game is over.
    pub(super) fn opinion(&mut self) -> Result<Option<Thought>> {
        if self.verdict().is_some() {
            return Ok(None);
        }
        self.think(Level::FULL, Limits::of_nodes(OPINION_NODES))
    }

    fn think(&mut self, level: Level, limits: Limits) -> Result<Option<Thought>> {
        for setting in level.settings() {
            self.engine.set(setting)?;
        }
        let mut position = Position::new(*self.game.start());
        self.game.moves().iter().for_each(|&mv| position.play(mv));
        self.engine.set_position(position);
        let answer = self.engine.go(limits).answer();
        let Some(line) = answer.and_then(|answer| answer.best) else { return Ok(None) };
        let board = self.board();
        Ok(line.moves.first().map(|&mv| Thought {
            mv,
            san: board.san(mv).to_string(),
            score: score_of(&line, board),
            moves: line.moves.clone(),
        }))
    }

    /// Takes back a resignation, or the moves since the human's last turn; tells whether there was
    /// anything.
    pub(super) fn undo(&mut self) -> bool {
        if std::mem::take(&mut self.has_resigned) {
            return true;
        }
        let before = self.game.moves().len();
        while self.game.undo().is_some() && self.board().turn() != self.human {}
        before != self.game.moves().len()
    }

    pub(super) const fn resign(&mut self) {
        self.has_resigned = true;
    }

    /// The moves so far with their numbers.
    pub(super) fn move_text(&self) -> String {
        if self.game.moves().is_empty() {
            return "no moves yet".to_owned();
        }
        crate::commands::analyze::moves_text(self.game.start(), self.game.moves())
    }

    pub(super) fn pgn(&self) -> PgnGame {
        let mut pgn = PgnGame::from(&self.game);
        let own = format!("{} ({})", engine::NAME, self.opponent());
        let sides =
            if self.human == Color::White { ["White", "Black"] } else { ["Black", "White"] };
        pgn.set_tag("Event", "A game in the terminal");
        pgn.set_tag("Date", &tools::date::Moment::now().pgn_date());
        pgn.set_tag(sides[0], "You");
        pgn.set_tag(sides[1], &own);
        if let Some(elo) = self.level.elo() {
            pgn.set_tag(&format!("{}Elo", sides[1]), &elo.to_string());
        }
        for (node, score) in pgn.mainline.moves.iter_mut().zip(&self.scores) {
            node.comments.extend(score.map(|score| format!("[%eval {}]", score.get())));
        }
        pgn.result = GameResult(self.verdict().map(|(outcome, _)| outcome));
        pgn
    }
}
