// SPDX-License-Identifier: GPL-3.0-or-later
//! The referee: plays one game between two engines, keeps their clocks and believes nothing.
//!
//! Every move is checked against the rules, every variation against the move that was played. An
//! engine that hangs, crashes or cheats loses the game and is thrown out; the match goes on.

mod board_talk;
mod clock;
mod fault;
mod player;
mod record;
mod rules;
mod tables;

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime};

use chess::{ByColor, Color, Game, Outcome};
use driver::position_at;
use uci::{ClientError, ScoreValue, UciPosition};

pub use fault::{FaultKind, GameFault};
pub use player::Player;
pub use record::{GameEnding, GameRecord, MoveRecord, SideFault};
pub use rules::{Adjudication, DrawRule, ResignRule, RuleError, Rules};
pub use tables::{TableRule, TableSettings};

use crate::openings::Opening;
use clock::PlayerClock;
use fault::BETWEEN_GAMES;
use rules::Watch;

/// Time for an engine to answer `stop`; after it the engine is taken for dead.
const STOP_GRACE: Duration = Duration::from_secs(2);

/// Plays games by the rules that it is given.
pub struct Referee<'a> {
    /// The rules.
    pub rules: &'a Rules,
    /// Set by others to break a game off.
    pub should_stop: &'a AtomicBool,
    /// Told after every move.
    pub on_move: &'a (dyn Fn(&Played) + Sync),
}

/// A move that was just played, as whoever watches is told of it.
#[derive(Clone, Debug)]
pub struct Played {
    /// The move in UCI notation.
    pub mv: String,
    /// Who played it.
    pub color: Color,
    /// The mover's score.
    pub score: Option<ScoreValue>,
    /// The mover's clock after it, if there is one.
    pub clock: Option<Duration>,
}

impl fmt::Debug for Referee<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Referee").field("rules", &self.rules).finish_non_exhaustive()
    }
}

impl Referee<'_> {
    /// Plays one game; `None` if it was broken off. An error means that an engine cannot be
    /// started.
    pub fn play(
        &self,
        white: &mut Player,
        black: &mut Player,
        opening: &Opening,
    ) -> Result<Option<GameRecord>, ClientError> {
        let mut game = LiveGame::new(self, ByColor([white, black]), opening);
        game.prepare(Color::White)?;
        game.prepare(Color::Black)?;
        game.began = SystemTime::now();
        game.start = Instant::now();
        let ending = game.play();
        game.stop_engines(ending);
        Ok(ending.map(|ending| game.record(ending)))
    }
}

/// A game in progress.
struct LiveGame<'a> {
    referee: &'a Referee<'a>,
    players: ByColor<&'a mut Player>,
    opening: &'a Opening,
    game: Game,
    /// The present position as the engines are told it.
    position: UciPosition,
    clocks: ByColor<PlayerClock>,
    /// The move that each engine ponders on, if it does.
    pondering: ByColor<Option<chess::Move>>,
    watch: Watch,
    moves: Vec<MoveRecord>,
    faults: Vec<SideFault>,
    began: SystemTime,
    start: Instant,
}

impl<'a> LiveGame<'a> {
    fn new(
        referee: &'a Referee<'a>,
        players: ByColor<&'a mut Player>,
        opening: &'a Opening,
    ) -> Self {
        let clock = |color| PlayerClock::new(&players[color].spec().limit);
        let clocks = ByColor([clock(Color::White), clock(Color::Black)]);
        let mut live = Self {
            referee,
            players,
            opening,
            game: Game::new(opening.start),
            position: position_at(&opening.start, referee.rules.castling),
            clocks,
            pondering: ByColor([None, None]),
            watch: Watch::default(),
            moves: Vec::new(),
            faults: Vec::new(),
            began: SystemTime::now(),
            start: Instant::now(),
        };
        for &mv in &opening.moves {
            live.advance(mv);
        }
        live
    }

    /// Gets an engine ready for this game.
    fn prepare(&mut self, color: Color) -> Result<(), ClientError> {
        let (_, failure) = self.players[color].ready()?;
        if let Some(error) = failure {
            let kind = kind_of(&error);
            self.note(SideFault { color, kind, detail: format!("{BETWEEN_GAMES}{error}") });
        }
        Ok(())
    }

    /// Plays a move on the board and tells it to the engines.
    fn advance(&mut self, mv: chess::Move) {
        self.position.moves.push(mv.uci(self.referee.rules.castling).to_string());
        self.game.play(mv);
    }

    /// Plays to the end; `None` if the game was broken off.
    fn play(&mut self) -> Option<GameEnding> {
        loop {
            if let Some(ending) = self.game.ending().or_else(|| self.game.claim()) {
                return Some(GameEnding::Rule(ending.reason));
            }
            if self.referee.should_stop.load(Ordering::Relaxed) {
                return None;
            }
            let color = self.game.board().turn();
            let (record, expected) = match self.think(color) {
                Ok(answer) => answer,
                Err(fault) => {
                    let kind = fault.kind;
                    self.note(fault);
                    return Some(GameEnding::Fault { color, kind });
                }
            };
            if let Some(adjudication) = self.take_move(color, record) {
                return Some(GameEnding::Adjudicated(adjudication));
            }
            self.start_pondering(color, expected);
        }
    }

    /// Plays and keeps a move, and says whether the referee has seen enough.
    fn take_move(&mut self, color: Color, mut record: MoveRecord) -> Option<Adjudication> {
        let (rules, score) = (self.referee.rules, record.score);
        self.clocks[color].punch(record.elapsed);
        record.clock = self.clocks[color].left();
        let (mv, clock) = (record.mv.uci(rules.castling).to_string(), record.clock);
        self.advance(record.mv);
        self.moves.push(record);
        let plies = self.game.moves().len();
        (self.referee.on_move)(&Played { mv, color, score, clock });
        self.watch.note(rules, color, score);
        // A game that has ended by itself is not the referee's to end.
        let is_over = self.game.ending().or_else(|| self.game.claim()).is_some();
        if is_over {
            return None;
        }
        self.known_result().or_else(|| self.watch.verdict(rules, color, plies))
    }

    /// What the endgame tables say, if they are asked.
    fn known_result(&self) -> Option<Adjudication> {
        let outcome = self.referee.rules.tables.as_ref()?.result(self.game.board())?;
        Some(Adjudication::Tables { outcome })
    }

    /// Keeps a fault, the first of its kind and side.
    fn note(&mut self, fault: SideFault) {
        let is_known = |known: &SideFault| known.kind == fault.kind && known.color == fault.color;
        if !self.faults.iter().any(is_known) {
            self.faults.push(fault);
        }
    }

    /// Ends the engines' part: no search goes on, and who failed is thrown out.
    fn stop_engines(&mut self, ending: Option<GameEnding>) {
        for color in [Color::White, Color::Black] {
            let has_failed =
                matches!(ending, Some(GameEnding::Fault { color: loser, .. }) if loser == color);
            if has_failed || (self.pondering[color].is_some() && !self.stop_pondering(color)) {
                self.players[color].discard();
            }
        }
    }

    fn record(self, ending: GameEnding) -> GameRecord {
        GameRecord {
            opening: self.opening.clone(),
            outcome: self.outcome(ending),
            moves: self.moves,
            ending,
            faults: self.faults,
            began: self.began,
            duration: self.start.elapsed(),
        }
    }

    fn outcome(&self, ending: GameEnding) -> Outcome {
        let loser = match ending {
            GameEnding::Rule(chess::Reason::Checkmate) => Some(self.game.board().turn()),
            GameEnding::Adjudicated(Adjudication::Resign { loser }) => Some(loser),
            GameEnding::Adjudicated(Adjudication::Tables { outcome }) => return outcome,
            GameEnding::Fault { color, .. } => Some(color),
            GameEnding::Rule(_) | GameEnding::Adjudicated(_) => None,
        };
        loser.map_or(Outcome::Draw, |loser| Outcome::Decisive { winner: !loser })
    }
}

/// The fault behind an engine's failure.
fn kind_of(error: &ClientError) -> FaultKind {
    match error {
        ClientError::TimedOut { .. } | ClientError::NotReading { .. } => FaultKind::NoAnswer,
        _ => FaultKind::Disconnect,
    }
}
