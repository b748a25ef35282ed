// SPDX-License-Identifier: GPL-3.0-or-later
//! Telling a running search what to do.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};

/// A handle shared between a search and whoever started it.
///
/// The flags are read at every node; the lock is only for waiting when there is nothing left to
/// search but the answer must be held back.
#[derive(Debug, Default)]
pub struct Control {
    stop: AtomicBool,
    /// The first thread has its answer, and the others need not go on.
    is_answered: AtomicBool,
    pondering: AtomicBool,
    lock: Mutex<()>,
    changed: Condvar,
}

impl Control {
    /// A handle for a search that may begin in the opponent's time.
    pub fn new(is_pondering: bool) -> Self {
        Self { pondering: AtomicBool::new(is_pondering), ..Self::default() }
    }

    /// Ends the search as soon as it notices.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
        self.notify();
    }

    /// The expected move was played: the search goes on in our own time.
    pub fn ponder_hit(&self) {
        self.pondering.store(false, Ordering::Relaxed);
        self.notify();
    }

    /// Ends the other threads once the first one has its answer.
    pub(crate) fn finish_helpers(&self) {
        self.is_answered.store(true, Ordering::Relaxed);
    }

    /// Whether threads that only help should end.
    #[inline]
    pub(crate) fn is_answered(&self) -> bool {
        self.is_answered.load(Ordering::Relaxed)
    }

    /// Whether the search was told to stop.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Whether the opponent is still thinking.
    #[inline]
    pub fn is_pondering(&self) -> bool {
        self.pondering.load(Ordering::Relaxed)
    }

    /// Blocks until the search is stopped; or, unless it is `infinite`, until pondering ends.
    pub fn wait_for_release(&self, infinite: bool) {
        let mut guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        while !self.is_stopped() && (infinite || self.is_pondering()) {
            guard = self.changed.wait(guard).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn notify(&self) {
        // Taking the lock makes sure that a waiter is either before its check or asleep.
        drop(self.lock.lock().unwrap_or_else(PoisonError::into_inner));
        self.changed.notify_all();
    }
}
