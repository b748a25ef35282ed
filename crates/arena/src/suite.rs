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
mod tally;

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use chess::CastlingMode;
use uci::ClientError;

pub use attempt::Attempt;
pub use problem::{Goal, Problem};
pub use read::{Suite, SuiteError};
pub use tally::{Failure, Tally, Theme};

use crate::{Engine, EngineSpec};

/// Patience with an engine beyond the time of its search.
const GRACE: Duration = Duration::from_secs(10);

/// Patience with a search that no clock ends.
const LONGEST: Duration = Duration::from_hours(1);

/// Lets an engine try all problems, `workers` at a time, each as if it were a new game.
///
/// `progress` hears of every attempt. An engine that crashes or hangs has failed that problem and
/// is started again for the next one.
///
/// # Errors
/// If the engine cannot be started at all.
pub fn solve(
    suite: &Suite,
    spec: &EngineSpec,
    workers: usize,
    progress: impl Fn(&Attempt) + Sync,
) -> Result<Tally, ClientError> {
    let start = Instant::now();
    let next = AtomicUsize::new(0);
    let has_failed = AtomicBool::new(false);
    let attempts = Mutex::new(Vec::with_capacity(suite.problems.len()));
    let work = || -> Result<(), ClientError> {
        let mut engine = None;
        while !has_failed.load(Ordering::Relaxed)
            && let index = next.fetch_add(1, Ordering::Relaxed)
            && let Some(problem) = suite.problems.get(index)
        {
            let attempt = try_once(problem, spec, &mut engine)?;
            progress(&attempt);
            attempts.lock().expect("no worker panics holding the lock").push((index, attempt));
        }
        if let Some((engine, _)) = engine {
            engine.quit();
        }
        Ok(())
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..workers.clamp(1, suite.problems.len().max(1)))
            .map(|_| {
                scope.spawn(|| work().inspect_err(|_| has_failed.store(true, Ordering::Relaxed)))
            })
            .collect();
        let join = |worker: thread::ScopedJoinHandle<'_, _>| worker.join().expect("no panics");
        workers.into_iter().map(join).collect::<Result<Vec<()>, ClientError>>()
    })?;
    let mut attempts = attempts.into_inner().expect("no worker panics holding the lock");
    attempts.sort_by_key(|&(index, _)| index);
    let attempts = attempts.into_iter().map(|(_, attempt)| attempt).collect();
    Ok(Tally::new(suite, &spec.name, attempts, start.elapsed()))
}

/// One problem on a kept engine, which is replaced if it plays another kind of chess.
fn try_once(
    problem: &Problem,
    spec: &EngineSpec,
    kept: &mut Option<(Engine, CastlingMode)>,
) -> Result<Attempt, ClientError> {
    let is_chess960 = problem.board.is_chess960();
    let castling = if is_chess960 { CastlingMode::Chess960 } else { CastlingMode::Standard };
    let usable = kept.take().filter(|(_, mode)| *mode == castling);
    let mut engine = match usable {
        Some((engine, _)) => engine,
        None => Engine::start(spec, castling)?,
    };
    let timeout = spec.limit.movetime.map_or(LONGEST, |time| time + GRACE);
    let mut session =
        attempt::Session { engine: &mut engine, limit: &spec.limit, castling, timeout };
    match session.attempt(problem) {
        Ok(attempt) => {
            *kept = Some((engine, castling));
            Ok(attempt)
        }
        Err(error) => Ok(Attempt::broken(problem, &error)),
    }
}
