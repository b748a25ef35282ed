// SPDX-License-Identifier: GPL-3.0-or-later
//! One thread of a search, with all that it remembers.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use chess::{Board, History, Move};

use super::correction::Corrections;
use super::history::{Histories, PieceTo, PreviousMoves};
use super::node::{Candidate, Node, NodeType};
use super::optimism::Optimism;
use super::order::{Killers, OrderingContext};
use super::reduce::Reductions;
use super::root::RootMoves;
use super::share::BusyMoves;
use super::stack::{FRAMES, Frames, Played, PvLine};
use super::table::{Entry, Table, TableUse, table_key};
use crate::memory::Large;
use crate::request::SearchRequest;
use crate::{
    Bound, Control, Evaluator, Info, Limits, MAX_PLY, Network, Params, Position, Report, Score,
    Stats, Tablebases, TimePlan,
};

/// What a search is about, the same for all its threads.
#[derive(Clone)]
pub(super) struct Task {
    pub(super) limits: Arc<Limits>,
    pub(super) plan: TimePlan,
    pub(super) control: Arc<Control>,
    /// Nodes of every thread.
    pub(super) counters: Arc<[NodeCounter]>,
    /// What every thread is searching.
    pub(super) busy: Arc<BusyMoves>,
    /// Who is told of lines and depths; a search that tells nobody does not even collect them.
    pub(super) report: Option<Report>,
}

impl Task {
    /// What a request asks of this many threads.
    pub(super) fn new(request: &SearchRequest<'_>, threads: usize) -> Self {
        Self {
            plan: request.plan,
            limits: Arc::new(request.limits.clone()),
            control: Arc::clone(request.control),
            counters: (0..threads).map(|_| NodeCounter::default()).collect(),
            busy: Arc::new(BusyMoves::new(threads)),
            report: request.report.cloned(),
        }
    }

    pub(super) fn nodes(&self) -> u64 {
        self.counters.iter().map(NodeCounter::get).sum()
    }

    /// Whether deadlines count: not while the opponent thinks, and not in endless analysis.
    pub(super) fn is_timed(&self) -> bool {
        !self.control.is_pondering() && !self.limits.infinite
    }
}

/// A thread's count of nodes, in a cache line of its own so that threads do not disturb each other.
#[derive(Debug, Default)]
#[repr(align(128))]
pub(super) struct NodeCounter(AtomicU64);

impl NodeCounter {
    fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// The most nodes of one quiescence search.
const QUIESCENCE_NODES: u64 = 3_000;

/// After this time it is told which root move is being searched.
const ANNOUNCE_AFTER: Duration = Duration::from_secs(3);

/// A thread of the search. What it has learnt stays from move to move of a game.
pub(super) struct Worker {
    /// 0 for the thread that watches the limits and reports.
    pub(super) id: usize,
    pub(super) params: Params,
    pub(super) reductions: Reductions,
    pub(super) histories: Large<Histories>,
    pub(super) corrections: Large<Corrections>,
    pub(super) optimism: Optimism,
    pub(super) stats: Stats,
    pub(super) root: RootMoves,
    pub(super) task: Task,
    pub(super) nodes: u64,
    pub(super) ply: usize,
    pub(super) selective_depth: usize,
    /// The score of the last search of the game.
    pub(super) last_score: Option<Score>,
    /// The width of the root's window, in points.
    pub(super) root_width: i32,
    /// The depth that is being searched at the root.
    pub(super) root_depth: u32,
    /// The last depth that was finished.
    pub(super) finished_depth: u32,
    /// Whether deadlines would have ended the search if they had counted.
    pub(super) is_overdue: bool,
    pub(super) is_stopped: bool,
    /// The node count at which limits are looked at again.
    pub(super) next_look: u64,
    /// No null move is tried before this ply: see the null move's verification.
    pub(super) null_min_ply: usize,
    /// The node count from which quiescence stands pat.
    quiescence_end: u64,
    /// The ply at which quiescence began.
    pub(super) quiescence_ply: usize,
    pub(super) frames: Frames,
    /// The best line from each ply on, in nodes of the principal variation.
    pub(super) pvs: Vec<PvLine>,
    line: History,
    evaluator: Evaluator,
    pub(super) tablebases: Tablebases,
    table: Arc<Table>,
    table_use: TableUse,
}

impl Worker {
    pub(super) fn new(id: usize, params: &Params, table: Arc<Table>, network: &Network) -> Self {
        let board = Board::default();
        let limits = Limits::default();
        Self {
            id,
            params: params.clone(),
            reductions: Reductions::new(params),
            histories: Large::zeroed(),
            corrections: Large::zeroed(),
            optimism: Optimism::default(),
            stats: Stats::default(),
            root: RootMoves::default(),
            task: Task {
                plan: TimePlan::new(Instant::now(), &limits, params),
                limits: Arc::new(limits),
                control: Arc::default(),
                counters: Arc::new([]),
                busy: Arc::default(),
                report: None,
            },
            nodes: 0,
            ply: 0,
            selective_depth: 0,
            last_score: None,
            root_width: 1,
            root_depth: 0,
            finished_depth: 0,
            is_overdue: false,
            is_stopped: false,
            next_look: 0,
            null_min_ply: 0,
            quiescence_end: 0,
            quiescence_ply: 0,
            frames: Frames::new(&board),
            pvs: vec![PvLine::new(); FRAMES],
            line: History::new(&board),
            evaluator: Evaluator::new(network),
            tablebases: Tablebases::default(),
            table,
            table_use: TableUse::default(),
        }
    }

    /// Gets ready for a search.
    pub(super) fn prepare(
        &mut self,
        position: &Position,
        root: RootMoves,
        task: Task,
        params: &Params,
    ) {
        self.params = if task.limits.mate.is_some() { params.for_mates() } else { params.clone() };
        self.root = root;
        self.task = task;
        self.stats = Stats::default();
        self.optimism = Optimism::default();
        (self.nodes, self.ply, self.selective_depth, self.finished_depth) = (0, 0, 0, 0);
        (self.is_overdue, self.is_stopped, self.null_min_ply) = (false, false, 0);
        self.frames.forget_first();
        self.pvs[0].clear();
        self.next_look = 0;
        self.frames[0].board = *position.board();
        self.line = position.history().clone();
        self.evaluator.reset(position.board());
    }

    /// Forgets what was learnt, in the same memory: those who play many short games do it often.
    pub(super) fn forget(&mut self) {
        self.last_score = None;
        self.frames.forget();
        self.histories.clear();
        self.corrections.clear();
    }

    /// Hands over the thread's counts at the end of a search.
    pub(super) fn finish(&mut self) {
        self.publish_nodes();
        self.table.add_use(std::mem::take(&mut self.table_use));
        // Whoever listened need not live as long as the thread.
        self.task.report = None;
    }

    #[inline]
    pub(super) fn board(&self) -> &Board {
        &self.frames[self.ply].board
    }

    #[inline]
    pub(super) fn context<'a>(&'a self, previous_moves: &'a PreviousMoves) -> OrderingContext<'a> {
        let (histories, params) = (&*self.histories, &self.params);
        let table = Some(&*self.table);
        OrderingContext {
            history_context: self.history_context(previous_moves),
            histories,
            params,
            checks: None,
            threats: None,
            table,
        }
    }

    /// Brings what the table knows of the position after a move into the cache.
    #[inline]
    pub(super) fn prefetch(&self, mv: Move) {
        self.table.prefetch_after(self.board(), mv);
    }

    /// The same for the position after a null move.
    #[inline]
    pub(super) fn prefetch_null(&self) {
        self.table.prefetch_after_null(self.board());
    }

    #[inline]
    pub(super) fn make(&mut self, mv: Move) {
        let played = Played { mv, to: PieceTo::of(self.board(), mv) };
        let board = self.frames.next_board(self.ply, Some(played));
        let delta = board.play(mv);
        self.line.push(board);
        self.evaluator.push(&delta);
        self.ply += 1;
        self.corrections.prefetch(self.board(), self.last_moves());
    }

    #[inline]
    pub(super) fn unmake(&mut self) {
        self.ply -= 1;
        self.line.pop();
        self.evaluator.pop();
    }

    pub(super) fn make_null(&mut self) {
        let board = self.frames.next_board(self.ply, None);
        board.play_null();
        self.line.push_null(board);
        self.evaluator.push_null();
        self.ply += 1;
        self.corrections.prefetch(self.board(), self.last_moves());
    }

    pub(super) fn unmake_null(&mut self) {
        self.unmake();
    }

    /// Counts a node.
    #[inline]
    pub(super) fn enter_node(&mut self) {
        self.nodes += 1;
        self.selective_depth = self.selective_depth.max(self.ply);
    }

    pub(super) fn publish_nodes(&self) {
        if let Some(counter) = self.task.counters.get(self.id) {
            counter.0.store(self.nodes, Ordering::Relaxed);
        }
    }

    /// Begins a quiescence search. Boards full of pieces that can all take each other would keep it
    /// busy for ever: beyond a number that real games do not reach, it stands pat.
    #[inline]
    pub(super) fn limit_quiescence(&mut self) {
        self.quiescence_end = self.nodes + QUIESCENCE_NODES;
        self.quiescence_ply = self.ply;
    }

    #[inline]
    pub(super) fn is_quiescence_spent(&self) -> bool {
        self.nodes >= self.quiescence_end
    }

    /// What a draw is worth to the side to move: less than nothing to the one that the search plays
    /// for, if it has contempt for its opponent.
    #[inline]
    pub(super) fn draw_score(&self) -> Score {
        let contempt = self.task.limits.contempt.0;
        Score::new(if self.ply.is_multiple_of(2) { -contempt } else { contempt })
    }

    /// Whether the position is a draw by repetition, as seen from the root.
    #[inline]
    pub(super) fn is_repetition(&self) -> bool {
        self.line.is_repetition(self.ply)
    }

    /// The score of a draw by rule, if the position is one.
    #[inline]
    pub(super) fn rule_draw(&self) -> Option<Score> {
        let board = self.board();
        let is_draw = self.line.is_repetition(self.ply)
            || board.is_insufficient_material()
            // A mate on the hundredth ply comes first.
            || board.halfmove_clock() >= 100 && !board.is_checkmate();
        // Draws that differ a little keep the search from taking all lines to them for one.
        let jitter =
            if self.params.draw_jitter_try() == 0 { 0 } else { (self.nodes & 2) as i32 - 1 };
        is_draw.then(|| self.draw_score() + jitter)
    }

    /// The evaluation where lines may grow no longer.
    #[inline]
    pub(super) fn max_ply_score(&mut self) -> Option<Score> {
        (self.ply >= MAX_PLY - 1).then(|| {
            if self.board().in_check() { self.draw_score() } else { self.evaluate_board() }
        })
    }

    /// Whether a draw that can be forced at once is better than what there is.
    #[inline]
    pub(super) fn can_force_repetition(&self, alpha: Score) -> bool {
        self.params.cuckoo_on()
            && alpha < self.draw_score()
            && self.line.has_upcoming_repetition(self.board(), self.ply)
    }

    #[inline]
    pub(super) fn probe(&mut self) -> Option<Entry> {
        let hit = self.table.probe(table_key(self.board()));
        self.table_use.hits += u64::from(hit.is_some());
        self.table_use.misses += u64::from(hit.is_none());
        hit
    }

    #[inline]
    pub(super) fn put(&mut self, entry: Entry) {
        self.table_use.puts += 1;
        self.table.store(table_key(self.board()), entry);
    }

    pub(super) fn table_fill(&self) -> usize {
        self.table.fill()
    }

    /// The score of an entry as seen from the root.
    #[inline]
    pub(super) fn entry_score(&self, entry: Entry) -> Option<(Score, Bound)> {
        let (score, bound) = entry.score?;
        Some((score.as_seen_at(self.ply, self.board().halfmove_clock()), bound))
    }

    /// The static evaluation, from the table if it is there.
    #[inline]
    pub(super) fn raw_eval(&mut self, hit: Option<Entry>) -> Score {
        let known = hit.and_then(|hit| hit.eval);
        known.unwrap_or_else(|| self.evaluate_board())
    }

    #[inline]
    fn evaluate_board(&mut self) -> Score {
        self.evaluator.evaluate(&self.frames[self.ply].board)
    }

    #[inline]
    pub(super) fn killers(&self) -> Killers {
        if self.params.killers_on() { self.frames[self.ply].killers } else { Killers::default() }
    }

    /// Tells which root move is next, once a search takes long.
    pub(super) fn report_current_move<N: NodeType>(&self, candidate: &Candidate) {
        if !N::ROOT || self.id != 0 {
            return;
        }
        let Some(report) = &self.task.report else { return };
        if self.task.plan.elapsed() >= ANNOUNCE_AFTER {
            let number = self.root.index() + candidate.index + 1;
            report(Info::CurrentMove(candidate.mv, number));
        }
    }

    /// Keeps what a root move's search has shown.
    pub(super) fn record_root_result(
        &mut self,
        node: &Node,
        candidate: &Candidate,
        score: Score,
        nodes_before: u64,
    ) {
        let effort = (self.nodes - nodes_before, self.selective_depth);
        // A score at or below alpha is only a bound: if the search breaks off, the last one counts.
        let is_known = score > node.window.alpha;
        let pv = &self.pvs[1];
        self.root.record(candidate.mv, is_known.then_some((score, pv.as_slice())), effort);
    }
}
