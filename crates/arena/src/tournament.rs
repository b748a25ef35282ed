// SPDX-License-Identifier: GPL-3.0-or-later
//! Matches of many games: who meets whom, several games at a time, until all are played or a
//! verdict is reached.
//!
//! Pairs of games are the unit of everything: a pair takes one opening with both colors, is played
//! by one worker, counted and saved as a whole. What pair comes next depends on its number alone,
//! so a match can be broken off and resumed at any point.

mod format;
mod journal;
mod settings;
mod standings;
mod summary;
mod worker;

use std::collections::{BTreeSet, HashSet};
use std::io;
use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use thiserror::Error;
use tools::store::StoreError;
use uci::ClientError;

pub use format::{Format, FormatError, Pairing};
pub use journal::{Journal, NoJournal};
pub use settings::{Difference, MatchSettings, SettingsError};
pub use standings::{EngineScore, MatchResult, PairResult, Standings};
pub use summary::rating_table;
pub use worker::{BoardView, PairRecord};

use crate::openings::OpeningBook;
use crate::referee::Rules;
use crate::stats::SprtVerdict;
use worker::{Event, MatchWorker};

/// How often the observer is called when nothing happens.
const TICK: Duration = Duration::from_millis(250);

/// A match, ready to be played.
#[derive(Debug)]
pub struct Match {
    settings: MatchSettings,
    rules: Rules,
    book: OpeningBook,
}

/// Why a match was broken off.
#[derive(Debug, Error)]
pub enum MatchError {
    /// An engine cannot be started.
    #[error(transparent)]
    Engine(#[from] ClientError),
    /// A thread cannot be started.
    #[error("cannot start a thread")]
    Thread(#[source] io::Error),
    /// The results cannot be saved.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Told what happens in a match.
pub trait Observer {
    /// A pair was finished, counted and saved.
    fn pair_finished(&mut self, pair: &PairRecord, standings: &Standings);
    /// Time has passed; `boards` are the games under way.
    fn tick(&mut self, boards: &[BoardView], standings: &Standings);
    /// An engine did not accept its description.
    fn warning(&mut self, message: &str);
}

/// How a match is played; nothing here changes its results.
#[derive(Clone, Copy, Debug)]
pub struct Conduct<'a> {
    /// Games at a time.
    pub concurrency: NonZeroUsize,
    /// Set by others to end the match; games under way are not counted.
    pub should_stop: &'a AtomicBool,
}

impl Match {
    /// A match with these settings, checked, and openings from this book.
    pub fn new(settings: MatchSettings, book: OpeningBook) -> Result<Self, SettingsError> {
        settings.check()?;
        let rules = settings.rules()?;
        Ok(Self { settings, rules, book })
    }

    /// The settings.
    pub fn settings(&self) -> &MatchSettings {
        &self.settings
    }

    /// The number of pairs to play; none if only a verdict ends the match.
    pub fn pairs(&self) -> Option<usize> {
        let each = self.settings.games?.div_ceil(2) as usize;
        Some(each * self.settings.pairings().len())
    }

    /// Plays what the journal does not hold yet.
    pub fn run(
        &self,
        journal: &mut dyn Journal,
        conduct: Conduct<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Standings, MatchError> {
        let mut standings = Standings::new(&self.settings);
        let mut finished = BTreeSet::new();
        for pair in journal.finished_pairs() {
            finished.insert(pair.pair);
            standings.add(pair);
        }
        let stop_workers = AtomicBool::new(is_decided(&standings));
        let next = Mutex::new(Box::new(self.open_pairs(finished)) as PairNumbers);
        let workers = conduct.concurrency.get();
        let boards: Vec<Mutex<Option<BoardView>>> =
            (0..workers).map(|_| Mutex::new(None)).collect();
        let (events, inbox) = channel();
        thread::scope(|scope| {
            for board in &boards {
                let worker = MatchWorker {
                    settings: &self.settings,
                    rules: &self.rules,
                    book: &self.book,
                    next: &next,
                    should_stop: &stop_workers,
                    board,
                    events: events.clone(),
                };
                let spawned = thread::Builder::new().spawn_scoped(scope, move || worker.work());
                if let Err(error) = spawned {
                    stop_workers.store(true, Ordering::Relaxed);
                    return Err(MatchError::Thread(error));
                }
            }
            drop(events);
            let mut director =
                Director { standings: &mut standings, journal, stop_workers: &stop_workers };
            let result = director.direct(&inbox, &boards, conduct.should_stop, observer);
            stop_workers.store(true, Ordering::Relaxed);
            result
        })?;
        Ok(standings)
    }

    /// The numbers of the pairs that are not finished.
    fn open_pairs(
        &self,
        finished: BTreeSet<usize>,
    ) -> impl Iterator<Item = usize> + Send + 'static {
        let end = self.pairs().unwrap_or(usize::MAX);
        (0..end).filter(move |pair| !finished.contains(pair))
    }
}

/// Whether a test has come to its verdict.
fn is_decided(standings: &Standings) -> bool {
    standings.evaluation().is_some_and(|standing| standing.verdict != SprtVerdict::Undecided)
}

/// Pairs still to be played.
type PairNumbers = Box<dyn Iterator<Item = usize> + Send>;

/// The tournament director: the main thread's part of a match under way.
struct Director<'a> {
    standings: &'a mut Standings,
    journal: &'a mut dyn Journal,
    stop_workers: &'a AtomicBool,
}

impl Director<'_> {
    /// Takes in the workers' events until all have ended.
    fn direct(
        &mut self,
        inbox: &Receiver<Event>,
        boards: &[Mutex<Option<BoardView>>],
        should_stop: &AtomicBool,
        observer: &mut dyn Observer,
    ) -> Result<(), MatchError> {
        let mut warnings = HashSet::new();
        let mut failure = None;
        loop {
            let event = match inbox.recv_timeout(TICK) {
                Ok(event) => Some(event),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => break,
            };
            if should_stop.load(Ordering::Relaxed) {
                self.stop_workers.store(true, Ordering::Relaxed);
            }
            match event {
                Some(Event::Finished(pair)) => self.count(&pair, observer)?,
                Some(Event::Warning(message)) if warnings.insert(message.clone()) => {
                    observer.warning(&message);
                }
                Some(Event::Failed(error)) => {
                    self.stop_workers.store(true, Ordering::Relaxed);
                    failure.get_or_insert(error);
                }
                Some(Event::Warning(_)) | None => {}
            }
            let boards = worker::snapshot(boards);
            self.journal.show(&boards);
            observer.tick(&boards, self.standings);
        }
        failure.map_or(Ok(()), |error| Err(error.into()))
    }

    fn count(&mut self, pair: &PairRecord, observer: &mut dyn Observer) -> Result<(), MatchError> {
        // Once there is a verdict, results of games that were still under way must not change it.
        if is_decided(self.standings) {
            return Ok(());
        }
        self.standings.add(&pair.result);
        self.journal.add(pair, self.standings)?;
        observer.pair_finished(pair, self.standings);
        if is_decided(self.standings) {
            self.stop_workers.store(true, Ordering::Relaxed);
        }
        Ok(())
    }
}
