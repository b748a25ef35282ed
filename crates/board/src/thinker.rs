// SPDX-License-Identifier: GPL-3.0-or-later
//! The engines of one tab, on a thread of their own. This is the only file that knows the search.

mod collect;
mod judge;
mod stop;

use std::collections::HashMap;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use chess::{Board, CastlingMode, Color, Game, Move, White};
use engine::{
    Answer, Clock, Engine, Event, Info, Limits, Listener, Mode, MoveStats, Odds, Position, Score,
    Setting, SettingError, ShownScore, Strength, TreeNode, Wdl, networks,
};
use net::Kernels;
use search::Network;
use tablebase::Tables;
use tokio::sync::mpsc;

use crate::budget::{Budget, Memory};
use crate::protocol::{Branch, Choices, Mind, Pace, Reply, Value};
use collect::Collector;
pub use judge::{GameReview, review_game};
pub use stop::Stop;

/// The networks, kept as long as the server runs.
#[derive(Debug)]
pub struct Minds {
    kernels: Kernels,
    loaded: Mutex<HashMap<&'static str, Network>>,
    /// The folders of endgame tables, as the engine's option names them; empty without tables.
    tables: String,
}

impl Minds {
    /// The networks of the binary, and the tables that searches ask.
    pub fn new(tables: Option<&Tables>) -> Self {
        let folders = tables.map(|tables| std::env::join_paths(tables.folders()));
        let folders = folders.and_then(Result::ok).unwrap_or_default();
        let tables = folders.to_string_lossy().into_owned();
        Self { kernels: Kernels::detect(), loaded: Mutex::default(), tables }
    }

    /// What there is to choose from.
    pub fn choices(&self) -> Choices {
        Choices {
            networks: networks::names().iter().map(ToString::to_string).collect(),
            modes: Mode::ALL.map(|mode| mode.name().to_owned()).to_vec(),
            min_elo: *Strength::ELO.start() as u32,
            max_elo: *Strength::ELO.end() as u32,
            threads: 1,
            runs: false,
            tables: 0,
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
    stop: Arc<Stop>,
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
    current: Arc<Stop>,
    focus: Focus,
}

impl Thinker {
    /// Starts the thread.
    pub fn new(minds: Arc<Minds>, budget: Arc<Budget>, replies: mpsc::Sender<Reply>) -> Self {
        let (jobs, todo) = channel();
        let focus = Focus::default();
        let worker =
            ThinkerWorker { minds, budget, replies, seats: Vec::new(), focus: Arc::clone(&focus) };
        thread::spawn(move || worker.run(&todo));
        Self { jobs, current: Arc::default(), focus }
    }

    /// Ends what is under way and begins something else.
    pub fn start(&mut self, id: u32, game: Game, mind: Mind, task: Task) {
        self.current.stop();
        self.current = Arc::default();
        let stop = Arc::clone(&self.current);
        // The thread ends only when this end is dropped.
        let _ = self.jobs.send(Job { id, game, mind, task, stop });
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

/// An engine that keeps what it has learnt, for one network and search.
struct Seat {
    mind: Mind,
    engine: Engine,
    // Given back after the engine is gone.
    _memory: Memory,
}

/// The thread's side.
struct ThinkerWorker {
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

impl ThinkerWorker {
    fn run(mut self, todo: &Receiver<Job>) {
        while let Ok(job) = todo.recv() {
            if job.stop.is_stopped() {
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
        let is_stopped = || job.stop.is_stopped();
        let Some(threads) = self.budget.take_threads(wanted, is_stopped, waiting) else {
            self.tell(Reply::Done { id: job.id });
            return Ok(());
        };
        let count = threads.count();
        let mut seat = self.seat(&job.mind)?;
        let engine = &mut seat.engine;
        engine
            .set(Setting::Threads(count as i64))
            .map_err(|error: SettingError| error.to_string())?;
        match job.task {
            Task::Analyze { lines, .. } => self.analyze(engine, job, lines, count),
            Task::Play(pace) => self
                .play(engine, job, pace, count)
                .map_err(|error: SettingError| error.to_string())?,
            Task::Review { nodes } => self.review(engine, job, nodes),
        }
        self.seats.push(seat);
        Ok(())
    }

    /// The engine with a network and search: one that is there, or a new one.
    fn seat(&mut self, mind: &Mind) -> Result<Seat, String> {
        if let Some(at) = self.seats.iter().position(|seat| seat.mind == *mind) {
            return Ok(self.seats.remove(at));
        }
        // Also loads it into memory that all tabs share.
        self.minds.network(&mind.network)?;
        let mode = Mode::by_name(&mind.mode);
        let mode = mode.ok_or_else(|| format!("no search `{}`", mind.mode))?;
        if self.seats.len() == SEATS {
            self.seats.remove(0);
        }
        let memory = self.budget.take_memory(MOST_MEBIBYTES);
        let mut engine = Engine::new();
        engine
            .set(Setting::Network(mind.network.clone()))
            .map_err(|error: SettingError| error.to_string())?;
        engine.set(Setting::SearchMode(mode)).map_err(|error: SettingError| error.to_string())?;
        engine
            .set(Setting::Hash(memory.mebibytes() as i64))
            .map_err(|error: SettingError| error.to_string())?;
        let tables = Setting::SyzygyPath(self.minds.tables.clone());
        engine.set(tables).map_err(|error: SettingError| error.to_string())?;
        Ok(Seat { mind: mind.clone(), engine, _memory: memory })
    }

    fn analyze(&self, engine: &mut Engine, job: &Job, lines: u8, threads: usize) {
        let collector = Arc::new(Collector::new(job.id, &job.game, threads, &self.replies));
        let limits = Limits { multi_pv: lines.clamp(1, 32).into(), ..Limits::default() };
        if engine.settings().mode == Mode::AlphaBeta {
            search(engine, &job.game, limits, &job.stop, collector.listener());
        } else {
            let limits = Limits { move_time: Some(SLICE), ..limits };
            self.grow(engine, &limits, job, &collector);
        }
        self.tell(Reply::Info { id: job.id, found: collector.findings() });
        self.tell(Reply::Done { id: job.id });
    }

    /// Grows a tree slice by slice, and shows it after each.
    fn grow(&self, engine: &mut Engine, limits: &Limits, job: &Job, collector: &Arc<Collector>) {
        let start = Instant::now();
        let mut last_visits = None;
        while !job.stop.is_stopped() {
            let listener = collector.listener();
            let answer = search(engine, &job.game, limits.clone(), &job.stop, listener);
            let Some((visits, reply)) = self.tree(engine, job) else { return };
            // A listener that is slow misses a picture, not the end.
            let _ = self.replies.try_send(reply);
            let best = answer.and_then(|answer| answer.best);
            let is_decided = best.is_none_or(|line| line.score.is_decisive());
            // A tree that is full, or proved, grows no more.
            if last_visits == Some(visits) || is_decided && start.elapsed() > 4 * SLICE {
                break;
            }
            last_visits = Some(visits);
        }
    }

    /// The tree as the page shows it.
    fn tree(&self, engine: &mut Engine, job: &Job) -> Option<(u32, Reply)> {
        let mut line = self.focus.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let (_, root) = engine.tree(&[], 0)?;
        let mut board = *job.game.board();
        let mut moves = Vec::new();
        for text in &line {
            let Ok(mv) = board.parse_uci(text) else { break };
            board.play(mv);
            moves.push(mv);
        }
        // The tree may not reach there any more: the root is shown then.
        let found = engine.tree(&moves, SHOWN_PLIES).filter(|_| moves.len() == line.len());
        if found.is_none() {
            (line, board) = (Vec::new(), *job.game.board());
        }
        let (_, node) = found.or_else(|| engine.tree(&[], SHOWN_PLIES))?;
        let reply = Reply::Tree { id: job.id, line, node: branch(&board, &node) };
        Some((root.stats.visits, reply))
    }

    fn play(
        &self,
        engine: &mut Engine,
        job: &Job,
        pace: Pace,
        threads: usize,
    ) -> Result<(), SettingError> {
        let elo = if let Pace::Elo { elo } = pace { Some(i64::from(elo)) } else { None };
        let range = Strength::ELO;
        engine.set(Setting::LimitStrength(elo.is_some()))?;
        engine
            .set(Setting::Elo(elo.unwrap_or(*range.end()).clamp(*range.start(), *range.end())))?;
        let collector = Arc::new(Collector::new(job.id, &job.game, threads, &self.replies));
        let answer = search(engine, &job.game, limits_of(pace), &job.stop, collector.listener());
        engine.set(Setting::LimitStrength(false))?;
        // An answer to a question that was taken back is none.
        if job.stop.is_stopped() {
            self.tell(Reply::Done { id: job.id });
            return Ok(());
        }
        let mv = answer.as_ref().and_then(Answer::best_move);
        let mv = mv.and_then(|mv| texts(job.game.board(), &[mv]).pop());
        if let Some(answer) = answer {
            collector.take(answer);
        }
        self.tell(Reply::Move { id: job.id, mv, found: collector.findings() });
        Ok(())
    }
}

/// Searches until a limit is reached or the job is stopped.
fn search(
    engine: &mut Engine,
    game: &Game,
    limits: Limits,
    stop: &Stop,
    listener: Listener,
) -> Option<Answer> {
    engine.set_position(position(game));
    let control = engine.go_with(limits, Instant::now(), listener);
    stop.watch(control);
    engine.wait()
}

/// The limits of a move that is played.
fn limits_of(pace: Pace) -> Limits {
    let millis = |ms: u32| Duration::from_millis(ms.into());
    match pace {
        Pace::Elo { .. } => Limits::default(),
        Pace::Nodes { nodes } => Limits::of_nodes(nodes.max(1).into()),
        Pace::Time { ms } => Limits { move_time: Some(millis(ms)), ..Limits::default() },
        Pace::Clock { ms, increment } => Limits {
            clock: Some(Clock {
                remaining: millis(ms),
                increment: millis(increment),
                moves_to_go: None,
            }),
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
    let wdl = match board.turn() {
        Color::White => [win, draw, loss],
        Color::Black => [loss, draw, win],
    };
    match White::seen_by(board.turn(), odds.shown(score)).get() {
        ShownScore::Centipawns(centipawns) => Value { cp: Some(centipawns.0), mate: None, wdl },
        ShownScore::Mate(moves) => Value { cp: None, mate: Some(moves), wdl },
    }
}

/// Moves as the page reads them.
pub(crate) fn texts(board: &Board, moves: &[Move]) -> Vec<String> {
    let mode = if board.is_chess960() { CastlingMode::Chess960 } else { CastlingMode::Standard };
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

/// An exact line, if the event tells one.
fn as_line(event: &Event) -> Option<(&engine::Line, &engine::Effort)> {
    match event {
        Event::Info(Info::Line(line, effort)) if line.bound == engine::Bound::Exact => {
            Some((line, effort))
        }
        _ => None,
    }
}
