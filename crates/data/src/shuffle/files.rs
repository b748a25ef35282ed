// SPDX-License-Identifier: GPL-3.0-or-later
//! Shuffling whole files.

use std::io::Write;
use std::path::{Path, PathBuf};

use super::{Duplicates, Marked, Shuffler};
use crate::dataset::{Dataset, Item};
use crate::pipeline::for_each_item;
use crate::qrec::RecordWriter;
use crate::unit::Need;
use crate::{DataError, Observer, Output, Problem, Record, Unmarked};

/// How to shuffle.
#[derive(Clone, Copy, Debug, Default)]
pub struct Shuffling {
    /// Decides the order.
    pub seed: u64,
    /// What becomes of equal positions, or games.
    pub duplicates: Duplicates,
    /// Leaves out records that are not quiet.
    pub quiet_only: bool,
    /// Leaves out records with scores of this size and beyond, in centipawns, as all mates are.
    pub max_score: Option<u16>,
    /// What scores count that do not say it.
    pub unmarked: Unmarked,
}

/// Puts the records, or the games, of some files into random order and into one file. All files
/// must be of one kind. Returns how many were read and how many written.
pub fn shuffle(
    inputs: &[PathBuf],
    output: &Path,
    how: Shuffling,
    observer: &mut Observer<'_>,
) -> Result<(u64, u64), DataError> {
    match common_kind(inputs)? {
        FileKind::Records { games } => shuffle_records(inputs, output, games, how, observer),
        FileKind::Games if how.max_score.is_some() => Err(DataError::Usage(
            "games are shuffled whole: `data expand` leaves out positions by their score"
                .to_owned(),
        )),
        FileKind::Games => shuffle_games(inputs, output, how, observer),
    }
}

/// What some files hold.
pub(crate) enum FileKind {
    Games,
    /// Records, from this many games.
    Records {
        games: u64,
    },
}

/// What all of these files hold, if it is the same.
pub(crate) fn common_kind(inputs: &[PathBuf]) -> Result<FileKind, DataError> {
    let mut common = None;
    for path in inputs {
        let kind = match Dataset::open(path)? {
            Dataset::Games(_) => FileKind::Games,
            Dataset::Records(records) => FileKind::Records { games: records.header().games },
        };
        common = Some(match (common, kind) {
            (None, kind) => kind,
            (Some(FileKind::Games), FileKind::Games) => FileKind::Games,
            (Some(FileKind::Records { games }), FileKind::Records { games: more }) => {
                FileKind::Records { games: games.saturating_add(more) }
            }
            _ => {
                let reason = "expected games or records like the files before it, found the other";
                return Err(DataError::format(path, reason));
            }
        });
    }
    common.ok_or_else(|| DataError::Usage("expected a file to read".to_owned()))
}

fn shuffle_records(
    inputs: &[PathBuf],
    output: &Path,
    games: u64,
    how: Shuffling,
    observer: &mut Observer<'_>,
) -> Result<(u64, u64), DataError> {
    let mut writer = RecordWriter::create(output)?;
    let mut shuffler = Shuffler::new(output, how.seed, how.duplicates);
    let mut read = 0;
    let (unmarked, need) = (how.unmarked, Need::Centipawns);
    let unit = for_each_item(inputs, unmarked, need, observer, checked_record, |_, record| {
        read += 1;
        if (record.is_quiet() || !how.quiet_only) && record.is_below(how.max_score) {
            shuffler.add(Marked { record, mark: 0 })?;
        }
        Ok(1)
    })?;
    let mut block: Vec<Record> = Vec::new();
    shuffler.finish(|pile| {
        block.clear();
        block.extend(pile.iter().map(|marked| marked.record));
        writer.write(&block)
    })?;
    writer.set_unit(unit);
    Ok((read, writer.finish(games)?.records))
}

/// A record that holds a position.
pub(crate) fn checked_record(item: &Item) -> Result<Record, Problem> {
    match item {
        Item::Record(_, record) => {
            let checked = record.check().map(|()| *record);
            checked.map_err(|error| Problem::new(item.place(), error))
        }
        Item::Game(_) => Err(Problem::new(item.place(), "expected a record, found a game")),
    }
}

/// The bytes of a game that can be replayed.
pub(crate) fn checked_game(item: &Item) -> Result<Vec<u8>, Problem> {
    match item {
        Item::Game(game) => game.decode_or_problem().map(|_| game.bytes().to_vec()),
        Item::Record(..) => Err(Problem::new(item.place(), "expected a game, found a record")),
    }
}

fn shuffle_games(
    inputs: &[PathBuf],
    output: &Path,
    how: Shuffling,
    observer: &mut Observer<'_>,
) -> Result<(u64, u64), DataError> {
    let mut writer = Output::create(output)?;
    let mut shuffler = Shuffler::new(output, how.seed, how.duplicates);
    let (mut read, mut written) = (0, 0);
    let need = Need::Centipawns;
    for_each_item(inputs, how.unmarked, need, observer, checked_game, |_, game| {
        read += 1;
        let positions = positions_in(&game);
        shuffler.add(game)?;
        Ok(positions)
    })?;
    shuffler.finish(|pile| {
        written += pile.len() as u64;
        pile.iter().try_for_each(|game| write_raw(&mut writer, game))
    })?;
    writer.finish()?;
    Ok((read, written))
}

/// How many scored moves a game of so many bytes has.
pub(crate) const fn positions_in(game: &[u8]) -> u64 {
    (game.len() as u64).saturating_sub(Record::SIZE as u64) / 4
}

/// Writes a game's bytes and its end mark.
pub(crate) fn write_raw(output: &mut Output, game: &[u8]) -> Result<(), DataError> {
    let failed = output.error();
    output.write_all(game).and_then(|()| output.write_all(&[0; 4])).map_err(failed)
}
