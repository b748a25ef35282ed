// SPDX-License-Identifier: GPL-3.0-or-later
//! Several engines that share the work.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use chess::Board;
use driver::EngineSpec;

use super::labeller::{EngineLabel, Labeller, finished};
use crate::DataError;

/// How often a position is tried, each time after a failure with a new process.
const TRIES: u8 = 2;

/// Engines that run side by side. One that fails is started anew, since a new process knows nothing of
/// what went wrong.
///
/// All of them are started by the thread that owns the crew: a process ends with the thread that started
/// it.
pub(super) struct Crew<'a> {
    engine: &'a EngineSpec,
    nodes: u64,
    labellers: Vec<Option<Labeller>>,
}

impl<'a> Crew<'a> {
    /// Starts the engines; if that fails, nothing can be done.
    pub(super) fn start(
        engine: &'a EngineSpec,
        nodes: u64,
        size: usize,
    ) -> Result<Self, DataError> {
        let labellers = (0..size.max(1)).map(|_| None).collect();
        let mut crew = Self { engine, nodes, labellers };
        crew.start_missing()?;
        Ok(crew)
    }

    fn start_missing(&mut self) -> Result<(), DataError> {
        for labeller in self.labellers.iter_mut().filter(|labeller| labeller.is_none()) {
            let started = Labeller::start(self.engine, self.nodes).map_err(DataError::Usage)?;
            *labeller = Some(started);
        }
        Ok(())
    }

    /// Labels all positions, in their order, or says why one could not be. An engine that cannot be started
    /// any more is an error: the work that is saved can be gone on with, and no position is left out for it.
    pub(super) fn label(
        &mut self,
        boards: &[Board],
    ) -> Result<Vec<Result<EngineLabel, String>>, DataError> {
        let mut verdicts: Vec<_> = boards.iter().map(|board| finished(board).map(Ok)).collect();
        let mut failures = vec![0; boards.len()];
        loop {
            let open: Vec<usize> = (0..boards.len()).filter(|&i| verdicts[i].is_none()).collect();
            if open.is_empty() {
                return Ok(verdicts.into_iter().flatten().collect());
            }
            self.start_missing()?;
            for (index, verdict) in self.share_out(boards, &open) {
                failures[index] += u8::from(verdict.is_err());
                if verdict.is_ok() || failures[index] == TRIES {
                    verdicts[index] = Some(verdict);
                }
            }
        }
    }

    /// Lets each engine take one position after the other until it fails, or none is left.
    fn share_out(
        &mut self,
        boards: &[Board],
        open: &[usize],
    ) -> Vec<(usize, Result<EngineLabel, String>)> {
        let next = &AtomicUsize::new(0);
        let work = |labeller: &mut Option<Labeller>| {
            let mut found = Vec::new();
            while let Some(engine) = labeller
                && let Some(&index) = open.get(next.fetch_add(1, Ordering::Relaxed))
            {
                let verdict = engine.label(&boards[index]);
                if verdict.is_err() {
                    *labeller = None;
                }
                found.push((index, verdict));
            }
            found
        };
        thread::scope(|scope| {
            let labellers = self.labellers.iter_mut();
            let threads: Vec<_> =
                labellers.map(|labeller| scope.spawn(move || work(labeller))).collect();
            let join = |thread: thread::ScopedJoinHandle<'_, _>| {
                thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            };
            threads.into_iter().flat_map(join).collect()
        })
    }
}
