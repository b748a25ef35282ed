// SPDX-License-Identifier: GPL-3.0-or-later
//! New labels for old positions, from any UCI engine.
//!
//! Records get the engine's score and best move; games get its scores, and keep their moves. Each
//! position is searched with a fixed number of nodes by an engine that has been told to forget the
//! others, so that labels depend neither on the number of processes nor on where a run was
//! interrupted. The work is saved every second, and the same command goes on after `kill -9`.

mod crew;
mod labeller;
mod state;

use std::io::{self, BufReader, Read};
use std::path::Path;
use std::time::{Duration, Instant};

use bytemuck::{Zeroable, bytes_of, bytes_of_mut};
use chess::Board;
use driver::EngineSpec;

use crate::dataset::{Dataset, Item};
use crate::qrec::RecordWriter;
use crate::viri::write_game;
use crate::{
    DataError, Filter, Observer, Output, Place, Problem, ReadProgress, Record, ScoredGame,
};
use crew::Crew;
use labeller::EngineLabel;
use state::{Journal, Task};

/// Positions for each engine that are shared out at once.
const POSITIONS: usize = 64;
/// How often the work is saved. Saving waits for the disk, so not after each round.
const SAVE_EVERY: Duration = Duration::from_secs(1);

/// Who labels, and how thoroughly.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Relabelling {
    /// The engine.
    pub engine: EngineSpec,
    /// Nodes for each position.
    pub nodes: u64,
    /// How many processes.
    pub processes: usize,
}

/// What was labelled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Relabelled {
    /// Games or records that were written.
    pub items: u64,
    /// Positions in them.
    pub positions: u64,
    /// Games or records that were left out, also by earlier runs that this one went on with.
    pub problems: u64,
    /// How many of the input an earlier run had done.
    pub resumed_at: u64,
}

/// What is to be labelled.
enum Work {
    Game(ScoredGame, Place),
    Record(Record, Board, Place),
}

/// Labels the positions of a file and writes them to another one of the same kind.
pub fn relabel(
    input: &Path,
    output: &Path,
    how: &Relabelling,
    observer: &mut Observer<'_>,
) -> Result<Relabelled, DataError> {
    let mut dataset = Dataset::open(input)?;
    let games = match &dataset {
        Dataset::Games(_) => None,
        Dataset::Records(records) => Some(records.header().games),
    };
    let mut journal = Journal::open(output, &task(input, how))?;
    let resumed_at = journal.state.consumed;
    let reported = journal.state.problems;
    skip(&mut dataset, resumed_at);
    let mut crew = Crew::start(&how.engine, how.nodes, how.processes)?;
    let bytes_read = dataset.bytes_read();
    let total = input.metadata().map_or(0, |file| file.len());
    let before = observer.problems.count();
    let mut unsaved = Vec::new();
    let mut last_save = Instant::now();
    loop {
        let (works, consumed) = gather(&mut dataset, input, how, observer)?;
        if consumed == 0 {
            break;
        }
        unsaved.extend(label_all(&works, input, &mut crew, &mut journal, observer)?);
        journal.state.consumed += consumed;
        journal.state.problems = reported + observer.problems.count() - before;
        if last_save.elapsed() >= SAVE_EVERY {
            journal.append(&unsaved)?;
            unsaved.clear();
            last_save = Instant::now();
        }
        let done = bytes_read.load(std::sync::atomic::Ordering::Relaxed);
        (observer.progress)(ReadProgress { done, total, positions: journal.state.positions });
    }
    journal.append(&unsaved)?;
    finish(output, games, &mut journal)?;
    let state = &journal.state;
    let relabelled = Relabelled {
        items: state.items,
        positions: state.positions,
        problems: state.problems,
        resumed_at,
    };
    journal.remove();
    Ok(relabelled)
}

fn task(input: &Path, how: &Relabelling) -> Task {
    let mut engine = vec![how.engine.command.to_string_lossy().into_owned()];
    engine.extend(how.engine.args.clone());
    engine.extend(how.engine.options.iter().map(|(name, value)| format!("{name}={value}")));
    let input_bytes = input.metadata().map_or(0, |file| file.len());
    Task { input: input.to_owned(), input_bytes, engine, nodes: how.nodes }
}

fn skip(dataset: &mut Dataset, count: u64) {
    for _ in 0..count {
        if dataset.next_item().is_none() {
            break;
        }
    }
}

/// The next games or records, and how many of the input were looked at for them.
fn gather(
    dataset: &mut Dataset,
    input: &Path,
    how: &Relabelling,
    observer: &mut Observer<'_>,
) -> Result<(Vec<Work>, u64), DataError> {
    let (mut works, mut positions, mut consumed) = (Vec::new(), 0, 0);
    while positions < POSITIONS * how.processes.max(1)
        && let Some(item) = dataset.next_item()
    {
        consumed += 1;
        match item.and_then(|item| understand(&item)) {
            Ok(work) => {
                positions += work.positions();
                works.push(work);
            }
            Err(problem) => observer.problems.report(input, &problem)?,
        }
    }
    Ok((works, consumed))
}

fn understand(item: &Item) -> Result<Work, Problem> {
    let place = item.place();
    match item {
        Item::Game(game) => Ok(Work::Game(game.decode_or_problem()?, place)),
        Item::Record(_, record) => {
            let board = record.board().map_err(|error| Problem::new(place, error))?;
            Ok(Work::Record(*record, board, place))
        }
    }
}

impl Work {
    const fn positions(&self) -> usize {
        match self {
            Self::Game(game, _) => game.moves.len(),
            Self::Record(..) => 1,
        }
    }

    /// The same with new labels, as bytes for the file.
    fn relabelled(&self, verdicts: &[Result<EngineLabel, String>]) -> Result<Vec<u8>, Problem> {
        let place = match self {
            Self::Game(_, place) | Self::Record(_, _, place) => *place,
        };
        let verdicts: Vec<EngineLabel> = verdicts
            .iter()
            .cloned()
            .collect::<Result<_, _>>()
            .map_err(|reason| Problem::new(place, reason))?;
        let mut bytes = Vec::new();
        match self {
            Self::Game(game, _) => {
                let mut game = game.clone();
                for (scored, verdict) in game.moves.iter_mut().zip(verdicts) {
                    scored.score = verdict.score;
                }
                write_game(&mut bytes, &game).map_err(|error| Problem::new(place, error))?;
            }
            Self::Record(record, board, _) => {
                for verdict in verdicts {
                    let labelled =
                        record.with_score(verdict.score).with_best_move(verdict.best_move);
                    let rejection = Filter::default().verdict(board, labelled.label(), None);
                    bytes.extend(bytes_of(&labelled.with_quiet(rejection.is_none())));
                }
            }
        }
        Ok(bytes)
    }
}

/// Labels some games or records; returns the bytes for the file.
fn label_all(
    works: &[Work],
    input: &Path,
    crew: &mut Crew<'_>,
    journal: &mut Journal,
    observer: &mut Observer<'_>,
) -> Result<Vec<u8>, DataError> {
    let mut boards = Vec::new();
    for work in works {
        match work {
            Work::Game(game, _) => boards.extend(game.positions().map(|position| position.board)),
            Work::Record(_, board, _) => boards.push(*board),
        }
    }
    let verdicts = crew.label(&boards)?;
    if let Some(Err(reason)) = verdicts.first()
        && verdicts.iter().all(Result::is_err)
        && verdicts.len() > 1
    {
        let reason =
            format!("the engine failed on {} positions in a row: {reason}", verdicts.len());
        return Err(DataError::Usage(reason));
    }
    let mut bytes = Vec::new();
    let mut rest = verdicts.as_slice();
    for work in works {
        let (ours, others) = rest.split_at(work.positions().min(rest.len()));
        rest = others;
        match work.relabelled(ours) {
            Ok(labelled) => {
                bytes.extend(labelled);
                journal.state.items += 1;
                journal.state.positions += work.positions() as u64;
            }
            Err(problem) => observer.problems.report(input, &problem)?,
        }
    }
    Ok(bytes)
}

/// Makes the output of the unfinished one.
fn finish(output: &Path, games: Option<u64>, journal: &mut Journal) -> Result<(), DataError> {
    let records = journal.state.items;
    let mut partial = BufReader::new(journal.rewind()?);
    let failed = |error| DataError::io("reading", output)(error);
    let Some(games) = games else {
        let mut writer = Output::create(output)?;
        let failed = writer.error();
        io::copy(&mut partial, &mut writer).map_err(failed)?;
        return writer.finish();
    };
    let mut writer = RecordWriter::create(output)?;
    for _ in 0..records {
        let mut record = Record::zeroed();
        partial.read_exact(bytes_of_mut(&mut record)).map_err(failed)?;
        writer.write(&[record])?;
    }
    writer.finish(games).map(|_| ())
}
