// SPDX-License-Identifier: GPL-3.0-or-later
//! Runs of numbered trials that are decided by games: what [`tune`](crate::tune) and
//! [`screen`](crate::screen) share.
//!
//! In a trial an engine plays against itself, with other options on each side. Several workers play
//! trials at the same time. After each trial the state is replaced on disk in one step, so that a run
//! killed at any moment goes on after the last trial that was counted.

mod config;
mod duel;
mod error;
mod store;

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use common::store::Lock;

pub use config::DuelConfig;
pub use duel::{Duel, Duelists, Options, check_options};
pub use error::TrialError;
pub use store::{Header, STATE_FILE, Saved};

/// Hands out trials and learns from their results.
pub trait Trials: Send {
    /// What a worker is to play.
    type Trial;
    /// What came out.
    type Games;

    /// The next trial; none if all have been handed out.
    fn next(&mut self) -> Option<Self::Trial>;
    /// Learns from a trial.
    fn report(&mut self, trial: &Self::Trial, games: Self::Games) -> Result<(), TrialError>;
    /// Keeps everything that was learned.
    fn save(&self, folder: &Path) -> Result<(), TrialError>;
}

/// Plays all trials, each of the `workers` threads by a player of its own, and tells `progress` after
/// each trial.
///
/// `progress` returns whether to go on. The folder is up to date whenever it is called. Its lock must have
/// been taken before the state in it was read.
pub fn run<T, P>(
    folder: &Lock,
    trials: T,
    workers: usize,
    new_player: impl Fn() -> P + Sync,
    progress: impl Fn(&T) -> bool + Sync,
) -> Result<T, TrialError>
where
    T: Trials,
    P: FnMut(&T::Trial) -> Result<T::Games, TrialError>,
{
    let desk = Mutex::new(Desk { trials, is_open: true });
    thread::scope(|scope| {
        let work = || {
            let result = work(folder.path(), &desk, new_player(), &progress);
            if result.is_err() {
                lock(&desk).is_open = false;
            }
            result
        };
        let handles: Vec<_> = (0..workers.max(1)).map(|_| scope.spawn(work)).collect();
        let join = |handle: thread::ScopedJoinHandle<'_, _>| handle.join().expect("no panics");
        handles.into_iter().map(join).collect::<Result<Vec<()>, TrialError>>()
    })?;
    Ok(desk.into_inner().unwrap_or_else(PoisonError::into_inner).trials)
}

/// What the workers share.
struct Desk<T> {
    trials: T,
    is_open: bool,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn work<T: Trials>(
    folder: &Path,
    desk: &Mutex<Desk<T>>,
    mut play: impl FnMut(&T::Trial) -> Result<T::Games, TrialError>,
    progress: &impl Fn(&T) -> bool,
) -> Result<(), TrialError> {
    loop {
        let next = {
            let mut desk = lock(desk);
            if desk.is_open { desk.trials.next() } else { None }
        };
        let Some(trial) = next else { return Ok(()) };
        let games = play(&trial)?;
        let mut desk = lock(desk);
        desk.trials.report(&trial, games)?;
        desk.trials.save(folder)?;
        desk.is_open &= progress(&desk.trials);
    }
}
