// SPDX-License-Identifier: GPL-3.0-or-later
//! One game: its stream, its engine and its clock, in a task of its own.
//!
//! The server is right, always: every opened stream begins with how the game stands, and that
//! replaces what was believed. Within a stream moves only grow, unless a take-back was agreed on; a
//! message that says otherwise is old, and makes us open the stream anew. A move that was decided is
//! kept until the server shows it in the game.

mod deliver;
mod judge;
mod opening;
mod position;
mod seat;
mod talk;

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::Instant;

use chess::Color;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinHandle;

use crate::client::{Act, Client, Room};
use crate::config::Config;
use crate::follow::{self, Item, Stream};
use crate::lag::Lag;
use crate::live::Live;
use crate::model::{GameEvent, GameFull, Profile};
use crate::record::{self, Archive};
use crate::update::{ResultRecord, Update, color_name};

pub(crate) use opening::Openings;
use position::Moves;
use seat::{Flow, Seat};

/// What all games share.
#[derive(Debug)]
pub(crate) struct Context {
    pub(crate) client: Arc<Client>,
    pub(crate) config: Arc<Config>,
    pub(crate) me: Profile,
    pub(crate) lag: Lag,
    /// The boards for whoever watches the folder.
    pub(crate) live: Live,
    pub(crate) openings: Openings,
    pub(crate) archive: Archive,
    pub(crate) updates: UnboundedSender<Update>,
    /// Challenges that wait.
    pub(crate) waiting: AtomicUsize,
}

impl Context {
    pub(crate) fn tell(&self, update: Update) {
        // Nobody need watch.
        let _ = self.updates.send(update);
    }
}

/// A game is over, or cannot be played.
#[derive(Debug)]
pub(crate) struct Done {
    pub(crate) id: String,
    /// How it ended, if it was played.
    pub(crate) outcome: Option<ResultRecord>,
}

/// A game under way. Dropped, it is left to itself.
#[derive(Debug)]
pub(crate) struct Handle {
    resync: UnboundedSender<()>,
    task: JoinHandle<()>,
}

impl Handle {
    /// Something happened to it that its own stream may have missed.
    pub(crate) fn look_again(&self) {
        let _ = self.resync.send(());
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Whether a game has just begun, or is taken up again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Start {
    Fresh,
    Resumed,
}

/// Plays a game in a task of its own.
pub(crate) fn play(
    context: Arc<Context>,
    id: String,
    start: Start,
    done: UnboundedSender<Done>,
) -> Handle {
    let (resync, hints) = unbounded_channel();
    let task = tokio::spawn(async move {
        let stream = follow::game(Arc::clone(&context.client), &id);
        let outcome = GameLoop { context, id: id.clone(), stream, hints }.play(start).await;
        let _ = done.send(Done { id, outcome });
    });
    Handle { resync, task }
}

/// A game and the stream that tells of it.
struct GameLoop {
    context: Arc<Context>,
    id: String,
    stream: Stream<GameEvent>,
    hints: UnboundedReceiver<()>,
}

impl GameLoop {
    async fn play(mut self, start: Start) -> Option<ResultRecord> {
        let full = self.first_look().await?;
        let Some(mut seat) = self.sit_down(full) else {
            self.refuse().await;
            return None;
        };
        seat.tell();
        if start == Start::Fresh && seat.is_new() {
            seat.greet();
        }
        let mut flow = seat.begin();
        while flow != Flow::Over {
            if flow == Flow::Resync {
                self.stream.resync();
            }
            flow = if seat.may_leave() {
                self.come_back_later(&mut seat).await
            } else {
                self.step(&mut seat).await
            };
        }
        Some(self.finish(seat).await)
    }

    /// Waits for the first message that tells everything.
    async fn first_look(&mut self) -> Option<GameFull> {
        loop {
            match self.stream.next().await? {
                Item::Event(GameEvent::GameFull(full)) => return Some(*full),
                Item::Event(_) | Item::Opened => (),
                Item::Missing(error) => {
                    tracing::warn!("game {}: {error}", self.id);
                    return None;
                }
            }
        }
    }

    fn sit_down(&self, full: GameFull) -> Option<Seat> {
        let me = Some(&self.context.me.id);
        let is_me = |id: &Option<String>| id.as_ref().map(|id| id.to_lowercase()).as_ref() == me;
        let color = match () {
            () if is_me(&full.white.id) => Color::White,
            () if is_me(&full.black.id) => Color::Black,
            () => {
                tracing::warn!("game {}: we do not play in it", self.id);
                return None;
            }
        };
        match Moves::new(&full) {
            Ok(moves) => Some(Seat::new(Arc::clone(&self.context), full, color, moves)),
            Err(error) => {
                tracing::error!("game {} cannot be played: {error}", self.id);
                None
            }
        }
    }

    /// Leaves a game that cannot be played, so that nobody waits for us.
    async fn refuse(&self) {
        let client = &self.context.client;
        if client.act(&self.id, Act::Abort).await.is_err() {
            let _ = client.act(&self.id, Act::Resign).await;
        }
    }

    /// Waits for one thing to happen, and lets the seat answer it.
    async fn step(&mut self, seat: &mut Seat) -> Flow {
        let alarm = seat.next_alarm().into();
        tokio::select! {
            item = self.stream.next() => match item {
                Some(Item::Event(event)) => seat.hear(event),
                Some(Item::Opened) => Flow::GoOn,
                Some(Item::Missing(error)) => {
                    tracing::warn!("game {}: {error}", self.id);
                    Flow::Over
                }
                None => Flow::Over,
            },
            Some(event) = seat.searched.recv() => seat.think_on(event),
            result = seat.doing.delivered() => seat.delivered(result),
            () = tokio::time::sleep_until(alarm) => seat.ring(Instant::now()),
            Some(()) = self.hints.recv() => Flow::Resync,
        }
    }

    /// A correspondence game need not be watched for days.
    async fn come_back_later(&mut self, seat: &mut Seat) -> Flow {
        let later = self.context.config.correspondence.check_in;
        self.stream = follow::quiet();
        tokio::select! {
            () = tokio::time::sleep(later) => (),
            _ = self.hints.recv() => (),
        }
        self.stream = follow::game(Arc::clone(&self.context.client), &self.id);
        seat.come_back();
        // The stream begins with how the game stands.
        Flow::GoOn
    }

    async fn finish(&self, seat: Seat) -> ResultRecord {
        let context = &self.context;
        let pgn = record::pgn(
            &seat.full,
            &seat.state,
            &seat.moves.game,
            &seat.notes,
            context.client.base(),
        );
        let opponent = seat.opponent.name();
        if let Err(error) = context.archive.save(&pgn, &self.id, &opponent) {
            tracing::error!("game {} cannot be saved: {error}", self.id);
        }
        let outcome = self.outcome(&seat);
        if let Err(error) = context.archive.add(&outcome) {
            tracing::error!("the result of game {} cannot be saved: {error}", self.id);
        }
        context.tell(Update::Ended(Box::new(outcome.clone())));
        if outcome.points.is_some() {
            let chat = &context.config.chat;
            for (room, text) in
                [(Room::Player, &chat.goodbye), (Room::Spectator, &chat.spectator_goodbye)]
            {
                seat.say_last(room, text).await;
            }
        }
        outcome
    }

    fn outcome(&self, seat: &Seat) -> ResultRecord {
        let full = &seat.full;
        let points = record::result(&seat.state).0.map(|outcome| match outcome.winner() {
            None => 0.5,
            Some(winner) if winner == seat.color => 1.0,
            Some(_) => 0.0,
        });
        let us = if seat.color == Color::White { &full.white } else { &full.black };
        ResultRecord {
            time: record::now(),
            id: self.id.clone(),
            opponent: seat.opponent.name(),
            is_bot: seat.opponent.kind() == crate::words::Opponent::Bot,
            color: color_name(seat.color).to_owned(),
            points,
            status: seat.state.status.clone(),
            speed: full.speed.clone(),
            rated: full.rated,
            rating: us.rating,
            opponent_rating: seat.opponent.rating,
            plies: seat.moves.game.moves().len(),
        }
    }
}
