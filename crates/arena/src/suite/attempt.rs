// SPDX-License-Identifier: GPL-3.0-or-later
//! One engine at one problem.

use std::fmt::Write as _;
use std::time::Duration;

use chess::{Board, Move};

use super::problem::{Goal, Problem};
use super::solver::{Solution, Solver, SolverError};

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
    fn broken(problem: &Problem, reason: String) -> Self {
        Self {
            id: problem.id.clone(),
            is_solved: false,
            points: problem.max_points().map(|_| 0),
            played: reason,
            elapsed: Duration::ZERO,
            nodes: 0,
            found_after: None,
        }
    }
}

/// Lets a solver try a problem as if it were a new game. Only a solver that cannot be started is an error.
pub(super) fn attempt(solver: &mut dyn Solver, problem: &Problem) -> Result<Attempt, SolverError> {
    let attempt = solver.new_game().and_then(|()| match &problem.goal {
        Goal::Line(moves) => walk(solver, problem, moves),
        _ => answer(solver, problem),
    });
    match attempt {
        Err(SolverError::Failed(reason)) => Ok(Attempt::broken(problem, reason)),
        attempt => attempt,
    }
}

/// A problem of one move.
fn answer(solver: &mut dyn Solver, problem: &Problem) -> Result<Attempt, SolverError> {
    let solution = solver.solve(&problem.board, &[])?;
    let Solution { best, score, elapsed, nodes, .. } = solution;
    let is_solved = best.is_some_and(|mv| problem.goal.is_met(mv, score));
    let mut played = san(&problem.board, best);
    if let (Goal::Mate(_), Some(score)) = (&problem.goal, score) {
        let _ = write!(played, " ({score})");
    }
    Ok(Attempt {
        id: problem.id.clone(),
        is_solved,
        points: best.map_or(problem.max_points().map(|_| 0), |mv| problem.points_for(mv)),
        played,
        elapsed,
        nodes,
        found_after: is_solved.then(|| found_after(problem, &solution)),
    })
}

/// A puzzle: the engine must find every second move. Another move that mates is as good.
fn walk(
    solver: &mut dyn Solver,
    problem: &Problem,
    moves: &[Move],
) -> Result<Attempt, SolverError> {
    let mut board = problem.board;
    let mut played = Vec::new();
    let (mut elapsed, mut nodes) = (Duration::ZERO, 0);
    let mut is_solved = true;
    for (i, &expected) in moves.iter().enumerate() {
        if i % 2 == 0 {
            board.play(expected);
            continue;
        }
        let solution = solver.solve(&problem.board, &moves[..i])?;
        elapsed += solution.elapsed;
        nodes += solution.nodes;
        played.push(san(&board, solution.best));
        let mut after = board;
        after.play(solution.best.unwrap_or(expected));
        if solution.best != Some(expected) {
            is_solved = solution.best.is_some() && after.is_checkmate();
            break;
        }
        board = after;
    }
    let found_after = is_solved.then_some((elapsed, nodes));
    let (id, played) = (problem.id.clone(), played.join(" "));
    Ok(Attempt { id, is_solved, points: None, played, elapsed, nodes, found_after })
}

fn san(board: &Board, mv: Option<Move>) -> String {
    mv.map_or_else(|| "no legal move".to_owned(), |mv| board.san(mv).to_string())
}

/// Time and nodes from which on the answer was right to the end.
fn found_after(problem: &Problem, solution: &Solution) -> (Duration, u64) {
    let mut found = None;
    for step in &solution.steps {
        let is_right = step.mv.is_some_and(|mv| problem.goal.is_met(mv, step.score));
        found = is_right.then(|| found.unwrap_or((step.elapsed, step.nodes)));
    }
    found.unwrap_or((solution.elapsed, solution.nodes))
}
