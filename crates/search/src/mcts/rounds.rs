// SPDX-License-Identifier: GPL-3.0-or-later
//! Iterations by all threads until a limit is reached.
//!
//! Threads run in *rounds*. A round ends when the search does, or when the pool is full; then all
//! threads are joined, the tree is collected by its only owner, and the next round begins. So nothing
//! ever waits for a lock, and the borrow checker knows that a collection is alone with the tree.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::thread;

use super::iteration::{IterationEnd, Shared, TreeWorker};
use super::leaf::{Draws, Leaf};
use super::monitor::SearchMonitor;
use super::node::MAX_VISITS;
use super::node_pool::CachePadded;
use super::report::TreeReader;
use super::tree::Tree;
use super::tuning::Tuning;
use crate::pool::OnPanic;
use crate::request::SearchRequest;

/// Collisions in a row after which a thread lets others go first.
const PATIENCE: usize = 2;

/// The most iterations between two looks at the clock: less than a millisecond even on slow machines.
const BURST: u64 = 64;
/// The same where each iteration is a search of its own.
const SHORT_BURST: u64 = 8;

/// A search that is in flight.
pub(super) struct ParallelSearch<'a> {
    pub(super) request: &'a SearchRequest<'a>,
    pub(super) tree: &'a mut Tree,
    pub(super) tuning: Tuning,
    pub(super) draws: Draws,
    pub(super) leaf: Leaf,
}

/// What belongs to one round.
struct Round<'a> {
    shared: Shared<'a>,
    /// Iterations begun so far, in all rounds, less those that came to nothing.
    begun: &'a AtomicU64,
    limit: u64,
    /// All threads shall end.
    is_over: AtomicBool,
    is_full: AtomicBool,
}

impl ParallelSearch<'_> {
    /// Reads the tree.
    pub(super) fn reader(&self) -> TreeReader<'_> {
        TreeReader { tree: self.tree, tuning: &self.tuning, draws: self.draws }
    }

    /// Iterates until a limit is reached.
    pub(super) fn run(&mut self, workers: &mut [TreeWorker<'_>], monitor: &mut SearchMonitor<'_>) {
        let room = u64::from(MAX_VISITS.saturating_sub(self.tree.root_node().visits()));
        let limit = self.request.limits.nodes.unwrap_or(u64::MAX).clamp(1, room.max(1));
        let (begun, deepest) = (CachePadded(AtomicU64::new(0)), CachePadded(AtomicUsize::new(0)));
        while self.round(workers, monitor, limit, (&begun.0, &deepest.0)) {
            let needed = self.tree.collection_time();
            let nodes = monitor.iterations(self.reader());
            if self.request.is_timed()
                && self.request.plan.time_left(nodes).is_some_and(|left| left < needed)
            {
                return;
            }
            self.tree.collect();
            workers.iter_mut().for_each(TreeWorker::forget_chunk);
        }
    }

    /// One round; whether it ended because the memory was full.
    fn round(
        &mut self,
        workers: &mut [TreeWorker<'_>],
        monitor: &mut SearchMonitor<'_>,
        limit: u64,
        (begun, deepest): (&AtomicU64, &AtomicUsize),
    ) -> bool {
        let shared = Shared {
            tree: self.tree,
            tuning: &self.tuning,
            leaf: self.leaf,
            draws: self.draws,
            deepest,
        };
        let (is_over, is_full) = (AtomicBool::new(false), AtomicBool::new(false));
        let round = &Round { shared, begun, limit, is_over, is_full };
        let Some((first, helpers)) = workers.split_first_mut() else { return false };
        if let Some(pool) = self.request.pool {
            // Whoever watches the limits comes first.
            let lead: Box<dyn FnOnce() + Send> = Box::new(|| round.lead(first, monitor));
            let mut jobs = vec![lead];
            for helper in helpers {
                jobs.push(Box::new(move || while round.iterate(helper) {}));
            }
            pool.run(jobs);
        } else {
            round.lead(first, monitor);
        }
        round.is_full.load(Ordering::Relaxed) && !monitor.is_over()
    }
}

impl Round<'_> {
    /// The first thread's part: it iterates, and watches limits and clock.
    fn lead(&self, worker: &mut TreeWorker<'_>, monitor: &mut SearchMonitor<'_>) {
        let _others = OnPanic(|| self.is_over.store(true, Ordering::Relaxed));
        loop {
            let goes_on = self.iterate(worker);
            if monitor.check_limits(&self.shared, worker.table_hits()) {
                self.is_over.store(true, Ordering::Relaxed);
            }
            if !goes_on {
                return;
            }
        }
    }

    /// Does a few iterations; whether there may be more.
    fn iterate(&self, worker: &mut TreeWorker<'_>) -> bool {
        if self.is_over.load(Ordering::Relaxed) {
            return false;
        }
        let claimed = self.claim();
        if claimed == 0 {
            return false;
        }
        let mut collisions = 0;
        loop {
            let (done, step) = worker.iterate_many(&self.shared, claimed);
            match step {
                IterationEnd::Done => {
                    self.give_back(claimed - done);
                    return true;
                }
                IterationEnd::Collision if !self.is_over.load(Ordering::Relaxed) => {
                    collisions += 1;
                    if collisions > PATIENCE {
                        // The other thread needs a moment, perhaps on this very core.
                        thread::yield_now();
                    }
                }
                IterationEnd::Collision | IterationEnd::Settled => break,
                IterationEnd::Full => {
                    self.is_full.store(true, Ordering::Relaxed);
                    break;
                }
            }
        }
        worker.release_collided(&self.shared);
        self.give_back(claimed);
        self.is_over.store(true, Ordering::Relaxed);
        false
    }

    /// Takes some of the iterations that are left.
    fn claim(&self) -> u64 {
        let is_quick = matches!(self.shared.leaf, Leaf::Static | Leaf::Quiescence);
        let wanted = if is_quick { BURST } else { SHORT_BURST };
        let before = self.begun.fetch_add(wanted, Ordering::Relaxed);
        let granted = self.limit.saturating_sub(before).min(wanted);
        self.give_back(wanted - granted);
        granted
    }

    fn give_back(&self, unused: u64) {
        if unused > 0 {
            self.begun.fetch_sub(unused, Ordering::Relaxed);
        }
    }
}
