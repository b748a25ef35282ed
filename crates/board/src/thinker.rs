// SPDX-License-Identifier: GPL-3.0-or-later
//! The engines of one tab, on a thread of their own. This is the only file that knows the search.

mod collect;
mod judge;

use std::collections::HashMap;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use chess::{Board, Color, Game, Move};
use engine::{Strength, castling_mode, networks};
use net::Kernels;
use search::{
    Clock, Control, Info, Limits, Mode, MoveStats, Network, Odds, Position, Ranking, Report, Score,
    Searcher, TreeNode, Wdl,
};
use tokio::sync::mpsc;

use crate::budget::{Budget, Memory};
use crate::protocol::{Branch, Choices, Mind, Pace, Reply, Value};
use collect::Collector;

/// The networks, each loaded once for all tabs.
#[derive(Debug)]
pub struct Minds {
    kernels: Kernels,
    ranking: Ranking,
    loaded: Mutex<HashMap<&'static str, Network>>,
}

impl Default for Minds {
    fn default() -> Self {
        let kernels = Kernels::detect();
        Self { kernels, ranking: networks::ranking(kernels), loaded: Mutex::default() }
    }
}

impl Minds {
    /// What there is to choose from.
    pub fn choices(&self, threads: usize, has_runs: bool) -> Choices {
        Choices {
            networks: networks::names().iter().map(ToString::to_string).collect(),
            modes: Mode::ALL.map(|mode| mode.name().to_owned()).to_vec(),
            min_elo: *Strength::ELO.start() as u32,
            max_elo: *Strength::ELO.end() as u32,
            threads: threads as u16,
            runs: has_runs,
        }
    }

    /// A network of the binary. Files are not read: the page may come from elsewhere.
    pub(crate) fn network(&self, name: &str) -> Result<Network, String> {
        let known = networks::names().into_iter().find(|known| *known == name);
        let known = known.ok_or_else(|| {
            format!("no network `{name}`, expected {}", networks::names().join(", "))
        })?;
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(network) = loaded.get(known) {
            return Ok(network.clone());
        }
        let network = networks::load(known, self.kernels).map_err(|error| error.to_string())?;
        loaded.insert(known, network.clone());
        Ok(network)
    }
}

/// What is to be done, and how to end it.
#[derive(Debug)]
struct Job {
    id: u32,
    game: Game,
    mind: Mind,
    task: Task,
    control: Arc<Control>,
}

/// What is to be done with a position.
#[derive(Debug)]
pub enum Task {
    /// Search until stopped.
    Analyze {
        /// How many lines.
        lines: u8,
        /// Threads wanted.
        threads: u16,
    },
    /// Choose a move.
    Play(Pace),
    /// Judge all moves of the game, with so many nodes for each position.
    Review {
        /// Nodes for each position.
        nodes: u32,
    },
}

/// The moves from the root to the node of the tree that is shown.
type Focus = Arc<Mutex<Vec<String>>>;

/// The engines of one tab.
#[derive(Debug)]
pub struct Thinker {
    jobs: Sender<Job>,
    current: Arc<Control>,
    focus: Focus,
}

impl Thinker {
    /// Starts the thread.
    pub fn new(minds: Arc<Minds>, budget: Arc<Budget>, replies: mpsc::Sender<Reply>) -> Self {
        let (jobs, todo) = channel();
        let focus = Focus::default();
        let worker =
            Worker { minds, budget, replies, seats: Vec::new(), focus: Arc::clone(&focus) };
        thread::spawn(move || worker.run(&todo));
        Self { jobs, current: Arc::default(), focus }
    }

    /// Ends what is under way and begins something else.
    pub fn start(&mut self, id: u32, game: Game, mind: Mind, task: Task) {
        self.current.stop();
        self.current = Arc::default();
        let control = Arc::clone(&self.current);
        // The thread ends only when this end is dropped.
        let _ = self.jobs.send(Job { id, game, mind, task, control });
    }

    /// Ends what is under way.
    pub fn stop(&self) {
        self.current.stop();
    }

    /// Shows another node of the tree.
    pub fn set_focus(&self, line: Vec<String>) {
        *self.focus.lock().unwrap_or_else(PoisonError::into_inner) = line;
    }
}

impl Drop for Thinker {
    fn drop(&mut self) {
        self.stop();
    }
}

/// A searcher that keeps what it has learnt, for one network and search.
struct Seat {
    mind: Mind,
    searcher: Searcher,
    // Given back after the searcher is gone.
    _memory: Memory,
}

/// The thread's side.
struct Worker {
    minds: Arc<Minds>,
    budget: Arc<Budget>,
    replies: mpsc::Sender<Reply>,
    seats: Vec<Seat>,
    focus: Focus,
}

/// Two engines play each other; no more are kept.
const SEATS: usize = 2;
/// A slice of a tree search, after which the tree is shown.
const SLICE: Duration = Duration::from_millis(200);
/// The plies of the tree that are shown at once.
const SHOWN_PLIES: usize = 2;
/// A tab's table, however much memory there is.
const MOST_MEBIBYTES: usize = 1024;

impl Worker {
    fn run(mut self, todo: &Receiver<Job>) {
        while let Ok(job) = todo.recv() {
            if job.control.is_stopped() {
                self.tell(Reply::Done { id: job.id });
                continue;
            }
            if let Err(message) = self.work(&job) {
                self.tell(Reply::Error { id: Some(job.id), message });
            }
        }
    }

    /// Says something that must arrive. Without a listener there is nobody to tell.
    fn tell(&self, reply: Reply) {
        let _ = self.replies.blocking_send(reply);
    }

    fn work(&mut self, job: &Job) -> Result<(), String> {
        let wanted = match job.task {
            Task::Analyze { threads, .. } => threads.into(),
            Task::Play(Pace::Elo { .. } | Pace::Nodes { .. }) => 1,
            Task::Play(_) | Task::Review { .. } => 0,
        };
        let waiting = || self.tell(Reply::Waiting { id: job.id });
        let is_stopped = || job.control.is_stopped();
        let Some(threads) = self.budget.take_threads(wanted, is_stopped, waiting) else {
            self.tell(Reply::Done { id: job.id });
            return Ok(());
        };
        let mut seat = self.seat(&job.mind)?;
        let count = threads.count();
        seat.searcher.set_threads(count);
        match job.task {
            Task::Analyze { lines, .. } => self.analyze(&mut seat.searcher, job, lines, count),
            Task::Play(pace) => self.play(&mut seat.searcher, job, pace, count),
            Task::Review { nodes } => self.review(&mut seat.searcher, job, nodes),
        }
        self.seats.push(seat);
        Ok(())
    }

    /// The searcher for a network and search: one that is there, or a new one.
    fn seat(&mut self, mind: &Mind) -> Result<Seat, String> {
        if let Some(at) = self.seats.iter().position(|seat| seat.mind == *mind) {
            return Ok(self.seats.remove(at));
        }
        let network = self.minds.network(&mind.network)?;
        let mode = Mode::by_name(&mind.mode);
        let mode = mode.ok_or_else(|| format!("no search `{}`", mind.mode))?;
        if self.seats.len() == SEATS {
            self.seats.remove(0);
        }
        let memory = self.budget.take_memory(MOST_MEBIBYTES);
        let mut searcher = Searcher::new(1, memory.mebibytes());
        searcher.set_network(network);
        searcher.set_ranking(self.minds.ranking.clone());
        if !searcher.set_mode(mode) {
            return Err(format!("no memory for the tree of `{mode}`: close other tabs"));
        }
        Ok(Seat { mind: mind.clone(), searcher, _memory: memory })
    }

    fn analyze(&self, searcher: &mut Searcher, job: &Job, lines: u8, threads: usize) {
        let collector = Arc::new(Collector::new(job.id, &job.game, threads, &self.replies));
        let limits = Limits { multi_pv: lines.clamp(1, 32).into(), ..Limits::default() };
        let report = collector.report();
        let position = position(&job.game);
        if searcher.mode() == Mode::AlphaBeta {
            searcher.search(&position, &limits, Instant::now(), &job.control, &report);
        } else {
            let limits = Limits { move_time: Some(SLICE), ..limits };
            self.grow(searcher, &position, &limits, job, &report);
        }
        self.tell(Reply::Info { id: job.id, found: collector.findings() });
        self.tell(Reply::Done { id: job.id });
    }

    /// Grows a tree slice by slice, and shows it after each.
    fn grow(
        &self,
        searcher: &mut Searcher,
        position: &Position,
        limits: &Limits,
        job: &Job,
        report: &Report,
    ) {
        let start = Instant::now();
        let mut last_visits = None;
        while !job.control.is_stopped() {
            let answer = searcher.search(position, limits, Instant::now(), &job.control, report);
            let Some((visits, reply)) = self.tree(searcher, job) else { return };
            // A listener that is slow misses a picture, not the end.
            let _ = self.replies.try_send(reply);
            let is_decided = answer.best.is_none_or(|line| line.score.is_decisive());
            // A tree that is full, or proved, grows no more.
            if last_visits == Some(visits) || is_decided && start.elapsed() > 4 * SLICE {
                break;
            }
            last_visits = Some(visits);
        }
    }

    /// The tree as the page shows it.
    fn tree(&self, searcher: &Searcher, job: &Job) -> Option<(u32, Reply)> {
        let mut line = self.focus.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let (_, root) = searcher.tree(&[], 0)?;
        let mut board = *job.game.board();
        let mut moves = Vec::new();
        for text in &line {
            let Ok(mv) = board.parse_uci(text) else { break };
            board.play(mv);
            moves.push(mv);
        }
        // The tree may not reach there any more: the root is shown then.
        let found = searcher.tree(&moves, SHOWN_PLIES).filter(|_| moves.len() == line.len());
        if found.is_none() {
            (line, board) = (Vec::new(), *job.game.board());
        }
        let (_, node) = found.or_else(|| searcher.tree(&[], SHOWN_PLIES))?;
        let reply = Reply::Tree { id: job.id, line, node: branch(&board, &node) };
        Some((root.stats.visits, reply))
    }

    fn play(&self, searcher: &mut Searcher, job: &Job, pace: Pace, threads: usize) {
        let strength = match pace {
            Pace::Elo { elo } => Some(Strength::of_elo(elo.into())),
            _ => None,
        };
        let limits = limits_of(pace, strength);
        let collector = Arc::new(Collector::new(job.id, &job.game, threads, &self.replies));
        let report = collector.report();
        let position = position(&job.game);
        let answer = searcher.search(&position, &limits, Instant::now(), &job.control, &report);
        let lines = collector.raw_lines();
        let chosen = strength.and_then(|strength| strength.choose(&lines));
        let mv = chosen.map_or(answer.best_move(), |line| line.moves.first().copied());
        let board = job.game.board();
        let mv = mv.map(|mv| mv.uci(castling_mode(board, false)).to_string());
        // An answer to a question that was taken back is none.
        if job.control.is_stopped() {
            return self.tell(Reply::Done { id: job.id });
        }
        self.tell(Reply::Move { id: job.id, mv, found: collector.findings() });
    }
}

/// The limits of a move that is played.
fn limits_of(pace: Pace, strength: Option<Strength>) -> Limits {
    let millis = |ms: u32| Duration::from_millis(ms.into());
    match pace {
        Pace::Elo { .. } => Limits {
            nodes: strength.map(|strength| strength.nodes),
            multi_pv: Strength::LINES,
            ..Limits::default()
        },
        Pace::Nodes { nodes } => Limits::of_nodes(nodes.max(1).into()),
        Pace::Time { ms } => Limits { move_time: Some(millis(ms)), ..Limits::default() },
        Pace::Clock { ms, increment } => Limits {
            clock: Some(Clock {
                remaining: millis(ms),
                increment: millis(increment),
                moves_to_go: None,
            }),
            overhead: Duration::from_millis(30),
            ..Limits::default()
        },
    }
}

/// A game as the search wants it.
fn position(game: &Game) -> Position {
    let mut position = Position::new(*game.start());
    for &mv in game.moves() {
        position.play(mv);
    }
    position
}

/// A score for the side to move as the page shows it.
pub(crate) fn value(board: &Board, score: Score) -> Value {
    let odds = Odds::on(board);
    let Wdl { win, draw, loss } = odds.wdl(score);
    let (sign, wdl) = match board.turn() {
        Color::White => (1, [win, draw, loss]),
        Color::Black => (-1, [loss, draw, win]),
    };
    let mate = score.mate_moves().map(|moves| sign * moves);
    let cp = mate.is_none().then(|| sign * engine::centipawns(score, odds));
    Value { cp, mate, wdl }
}

/// Moves as the page reads them.
pub(crate) fn texts(board: &Board, moves: &[Move]) -> Vec<String> {
    let mode = castling_mode(board, false);
    moves.iter().map(|mv| mv.uci(mode).to_string()).collect()
}

/// A part of a tree as the page shows it.
fn branch(board: &Board, node: &TreeNode) -> Branch {
    let child = |child: &TreeNode| {
        let mut after = *board;
        after.play(child.stats.mv?);
        Some(Branch { mv: texts(board, &[child.stats.mv?]).pop()?, ..branch(&after, child) })
    };
    let MoveStats { visits, prior, value, draw, exploration, proof, .. } = node.stats;
    // A proof is from the position before the move.
    let proof = proof.map(|score| match score.mate_moves() {
        Some(moves) => format!("mate {moves}"),
        None if score.is_decisive() => if score.is_win() { "won" } else { "lost" }.to_owned(),
        None => "drawn".to_owned(),
    });
    Branch {
        mv: String::new(),
        visits: visits.into(),
        prior: Some(prior),
        value,
        draw,
        explore: Some(exploration),
        proof,
        children: node.children.iter().filter_map(child).collect(),
    }
}

impl std::fmt::Debug for Seat {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Seat").field("mind", &self.mind).finish_non_exhaustive()
    }
}

/// Only lines matter to the page.
fn as_line(info: Info) -> Option<(search::Line, search::Effort)> {
    match info {
        Info::Line(line, effort) if line.bound == search::Bound::Exact => Some((line, effort)),
        _ => None,
    }
}
