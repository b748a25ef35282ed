// SPDX-License-Identifier: GPL-3.0-or-later
//! A match as it goes: a live picture on a terminal, a line now and then otherwise.

mod panel;

use std::collections::HashSet;
use std::fmt::Write;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::{Duration, Instant};

use arena::referee::{FaultKind, GameRecord};
use arena::stats::SprtStanding;
use arena::tournament::{BoardView, Match, Observer, PairRecord, PairResult, Standings};

use tools::text::printable;

use crate::screen::Screen;
use panel::{Panel, clock};

/// How often the live picture is drawn anew.
const REFRESH: Duration = Duration::from_millis(250);

/// How often a line is printed where there is no live picture.
const REPORT: Duration = Duration::from_secs(30);

/// Shows a match on standard error.
#[derive(Debug)]
pub(crate) struct MatchView {
    /// None where only a line is printed now and then.
    screen: Option<Screen>,
    /// Who plays, and how.
    heading: String,
    /// All pairs of the match; none if only a verdict ends it.
    pairs: Option<usize>,
    /// Pairs that were finished before we began.
    resumed: usize,
    began: Instant,
    last_shown: Instant,
    /// The LLR after each pair.
    path: Vec<f64>,
    /// Kinds of faults that were shown, by engine.
    known_faults: HashSet<(String, FaultKind)>,
    /// What tells the games of this process apart: a hash of each game's opening and moves.
    distinct: HashSet<u64>,
    /// How many games this process has seen.
    seen: usize,
}

impl MatchView {
    /// A view of a match of which some pairs are finished already.
    pub(crate) fn new(game: &Match, finished: &[PairResult]) -> Self {
        let resumed = finished.len();
        if resumed > 0 {
            eprintln!("resuming after {} games", 2 * resumed);
        }
        let now = Instant::now();
        Self {
            screen: Screen::open(),
            heading: game.settings().heading(),
            pairs: game.pairs(),
            resumed,
            began: now,
            last_shown: now,
            path: llr_path(game, finished),
            known_faults: HashSet::new(),
            distinct: HashSet::new(),
            seen: 0,
        }
    }

    /// Takes the live picture away, and says whether games were repeated.
    pub(crate) fn end(&mut self) {
        self.close();
        let (seen, distinct) = (self.seen, self.distinct.len());
        if distinct < seen {
            eprintln!(
                "warning: only {distinct} of {seen} games differ; the others repeat them and prove nothing"
            );
        }
    }

    /// Takes the live picture away.
    fn close(&mut self) {
        if let Some(screen) = &mut self.screen {
            screen.clear();
        }
    }

    /// Prints a line; the picture comes again below it.
    fn say(&mut self, message: &str) {
        self.close();
        eprintln!("{}", printable(message));
    }

    /// Score, Elo, test and speed in one line.
    fn line(&self, standings: &Standings) -> String {
        let (games, pairs) = (standings.games_of(0), standings.pentanomial());
        let done = 2 * standings.pair_count();
        let total = self.pairs.map_or_else(String::new, |pairs| format!("/{}", 2 * pairs));
        let name = &standings.names()[0];
        let mut line = format!("{done}{total} games  {name} {games}  {pairs}");
        if let Some(elo) = pairs.elo() {
            let _ = write!(line, "  Elo {elo}");
        }
        if let (Some(evaluation), Some(sprt)) = (standings.evaluation(), standings.sprt()) {
            let _ = write!(line, "  {evaluation} {sprt}");
        }
        let rate = self.pairs_per_second(standings);
        let _ = write!(line, "  {:.1} games/min", 120.0 * rate);
        if let Some(left) = self.time_left(standings) {
            let _ = write!(line, "  about {} left", clock(left));
        }
        line
    }

    fn pairs_per_second(&self, standings: &Standings) -> f64 {
        let fresh = standings.pair_count().saturating_sub(self.resumed as u64);
        fresh as f64 / self.began.elapsed().as_secs_f64().max(1e-3)
    }

    /// Time until all games are played or, if that is sooner, the test has a verdict.
    fn time_left(&self, standings: &Standings) -> Option<Duration> {
        let done = standings.pair_count() as f64;
        let all = self.pairs.map(|pairs| pairs as f64 - done);
        let verdict = standings.evaluation().and_then(|evaluation| pairs_left(evaluation, done));
        let left = match (all, verdict) {
            (Some(all), Some(verdict)) => all.min(verdict),
            (all, verdict) => all.or(verdict)?,
        };
        Duration::try_from_secs_f64(left / self.pairs_per_second(standings)).ok()
    }

    fn picture(&self, width: usize, boards: &[BoardView], standings: &Standings) -> Vec<String> {
        let panel = Panel {
            heading: &self.heading,
            boards,
            standings,
            path: &self.path,
            total: self.pairs.map(|pairs| 2 * pairs),
            games_per_minute: 120.0 * self.pairs_per_second(standings),
            left: self.time_left(standings),
        };
        panel.draw(width)
    }
}

impl Observer for MatchView {
    fn pair_finished(&mut self, pair: &PairRecord, standings: &Standings) {
        self.seen += pair.games.len();
        self.distinct.extend(pair.games.iter().map(identity));
        for fault in &pair.result.faults {
            let is_new = self.known_faults.insert((fault.engine.clone(), fault.kind));
            if fault.kind.is_fatal() {
                self.say(&format!("warning: {fault}"));
            } else if is_new {
                self.say(&format!("warning: {fault} (more of this kind are only logged)"));
            }
        }
        if let Some(evaluation) = standings.evaluation() {
            self.path.push(evaluation.llr);
        }
        if self.screen.is_none() && self.last_shown.elapsed() >= REPORT {
            self.last_shown = Instant::now();
            eprintln!("{}", self.line(standings));
        }
    }

    fn tick(&mut self, boards: &[BoardView], standings: &Standings) {
        let Some(width) = self.screen.as_ref().map(Screen::width) else { return };
        if self.last_shown.elapsed() >= REFRESH {
            self.last_shown = Instant::now();
            let picture = self.picture(width, boards, standings);
            if let Some(screen) = &mut self.screen {
                screen.draw(&picture);
            }
        }
    }

    fn warning(&mut self, message: &str) {
        self.say(&format!("warning: {message}"));
    }
}

/// A hash of where a game began and of its moves.
fn identity(game: &GameRecord) -> u64 {
    let mut hasher = DefaultHasher::new();
    game.opening.start.key().hash(&mut hasher);
    let played = game.moves.iter().map(|record| record.mv);
    game.opening.moves.iter().copied().chain(played).for_each(|mv| mv.hash(&mut hasher));
    hasher.finish()
}

/// The LLR after each of these pairs; nothing without a test.
fn llr_path(game: &Match, finished: &[PairResult]) -> Vec<f64> {
    let mut standings = Standings::new(game.settings());
    let after = |pair| {
        standings.add(pair);
        standings.evaluation().map(|evaluation| evaluation.llr)
    };
    finished.iter().filter_map(after).collect()
}

/// Pairs until a verdict, if the LLR goes on as it did on average.
fn pairs_left(evaluation: SprtStanding, done: f64) -> Option<f64> {
    let progress = evaluation.progress();
    (progress > 0.01 && done > 0.0).then(|| (done / progress - done).max(0.0))
}
