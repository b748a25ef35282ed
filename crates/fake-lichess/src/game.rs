// SPDX-License-Identifier: GPL-3.0-or-later
//! A game: its rules, its clocks, and who listens.

use std::time::{Duration, Instant};

use chess::{Board, CastlingMode, Color, Game as Moves, Outcome};
use serde_json::{Value, json};

use crate::challenge::{ChallengeClock, ChallengeSpec};
use crate::faults::NetworkFault;
use crate::opponent::Part;
use crate::stream::Tap;
use crate::world::User;

/// A game.
#[derive(Debug)]
pub(crate) struct Game {
    pub(crate) id: String,
    pub(crate) spec: ChallengeSpec,
    /// White and Black.
    pub(crate) players: [User; 2],
    pub(crate) moves: Moves,
    /// What each side has left, when its last move was played.
    clocks: [Duration; 2],
    turn_began: Instant,
    created_at: u64,
    pub(crate) status: &'static str,
    pub(crate) winner: Option<Color>,
    pub(crate) draws: [bool; 2],
    pub(crate) takebacks: [bool; 2],
    pub(crate) is_castling_by_rook: bool,
    pub(crate) taps: Vec<(String, Tap)>,
    pub(crate) part: Part,
    /// Since when the opponent of a side may claim the win.
    pub(crate) claimable: [Option<Instant>; 2],
    pub(crate) chat: Vec<(String, String, String)>,
    /// A state that was sent before, to be sent again at the wrong time.
    old_state: Option<Value>,
}

/// How a game went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameReport {
    /// Its identifier.
    pub id: String,
    /// White's name.
    pub white: String,
    /// Black's name.
    pub black: String,
    /// The moves, as king takes rook in Chess960.
    pub moves: Vec<String>,
    /// Lichess's word for how it stands or ended.
    pub status: String,
    /// `white` or `black`.
    pub winner: Option<String>,
    /// What the scripted player did.
    pub part: Part,
    /// Who said what in which room.
    pub chat: Vec<(String, String, String)>,
}

const NO_CLOCK: u64 = i32::MAX as u64;

impl Game {
    pub(crate) fn new(id: String, spec: ChallengeSpec, players: [User; 2], part: Part) -> Self {
        let start = spec.fen.as_deref().map_or(Ok(Board::default()), str::parse);
        let initial = match spec.clock {
            ChallengeClock::Real { initial, .. } => initial,
            ChallengeClock::Days(_) | ChallengeClock::Unlimited => Duration::from_millis(NO_CLOCK),
        };
        let now = std::time::UNIX_EPOCH.elapsed().unwrap_or_default();
        Self {
            id,
            players,
            moves: Moves::new(start.expect("specs hold sound positions")),
            clocks: [initial; 2],
            spec,
            turn_began: Instant::now(),
            created_at: now.as_millis() as u64,
            status: "started",
            winner: None,
            draws: [false; 2],
            takebacks: [false; 2],
            is_castling_by_rook: false,
            taps: vec![],
            part,
            claimable: [None; 2],
            chat: vec![],
            old_state: None,
        }
    }

    pub(crate) fn is_over(&self) -> bool {
        self.status != "started"
    }

    pub(crate) fn turn(&self) -> Color {
        self.moves.board().turn()
    }

    pub(crate) fn color_of(&self, user: &str) -> Option<Color> {
        Color::ALL.into_iter().find(|&color| self.players[color.index()].id == user)
    }

    /// For how long the side to move has been thinking.
    pub(crate) fn thinking_for(&self) -> Duration {
        self.turn_began.elapsed()
    }

    fn increment(&self) -> Duration {
        match self.spec.clock {
            ChallengeClock::Real { increment, .. } => increment,
            ChallengeClock::Days(_) | ChallengeClock::Unlimited => Duration::ZERO,
        }
    }

    /// Whether the clock of the side to move runs: only from the second move on.
    fn is_running(&self) -> bool {
        self.moves.moves().len() >= 2 && matches!(self.spec.clock, ChallengeClock::Real { .. })
    }

    /// What a side has left now.
    fn left(&self, color: Color) -> Duration {
        let clock = self.clocks[color.index()];
        if color == self.turn() && self.is_running() && !self.is_over() {
            clock.saturating_sub(self.turn_began.elapsed())
        } else {
            clock
        }
    }

    /// Ends the game if the side to move has no time left.
    pub(crate) fn flag(&mut self) -> bool {
        let turn = self.turn();
        let is_out = !self.is_over() && self.is_running() && self.left(turn).is_zero();
        if is_out {
            self.end("outoftime", Some(!turn));
        }
        is_out
    }

    /// Plays a move of a side, or says why not.
    pub(crate) fn play(&mut self, color: Color, text: &str) -> Result<(), String> {
        self.flag();
        if self.is_over() || self.turn() != color {
            return Err("Not your turn, or game already over".to_owned());
        }
        let board = self.moves.board();
        let mv = board.parse_uci(text).map_err(|error| format!("Invalid UCI: {error}"))?;
        self.clocks[color.index()] = self.left(color);
        if self.is_running() {
            let increment = self.increment();
            self.clocks[color.index()] += increment;
        }
        self.moves.play(mv);
        self.turn_began = Instant::now();
        self.draws[(!color).index()] = false;
        self.takebacks = [false; 2];
        self.claimable[color.index()] = None;
        if let Some(ending) = self.moves.ending() {
            let status = match ending.reason {
                chess::Reason::Checkmate => "mate",
                chess::Reason::Stalemate => "stalemate",
                _ => "draw",
            };
            self.end(status, ending.outcome.winner());
        }
        Ok(())
    }

    /// Takes the last move of a side back, with the answer to it.
    pub(crate) fn take_back(&mut self, color: Color) {
        let count = if self.turn() == color { 2 } else { 1 };
        for _ in 0..count {
            self.moves.undo();
        }
        self.turn_began = Instant::now();
        self.takebacks = [false; 2];
    }

    pub(crate) fn end(&mut self, status: &'static str, winner: Option<Color>) {
        if !self.is_over() {
            self.status = status;
            self.winner = winner;
        }
    }

    fn move_list(&self) -> String {
        let is_960 = self.spec.variant == "chess960" || self.moves.start().is_chess960();
        let mode = if is_960 || self.is_castling_by_rook {
            CastlingMode::Chess960
        } else {
            CastlingMode::Standard
        };
        let moves = self.moves.moves().iter().map(|mv| mv.uci(mode).to_string());
        moves.collect::<Vec<_>>().join(" ")
    }

    pub(crate) fn state(&self) -> Value {
        let millis = |color| self.left(color).as_millis() as u64;
        let increment = self.increment().as_millis() as u64;
        let mut state = json!({
            "type": "gameState", "moves": self.move_list(), "status": self.status,
            "wtime": millis(Color::White), "btime": millis(Color::Black),
            "winc": increment, "binc": increment,
            "wdraw": self.draws[0], "bdraw": self.draws[1],
            "wtakeback": self.takebacks[0], "btakeback": self.takebacks[1],
            "somethingNew": {"extra": [1, 2, 3]},
        });
        if let Some(winner) = self.winner {
            state["winner"] = json!(color_name(winner));
        }
        if self.moves.moves().len() < 2 {
            state["expiration"] = json!({"idleMillis": 100, "millisToMove": 30_000});
        }
        state
    }

    pub(crate) fn full(&self) -> Value {
        let fen = self.spec.fen.clone().unwrap_or_else(|| "startpos".to_owned());
        let clock = match self.spec.clock {
            ChallengeClock::Real { initial, increment } => json!({
                "initial": initial.as_millis() as u64, "increment": increment.as_millis() as u64
            }),
            ChallengeClock::Days(_) | ChallengeClock::Unlimited => Value::Null,
        };
        json!({
            "type": "gameFull", "id": self.id, "rated": self.spec.rated, "source": "friend",
            "variant": {"key": self.spec.variant, "name": self.spec.variant, "short": "?"},
            "speed": self.spec.speed(), "perf": {"name": self.spec.speed()}, "clock": clock,
            "createdAt": self.created_at, "initialFen": fen, "state": self.state(),
            "white": self.players[0].json(), "black": self.players[1].json(),
        })
    }

    /// The game as the stream of events names it to a player.
    pub(crate) fn info(&self, user: &str) -> Value {
        let color = self.color_of(user).unwrap_or(Color::White);
        let opponent = &self.players[(!color).index()];
        json!({
            "fullId": format!("{}abcd", self.id), "gameId": self.id, "id": self.id,
            "fen": self.moves.board().fen().to_string(), "color": color_name(color),
            "lastMove": "", "source": "friend", "status": {"id": 20, "name": self.status},
            "variant": {"key": self.spec.variant, "name": self.spec.variant},
            "speed": self.spec.speed(), "perf": self.spec.speed(), "rated": self.spec.rated,
            "hasMoved": false, "isMyTurn": self.turn() == color,
            "opponent": {"id": opponent.id, "username": opponent.name, "rating": opponent.rating},
            "compat": {"bot": true, "board": true},
        })
    }

    /// Tells everybody how the game stands; to those who are not scripted, with a fault.
    pub(crate) fn push(&mut self, fault: Option<NetworkFault>) {
        let state = self.state();
        let old = self.old_state.replace(state.clone());
        for (_, tap) in &self.taps {
            match fault {
                Some(NetworkFault::GameHalfLine) => tap.send_half(&state),
                Some(NetworkFault::GameStall) => tap.stall(),
                Some(NetworkFault::GameClose) => tap.close(),
                Some(NetworkFault::GameReset) => tap.reset(),
                Some(NetworkFault::GameDuplicate) => {
                    tap.send(&state);
                    tap.send(&state);
                }
                Some(NetworkFault::GameStale) => {
                    tap.send(&state);
                    if let Some(old) = &old {
                        tap.send(old);
                    }
                }
                Some(NetworkFault::GameUnknown) => {
                    tap.send(&json!({"type": "arrow", "squares": ["e2", "e4"]}));
                    tap.send(&state);
                }
                Some(NetworkFault::GameGoneForever) => {
                    let seconds = u64::MAX;
                    tap.send(&state);
                    tap.send(&json!({
                        "type": "opponentGone", "gone": true, "claimWinInSeconds": seconds
                    }));
                }
                _ => tap.send(&state),
            }
            if self.is_over() {
                tap.close();
            }
        }
        self.taps.retain(|(_, tap)| tap.is_open());
    }

    /// Tells everybody something else.
    pub(crate) fn tell(&self, object: &Value) {
        for (_, tap) in &self.taps {
            tap.send(object);
        }
    }

    pub(crate) fn report(&self) -> GameReport {
        let mode = if self.spec.variant == "chess960" {
            CastlingMode::Chess960
        } else {
            CastlingMode::Standard
        };
        GameReport {
            id: self.id.clone(),
            white: self.players[0].name.clone(),
            black: self.players[1].name.clone(),
            moves: self.moves.moves().iter().map(|mv| mv.uci(mode).to_string()).collect(),
            status: self.status.to_owned(),
            winner: self.winner.map(|color| color_name(color).to_owned()),
            part: self.part,
            chat: self.chat.clone(),
        }
    }

    /// Ends the game as a draw by the rules, if one can be claimed.
    pub(crate) fn claim_draw(&mut self) -> bool {
        let is_draw = self.moves.claim().is_some_and(|it| it.outcome == Outcome::Draw);
        if is_draw {
            self.end("draw", None);
        }
        is_draw
    }
}

pub(crate) const fn color_name(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}
