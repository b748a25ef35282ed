// SPDX-License-Identifier: GPL-3.0-or-later
//! Our side of a game: what is known, what is being done, and what to do next.

mod act;
mod alarms;
mod voice;

use std::sync::Arc;
use std::time::{Duration, Instant};

use chess::{Color, Move};
use tokio::sync::mpsc::UnboundedReceiver;

use super::Context;
use super::judge::Scores;
use super::position::{Change, Moves};
use super::talk::Talk;
use crate::client::{Act, Backoff};
use crate::config::Setup;
use crate::model::{GameEvent, GameFull, GameState, LichessPlayer};
use crate::record::Note;
use crate::thinker::{SearchEvent, Thinker};
use crate::words::{Speed, Word};

use act::{Doing, Thought};
use alarms::{Alarms, LONGEST_CLAIM};

/// What comes after something has happened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Flow {
    GoOn,
    /// The stream must be opened anew.
    Resync,
    Over,
}

/// Our side of a game.
pub(super) struct Seat {
    context: Arc<Context>,
    pub(super) full: GameFull,
    pub(super) color: Color,
    pub(super) opponent: LichessPlayer,
    pub(super) moves: Moves,
    pub(super) state: GameState,
    /// What is known about each move.
    pub(super) notes: Vec<Note>,
    setup: Setup,
    thinker: Thinker,
    pub(super) searched: UnboundedReceiver<SearchEvent>,
    pub(super) doing: Doing,
    /// Since when the present position stands, and what the mover's clock showed then.
    turn: (Instant, Duration),
    /// What was decided at which ply; kept until the server shows it.
    decided: Option<(usize, Move)>,
    /// The reply that the engine expects to it.
    expected: Option<Move>,
    /// Since when we have been listening without anything happening.
    present_since: Instant,
    /// The best line for this position so far.
    thought: Option<Thought>,
    /// The last best line of this game, for those who watch.
    shown: Option<Thought>,
    scores: Scores,
    talk: Talk,
    takebacks_left: u32,
    is_takeback_agreed: bool,
    alarms: Alarms,
    /// How long to wait before the next look, when the server refuses our moves.
    patience: Backoff,
    last_told: Instant,
}

impl Seat {
    pub(super) fn new(context: Arc<Context>, full: GameFull, color: Color, moves: Moves) -> Self {
        let opponent = if color == Color::White { &full.black } else { &full.white }.clone();
        let speed = Speed::of(&full.speed).unwrap_or(Speed::Correspondence);
        let setup = context.config.engine.setup(speed, opponent.kind());
        let (thinker, searched) = Thinker::start(&setup.options);
        if moves.mode == chess::CastlingMode::Chess960 {
            thinker.set("UCI_Chess960", "true");
        }
        thinker.new_game();
        let now = Instant::now();
        let state = full.state.clone();
        Self {
            turn: (now, state.clock(moves.game.board().turn())),
            talk: Talk::new(&context.me.username, context.config.chat.commands),
            takebacks_left: context.config.play.takebacks,
            notes: vec![Note::default(); moves.game.moves().len()],
            patience: Backoff::new(Duration::from_millis(250), Duration::from_secs(5)),
            context,
            full,
            color,
            opponent,
            moves,
            state,
            setup,
            thinker,
            searched,
            doing: Doing::Waiting,
            decided: None,
            expected: None,
            present_since: now,
            thought: None,
            shown: None,
            scores: Scores::default(),
            is_takeback_agreed: false,
            alarms: Alarms::default(),
            last_told: now,
        }
    }

    /// Looks at the game for the first time.
    pub(super) fn begin(&mut self) -> Flow {
        if self.is_over() {
            return Flow::Over;
        }
        self.answer_offers(&GameState::default());
        self.act();
        Flow::GoOn
    }

    pub(super) fn is_over(&self) -> bool {
        self.state.is_over()
    }

    /// Whether hardly anything was played.
    pub(super) fn is_new(&self) -> bool {
        !self.is_over() && self.ply() < 2
    }

    fn ply(&self) -> usize {
        self.moves.game.moves().len()
    }

    fn is_our_turn(&self) -> bool {
        self.moves.game.board().turn() == self.color
    }

    fn has_clock(&self) -> bool {
        self.full.clock.is_some() && !self.state.has_no_clock()
    }

    /// Something came from the stream.
    pub(super) fn hear(&mut self, event: GameEvent) -> Flow {
        match event {
            GameEvent::GameFull(full) => {
                self.alarms.resync = None;
                let state = full.state.clone();
                // Unless the request still stands, what we agreed to is done.
                self.is_takeback_agreed &= state.asks_takeback(!self.color);
                self.full = *full;
                self.absorb(state, true)
            }
            GameEvent::GameState(state) => self.absorb(state, false),
            GameEvent::ChatLine(line) => {
                self.answer(&line);
                Flow::GoOn
            }
            GameEvent::OpponentGone { gone, claim_win_in_seconds } => {
                let wait = claim_win_in_seconds.filter(|_| gone).map(Duration::from_secs);
                self.alarms.claim = wait.map(|wait| Instant::now() + wait.min(LONGEST_CLAIM));
                Flow::GoOn
            }
            GameEvent::Unknown => Flow::GoOn,
        }
    }

    /// Takes over how the game stands. `is_certain` if the message tells everything, and so cannot
    /// be an old one.
    fn absorb(&mut self, state: GameState, is_certain: bool) -> Flow {
        let change = self.moves.compare(&state.moves);
        if change == Change::Back && !is_certain && !self.is_takeback_agreed {
            tracing::info!("game {}: moves have gone; looking again", self.full.id);
            return Flow::Resync;
        }
        let before = std::mem::replace(&mut self.state, state);
        if change != Change::None {
            if let Err(error) = self.moves.set(&self.state.moves.clone()) {
                tracing::error!("game {}: {error}", self.full.id);
                self.state = before;
                self.alarms.resync = Some(Instant::now() + self.patience.next());
                return Flow::GoOn;
            }
            self.position_changed(change);
        }
        if self.is_over() {
            return Flow::Over;
        }
        self.answer_offers(&before);
        if change != Change::None || matches!(self.doing, Doing::Waiting) {
            self.act();
        }
        self.tell();
        Flow::GoOn
    }

    fn position_changed(&mut self, change: Change) {
        let mover = self.moves.game.board().turn();
        self.turn = (Instant::now(), self.state.clock(mover));
        self.present_since = Instant::now();
        self.patience.reset();
        // Who moves is there; who was away when we moved still is.
        let claim = self.alarms.claim.filter(|_| !self.is_our_turn());
        self.alarms = Alarms { claim, ..Alarms::default() };
        if change == Change::Back {
            self.is_takeback_agreed = false;
            // It was decided in a position that is gone, even if there is another at the same ply.
            self.decided = None;
        }
        let clock = self.has_clock().then(|| self.state.clock(!mover));
        self.notes.resize(self.ply(), Note::default());
        if let Some(note) = self.notes.last_mut() {
            note.clock = clock;
        }
        let is_expected = |expected: &Move| {
            change == Change::Further && self.moves.game.moves().last() == Some(expected)
        };
        self.doing = match std::mem::replace(&mut self.doing, Doing::Waiting) {
            Doing::Pondering(search, expected) if is_expected(&expected) && self.is_our_turn() => {
                self.thinker.ponder_hit();
                Doing::Thinking(search)
            }
            Doing::Pondering(..) | Doing::Thinking(_) => {
                self.thinker.stop();
                Doing::Waiting
            }
            Doing::Waiting | Doing::Sending(_) | Doing::Sent => Doing::Waiting,
        };
    }

    /// Answers draw offers and requests to take back that were not there before.
    fn answer_offers(&mut self, before: &GameState) {
        let them = !self.color;
        let number = self.moves.game.board().fullmove_number();
        if self.state.offers_draw(them) && !before.offers_draw(them) {
            let accepts = self.scores.accepts_draw(&self.context.config.draw, number);
            self.post(Act::Draw(accepts));
        }
        if self.state.asks_takeback(them) && !before.asks_takeback(them) {
            let accepts = self.takebacks_left > 0;
            if accepts {
                self.takebacks_left -= 1;
                self.is_takeback_agreed = true;
            }
            self.post(Act::Takeback(accepts));
        }
    }

    fn post(&self, act: Act) {
        let (context, id) = (Arc::clone(&self.context), self.full.id.clone());
        tokio::spawn(async move {
            if let Err(error) = context.client.act(&id, act).await {
                tracing::info!("game {id}: {act:?}: {error}");
            }
        });
    }
}
