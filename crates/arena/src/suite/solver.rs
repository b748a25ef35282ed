// SPDX-License-Identifier: GPL-3.0-or-later
//! What looks for the answers: an engine in a process of its own, or whatever else a caller has.

use std::error::Error;
use std::time::Duration;

use chess::{Board, CastlingMode, Move};
use driver::{EngineProcess, EngineSpec, Thought, position_after};
use thiserror::Error;
use uci::{InfoLine, ScoreValue};

/// Patience with an engine beyond the time of its search.
const GRACE: Duration = Duration::from_secs(10);

/// Patience with a search that no clock ends.
const LONGEST: Duration = Duration::from_hours(1);

/// Something that finds moves.
pub trait Solver {
    /// The next position is of another game.
    fn new_game(&mut self) -> Result<(), SolverError>;
    /// Searches the position after these moves.
    fn solve(&mut self, start: &Board, moves: &[Move]) -> Result<Solution, SolverError>;
    /// There is nothing more to do.
    fn quit(self: Box<Self>) {}
}

/// Why there is no answer.
#[derive(Debug, Error)]
pub enum SolverError {
    /// The solver cannot be started, so that nothing can be tried.
    #[error(transparent)]
    Start(Box<dyn Error + Send + Sync>),
    /// It crashed or hung; the next problem may go well.
    #[error("{0}")]
    Failed(String),
}

/// The answer to a position.
#[derive(Clone, Debug, Default)]
pub struct Solution {
    /// The move, if it is a legal one.
    pub best: Option<Move>,
    /// What the move is worth.
    pub score: Option<ScoreValue>,
    /// Time of the search.
    pub elapsed: Duration,
    /// Nodes of the search.
    pub nodes: u64,
    /// The best variation as the search went on.
    pub steps: Vec<Step>,
}

/// What was thought best at one time.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// The move.
    pub mv: Option<Move>,
    /// What it was worth.
    pub score: Option<ScoreValue>,
    /// The time since the search began.
    pub elapsed: Duration,
    /// Nodes up to then.
    pub nodes: u64,
}

/// An engine in a process of its own, which is replaced when it fails.
#[derive(Debug)]
pub struct ForeignSolver {
    spec: EngineSpec,
    /// The process, and how it writes castling.
    running: Option<(EngineProcess, CastlingMode)>,
    is_new_game: bool,
}

impl ForeignSolver {
    /// The engine of this description. It is started when it is needed.
    pub const fn new(spec: EngineSpec) -> Self {
        Self { spec, running: None, is_new_game: true }
    }

    /// The engine, in another process if it plays another kind of chess.
    fn engine(&mut self, board: &Board) -> Result<&mut EngineProcess, SolverError> {
        let is_chess960 = board.is_chess960();
        let castling = if is_chess960 { CastlingMode::Chess960 } else { CastlingMode::Standard };
        let engine = match self.running.take() {
            Some((engine, mode)) if mode == castling => engine,
            _ => EngineProcess::start(&self.spec, castling)
                .map_err(|error| SolverError::Start(error.into()))?,
        };
        Ok(&mut self.running.insert((engine, castling)).0)
    }

    fn try_to_solve(&mut self, start: &Board, moves: &[Move]) -> Result<Thought, SolverError> {
        let failed = |error: uci::ClientError| SolverError::Failed(error.to_string());
        let limit = self.spec.limit.clone();
        let is_new_game = std::mem::take(&mut self.is_new_game);
        let engine = self.engine(start)?;
        if is_new_game {
            engine.new_game().map_err(failed)?;
        }
        let castling = self.running.as_ref().map_or(CastlingMode::Standard, |(_, mode)| *mode);
        let position = position_after(start, moves, castling);
        let timeout = limit.movetime.map_or(LONGEST, |time| time + GRACE);
        self.engine(start)?.search(&position, &limit.go(), timeout).map_err(failed)
    }
}

impl Solver for ForeignSolver {
    fn new_game(&mut self) -> Result<(), SolverError> {
        self.is_new_game = true;
        Ok(())
    }

    fn solve(&mut self, start: &Board, moves: &[Move]) -> Result<Solution, SolverError> {
        let thought = self.try_to_solve(start, moves).inspect_err(|_| self.running = None)?;
        let mut board = *start;
        for &mv in moves {
            board.play(mv);
        }
        Ok(solution(&board, &thought))
    }

    fn quit(mut self: Box<Self>) {
        if let Some((engine, _)) = self.running.take() {
            engine.quit();
        }
    }
}

/// What an engine said, as values.
fn solution(board: &Board, thought: &Thought) -> Solution {
    let read = |mv: uci::MoveText| board.parse_uci(mv.as_str()).ok();
    let last = thought.info();
    let steps = thought.lines().filter_map(|line| line.parse::<InfoLine>().ok());
    let steps = steps.filter(|info| info.multipv.unwrap_or(1) == 1 && !info.pv.is_empty());
    let step = |info: InfoLine| Step {
        mv: info.pv.first().copied().and_then(read),
        score: info.score.map(|score| score.value),
        elapsed: Duration::from_millis(info.time.unwrap_or(0)),
        nodes: info.nodes.unwrap_or(0),
    };
    Solution {
        best: thought.best_move().and_then(read),
        score: last.as_ref().and_then(|info| info.score).map(|score| score.value),
        elapsed: thought.elapsed,
        nodes: last.and_then(|info| info.nodes).unwrap_or(0),
        steps: steps.map(step).collect(),
    }
}
