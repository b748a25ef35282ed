// SPDX-License-Identifier: GPL-3.0-or-later
//! How an engine did at a whole suite.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;

use super::attempt::Attempt;
use super::problem::Problem;
use super::read::Suite;

/// The result of one engine at one suite.
#[derive(Clone, Debug, Serialize)]
pub struct Tally {
    /// The suite.
    pub name: String,
    /// The engine.
    pub engine: String,
    /// Problems that were tried.
    pub positions: usize,
    /// Problems that were solved.
    pub solved: usize,
    /// Points, if the suite has any.
    pub points: Option<u64>,
    /// The most points there are.
    pub max_points: Option<u64>,
    /// Positions that ask for nothing.
    pub unjudged: usize,
    /// Wall-clock seconds.
    pub seconds: f64,
    /// Nodes of all searches.
    pub nodes: u64,
    /// Mean time of the solved problems until the engine had the answer, in milliseconds.
    pub solution_ms: Option<f64>,
    /// Mean nodes of the solved problems until the engine had the answer.
    pub solution_nodes: Option<f64>,
    /// Puzzles by what they are about, the most frequent first.
    pub themes: Vec<Theme>,
    /// What was not solved, in the order of the file.
    pub failures: Vec<Failure>,
}

/// The puzzles with one theme.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Theme {
    /// The theme.
    pub name: String,
    /// How many puzzles have it.
    pub positions: usize,
    /// How many of them were solved.
    pub solved: usize,
}

/// A problem that was not solved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Failure {
    /// The problem's name.
    pub id: String,
    /// The position.
    pub fen: String,
    /// What was to be found.
    pub expected: String,
    /// What the engine played.
    pub played: String,
}

impl Tally {
    /// Sums up attempts, one for each problem of the suite in its order.
    pub(super) fn new(
        suite: &Suite,
        engine: &str,
        attempts: Vec<Attempt>,
        elapsed: Duration,
    ) -> Self {
        let pairs: Vec<(&Problem, Attempt)> = suite.problems.iter().zip(attempts).collect();
        let solved: Vec<&Attempt> =
            pairs.iter().map(|(_, attempt)| attempt).filter(|attempt| attempt.is_solved).collect();
        let found: Vec<(Duration, u64)> =
            solved.iter().filter_map(|attempt| attempt.found_after).collect();
        let mean = |value: fn(&(Duration, u64)) -> f64| {
            let sum: f64 = found.iter().map(value).sum();
            (!found.is_empty()).then(|| sum / found.len() as f64)
        };
        Self {
            name: suite.name.clone(),
            engine: engine.to_owned(),
            positions: pairs.len(),
            solved: solved.len(),
            points: sum(pairs.iter().map(|(_, attempt)| attempt.points)),
            max_points: sum(pairs.iter().map(|(problem, _)| problem.max_points())),
            unjudged: suite.unjudged,
            seconds: elapsed.as_secs_f64(),
            nodes: pairs.iter().map(|(_, attempt)| attempt.nodes).sum(),
            solution_ms: mean(|(time, _)| time.as_secs_f64() * 1000.0),
            solution_nodes: mean(|&(_, nodes)| nodes as f64),
            themes: count_themes(&pairs),
            failures: pairs.iter().filter_map(failure).collect(),
        }
    }
}

/// The sum of what there is; nothing if there is nothing.
fn sum(points: impl Iterator<Item = Option<u32>>) -> Option<u64> {
    let known: Vec<u64> = points.flatten().map(u64::from).collect();
    (!known.is_empty()).then(|| known.iter().sum())
}

fn count_themes(pairs: &[(&Problem, Attempt)]) -> Vec<Theme> {
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for (problem, attempt) in pairs {
        for theme in &problem.themes {
            let count = counts.entry(theme).or_default();
            count.0 += 1;
            count.1 += usize::from(attempt.is_solved);
        }
    }
    let theme =
        |(name, (positions, solved)): (&str, _)| Theme { name: name.to_owned(), positions, solved };
    let mut themes: Vec<Theme> = counts.into_iter().map(theme).collect();
    themes.sort_by_key(|theme| std::cmp::Reverse(theme.positions));
    themes
}

fn failure((problem, attempt): &(&Problem, Attempt)) -> Option<Failure> {
    (!attempt.is_solved).then(|| Failure {
        id: attempt.id.clone(),
        fen: problem.board.fen().to_string(),
        expected: problem.answer(),
        played: attempt.played.clone(),
    })
}
