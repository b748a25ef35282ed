// SPDX-License-Identifier: GPL-3.0-or-later
//! A search as those see it who asked for it.

use std::sync::Arc;
use std::sync::mpsc::Receiver;

use search::{Answer, Control};

use crate::event::Event;

/// A search that is under way: its events, one after the other, and the means to end it. Dropped, it
/// ends the search.
#[derive(Debug)]
#[must_use = "a search whose handle is dropped ends at once"]
pub struct Search {
    events: Receiver<Event>,
    control: Arc<Control>,
    has_ended: bool,
}

impl Search {
    pub(crate) const fn new(events: Receiver<Event>, control: Arc<Control>) -> Self {
        Self { events, control, has_ended: false }
    }

    /// Ends the search as soon as it notices; its answer still comes.
    pub fn stop(&self) {
        self.control.stop();
    }

    /// The move that was pondered on has been played: from now on the clock counts.
    pub fn ponder_hit(&self) {
        self.control.ponder_hit();
    }

    /// The events, to wait for them in other ways than one after the other.
    pub const fn events(&self) -> &Receiver<Event> {
        &self.events
    }

    /// Waits for the answer; `None` only if it was taken already.
    pub fn answer(&mut self) -> Option<Answer> {
        self.find_map(|event| match event {
            Event::Ended(answer) => Some(answer),
            _ => None,
        })
    }
}

/// The events as they come; none after the end.
impl Iterator for Search {
    type Item = Event;

    fn next(&mut self) -> Option<Event> {
        if self.has_ended {
            return None;
        }
        let event = self.events.recv().ok();
        self.has_ended = matches!(event, None | Some(Event::Ended(_)));
        event
    }
}

impl Drop for Search {
    fn drop(&mut self) {
        self.control.stop();
    }
}
