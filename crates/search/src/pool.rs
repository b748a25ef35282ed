// SPDX-License-Identifier: GPL-3.0-or-later
//! The threads of a searcher. They live as long as it does; a search wakes them.

use std::fmt;
use std::sync::OnceLock;

/// Stack that the deepest search needs, with debug assertions on.
pub const STACK_BYTES: usize = 16 << 20;

/// A fixed number of threads, which are started when they are first needed.
pub(crate) struct Pool {
    count: usize,
    threads: OnceLock<rayon::ThreadPool>,
}

impl Pool {
    pub(crate) const fn new(count: usize) -> Self {
        Self { count, threads: OnceLock::new() }
    }

    /// Runs jobs at the same time, at most one for each thread, and waits for all of them.
    ///
    /// # Panics
    /// If a job does, or if the system has no threads left.
    pub(crate) fn run<'a>(&self, jobs: impl IntoIterator<Item = impl FnOnce() + Send + 'a>) {
        self.threads().in_place_scope(|scope| {
            for job in jobs {
                scope.spawn(move |_| job());
            }
        });
    }

    fn threads(&self) -> &rayon::ThreadPool {
        self.threads.get_or_init(|| {
            let builder = rayon::ThreadPoolBuilder::new().num_threads(self.count);
            let builder = builder.stack_size(STACK_BYTES).thread_name(|id| format!("search {id}"));
            builder.build().expect("threads for the search")
        })
    }
}

/// Does something if a job panics, so that others do not wait for it for ever.
pub(crate) struct OnPanic<F: Fn()>(pub(crate) F);

impl<F: Fn()> Drop for OnPanic<F> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            (self.0)();
        }
    }
}

impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Pool({} threads)", self.count)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::sync::{Barrier, Mutex};
    use std::thread;

    use super::*;

    /// The threads that run `count` jobs, all at the same time.
    fn threads_used(pool: &Pool, count: usize) -> HashSet<thread::ThreadId> {
        let (used, barrier) = (Mutex::new(HashSet::new()), Barrier::new(count));
        pool.run((0..count).map(|_| {
            || {
                barrier.wait();
                used.lock().unwrap().insert(thread::current().id());
            }
        }));
        used.into_inner().unwrap()
    }

    #[test]
    fn jobs_run_at_the_same_time_on_the_same_threads_again() {
        let pool = Pool::new(3);
        let first = threads_used(&pool, 3);
        assert_eq!(first.len(), 3);
        assert!(!first.contains(&thread::current().id()));
        assert_eq!(threads_used(&pool, 3), first);
        assert!(threads_used(&pool, 2).is_subset(&first));
    }
}
