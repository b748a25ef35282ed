// SPDX-License-Identifier: GPL-3.0-or-later
//! One limit of threads and memory for all tabs together.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

/// What is left.
#[derive(Debug)]
struct Left {
    threads: usize,
    mebibytes: usize,
}

/// Threads and memory that searches share.
#[derive(Debug)]
pub struct Budget {
    threads: usize,
    left: Mutex<Left>,
    freed: Condvar,
}

/// Threads that a search uses; they are given back when it is dropped.
#[derive(Debug)]
pub struct Threads {
    budget: Arc<Budget>,
    count: usize,
}

/// Memory that a searcher uses; it is given back when it is dropped.
#[derive(Debug)]
pub struct Memory {
    budget: Arc<Budget>,
    mebibytes: usize,
}

/// How long a waiting search sleeps before it looks whether it was stopped.
const NAP: Duration = Duration::from_millis(50);

impl Budget {
    /// A limit.
    pub fn new(threads: usize, mebibytes: usize) -> Arc<Self> {
        let threads = threads.max(1);
        let left = Mutex::new(Left { threads, mebibytes });
        Arc::new(Self { threads, left, freed: Condvar::new() })
    }

    /// All threads.
    pub const fn threads(&self) -> usize {
        self.threads
    }

    fn left(&self) -> std::sync::MutexGuard<'_, Left> {
        self.left.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes as many threads as are wanted, or as are left; waits if none is. Without a wish it is half of
    /// what is left, so that the next tab need not wait. `None` if the search was stopped meanwhile.
    pub fn take_threads(
        self: &Arc<Self>,
        wanted: usize,
        is_stopped: impl Fn() -> bool,
        on_wait: impl FnOnce(),
    ) -> Option<Threads> {
        let mut left = self.left();
        let mut on_wait = Some(on_wait);
        while left.threads == 0 {
            if let Some(tell) = on_wait.take() {
                tell();
            }
            if is_stopped() {
                return None;
            }
            left = self.freed.wait_timeout(left, NAP).unwrap_or_else(PoisonError::into_inner).0;
        }
        let share = if wanted == 0 { left.threads.div_ceil(2) } else { wanted };
        let count = share.clamp(1, left.threads);
        left.threads -= count;
        Some(Threads { budget: Arc::clone(self), count })
    }

    /// Takes a quarter of the memory that is left, or the wish if that is less. Never nothing: the smallest
    /// table is taken from nobody.
    pub fn take_memory(self: &Arc<Self>, most: usize) -> Memory {
        let mut left = self.left();
        let mebibytes = (left.mebibytes / 4).min(most);
        left.mebibytes -= mebibytes;
        Memory { budget: Arc::clone(self), mebibytes }
    }
}

impl Threads {
    /// How many.
    pub const fn count(&self) -> usize {
        self.count
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        self.budget.left().threads += self.count;
        self.budget.freed.notify_one();
    }
}

impl Memory {
    /// How much, in MiB; at least one.
    pub fn mebibytes(&self) -> usize {
        self.mebibytes.max(1)
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        self.budget.left().mebibytes += self.mebibytes;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_gets_more_than_there_is() {
        let budget = Budget::new(4, 64);
        let take = |wanted| budget.take_threads(wanted, || true, || ());
        let first = take(0).unwrap();
        assert_eq!(first.count(), 2);
        let second = take(9).unwrap();
        assert_eq!(second.count(), 2);
        assert!(take(1).is_none());
        drop(first);
        assert_eq!(take(1).unwrap().count(), 1);
    }

    #[test]
    fn memory_comes_back() {
        let budget = Budget::new(1, 64);
        let first = budget.take_memory(1000);
        assert_eq!((first.mebibytes(), budget.take_memory(4).mebibytes()), (16, 4));
        drop(first);
        assert_eq!(budget.take_memory(1000).mebibytes(), 16);
        assert_eq!(Budget::new(1, 0).take_memory(8).mebibytes(), 1);
    }
}
