// SPDX-License-Identifier: GPL-3.0-or-later
//! A search in the engine's thread.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use search::{
    Answer, Bound, Control, Effort, Info, Limits, Line, Position, Report, Score, Searcher, Stats,
};

use crate::event::{Event, Listener};
use crate::search_thread::SearchThread;
use crate::strength::Strength;
use crate::testing;

/// What is to be searched.
#[derive(Clone, Debug)]
pub(crate) struct SearchJob {
    pub(crate) position: Position,
    pub(crate) limits: Limits,
    pub(crate) start: Instant,
    /// How strong to play, if not as strong as possible.
    pub(crate) strength: Option<Strength>,
}

/// A search that is under way; it has the searcher until it ends.
#[derive(Debug)]
pub(crate) struct Running {
    control: Arc<Control>,
    is_answered: Arc<AtomicBool>,
    is_infinite: bool,
    finished: Receiver<Finished>,
}

/// What a search leaves behind.
pub(crate) struct Finished {
    /// The searcher; `None` if the search panicked, when it may be in any state.
    pub(crate) searcher: Option<Searcher>,
    pub(crate) answer: Answer,
}

impl Running {
    /// Starts a search that tells its events to a listener.
    pub(crate) fn start(
        thread: &mut SearchThread,
        mut searcher: Searcher,
        job: SearchJob,
        listener: Listener,
    ) -> Self {
        let control = Arc::new(Control::new(job.limits.ponder));
        let is_answered = Arc::new(AtomicBool::new(false));
        let is_infinite = job.limits.infinite;
        let (shared, answered) = (Arc::clone(&control), Arc::clone(&is_answered));
        let (sender, finished) = sync_channel(1);
        thread.run(move || {
            let lines = Arc::new(Lines::new(job.strength));
            let report = report(&lines, &listener);
            // A panic is a defect, but no reason to lose the game, nor other games of this process.
            let searched = catch_unwind(AssertUnwindSafe(|| {
                searcher.search_here(&job.position, &job.limits, job.start, &shared, &report)
            }));
            let (searcher, answer) = match searched {
                Ok(answer) => (Some(searcher), lines.choose(answer)),
                Err(panic) => {
                    listener(Event::Failed(message(panic.as_ref())));
                    shared.wait_for_release(job.limits.infinite);
                    (None, lines.rescue(&job))
                }
            };
            // Before the best move is out: whoever hears it may ask for the next search at once.
            answered.store(true, Ordering::Release);
            listener(Event::Ended(answer.clone()));
            // The engine may be gone.
            drop(sender.send(Finished { searcher, answer }));
        });
        Self { control, is_answered, is_infinite, finished }
    }

    /// Whether the answer has been given or is just being given.
    pub(crate) fn is_answered(&self) -> bool {
        self.is_answered.load(Ordering::Acquire)
    }

    /// Whether the search ends only when it is told to.
    pub(crate) fn is_endless(&self) -> bool {
        !self.control.is_stopped() && (self.is_infinite || self.control.is_pondering())
    }

    pub(crate) const fn control(&self) -> &Arc<Control> {
        &self.control
    }

    /// Waits for the end of the search. `None` if the listener panicked.
    pub(crate) fn join(self) -> Option<Finished> {
        self.finished.recv().ok()
    }
}

/// What a searcher's reports become.
fn report(lines: &Arc<Lines>, listener: &Listener) -> Report {
    let (lines, listener) = (Arc::clone(lines), Arc::clone(listener));
    Arc::new(move |info| {
        testing::may_panic();
        if let Info::Line(line, effort) = &info {
            lines.keep(line, effort);
        }
        if lines.strength.is_none() {
            listener(Event::Info(info));
        }
    })
}

/// A panic's message.
fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("no reason is known").to_owned()
}

/// The best lines of the present depth.
struct Lines {
    strength: Option<Strength>,
    known: Mutex<Vec<(Line, Effort)>>,
}

impl Lines {
    const fn new(strength: Option<Strength>) -> Self {
        Self { strength, known: Mutex::new(vec![]) }
    }

    fn keep(&self, line: &Line, effort: &Effort) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if line.bound == Bound::Exact {
            if line.rank == 1 {
                known.clear();
            }
            known.push((line.clone(), *effort));
        }
    }

    /// The answer as it is, or what a limited engine takes for it.
    fn choose(&self, answer: Answer) -> Answer {
        let Some(strength) = self.strength else { return answer };
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let lines: Vec<Line> = known.iter().map(|(line, _)| line.clone()).collect();
        let chosen = answer.best.as_ref().and_then(|_| strength.choose(&lines));
        let best = chosen.cloned().or(answer.best).map(|line| Line { rank: 1, ..line });
        Answer { best, ..answer }
    }

    /// The best answer without the search: the last line that it has told, or any legal move.
    fn rescue(&self, job: &SearchJob) -> Answer {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let (best, effort) = match known.first() {
            Some((line, effort)) => (Some(line.clone()), *effort),
            None => (any_move(job), Effort { time: job.start.elapsed(), ..Effort::default() }),
        };
        Answer { best, effort, stats: Stats::default() }
    }
}

/// A legal move as a line; the first of those that were asked for, if any were.
fn any_move(job: &SearchJob) -> Option<Line> {
    let legal = job.position.board().legal_moves();
    let wanted = job.limits.root_moves.iter().find(|mv| legal.contains(mv));
    let mv = wanted.or_else(|| legal.first())?;
    Some(Line {
        depth: 0,
        selective_depth: 0,
        rank: 1,
        score: Score::DRAW,
        bound: Bound::Exact,
        moves: vec![*mv],
    })
}
