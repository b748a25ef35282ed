// SPDX-License-Identifier: GPL-3.0-or-later
//! A search in a thread of its own.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Instant;

use chess::{CastlingMode, Color};
use search::{
    Answer, Bound, Control, Effort, Info, Limits, Line, Odds, Position, Report, Score, Searcher,
};

use crate::move_stats::MoveStatsLine;
use crate::output::Output;
use crate::strength::Strength;
use crate::translate::{move_text, uci_info, uci_score};

/// How a search's reports are written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Style {
    pub(crate) mode: CastlingMode,
    /// What scores mean.
    pub(crate) odds: Odds,
    pub(crate) shows_wdl: bool,
    /// Only the last lines before the best move.
    pub(crate) is_minimal: bool,
    /// How strong to play, if not as strong as possible.
    pub(crate) strength: Option<Strength>,
    /// Also what each depth cut.
    pub(crate) is_debug: bool,
}

/// What is to be searched.
#[derive(Clone, Debug)]
pub(crate) struct Job {
    pub(crate) position: Position,
    pub(crate) limits: Limits,
    pub(crate) start: Instant,
    pub(crate) style: Style,
}

/// A search that is under way; it has the searcher until it ends.
#[derive(Debug)]
pub(crate) struct Running {
    control: Arc<Control>,
    is_answered: Arc<AtomicBool>,
    is_infinite: bool,
    thread: JoinHandle<(Searcher, Answer)>,
}

impl Running {
    /// Starts a search that writes its reports and its best move.
    pub(crate) fn start(mut searcher: Searcher, job: Job, output: Output) -> Self {
        let control = Arc::new(Control::new(job.limits.ponder));
        let is_answered = Arc::new(AtomicBool::new(false));
        let is_infinite = job.limits.infinite;
        let (shared, answered) = (Arc::clone(&control), Arc::clone(&is_answered));
        let thread = thread::spawn(move || {
            let writer = Arc::new(Writer::new(job.style, output));
            let report: Report = {
                let writer = Arc::clone(&writer);
                Arc::new(move |info| writer.report(info))
            };
            let answer = searcher.search(&job.position, &job.limits, job.start, &shared, &report);
            // Before the best move is out: whoever reads it may ask for the next search at once.
            answered.store(true, Ordering::Release);
            writer.finish(&job.position, &answer);
            (searcher, answer)
        });
        Self { control, is_answered, is_infinite, thread }
    }

    /// Whether the answer has been given or is just being written.
    pub(crate) fn is_answered(&self) -> bool {
        self.is_answered.load(Ordering::Acquire)
    }

    /// Whether the search ends only when it is told to.
    pub(crate) fn is_endless(&self) -> bool {
        !self.control.is_stopped() && (self.is_infinite || self.control.is_pondering())
    }

    pub(crate) fn stop(&self) {
        self.control.stop();
    }

    pub(crate) fn ponder_hit(&self) {
        self.control.ponder_hit();
    }

    /// Waits for the end of the search. `None` if it panicked.
    pub(crate) fn join(self) -> Option<(Searcher, Answer)> {
        self.thread.join().ok()
    }
}

/// Writes the reports of one search.
struct Writer {
    style: Style,
    output: Output,
    /// The last exact best line that was written.
    shown: Mutex<Option<Line>>,
    /// The best lines of the last depth.
    lines: Mutex<Vec<Line>>,
}

impl Writer {
    fn new(style: Style, output: Output) -> Self {
        Self { style, output, shown: Mutex::new(None), lines: Mutex::new(vec![]) }
    }

    fn report(&self, info: Info) {
        let Style { mode, is_minimal, is_debug, .. } = self.style;
        match info {
            Info::Line(line, _) if self.style.strength.is_some() => self.keep(line),
            Info::Line(line, effort) if !is_minimal => self.line(&line, &effort),
            Info::CurrentMove(mv, number) if !is_minimal => self.output.line(uci::Info {
                currmove: Some(move_text(mv, mode)),
                currmovenumber: Some(number as u32),
                ..uci::Info::default()
            }),
            Info::Depth(depth, stats) if is_debug => {
                self.output.message(format_args!("depth {depth}: {stats}"));
            }
            Info::Moves(all) if !is_minimal => {
                for stats in &all {
                    self.output.message(MoveStatsLine { stats, mode, moves: all.len() - 1 });
                }
            }
            _ => (),
        }
    }

    fn line(&self, line: &Line, effort: &Effort) {
        self.output.line(uci_info(
            line,
            effort,
            self.style.mode,
            self.style.odds,
            self.style.shows_wdl,
        ));
        if line.rank == 1 {
            let exact = (line.bound == Bound::Exact).then(|| line.clone());
            *self.shown.lock().unwrap_or_else(PoisonError::into_inner) = exact;
        }
    }

    /// Keeps a line of the present depth, to choose from in the end.
    fn keep(&self, line: Line) {
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        if line.rank == 1 {
            lines.clear();
        }
        if line.bound == Bound::Exact {
            lines.push(line);
        }
    }

    /// The line to play: the best one, or what a limited engine takes for it.
    fn choice(&self, best: &Line) -> Line {
        let lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        let chosen = self.style.strength.and_then(|strength| strength.choose(&lines));
        Line { rank: 1, ..chosen.unwrap_or(best).clone() }
    }

    /// Writes the best line unless it was the last one shown, and the best move.
    fn finish(&self, position: &Position, answer: &Answer) {
        let Some(best) = &answer.best else {
            self.no_move(position);
            return;
        };
        let best = &self.choice(best);
        let shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner).take();
        let is_shown =
            shown.is_some_and(|line| line.moves == best.moves && line.score == best.score);
        if !is_shown {
            self.line(best, &answer.effort);
        }
        let text = |mv| move_text(mv, self.style.mode);
        let (mv, ponder) = (best.moves.first().copied(), best.moves.get(1).copied());
        let (mv, ponder) = (mv.map(text), ponder.map(text));
        self.output.line(uci::Reply::BestMove(uci::BestMove { mv, ponder }));
    }

    /// Mate or stalemate on the board.
    fn no_move(&self, position: &Position) {
        let is_mate = position.board().in_check();
        let score = if is_mate { Score::mated_in(0) } else { Score::DRAW };
        self.output.line(uci::Info {
            depth: Some(0),
            score: Some(uci_score(score, Bound::Exact, self.style.odds)),
            ..uci::Info::default()
        });
        self.output.line(uci::Reply::BestMove(uci::BestMove { mv: None, ponder: None }));
    }
}

/// The limits that a `go` command sets for the side to move.
pub(crate) fn limits_of(go: &uci::Go, turn: Color) -> Limits {
    use std::time::Duration;
    let (time, increment) = match turn {
        Color::White => (go.wtime, go.winc),
        Color::Black => (go.btime, go.binc),
    };
    // A clock that has run out is a clock all the same.
    let millis = |value: i64| Duration::from_millis(value.max(0) as u64);
    Limits {
        depth: go.depth.map(Into::into),
        nodes: go.nodes.map(Into::into),
        soft_nodes: go.softnodes.map(Into::into),
        mate: go.mate.map(Into::into),
        move_time: go.movetime.map(Duration::from_millis),
        soft_time: go.softtime.map(Duration::from_millis),
        clock: time.map(|time| search::Clock {
            remaining: millis(time),
            increment: millis(increment.unwrap_or(0)),
            moves_to_go: go.movestogo.map(Into::into),
        }),
        infinite: go.infinite || is_unlimited(go, time),
        ponder: go.ponder,
        ..Limits::default()
    }
}

/// Whether nothing but a stop can end the search.
fn is_unlimited(go: &uci::Go, own_time: Option<i64>) -> bool {
    own_time.is_none()
        && go.depth.is_none()
        && go.nodes.is_none()
        && go.softnodes.is_none()
        && go.mate.is_none()
        && go.movetime.is_none()
        && go.softtime.is_none()
}
