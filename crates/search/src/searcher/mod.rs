// SPDX-License-Identifier: GPL-3.0-or-later
//! The façade of all searches: threads, memory, and which search thinks.
//!
//! | file | what it holds |
//! |---|---|
//! | `mode` | the searches that there are |
//! | `tree_memory` | the tree of the one that thinks |
//! | `leaf` | how the tree searches ask alpha-beta what a leaf is worth |
//! | `views` | what people see who look into a search |
//! | this file | settings, and one search |

mod leaf;
mod mode;
mod tree_memory;
mod views;

pub use mode::Mode;

use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use crate::alphabeta::AlphaBeta;
use crate::clock::TimePlan;
use crate::control::Control;
use crate::eval::Network;
use crate::info::{Answer, Effort, Report};
use crate::limits::Limits;
use crate::mcts::{LeafBox, Ranking, TreeOptions};
use crate::params::Params;
use crate::pool::Pool;
use crate::position::Position;
use crate::request::{RootCandidates, SearchRequest};
use crate::tablebases::Tablebases;
use tree_memory::TreeMemory;

/// A search with its threads and its memory. What it learns stays until [`Searcher::clear`].
pub struct Searcher {
    alphabeta: AlphaBeta,
    tree: TreeMemory,
    pool: Pool,
    params: Params,
    network: Network,
    tablebases: Tablebases,
    tree_options: TreeOptions,
    ranking: Ranking,
    /// MiB of memory for the table, and for the tree if there is one.
    mebibytes: usize,
}

impl Searcher {
    /// An alpha-beta search with this many threads and MiB of table.
    ///
    /// # Panics
    /// If the system has not got the memory.
    pub fn new(threads: usize, mebibytes: usize) -> Self {
        let alphabeta =
            AlphaBeta::new(mebibytes << 20).expect("memory for the transposition table");
        let mut searcher = Self {
            alphabeta,
            tree: TreeMemory::None,
            pool: Pool::new(threads.max(1)),
            params: Params::default(),
            network: Network::default(),
            tablebases: Tablebases::default(),
            tree_options: TreeOptions::default(),
            ranking: Ranking::default(),
            mebibytes,
        };
        searcher.set_threads(threads);
        searcher
    }

    /// Uses this many threads from now on.
    pub fn set_threads(&mut self, threads: usize) {
        let threads = threads.max(1);
        if threads != self.alphabeta.threads() {
            self.pool = Pool::new(threads);
        }
        self.alphabeta.set_threads(threads, &self.params, &self.network);
    }

    /// Uses this many MiB from now on, for a new table and for the tree of a tree search. If the
    /// system has not got the memory, it stays as it was, and `false` is returned.
    pub fn set_table_size(&mut self, mebibytes: usize) -> bool {
        self.share_memory(self.mode(), mebibytes)
    }

    /// Which search thinks.
    pub const fn mode(&self) -> Mode {
        self.tree.mode()
    }

    /// Lets another search think from now on. If there is no memory for its tree, the one before goes
    /// on, and `false` is returned.
    pub fn set_mode(&mut self, mode: Mode) -> bool {
        mode == self.mode() || self.share_memory(mode, self.mebibytes)
    }

    /// Takes new memory for a mode, and shares it out between table and tree; `false` if the system has
    /// not got it. Then everything stays as it was, but that the tree is empty; if even the memory that
    /// was just given back is gone, alpha-beta thinks, which needs no tree.
    fn share_memory(&mut self, mode: Mode, mebibytes: usize) -> bool {
        let Some(bytes) = mebibytes.checked_mul(1 << 20) else { return false };
        let (table_bytes, tree_bytes) = mode.share_out(bytes);
        let (mode_before, bytes_before) = (self.tree.mode(), self.tree.bytes());
        // The old tree is given back first: both may not fit.
        self.tree = TreeMemory::None;
        let tree = TreeMemory::new(mode, tree_bytes);
        let is_had = tree.is_some()
            && self.alphabeta.set_table_size(table_bytes, &self.params, &self.network);
        if is_had {
            self.mebibytes = mebibytes;
            self.tree = tree.unwrap_or_default();
        } else {
            drop(tree);
            self.tree = TreeMemory::new(mode_before, bytes_before).unwrap_or_default();
        }
        is_had
    }

    /// Changes how the tree searches work.
    pub fn set_tree_options(&mut self, options: TreeOptions) {
        self.tree_options = options;
        self.tree.clear();
    }

    /// What gives moves their priors in the tree search.
    pub const fn ranking(&self) -> &Ranking {
        &self.ranking
    }

    /// Gives moves other priors from now on.
    pub fn set_ranking(&mut self, ranking: Ranking) {
        self.ranking = ranking;
        self.tree.clear();
    }

    /// The numbers of the search.
    pub const fn params(&self) -> &Params {
        &self.params
    }

    /// Changes the numbers of the search, and forgets everything.
    pub fn set_params(&mut self, params: Params) {
        self.params = params;
        self.forget_and_rebuild();
    }

    /// What evaluates.
    pub const fn network(&self) -> &Network {
        &self.network
    }

    /// Evaluates by another network from now on, and forgets everything.
    pub fn set_network(&mut self, network: Network) {
        self.network = network;
        self.forget_and_rebuild();
    }

    fn forget_and_rebuild(&mut self) {
        self.clear();
        self.alphabeta.rebuild_workers(&self.params, &self.network);
    }

    /// Uses these endgame tables from now on.
    pub fn set_tablebases(&mut self, tablebases: Tablebases) {
        self.tablebases = tablebases;
        self.clear();
    }

    /// Forgets everything that was learnt.
    pub fn clear(&mut self) {
        self.tree.clear();
        self.alphabeta.clear();
    }

    /// Bytes of the table and the tree together.
    pub fn memory(&self) -> usize {
        self.alphabeta.bytes() + self.tree.bytes()
    }

    /// Searches without reports or interruption.
    pub fn think(&mut self, position: &Position, limits: &Limits) -> Answer {
        let start = Instant::now();
        let mut answer = self.run(position, limits, start, (&Arc::default(), None), Threads::Own);
        answer.effort.time = start.elapsed();
        answer
    }

    /// Searches without reports, interruption or a thread of its own, for those who search small trees
    /// in great numbers. The caller's thread needs [`STACK_BYTES`](crate::STACK_BYTES) of stack, and only
    /// the first of several threads searches.
    pub fn think_here(&mut self, position: &Position, limits: &Limits) -> Answer {
        self.run(position, limits, Instant::now(), (&Arc::default(), None), Threads::Callers)
    }

    /// Searches a position that was asked about at `start`, until a limit or `control` ends it.
    ///
    /// Returns only when the answer may be given: an endless search and one in the opponent's time
    /// wait for `control`, even if there is nothing left to search.
    pub fn search(
        &mut self,
        position: &Position,
        limits: &Limits,
        start: Instant,
        control: &Arc<Control>,
        report: &Report,
    ) -> Answer {
        let threads = Threads::Own;
        self.search_on(threads, position, limits, start, (control, report))
    }

    /// The same on the caller's thread if the searcher has only one: a busy machine lets every other
    /// thread wait before it wakes up. The caller's thread needs
    /// [`STACK_BYTES`](crate::STACK_BYTES) of stack.
    pub fn search_here(
        &mut self,
        position: &Position,
        limits: &Limits,
        start: Instant,
        control: &Arc<Control>,
        report: &Report,
    ) -> Answer {
        let threads = if self.alphabeta.threads() == 1 { Threads::Callers } else { Threads::Own };
        self.search_on(threads, position, limits, start, (control, report))
    }

    fn search_on(
        &mut self,
        threads: Threads,
        position: &Position,
        limits: &Limits,
        start: Instant,
        (control, report): (&Arc<Control>, &Report),
    ) -> Answer {
        let mut answer = self.run(position, limits, start, (control, Some(report)), threads);
        control.wait_for_release(limits.infinite);
        answer.effort.time = start.elapsed();
        answer
    }

    fn run(
        &mut self,
        position: &Position,
        limits: &Limits,
        start: Instant,
        (control, report): (&Arc<Control>, Option<&Report>),
        threads: Threads,
    ) -> Answer {
        let request = SearchRequest {
            position,
            limits,
            plan: TimePlan::new(start, limits, &self.params),
            control,
            report,
            params: &self.params,
            tablebases: &self.tablebases,
            candidates: RootCandidates::of(position, limits, &self.tablebases),
            pool: match threads {
                Threads::Own => Some(&self.pool),
                Threads::Callers => None,
            },
        };
        if request.candidates.moves.is_empty() {
            return Answer::without_moves(start.elapsed());
        }
        let options = &self.tree_options;
        let (answer, stats) = match &mut self.tree {
            TreeMemory::None => return self.alphabeta.search(&request),
            TreeMemory::Mcts(tree) => self.alphabeta.lend(&request, |workers| {
                let leaves = workers.into_iter().map(|probe| Box::new(probe) as LeafBox<'_>);
                tree.think(leaves.collect(), &request, options, &self.ranking)
            }),
            TreeMemory::Classic(tree) => self.alphabeta.lend(&request, |mut workers| {
                let leaf = Box::new(workers.swap_remove(0));
                tree.think(leaf, &request, options.classic, options.shows_moves)
            }),
        };
        let table_hits = stats.pruning.tablebase_hits;
        Answer { stats, effort: Effort { table_hits, ..answer.effort }, ..answer }
    }
}

/// On whose threads a search runs.
#[derive(Clone, Copy)]
enum Threads {
    /// The searcher's.
    Own,
    /// The caller's own, one only.
    Callers,
}

impl fmt::Debug for Searcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Searcher({}, {} threads)", self.mode(), self.alphabeta.threads())
    }
}
