// SPDX-License-Identifier: GPL-3.0-or-later
//! Our own engine as a solver, in this process.

use anyhow::{Context, Result};
use arena::Limit;
use arena::suite::{Solution, Solver, SolverError, Step};
use chess::{Board, Move};
use engine::{Bound, Engine, Event, Info, Limits, Odds, Position, uci_score};

/// An engine that solves problems with these limits.
pub(super) struct OwnSolver {
    engine: Engine,
    limits: Limits,
}

impl OwnSolver {
    /// An engine with these options.
    pub(super) fn new(options: &[(String, String)], limit: &Limit) -> Result<Self> {
        let mut engine = Engine::new();
        for (name, value) in options {
            let warning = engine.set_option(name, value).with_context(|| {
                format!("setting the option `{name}`; `quincunx` and then `uci` lists all options")
            })?;
            if let Some(warning) = warning {
                eprintln!("warning: {warning}");
            }
        }
        let limits = Limits {
            nodes: limit.nodes.map(Into::into),
            depth: limit.depth.map(Into::into),
            move_time: limit.movetime,
            ..Limits::default()
        };
        Ok(Self { engine, limits })
    }
}

impl Solver for OwnSolver {
    fn new_game(&mut self) -> Result<(), SolverError> {
        self.engine.new_game();
        Ok(())
    }

    fn solve(&mut self, start: &Board, moves: &[Move]) -> Result<Solution, SolverError> {
        let mut position = Position::new(*start);
        for &mv in moves {
            position.play(mv);
        }
        let odds = Odds::on(position.board());
        self.engine.set_position(position);
        let mut solution = Solution::default();
        for event in self.engine.go(self.limits.clone()) {
            match event {
                Event::Info(Info::Line(line, effort)) if line.rank == 1 => {
                    solution.steps.push(Step {
                        mv: line.moves.first().copied(),
                        score: Some(uci_score(line.score, line.bound, odds).value),
                        elapsed: effort.time,
                        nodes: effort.nodes,
                    });
                }
                Event::Info(_) => (),
                Event::Failed(reason) => return Err(SolverError::Failed(reason)),
                Event::Ended(answer) => {
                    solution.best = answer.best_move();
                    let score = |line: engine::Line| uci_score(line.score, Bound::Exact, odds);
                    solution.score = answer.best.map(|line| score(line).value);
                    solution.elapsed = answer.effort.time;
                    solution.nodes = answer.effort.nodes;
                }
            }
        }
        Ok(solution)
    }
}
