// SPDX-License-Identifier: GPL-3.0-or-later
//! Our side of a game: what is known, what is being done, and what to do next.

mod voice;

use std::sync::Arc;
use std::time::{Duration, Instant};

use chess::{Board, Color, Move};
use engine::{Answer, Bound, Clock, Event, Info, Limits, Line, Odds};
use tokio::sync::mpsc::UnboundedReceiver;

use super::Context;
use super::deliver::{Decision, Delivery, Dispatch};
use super::judge::{Scores, centipawns};
use super::position::{Change, Moves};
use super::talk::Talk;
use crate::client::{Act, ApiError, Backoff};
use crate::config::Setup;
use crate::model::{GameEvent, GameFull, GameState, Player};
use crate::record::{Eval, Note};
use crate::thinker::{SearchEvent, Thinker};
use crate::words::{Speed, Word};

/// What comes after something has happened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Flow {
    GoOn,
    /// The stream must be opened anew.
    Resync,
    Over,
}

/// What we are doing.
#[derive(Debug)]
pub(super) enum Doing {
    /// Nothing but listening.
    Waiting,
    /// Thinking about our move.
    Thinking(u64),
    /// Thinking about our answer to a move that is expected.
    Pondering(u64, Move),
    /// A move is on its way.
    Sending(Delivery),
    /// The server has taken our move; it has yet to show it in the game.
    Sent,
}

impl Doing {
    /// Waits for the end of a delivery; forever if there is none.
    pub(super) async fn delivered(&mut self) -> Result<(), ApiError> {
        match self {
            Self::Sending(delivery) => delivery.wait().await,
            _ => std::future::pending().await,
        }
    }
}

/// What must be done at a time, unless something else happens before.
#[derive(Clone, Copy, Debug, Default)]
struct Alarms {
    abort: Option<Instant>,
    claim: Option<Instant>,
    resync: Option<Instant>,
}

/// After this time we claim, even if the server has named a later one.
const LONGEST_CLAIM: Duration = Duration::from_hours(24);

/// A line of play, and where it begins.
#[derive(Clone, Debug)]
struct Thought {
    board: Board,
    line: Line,
}

impl Thought {
    /// The score from our side.
    fn eval(&self) -> Eval {
        Eval::new(self.line.score, Odds::on(&self.board))
    }
}

/// How long after a claim that did not end the game the next one is made.
const CLAIM_AGAIN: Duration = Duration::from_secs(10);

/// Our side of a game.
pub(super) struct Seat {
    context: Arc<Context>,
    pub(super) full: GameFull,
    pub(super) color: Color,
    pub(super) opponent: Player,
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

    /// Does what the position asks for.
    fn act(&mut self) {
        if !self.is_our_turn() {
            if self.ply() < 2 && self.has_clock() {
                let end = Instant::now() + self.context.config.play.abort_after;
                self.alarms.abort.get_or_insert(end);
            }
            self.ponder();
            return;
        }
        if matches!(self.doing, Doing::Thinking(_) | Doing::Sending(_) | Doing::Sent) {
            return;
        }
        if self.moves.game.ending().is_some() {
            return; // The server will say so.
        }
        if self.moves.game.claim().is_some() && self.scores.claims_draw() {
            self.post(Act::ClaimDraw);
        }
        let (ply, board) = (self.ply(), self.moves.game.board());
        let decided = self.decided.filter(|&(at, mv)| at == ply && board.is_legal(mv));
        let decided = decided.map(|(_, mv)| mv);
        match decided.or_else(|| self.obvious_move()) {
            Some(mv) => self.send(mv, None),
            None => self.think(),
        }
    }

    /// A move from a book, or the only one.
    fn obvious_move(&self) -> Option<Move> {
        let board = self.moves.game.board();
        let only = board.legal_moves();
        let only = (only.len() == 1).then(|| only[0]);
        only.or_else(|| self.context.openings.choose(board))
    }

    fn think(&mut self) {
        let overhead = self.context.lag.overhead().as_millis().min(10_000);
        self.thinker.set("Move Overhead", &overhead.to_string());
        self.thought = None;
        let search = self.thinker.search(self.moves.position(&[]), self.limits());
        self.doing = Doing::Thinking(search);
    }

    /// Thinks about the answer to the reply that is expected, if there is one.
    fn ponder(&mut self) {
        let Some(reply) = self.expected.take() else { return };
        let may = self.context.config.play.ponder && self.has_clock();
        if may && self.moves.game.board().is_legal(reply) {
            let limits = Limits { ponder: true, ..self.limits() };
            let search = self.thinker.search(self.moves.position(&[reply]), limits);
            self.doing = Doing::Pondering(search, reply);
        }
    }

    /// What is left on our clock.
    fn own_clock(&self) -> Duration {
        if self.is_our_turn() {
            let (since, clock) = self.turn;
            clock.saturating_sub(since.elapsed())
        } else {
            self.state.clock(self.color)
        }
    }

    /// The limits of our searches, on our clock.
    fn limits(&self) -> Limits {
        let mut move_time = self.setup.move_time;
        let mut clock = None;
        if self.has_clock() {
            clock = Some(Clock {
                remaining: self.own_clock(),
                increment: self.state.increment(self.color),
                moves_to_go: None,
            });
        } else {
            let own = self.context.config.correspondence.move_time;
            move_time = Some(move_time.map_or(own, |time| time.min(own)));
        }
        let Setup { nodes, depth, .. } = self.setup;
        Limits { clock, nodes, depth, move_time, ..Limits::default() }
    }

    /// The board that is searched.
    fn searched_board(&self) -> Board {
        let mut board = *self.moves.game.board();
        if let Doing::Pondering(_, reply) = self.doing {
            board.play(reply);
        }
        board
    }

    /// Something happened in a search.
    pub(super) fn think_on(&mut self, event: SearchEvent) -> Flow {
        let is_current = matches!(self.doing, Doing::Thinking(search)
            | Doing::Pondering(search, _) if search == event.search);
        match event.event {
            Event::Info(Info::Line(line, _)) if is_current && line.rank == 1 => {
                self.note_line(line);
                if self.last_told.elapsed() > Duration::from_millis(500) {
                    self.tell();
                }
            }
            Event::Failed(reason) => {
                tracing::error!("game {}: the search failed: {reason}", self.full.id);
            }
            Event::Ended(answer) if is_current && matches!(self.doing, Doing::Thinking(_)) => {
                self.decide(answer);
            }
            Event::Info(_) | Event::Ended(_) => (),
        }
        Flow::GoOn
    }

    fn note_line(&mut self, line: Line) {
        let thought = Thought { board: self.searched_board(), line };
        self.shown = Some(thought.clone());
        self.thought = Some(thought);
    }

    fn decide(&mut self, answer: Answer) {
        let (best, reply) = (answer.best_move(), answer.ponder_move());
        let Some(mv) = best else {
            let board = self.moves.game.board();
            tracing::error!("game {}: the engine has no move in {}", self.full.id, board.fen());
            self.doing = Doing::Waiting;
            return;
        };
        if let Some(line) = answer.best {
            self.note_line(line);
        }
        self.note_score();
        if self.scores.resigns(&self.context.config.resign, self.opponent.kind()) {
            self.resign();
        } else {
            self.send(mv, reply);
        }
    }

    fn note_score(&mut self) {
        let Some(thought) = &self.thought else { return };
        let eval = thought.eval();
        // A search that failed has no opinion.
        if thought.line.bound == Bound::Exact && thought.line.depth > 0 {
            self.scores.push(centipawns(eval));
        }
        // The move that follows is the next to be noted.
        let ply = self.ply();
        self.notes.resize(ply + 1, Note::default());
        self.notes[ply].eval = Some(eval.turned_for(self.color));
    }

    /// Gives the game up, instead of a move. If the server does not take it, we think again.
    fn resign(&mut self) {
        self.decided = None;
        self.deliver(Decision::Resign);
    }

    fn deliver(&mut self, decision: Decision) {
        let dispatch = Dispatch {
            game: self.full.id.clone(),
            decision,
            deadline: self.has_clock().then(|| Instant::now() + self.own_clock()),
        };
        self.doing = Doing::Sending(Delivery::start(Arc::clone(&self.context), dispatch));
    }

    /// Sends a move on its way, and thinks on if a reply is expected.
    fn send(&mut self, mv: Move, expected: Option<Move>) {
        self.decided = Some((self.ply(), mv));
        let number = self.moves.game.board().fullmove_number();
        let text = self.moves.text(mv);
        let offers_draw = self.scores.offers_draw(&self.context.config.draw, number);
        self.deliver(Decision::Move { text, offers_draw });
        self.expected = expected;
    }

    /// The server has answered to our move.
    pub(super) fn delivered(&mut self, result: Result<(), ApiError>) -> Flow {
        match result {
            Ok(()) => {
                // The stream should show it soon; if not, it is dead.
                self.alarms.resync = Some(Instant::now() + self.context.client.timing().silence());
                self.doing = Doing::Sent;
            }
            Err(error) => {
                // Perhaps an earlier try got through, or the game is over: the server knows.
                tracing::info!("game {}: {error}; looking again", self.full.id);
                self.alarms.resync = Some(Instant::now() + self.patience.next());
                self.doing = Doing::Waiting;
            }
        }
        Flow::GoOn
    }

    /// When something must be done.
    pub(super) fn next_alarm(&self) -> Instant {
        const FAR: Duration = Duration::from_hours(1);
        let Alarms { abort, claim, resync } = self.alarms;
        let linger = self.context.config.correspondence.linger;
        let leave = self.is_slow_turn().then(|| self.present_since + linger);
        let next = [abort, claim, resync, leave].into_iter().flatten().min();
        next.unwrap_or_else(|| Instant::now() + FAR)
    }

    /// Does what the time has come for.
    pub(super) fn ring(&mut self, now: Instant) -> Flow {
        let is_due = |alarm: &mut Option<Instant>| alarm.take_if(|at| *at <= now).is_some();
        if is_due(&mut self.alarms.abort) && self.ply() < 2 && !self.is_our_turn() {
            self.post(Act::Abort);
        }
        if is_due(&mut self.alarms.claim) {
            self.post(Act::ClaimVictory);
            // If it was too early, once more.
            self.alarms.claim = Some(now + CLAIM_AGAIN);
        }
        if is_due(&mut self.alarms.resync) {
            if matches!(self.doing, Doing::Sent) {
                self.doing = Doing::Waiting;
            }
            return Flow::Resync;
        }
        Flow::GoOn
    }

    /// Whether the opponent has days to think.
    fn is_slow_turn(&self) -> bool {
        !self.has_clock() && !self.is_our_turn()
    }

    /// Whether nothing has happened for long, and nothing need happen soon.
    pub(super) fn may_leave(&self) -> bool {
        let linger = self.context.config.correspondence.linger;
        self.is_slow_turn() && self.present_since.elapsed() >= linger
    }

    /// We listen again.
    pub(super) fn come_back(&mut self) {
        self.present_since = Instant::now();
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
