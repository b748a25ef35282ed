// SPDX-License-Identifier: GPL-3.0-or-later
//! Keeping a share of the data apart, by game.

use std::path::{Path, PathBuf};

use tools::random::unit;

use crate::dataset::Item;
use crate::expand::is_validation;
use crate::pipeline::for_each_item;
use crate::qrec::RecordWriter;
use crate::shuffle::{
    FileKind, checked_record, common_kind, position_hash, positions_in, write_raw,
};
use crate::unit::Need;
use crate::{DataError, Observer, Output, Unmarked};

/// Where the two parts go.
#[derive(Clone, Copy, Debug)]
pub struct Parts<'a> {
    /// Most of the data.
    pub training: &'a Path,
    /// The part that is kept apart.
    pub validation: &'a Path,
    /// Its share, from 0 to 1.
    pub share: f64,
    /// What scores count that do not say it.
    pub unmarked: Unmarked,
}

/// Splits games by game and returns how many went to training and validation. The content of a game
/// decides, so that the same game always goes the same way.
///
/// Records that come from games cannot be split any more, because neighbours would part; records
/// that never had games are split by position.
pub fn split(
    inputs: &[PathBuf],
    parts: Parts<'_>,
    observer: &mut Observer<'_>,
) -> Result<[u64; 2], DataError> {
    match common_kind(inputs)? {
        FileKind::Games => split_games(inputs, parts, observer),
        FileKind::Records { games: 0 } => split_records(inputs, parts, observer),
        FileKind::Records { .. } => Err(DataError::Usage(
            "records no longer know their games, and splitting them would put neighbours into \
             both parts: split the games before expanding them, or expand with `--validation`"
                .to_owned(),
        )),
    }
}

fn split_games(
    inputs: &[PathBuf],
    parts: Parts<'_>,
    observer: &mut Observer<'_>,
) -> Result<[u64; 2], DataError> {
    let mut outputs = [Output::create(parts.training)?, Output::create(parts.validation)?];
    let mut counts = [0; 2];
    let work = |item: &Item| {
        let bytes = crate::shuffle::checked_game(item)?;
        let is_validation = matches!(item, Item::Game(game) if is_validation(game, parts.share));
        Ok((usize::from(is_validation), bytes))
    };
    let need = Need::Centipawns;
    for_each_item(inputs, parts.unmarked, need, observer, work, |_, (side, game)| {
        counts[side] += 1;
        write_raw(&mut outputs[side], &game)?;
        Ok(positions_in(&game))
    })?;
    outputs.into_iter().try_for_each(Output::finish)?;
    Ok(counts)
}

fn split_records(
    inputs: &[PathBuf],
    parts: Parts<'_>,
    observer: &mut Observer<'_>,
) -> Result<[u64; 2], DataError> {
    let mut writers =
        [RecordWriter::create(parts.training)?, RecordWriter::create(parts.validation)?];
    let (unmarked, need) = (parts.unmarked, Need::Centipawns);
    let unit = for_each_item(inputs, unmarked, need, observer, checked_record, |_, record| {
        let is_validation = unit(position_hash(0, &record)) < parts.share;
        writers[usize::from(is_validation)].write(&[record])?;
        Ok(1)
    })?;
    for writer in &mut writers {
        writer.set_unit(unit);
    }
    let [training, validation] = writers;
    Ok([training.finish(0)?.records, validation.finish(0)?.records])
}
