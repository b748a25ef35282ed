// SPDX-License-Identifier: GPL-3.0-or-later
//! What is in the data: results, scores, pieces, lengths, and how well scores foretell results.

mod calibration;
mod chart;
mod page;

use std::collections::BTreeMap;
use std::path::PathBuf;

use chess::Outcome;
use serde::Serialize;

use crate::dataset::Item;
use crate::pipeline::for_each_item;
use crate::shuffle::checked_record;
use crate::unit::Need;
use crate::{
    DataError, Filter, Label, LabelScore, Observer, Origin, Problem, Rejection, Unit, Unmarked,
    outcome,
};

use calibration::Tally;
pub use calibration::{Calibration, Point};
pub use page::page;

/// Width of the classes of scores, in centipawns.
const CLASS: i32 = 50;
/// Scores beyond this share the outermost classes.
const EDGE: i32 = 2000;
/// Width of the classes of plies and of lengths of games.
const PLIES: usize = 10;

/// The numbers of some files.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Stats {
    /// Games; 0 for files of records.
    pub games: u64,
    /// Games whose castling is Chess960's at the start.
    pub chess960_games: u64,
    /// Positions: scored moves of games, and records.
    pub positions: u64,
    /// How many of them come out of searches beside the games, and have no result.
    pub leaves: u64,
    /// Results, of games or else of records.
    pub results: Results,
    /// What the scores count, if the files say so.
    pub unit: Option<Unit>,
    /// Positions with a score.
    pub scored: u64,
    /// Positions with a mate score.
    pub mates: u64,
    /// Positions that the default filter keeps.
    pub quiet: u64,
    /// Positions that it leaves out, by reason.
    pub rejected: BTreeMap<&'static str, u64>,
    /// Positions with Black to move.
    pub black_to_move: u64,
    /// Positions by score in White's view, in classes of 50 centipawns by their lower end; the
    /// first and last hold also what is beyond.
    pub scores: BTreeMap<i32, u64>,
    /// Positions by number of pieces.
    pub pieces: BTreeMap<usize, u64>,
    /// Positions by plies since the start of their game, in classes of 10 by their lower end.
    pub plies: BTreeMap<usize, u64>,
    /// Games by length in plies, likewise.
    pub lengths: BTreeMap<usize, u64>,
    /// How scores foretell results.
    pub calibration: Calibration,
    /// What was bad and skipped.
    pub problems: u64,
}

/// How games ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Results {
    /// White won.
    pub white: u64,
    /// Nobody did.
    pub draw: u64,
    /// Black won.
    pub black: u64,
}

impl Results {
    const fn add(&mut self, outcome: Outcome) {
        match outcome::code(outcome) {
            0 => self.black += 1,
            1 => self.draw += 1,
            _ => self.white += 1,
        }
    }
}

/// What one position adds.
struct Fact {
    score: Option<LabelScore>,
    outcome: Option<Outcome>,
    pieces: usize,
    ply: Option<usize>,
    is_black: bool,
    verdict: Option<Rejection>,
}

/// What one game or record adds.
struct Facts {
    positions: Vec<Fact>,
    from: From,
}

/// What it was.
enum From {
    Game { outcome: Outcome, is_chess960: bool },
    Leaf,
    Record,
}

/// Counts everything in some files, which must all count scores in one unit.
pub fn stats(
    inputs: &[PathBuf],
    unmarked: Unmarked,
    observer: &mut Observer<'_>,
) -> Result<Stats, DataError> {
    let filter = Filter::default();
    let before = observer.problems.count();
    let mut stats = Stats::default();
    let mut tally = Tally::new();
    stats.unit = for_each_item(
        inputs,
        unmarked,
        Need::Same,
        observer,
        |item| facts(item, &filter),
        |_, facts| {
            match facts.from {
                From::Game { outcome, is_chess960 } => {
                    stats.games += 1;
                    stats.chess960_games += u64::from(is_chess960);
                    stats.results.add(outcome);
                    *stats.lengths.entry(class(facts.positions.len())).or_default() += 1;
                }
                From::Leaf => stats.leaves += 1,
                From::Record => (),
            }
            let is_record = matches!(facts.from, From::Record);
            for fact in &facts.positions {
                stats.take(fact, is_record);
                tally.add(fact.score, fact.outcome);
            }
            Ok(facts.positions.len() as u64)
        },
    )?;
    stats.calibration = tally.calibration();
    stats.problems = observer.problems.count() - before;
    Ok(stats)
}

const fn class(plies: usize) -> usize {
    plies / PLIES * PLIES
}

fn facts(item: &Item, filter: &Filter) -> Result<Facts, Problem> {
    let fact = |board: &chess::Board, label: Label, ply| Fact {
        score: label.score,
        outcome: label.outcome,
        pieces: board.occupied().len(),
        ply,
        is_black: board.turn() == chess::Color::Black,
        verdict: filter.verdict(board, label, ply),
    };
    match item {
        Item::Game(game) => {
            let game = game.decode_or_problem()?;
            let from = match game.origin {
                Origin::Game(outcome) => {
                    From::Game { outcome, is_chess960: game.start.is_chess960() }
                }
                Origin::Leaf { .. } => From::Leaf,
            };
            let ply = |ply| matches!(from, From::Game { .. }).then_some(ply);
            let positions = game.positions();
            let positions = positions.map(|at| fact(&at.board, at.label(), ply(at.ply))).collect();
            Ok(Facts { positions, from })
        }
        Item::Record(..) => {
            let record = checked_record(item)?;
            let board = record.board().map_err(|error| Problem::new(item.place(), error))?;
            Ok(Facts { positions: vec![fact(&board, record.label(), None)], from: From::Record })
        }
    }
}

impl Stats {
    fn take(&mut self, fact: &Fact, is_record: bool) {
        self.positions += 1;
        self.black_to_move += u64::from(fact.is_black);
        if let (true, Some(outcome)) = (is_record, fact.outcome) {
            self.results.add(outcome);
        }
        match fact.verdict {
            None => self.quiet += 1,
            Some(reason) => *self.rejected.entry(reason.name()).or_default() += 1,
        }
        if let Some(score) = fact.score {
            self.scored += 1;
            self.mates += u64::from(score.is_mate());
            let class = i32::from(score.get()).clamp(-EDGE, EDGE - 1).div_euclid(CLASS) * CLASS;
            *self.scores.entry(class).or_default() += 1;
        }
        if let Some(ply) = fact.ply {
            *self.plies.entry(class(ply)).or_default() += 1;
        }
        *self.pieces.entry(fact.pieces).or_default() += 1;
    }
}
