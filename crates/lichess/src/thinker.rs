// SPDX-License-Identifier: GPL-3.0-or-later
//! The engine of one game, in a thread of its own.
//!
//! Setting an engine up can take a while, and a task of the network must not wait for it: orders go
//! to the thread, events come back. Each search has a number, which its events carry, so that the end
//! of an old search is not taken for the answer to a new one.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Instant;

use engine::{Engine, Event, Limits, Position};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// Something that happened in a search.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct SearchEvent {
    /// The number of the search.
    pub(crate) search: u64,
    /// What happened.
    pub(crate) event: Event,
}

/// What the engine is told to do.
#[derive(Debug)]
enum Order {
    Set(String, String),
    NewGame,
    Search { number: u64, position: Box<Position>, limits: Box<Limits>, start: Instant },
    Stop,
    PonderHit,
}

/// A running engine. Dropped, it stops.
#[derive(Debug)]
pub(crate) struct Thinker {
    orders: Sender<Order>,
    searches: u64,
}

impl Thinker {
    /// Starts an engine with some options, and returns its events.
    pub(crate) fn start(options: &[(String, String)]) -> (Self, UnboundedReceiver<SearchEvent>) {
        let (orders, received) = channel();
        let (sender, events) = unbounded_channel();
        thread::spawn(move || obey(&received, &sender));
        let thinker = Self { orders, searches: 0 };
        for (name, value) in options {
            thinker.set(name, value);
        }
        (thinker, events)
    }

    /// Sets an option.
    pub(crate) fn set(&self, name: &str, value: &str) {
        self.tell(Order::Set(name.to_owned(), value.to_owned()));
    }

    /// Begins a search and returns its number. A search that is still under way is ended.
    pub(crate) fn search(&mut self, position: Position, limits: Limits) -> u64 {
        self.searches += 1;
        self.tell(Order::Search {
            number: self.searches,
            position: Box::new(position),
            limits: Box::new(limits),
            start: Instant::now(),
        });
        self.searches
    }

    /// Ends the search with the best move so far.
    pub(crate) fn stop(&self) {
        self.tell(Order::Stop);
    }

    /// The move that was pondered on has been played.
    pub(crate) fn ponder_hit(&self) {
        self.tell(Order::PonderHit);
    }

    /// Forgets the last game.
    pub(crate) fn new_game(&self) {
        self.tell(Order::NewGame);
    }

    fn tell(&self, order: Order) {
        // The thread ends only after this sender.
        let _ = self.orders.send(order);
    }
}

/// Does as it is told until nobody can tell it anything any more.
fn obey(orders: &Receiver<Order>, events: &UnboundedSender<SearchEvent>) {
    let mut engine = Engine::new();
    for order in orders {
        match order {
            Order::Set(name, value) => match engine.set_option(&name, &value) {
                Ok(None) => (),
                Ok(Some(warning)) => tracing::warn!("engine: {warning}"),
                Err(error) => tracing::warn!("engine: {error}"),
            },
            Order::NewGame => engine.new_game(),
            Order::Search { number, position, limits, start } => {
                engine.set_position(*position);
                let events = events.clone();
                // A game that has ended does not listen any more.
                let listener =
                    move |event| drop(events.send(SearchEvent { search: number, event }));
                engine.go_with(*limits, start, Arc::new(listener));
            }
            Order::Stop => engine.stop(),
            Order::PonderHit => engine.ponder_hit(),
        }
        for notice in engine.take_notices() {
            tracing::info!("engine: {notice}");
        }
    }
}

#[cfg(test)]
mod tests {
    use engine::Answer;

    use super::*;

    fn answer(events: &mut UnboundedReceiver<SearchEvent>) -> (u64, Answer) {
        loop {
            let SearchEvent { search, event } = events.blocking_recv().expect("the engine lives");
            if let Event::Ended(answer) = event {
                return (search, answer);
            }
        }
    }

    #[test]
    fn answers_belong_to_their_searches() {
        let (mut thinker, mut events) = Thinker::start(&[("Hash".to_owned(), "1".to_owned())]);
        let endless = Limits { infinite: true, ..Limits::default() };
        let endless = thinker.search(Position::default(), endless);
        let position = Position::from_fen("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1").unwrap();
        let mate = thinker.search(position.clone(), Limits::to_depth(3));
        assert_eq!((endless, mate), (1, 2));
        assert_eq!(answer(&mut events).0, 1);
        let (number, answer) = answer(&mut events);
        assert_eq!((number, answer.best_move()), (2, position.board().parse_uci("g5g7").ok()));
    }
}
