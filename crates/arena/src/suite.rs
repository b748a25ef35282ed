// SPDX-License-Identifier: GPL-3.0-or-later
//! Test suites: positions with known answers, and how many of them an engine finds.
//!
//! EPD files name moves to find (`bm`) and to avoid (`am`), the length of a mate (`dm`) or points
//! for several moves (the Strategic Test Suite: moves in `c9`, their points in `c8`). Puzzle files
//! are Lichess's CSV: the first move is the opponent's, and from then on every second move must be
//! found. A fixed number of nodes makes the answer repeatable.

mod attempt;
mod problem;
mod read;
mod solver;
mod tally;

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

pub use attempt::Attempt;
pub use problem::{Goal, Problem};
pub use read::{Suite, SuiteError};
pub use solver::{ForeignSolver, Solution, Solver, SolverError, Step};
pub use tally::{Failure, Tally, Theme};

/// Lets an engine try all problems, `workers` at a time, each as if it were a new game.
///
/// Each worker has a solver of its own, which `start` makes. `progress` hears of every attempt. An
/// engine that crashes or hangs has failed that problem.
///
/// # Errors
/// If the engine cannot be started at all.
pub fn solve(
    suite: &Suite,
    name: &str,
    start: &(dyn Fn() -> Result<Box<dyn Solver>, SolverError> + Sync),
    workers: usize,
    progress: impl Fn(&Attempt) + Sync,
) -> Result<Tally, SolverError> {
    let began = Instant::now();
    let next = AtomicUsize::new(0);
    let has_failed = AtomicBool::new(false);
    let attempts = Mutex::new(Vec::with_capacity(suite.problems.len()));
    let work = || -> Result<(), SolverError> {
        let mut solver = start()?;
        while !has_failed.load(Ordering::Relaxed)
            && let index = next.fetch_add(1, Ordering::Relaxed)
            && let Some(problem) = suite.problems.get(index)
        {
            let attempt = attempt::attempt(solver.as_mut(), problem)?;
            progress(&attempt);
            attempts.lock().expect("no worker panics holding the lock").push((index, attempt));
        }
        solver.quit();
        Ok(())
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..workers.clamp(1, suite.problems.len().max(1)))
            .map(|_| {
                scope.spawn(|| work().inspect_err(|_| has_failed.store(true, Ordering::Relaxed)))
            })
            .collect();
        let join = |worker: thread::ScopedJoinHandle<'_, _>| worker.join().expect("no panics");
        workers.into_iter().map(join).collect::<Result<Vec<()>, SolverError>>()
    })?;
    let mut attempts = attempts.into_inner().expect("no worker panics holding the lock");
    attempts.sort_by_key(|&(index, _)| index);
    let attempts = attempts.into_iter().map(|(_, attempt)| attempt).collect();
    Ok(Tally::new(suite, name, attempts, began.elapsed()))
}
