// SPDX-License-Identifier: GPL-3.0-or-later
//! One engine at one problem.

use std::fmt::Write as _;
use std::time::Duration;

use chess::{CastlingMode, Move};
use uci::{ClientError, Info};

use super::problem::{Goal, Problem};
use crate::{Engine, Limit, Thought, position_after};

/// How an engine did at one problem.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// The problem's name.
    pub id: String,
    /// Whether it was solved.
    pub is_solved: bool,
    /// Points for the move, if the problem has any.
    pub points: Option<u32>,
    /// What was played, or why nothing was.
    pub played: String,
    /// Time of all searches.
    pub elapsed: Duration,
    /// Nodes of all searches.
    pub nodes: u64,
    /// Time and nodes until the engine had the answer and kept it, if it did.
    pub found_after: Option<(Duration, u64)>,
}

impl Attempt {
    /// A problem at which the engine crashed or hung.
    pub(super) fn broken(problem: &Problem, error: &ClientError) -> Self {
        Self {
            id: problem.id.clone(),
            is_solved: false,
            points: problem.max_points().map(|_| 0),
            played: error.to_string(),
            elapsed: Duration::ZERO,
            nodes: 0,
            found_after: None,
        }
    }
}

/// An engine and how long it may think about each move.
pub(super) struct Session<'a> {
    pub(super) engine: &'a mut Engine,
    pub(super) limit: &'a Limit,
    pub(super) castling: CastlingMode,
    pub(super) timeout: Duration,
}

impl Session<'_> {
    pub(super) fn attempt(&mut self, problem: &Problem) -> Result<Attempt, ClientError> {
        self.engine.new_game()?;
        match &problem.goal {
            Goal::Line(moves) => self.walk(problem, moves),
            _ => self.answer(problem),
        }
    }

    /// A problem of one move.
    fn answer(&mut self, problem: &Problem) -> Result<Attempt, ClientError> {
        let thought = self.think(problem, &[])?;
        let last = thought.info();
        let mv = best_move(problem, &thought);
        let score = last.as_ref().and_then(|info| info.score).map(|score| score.value);
        let is_solved = mv.is_some_and(|mv| problem.goal.is_met(mv, score));
        let found_after = is_solved.then(|| {
            found_after(&thought, |info| {
                let mv = info.pv.first().and_then(|mv| problem.board.parse_uci(mv.as_str()).ok());
                let score = info.score.map(|score| score.value);
                mv.is_some_and(|mv| problem.goal.is_met(mv, score))
            })
        });
        let mut played =
            mv.map_or_else(|| "no legal move".to_owned(), |mv| problem.board.san(mv).to_string());
        if let (Goal::Mate(_), Some(score)) = (&problem.goal, score) {
            let _ = write!(played, " ({score})");
        }
        Ok(Attempt {
            id: problem.id.clone(),
            is_solved,
            points: mv.map_or(problem.max_points().map(|_| 0), |mv| problem.points_for(mv)),
            played,
            elapsed: thought.elapsed,
            nodes: last.and_then(|info| info.nodes).unwrap_or(0),
            found_after,
        })
    }

    /// A puzzle: the engine must find every second move. Another move that mates is as good.
    fn walk(&mut self, problem: &Problem, moves: &[Move]) -> Result<Attempt, ClientError> {
        let mut board = problem.board;
        let mut played = Vec::new();
        let (mut elapsed, mut nodes) = (Duration::ZERO, 0);
        let mut is_solved = true;
        for (i, &expected) in moves.iter().enumerate() {
            if i % 2 == 0 {
                board.play(expected);
                continue;
            }
            let thought = self.think(problem, &moves[..i])?;
            elapsed += thought.elapsed;
            nodes += thought.info().and_then(|info| info.nodes).unwrap_or(0);
            let mv = thought.best_move().and_then(|mv| board.parse_uci(mv.as_str()).ok());
            played.push(
                mv.map_or_else(|| "no legal move".to_owned(), |mv| board.san(mv).to_string()),
            );
            let mut after = board;
            after.play(mv.unwrap_or(expected));
            if mv != Some(expected) {
                is_solved = mv.is_some() && after.is_checkmate();
                break;
            }
            board = after;
        }
        let found_after = is_solved.then_some((elapsed, nodes));
        let (id, played) = (problem.id.clone(), played.join(" "));
        Ok(Attempt { id, is_solved, points: None, played, elapsed, nodes, found_after })
    }

    fn think(&mut self, problem: &Problem, moves: &[Move]) -> Result<Thought, ClientError> {
        let position = position_after(&problem.board, moves, self.castling);
        self.engine.search(&position, &self.limit.go(), self.timeout)
    }
}

fn best_move(problem: &Problem, thought: &Thought) -> Option<Move> {
    problem.board.parse_uci(thought.best_move()?.as_str()).ok()
}

/// Time and nodes of the first line from which on the answer was right to the end.
fn found_after(thought: &Thought, is_right: impl Fn(&Info) -> bool) -> (Duration, u64) {
    let mut found = None;
    for line in thought.lines() {
        let Ok(info) = line.parse::<Info>() else { continue };
        if info.multipv.unwrap_or(1) != 1 || info.pv.is_empty() {
            continue;
        }
        let here = (Duration::from_millis(info.time.unwrap_or(0)), info.nodes.unwrap_or(0));
        found = if is_right(&info) { found.or(Some(here)) } else { None };
    }
    let nodes = thought.info().and_then(|info| info.nodes).unwrap_or(0);
    found.unwrap_or((thought.elapsed, nodes))
}
