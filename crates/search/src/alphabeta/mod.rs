// SPDX-License-Identifier: GPL-3.0-or-later
//! Alpha-beta search: principal variation search with iterative deepening, a shared transposition
//! table and any number of threads.
//!
//! | file | what it holds |
//! |---|---|
//! | `iterate` | depth by depth, aspiration windows, best lines |
//! | `negamax` | the search of one node: a table of contents |
//! | `node`, `stack` | facts about a node, a move, and the line that led there |
//! | `prune`, `skip`, `reduce`, `extend` | nodes cut, moves skipped, less deep, deeper: one method per heuristic |
//! | `qsearch` | captures at the leaves |
//! | `order`, `history`, `learn` | which move first, and what teaches it |
//! | `correction` | how far searches have disagreed with the evaluation |
//! | `table` | what earlier searches found |
//! | `worker`, `root` | one thread's state |
//! | `probe` | a worker in the service of the tree search |
//! | `share` | which thread searches which move |
//! | `vote` | which thread's line is played |
//! | this file | all threads together |

mod correction;
mod extend;
mod history;
mod iterate;
mod learn;
mod negamax;
mod node;
mod optimism;
mod order;
mod probe;
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
mod vote;
mod worker;

pub use order::{Ordered, OrderedKind};
pub(crate) use probe::Probe;
pub use table::TableStats;
pub use worker::Report;

use std::sync::Arc;
use std::time::Instant;

use chess::{Board, Move, Piece, Square};

use crate::mcts::{Job, Mind};
use crate::pool::Pool;
use crate::{
    Answer, Bound, Control, Effort, Limits, Line, Mode, Network, Params, Position, Ranking, Score,
    Stats, Tablebases, TimePlan, TreeNode, TreeOptions,
};
use history::{Scene, Trail};
use order::{Context, Killers, Picked, Picker};
use root::RootMoves;
use share::Busy;
use table::{Table, table_key};
use worker::{NodeCounter, Task, Worker};

/// Stack that the deepest search needs, with debug assertions on.
pub const STACK_BYTES: usize = 16 << 20;

/// A search with its threads and its table. What it learns stays until [`Searcher::clear`].
pub struct Searcher {
    table: Arc<Table>,
    workers: Vec<Worker>,
    pool: Arc<Pool>,
    params: Params,
    network: Network,
    tablebases: Tablebases,
    /// MiB of memory for the table, and for the tree if there is one.
    mebibytes: usize,
    mind: Mind,
}

/// What the transposition table knows of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TableView {
    /// The best or refuting move.
    pub mv: Option<Move>,
    /// The score and how to read it; `None` if only the evaluation is known.
    pub score: Option<(Score, Bound)>,
    /// The static evaluation; `None` in check.
    pub eval: Option<Score>,
    /// How deep the search was.
    pub depth: i32,
}

impl Searcher {
    /// A search with this many threads and MiB of table.
    ///
    /// # Panics
    /// If the system has not got the memory.
    pub fn new(threads: usize, mebibytes: usize) -> Self {
        let table = Table::of_bytes(mebibytes << 20).expect("memory for the transposition table");
        let mut searcher = Self {
            table: Arc::new(table),
            workers: vec![],
            pool: Arc::new(Pool::new(threads.max(1))),
            params: Params::default(),
            network: Network::default(),
            tablebases: Tablebases::default(),
            mebibytes,
            mind: Mind::default(),
        };
        searcher.set_threads(threads);
        searcher
    }

    /// Uses this many threads from now on.
    pub fn set_threads(&mut self, threads: usize) {
        let threads = threads.max(1);
        if threads != self.workers.len() {
            self.pool = Arc::new(Pool::new(threads));
        }
        self.workers.truncate(threads);
        for id in self.workers.len()..threads {
            let table = Arc::clone(&self.table);
            self.workers.push(Worker::new(id, &self.params, table, &self.network));
        }
    }

    /// Uses this many MiB from now on, for a new table and for the tree of a tree search. If the
    /// system has not got the memory, it stays as it was, and `false` is returned.
    pub fn set_table_size(&mut self, mebibytes: usize) -> bool {
        let before = std::mem::replace(&mut self.mebibytes, mebibytes);
        let is_had = self.share_memory();
        if !is_had {
            self.mebibytes = before;
            self.restore_tree();
        }
        is_had
    }

    /// Takes the tree's memory again that there was before. Without one, nothing has changed.
    fn restore_tree(&mut self) {
        let is_had = self.mind.mode == Mode::AlphaBeta || self.share_memory();
        assert!(is_had, "the memory that there was before");
    }

    /// Shares the memory out between the table and the tree; `false` if there is not so much.
    fn share_memory(&mut self) -> bool {
        let Some(bytes) = self.mebibytes.checked_mul(1 << 20) else { return false };
        let table_bytes = match self.mind.mode {
            Mode::AlphaBeta => bytes,
            Mode::Mcts | Mode::Classic => bytes / Mind::TABLE_PART,
        };
        let Some(table) = Table::of_bytes(table_bytes) else { return false };
        self.table = Arc::new(table);
        self.rebuild_workers();
        self.mind.set_memory(bytes - table_bytes)
    }

    /// Which search thinks.
    pub const fn mode(&self) -> Mode {
        self.mind.mode
    }

    /// Lets another search think from now on. If there is no memory for its tree, the one before goes
    /// on, and `false` is returned.
    pub fn set_mode(&mut self, mode: Mode) -> bool {
        let before = std::mem::replace(&mut self.mind.mode, mode);
        let is_had = before == mode || self.share_memory();
        if !is_had {
            self.mind.mode = before;
            assert!(self.share_memory(), "the memory that there was before");
        }
        is_had
    }

    /// How the tree searches work.
    pub const fn tree_options(&self) -> &TreeOptions {
        self.mind.options()
    }

    /// Changes how the tree searches work.
    pub fn set_tree_options(&mut self, options: TreeOptions) {
        self.mind.set_options(options);
    }

    /// What gives moves their priors in the tree search.
    pub const fn ranking(&self) -> &Ranking {
        self.mind.ranking()
    }

    /// Gives moves other priors from now on.
    pub fn set_ranking(&mut self, ranking: Ranking) {
        self.mind.set_ranking(ranking);
    }

    /// The tree that the last search has left, below the end of a line of moves from its root and so
    /// many plies deep, and the position at the root. `None` if there is no such tree.
    pub fn tree(&self, line: &[Move], depth: usize) -> Option<(Position, TreeNode)> {
        self.mind.tree_below(&self.params, line, depth)
    }

    /// Bytes of the table and the tree together.
    pub fn memory(&self) -> usize {
        self.table.bytes() + self.mind.bytes()
    }

    /// The numbers of the search.
    pub const fn params(&self) -> &Params {
        &self.params
    }

    /// Changes the numbers of the search, and forgets everything.
    pub fn set_params(&mut self, params: Params) {
        self.params = params;
        self.clear();
        self.rebuild_workers();
    }

    /// What evaluates.
    pub const fn network(&self) -> &Network {
        &self.network
    }

    /// Evaluates by another network from now on, and forgets everything.
    pub fn set_network(&mut self, network: Network) {
        self.network = network;
        self.clear();
        self.rebuild_workers();
    }

    /// Uses these endgame tables from now on.
    pub fn set_tablebases(&mut self, tablebases: Tablebases) {
        self.tablebases = tablebases;
        self.clear();
    }

    /// Forgets everything that was learnt.
    pub fn clear(&mut self) {
        self.mind.clear();
        self.table.clear(self.workers.len());
        self.workers.iter_mut().for_each(Worker::forget);
    }

    fn rebuild_workers(&mut self) {
        let threads = self.workers.len();
        self.workers.clear();
        self.set_threads(threads);
    }

    /// Searches without reports or interruption.
    pub fn think(&mut self, position: &Position, limits: &Limits) -> Answer {
        self.search(position, limits, Instant::now(), &Arc::default(), &(Arc::new(drop) as Report))
    }

    /// Searches without reports, interruption or a thread of its own, for those who search small trees
    /// in great numbers. The caller's thread needs [`STACK_BYTES`] of stack, and only the first of
    /// several threads searches.
    pub fn think_here(&mut self, position: &Position, limits: &Limits) -> Answer {
        if self.mind.mode != Mode::AlphaBeta {
            let talk = (&Arc::default(), &(Arc::new(drop) as Report));
            return self.grow(position, limits, Instant::now(), talk, false);
        }
        let root = self.root_moves(position, limits);
        let task = self.task(limits, Instant::now(), &Arc::default(), None);
        self.table.grow_older();
        let worker = &mut self.workers[0];
        let is_over = root.len() == 0;
        worker.prepare(position, root, task.clone(), &self.params);
        worker.tablebases = self.tablebases.clone();
        let best = (!is_over).then(|| worker.iterate());
        worker.finish();
        self.answer(best, &task)
    }

    fn task(
        &self,
        limits: &Limits,
        start: Instant,
        control: &Arc<Control>,
        report: Option<&Report>,
    ) -> Task {
        Task {
            plan: TimePlan::new(start, limits, &self.params),
            limits: Arc::new(limits.clone()),
            control: Arc::clone(control),
            counters: self.workers.iter().map(|_| NodeCounter::default()).collect(),
            busy: Arc::new(Busy::new(self.workers.len())),
            report: report.cloned(),
        }
    }

    /// What all threads have done, as an answer.
    fn answer(&self, best: Option<Line>, task: &Task) -> Answer {
        let mut stats = Stats::default();
        // Without a move to search, workers still hold what the search before has counted.
        let searched = if best.is_some() { self.workers.as_slice() } else { &[] };
        for worker in searched {
            stats += worker.stats;
        }
        let effort = Effort {
            nodes: task.nodes(),
            time: task.plan.elapsed(),
            table_fill: task.report.is_some().then(|| self.table.fill()),
            table_hits: stats.tablebase_hits,
        };
        Answer { best, effort, stats }
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
        if self.mind.mode != Mode::AlphaBeta {
            let mut answer = self.grow(position, limits, start, (control, report), true);
            control.wait_for_release(limits.infinite);
            answer.effort.time = start.elapsed();
            return answer;
        }
        let root = self.root_moves(position, limits);
        let task = self.task(limits, start, control, Some(report));
        let best = (root.len() > 0).then(|| self.run(position, &root, &task));
        control.wait_for_release(limits.infinite);
        self.answer(best, &task)
    }

    /// Searches with a tree, on threads of its own or on the caller's.
    fn grow(
        &mut self,
        position: &Position,
        limits: &Limits,
        start: Instant,
        (control, report): (&Arc<Control>, &Report),
        has_own_threads: bool,
    ) -> Answer {
        let candidates = self.root_moves(position, limits).candidates();
        let params = self.params.clone();
        let pool = has_own_threads.then(|| Arc::clone(&self.pool));
        let job = Job {
            position,
            limits,
            plan: TimePlan::new(start, limits, &params),
            control,
            report,
            params: &params,
            candidates,
            pool: pool.as_deref(),
            shows_moves: self.mind.options().shows_moves,
        };
        self.table.grow_older();
        let mut mind = std::mem::take(&mut self.mind);
        let threads = if has_own_threads { self.workers.len() } else { 1 };
        let mut answer = mind.think(self.probes(position, limits.contempt, threads), &job);
        self.mind = mind;
        for worker in &self.workers[..threads] {
            answer.stats += worker.stats;
        }
        answer.effort.table_hits = answer.stats.tablebase_hits;
        answer
    }

    /// The first workers, ready to walk from a position.
    pub(crate) fn probes(
        &mut self,
        position: &Position,
        contempt: i32,
        count: usize,
    ) -> Vec<Probe<'_>> {
        let (params, tablebases) = (&self.params, &self.tablebases);
        let workers = self.workers.iter_mut().take(count);
        workers.map(|w| Probe::new(w, position, contempt, params, tablebases)).collect()
    }

    /// The moves to search, those that spoil the result by the tablebases left out.
    fn root_moves(&self, position: &Position, limits: &Limits) -> RootMoves {
        let mut root = RootMoves::new(position.board(), &limits.root_moves);
        let has_repeated = position.history().occurrences() > 1;
        if let Some(results) = self.tablebases.root_moves(position.board(), has_repeated) {
            root.judge(&results, limits.multi_pv);
        }
        root
    }

    /// Runs all threads, which vote on the result; of several lines, the first thread's count.
    fn run(&mut self, position: &Position, root: &RootMoves, task: &Task) -> Line {
        self.table.grow_older();
        for worker in &mut self.workers {
            worker.prepare(position, root.clone(), task.clone(), &self.params);
            worker.tablebases = self.tablebases.clone();
        }
        let mut lines = vec![None; self.workers.len()];
        self.pool.run(self.workers.iter_mut().zip(&mut lines).map(|(worker, line)| {
            || {
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

    /// How the table has been used since it was made or cleared.
    pub fn table_stats(&self) -> TableStats {
        self.table.stats()
    }

    /// What the table knows of a position.
    pub fn lookup(&self, board: &Board) -> Option<TableView> {
        let entry = self.table.probe(table_key(board))?;
        Some(TableView {
            mv: entry.mv.filter(|&mv| board.is_legal(mv)),
            score: entry.score,
            eval: entry.eval,
            depth: entry.depth,
        })
    }

    /// The legal moves in the order in which a search would try them now.
    pub fn move_order(&self, board: &Board) -> Vec<Ordered> {
        self.ordered(board, Picker::new(self.table_move(board), Killers::default()))
    }

    /// The moves that quiescence would try now, in its order.
    pub fn forcing_moves(&self, board: &Board) -> Vec<Ordered> {
        if board.in_check() {
            return self.move_order(board);
        }
        let mut moves = self.ordered(board, Picker::noisy_only(self.table_move(board)));
        moves.retain(|ordered| board.see(ordered.mv, 0, &order::EXCHANGE_VALUES));
        moves
    }

    /// How well quiet moves of a piece to a square have done, with the pawns of a board,
    /// between plus and minus 8192.
    pub fn history_of(&self, board: &Board, piece: Piece, to: Square) -> i32 {
        self.workers[0].histories.of_piece(board, piece, to)
    }

    fn table_move(&self, board: &Board) -> Option<Move> {
        self.lookup(board).and_then(|view| view.mv)
    }

    fn ordered(&self, board: &Board, mut picker: Picker) -> Vec<Ordered> {
        let histories = &self.workers[0].histories;
        let (threats, trail) = (board.threats(!board.turn()), Trail::default());
        let scene = Scene { board, threats: &threats, trail: &trail };
        let context = Context { scene, histories, params: &self.params, checks: None };
        std::iter::from_fn(|| picker.next(context)).map(Picked::ordered).collect()
    }
}

impl std::fmt::Debug for Searcher {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Searcher({} threads)", self.workers.len())
    }
}
