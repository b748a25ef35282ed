// SPDX-License-Identifier: GPL-3.0-or-later
//! Alpha-beta search: principal variation search with iterative deepening, a shared transposition
//! table and any number of threads.
//!
//! | file | what it holds |
//! |---|---|
//! | `iterate` | depth by depth, aspiration windows, best lines |
//! | `negamax`, `known`, `finish` | the search of one node: a table of contents; known scores; its end |
//! | `node`, `stack` | facts about a node, a move, and the line that led there |
//! | `prune`, `skip`, `reduce`, `extend` | nodes cut, moves skipped, less deep, deeper: one method per heuristic |
//! | `qsearch` | captures at the leaves |
//! | `exchange` | what pieces are worth in exchanges |
//! | `order`, `history`, `learn` | which move first, and what teaches it |
//! | `correction` | how far searches have disagreed with the evaluation |
//! | `table` | what earlier searches found |
//! | `worker`, `root`, `limits` | one thread's state, and when it ends |
//! | `leaf_worker` | a worker that values positions for a caller that walks by itself |
//! | `share` | which thread searches which move |
//! | `vote` | which thread's line is played |
//! | `views` | what the table and the histories know, for people |
//! | this file | all threads together |

mod correction;
mod exchange;
mod extend;
mod finish;
mod history;
mod iterate;
mod known;
mod leaf_worker;
mod learn;
mod limits;
mod negamax;
mod node;
mod optimism;
mod order;
mod prune;
mod qsearch;
mod reduce;
mod root;
mod share;
mod skip;
mod stack;
mod table;
#[cfg(test)]
mod testing;
mod views;
mod vote;
mod worker;

pub(crate) use leaf_worker::LeafWorker;
pub use order::{Ordered, OrderedKind};
pub use table::TableStats;
pub use views::TableView;

use std::sync::Arc;

use crate::pool::{OnPanic, Pool};
use crate::request::SearchRequest;
use crate::{Answer, Effort, Line, Network, Params, Stats};
use root::RootMoves;
use table::Table;
use worker::{Task, Worker};

/// An alpha-beta search with its threads and its transposition table.
pub(crate) struct AlphaBeta {
    table: Arc<Table>,
    workers: Vec<Worker>,
}

impl AlphaBeta {
    /// A search without threads and with so many bytes of table; `None` if the system has not got the
    /// memory.
    pub(crate) fn new(bytes: usize) -> Option<Self> {
        Some(Self { table: Arc::new(Table::of_bytes(bytes)?), workers: vec![] })
    }

    /// Uses a new table of so many bytes, and makes the workers anew. If the system has not got the
    /// memory, everything stays as it was, and `false` is returned.
    #[must_use]
    pub(crate) fn set_table_size(
        &mut self,
        bytes: usize,
        params: &Params,
        network: &Network,
    ) -> bool {
        let Some(table) = Table::of_bytes(bytes) else { return false };
        self.table = Arc::new(table);
        self.rebuild_workers(params, network);
        true
    }

    /// How many threads there are.
    pub(crate) fn threads(&self) -> usize {
        self.workers.len()
    }

    /// Uses this many threads from now on. Those that stay keep what they have learnt.
    pub(crate) fn set_threads(&mut self, threads: usize, params: &Params, network: &Network) {
        self.workers.truncate(threads);
        for id in self.workers.len()..threads {
            self.workers.push(Worker::new(id, params, Arc::clone(&self.table), network));
        }
    }

    /// Makes the workers anew, with these numbers and this network.
    pub(crate) fn rebuild_workers(&mut self, params: &Params, network: &Network) {
        let threads = self.workers.len();
        self.workers.clear();
        self.set_threads(threads, params, network);
    }

    /// Forgets everything that was learnt.
    pub(crate) fn clear(&mut self) {
        self.table.clear(self.workers.len());
        self.workers.iter_mut().for_each(Worker::forget);
    }

    /// Bytes of the table.
    pub(crate) fn bytes(&self) -> usize {
        self.table.bytes()
    }

    /// Searches on all threads of the request's pool; without a pool, on the caller's thread alone. There
    /// must be a move to search.
    pub(crate) fn search(&mut self, request: &SearchRequest<'_>) -> Answer {
        let threads = if request.pool.is_some() { self.workers.len() } else { 1 };
        let task = Task::new(request, threads);
        self.table.grow_older();
        let root = RootMoves::new(&request.candidates);
        for worker in &mut self.workers[..threads] {
            worker.prepare(request.position, root.clone(), task.clone(), request.params);
            worker.tablebases = request.tablebases.clone();
        }
        let best = if let Some(pool) = request.pool {
            self.iterate_on(pool, &task)
        } else {
            let best = self.workers[0].iterate();
            self.workers[0].finish();
            best
        };
        self.answer(best, &task, threads)
    }

    /// Runs all threads, which vote on the result; of several lines, the first thread's count.
    fn iterate_on(&mut self, pool: &Pool, task: &Task) -> Line {
        let mut lines = vec![None; self.workers.len()];
        pool.run(self.workers.iter_mut().zip(&mut lines).map(|(worker, line)| {
            || {
                let control = Arc::clone(&worker.task.control);
                let _others = OnPanic(|| control.finish_helpers());
                *line = Some(worker.iterate());
                if worker.id == 0 {
                    worker.task.control.finish_helpers();
                }
                worker.finish();
            }
        }));
        let mut lines: Vec<Line> = lines.into_iter().flatten().collect();
        let may_vote = task.limits.multi_pv <= 1 && task.limits.depth.is_none();
        if may_vote { vote::elect(lines) } else { lines.swap_remove(0) }
    }

    /// What the first threads have done, as an answer.
    fn answer(&self, best: Line, task: &Task, threads: usize) -> Answer {
        let stats = self.stats_of(threads);
        let effort = Effort {
            nodes: task.nodes(),
            time: task.plan.elapsed(),
            table_fill: task.report.is_some().then(|| self.table.fill()),
            table_hits: stats.pruning.tablebase_hits,
        };
        Answer { best: Some(best), effort, stats }
    }

    /// What the first threads have counted in the last search.
    fn stats_of(&self, threads: usize) -> Stats {
        let mut sum = Stats::default();
        for worker in &self.workers[..threads] {
            sum += worker.stats;
        }
        sum
    }

    /// Lends workers, one for each thread of the request, to a caller that walks by itself and asks what
    /// positions are worth; and then tells what they have counted.
    pub(crate) fn lend<T>(
        &mut self,
        request: &SearchRequest<'_>,
        walk: impl FnOnce(Vec<LeafWorker<'_>>) -> T,
    ) -> (T, Stats) {
        let threads = if request.pool.is_some() { self.workers.len() } else { 1 };
        self.table.grow_older();
        let workers = &mut self.workers[..threads];
        let result =
            walk(workers.iter_mut().map(|worker| LeafWorker::new(worker, request)).collect());
        workers.iter_mut().for_each(Worker::finish);
        (result, self.stats_of(threads))
    }
}
