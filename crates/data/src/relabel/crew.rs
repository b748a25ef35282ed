// SPDX-License-Identifier: GPL-3.0-or-later
//! Several engines that share the work.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use chess::Board;

use super::labeller::{Engine, Labeller, Verdict, finished};
use crate::DataError;

/// Engines that run side by side. One that fails is started anew and tries once more.
pub(super) struct Crew<'a> {
    engine: &'a Engine,
    nodes: u64,
    labellers: Vec<Option<Labeller>>,
}

impl<'a> Crew<'a> {
    /// Starts the engines; if that fails, nothing can be done.
    pub(super) fn start(engine: &'a Engine, nodes: u64, size: usize) -> Result<Self, DataError> {
        let start = || Labeller::start(engine, nodes).map(Some).map_err(DataError::Usage);
        let labellers = (0..size.max(1)).map(|_| start()).collect::<Result<_, _>>()?;
        Ok(Self { engine, nodes, labellers })
    }

    /// Labels all positions, in their order, or says why one could not be.
    pub(super) fn label(&mut self, boards: &[Board]) -> Vec<Result<Verdict, String>> {
        let next = &AtomicUsize::new(0);
        let (engine, nodes) = (self.engine, self.nodes);
        let mut found: Vec<(usize, Result<Verdict, String>)> = thread::scope(|scope| {
            let work = |labeller: &mut Option<Labeller>| {
                let mut found = Vec::new();
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(board) = boards.get(index) else { return found };
                    found.push((index, label(labeller, board, engine, nodes)));
                }
            };
            let threads: Vec<_> = self
                .labellers
                .iter_mut()
                .map(|labeller| scope.spawn(move || work(labeller)))
                .collect();
            let join = |thread: thread::ScopedJoinHandle<'_, _>| {
                thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            };
            threads.into_iter().flat_map(join).collect()
        });
        found.sort_unstable_by_key(|&(index, _)| index);
        found.into_iter().map(|(_, verdict)| verdict).collect()
    }
}

fn label(
    labeller: &mut Option<Labeller>,
    board: &Board,
    engine: &Engine,
    nodes: u64,
) -> Result<Verdict, String> {
    if let Some(verdict) = finished(board) {
        return Ok(verdict);
    }
    let mut try_once = || {
        if labeller.is_none() {
            *labeller = Some(Labeller::start(engine, nodes)?);
        }
        let result = labeller.as_mut().map_or_else(
            || Err("the engine could not be started".to_owned()),
            |labeller| labeller.label(board),
        );
        // Whatever went wrong, a new process knows nothing of it.
        if result.is_err() {
            *labeller = None;
        }
        result
    };
    try_once().or_else(|_| try_once())
}
