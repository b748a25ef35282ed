// SPDX-License-Identifier: GPL-3.0-or-later
//! What we do: think, ponder, and send moves or give the game up.

use std::sync::Arc;
use std::time::{Duration, Instant};

use chess::{Board, Move, White};
use engine::{Answer, Bound, Clock, Event, Info, Limits, Line, Odds, ShownScore};

use super::{Flow, Seat};
use crate::client::{Act, ApiError};
use crate::config::Setup;
use crate::game::deliver::{Decision, Delivery, Dispatch};
use crate::game::judge::centipawns;
use crate::record::Note;
use crate::thinker::SearchEvent;

/// What we are doing.
#[derive(Debug)]
pub(in crate::game) enum Doing {
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
    pub(in crate::game) async fn delivered(&mut self) -> Result<(), ApiError> {
        match self {
            Self::Sending(delivery) => delivery.wait().await,
            _ => std::future::pending().await,
        }
    }
}

/// A line of play, and where it begins.
#[derive(Clone, Debug)]
pub(super) struct Thought {
    pub(super) board: Board,
    pub(super) line: Line,
}

impl Thought {
    /// The score from our side.
    pub(super) fn score(&self) -> ShownScore {
        Odds::on(&self.board).shown(self.line.score)
    }
}

impl Seat {
    /// Does what the position asks for.
    pub(super) fn act(&mut self) {
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
    pub(in crate::game) fn think_on(&mut self, event: SearchEvent) -> Flow {
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
        let score = thought.score();
        // A search that failed has no opinion.
        if thought.line.bound == Bound::Exact && thought.line.depth > 0 {
            self.scores.push(centipawns(score));
        }
        // The move that follows is the next to be noted.
        let ply = self.ply();
        self.notes.resize(ply + 1, Note::default());
        self.notes[ply].eval = Some(White::seen_by(self.color, score));
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
    pub(in crate::game) fn delivered(&mut self, result: Result<(), ApiError>) -> Flow {
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
}
