// SPDX-License-Identifier: GPL-3.0-or-later
//! From games to shuffled records.

use std::path::{Path, PathBuf};

use tools::random::unit;

use crate::dataset::{Dataset, Item};
use crate::halves::Halves;
use crate::pipeline::for_each_item;
use crate::shuffle::Duplicates;
use crate::unit::Need;
use crate::viri::RawGame;
use crate::{DataError, Filter, Observer, Problem, Record, Rejection, Unit, Unmarked};

/// How to make records of games.
#[derive(Clone, Debug)]
pub struct Expansion {
    /// Which positions are quiet.
    pub filter: Filter,
    /// Keeps also what the filter would leave out. Records say which are quiet either way.
    pub keep_all: bool,
    /// The share of games, from 0 to 1, that goes to the validation file. A game's content decides,
    /// not its place, so that it never changes sides.
    pub validation_share: f64,
    /// What becomes of equal positions. A position that is in the training file because of an
    /// earlier game is then not in the validation file, and the other way round.
    pub duplicates: Duplicates,
    /// What the scores of games count that do not say it.
    pub unmarked: Unmarked,
    /// Decides the order of the records.
    pub seed: u64,
}

impl Default for Expansion {
    fn default() -> Self {
        Self {
            filter: Filter::default(),
            keep_all: false,
            validation_share: 0.0,
            duplicates: Duplicates::Keep,
            unmarked: Unmarked::Unknown,
            seed: 1,
        }
    }
}

/// What was made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ExpandSummary {
    /// Games that were read, by file: training and validation.
    pub games: [u64; 2],
    /// Records that were written, likewise.
    pub records: [u64; 2],
    /// Positions in the games.
    pub positions: u64,
    /// Positions that the filter left out, or would have, in the order of [`Rejection::ALL`].
    pub rejected: [u64; Rejection::ALL.len()],
    /// What the scores of the records count, if that is known.
    pub unit: Option<Unit>,
}

/// One replayed game.
pub(crate) struct Expanded {
    pub(crate) records: Vec<Record>,
    pub(crate) positions: u64,
    pub(crate) rejected: [u64; Rejection::ALL.len()],
    pub(crate) is_validation: bool,
    pub(crate) is_leaf: bool,
}

/// Replays all games of some files and writes their positions in random order: to `training`, and
/// those of a share of the games to `validation`. Games that cannot be read are reported.
///
/// The result depends on the files, their order and the settings only, not on threads.
pub fn expand(
    inputs: &[PathBuf],
    training: &Path,
    validation: Option<&Path>,
    settings: &Expansion,
    observer: &mut Observer<'_>,
) -> Result<ExpandSummary, DataError> {
    if inputs.iter().any(|path| matches!(Dataset::open(path), Ok(Dataset::Records(_)))) {
        let reason = "expected games (.vf), found records: they are positions already; `data shuffle` \
                      puts them into order and `--max-score` leaves some out";
        return Err(DataError::Usage(reason.to_owned()));
    }
    let share = if validation.is_some() { settings.validation_share } else { 0.0 };
    let mut halves = Halves::create(training, validation, settings.seed, settings.duplicates)?;
    let mut summary = ExpandSummary::default();
    let work = |item: &Item| replay(item, settings, share);
    let need = Need::Centipawns;
    summary.unit = for_each_item(inputs, settings.unmarked, need, observer, work, |_, game| {
        summary.positions += game.positions;
        for (sum, count) in summary.rejected.iter_mut().zip(game.rejected) {
            *sum += count;
        }
        if !game.is_leaf {
            halves.count_game(game.is_validation);
        }
        halves.add(game.records, game.is_validation)?;
        Ok(game.positions)
    })?;
    (summary.games, summary.records) = halves.finish(summary.unit)?;
    Ok(summary)
}

/// Whether a game belongs to the validation share. Its content alone decides.
pub(crate) fn is_validation(game: &RawGame, share: f64) -> bool {
    unit(game.hash()) < share
}

/// The records of a game.
pub(crate) fn replay(item: &Item, settings: &Expansion, share: f64) -> Result<Expanded, Problem> {
    let Item::Game(raw) = item else {
        return Err(Problem::new(item.place(), "expected games, found records"));
    };
    let game = raw.decode_or_problem()?;
    let mut expanded = Expanded {
        records: Vec::with_capacity(game.moves.len()),
        positions: game.moves.len() as u64,
        rejected: Default::default(),
        is_validation: is_validation(raw, share),
        is_leaf: raw.is_leaf(),
    };
    for position in game.positions() {
        let verdict = settings.filter.verdict_in_game(&position);
        if let Some(reason) = verdict {
            expanded.rejected[reason as usize] += 1;
        }
        if verdict.is_none() || settings.keep_all {
            let record = position.record().map_err(|error| Problem::new(raw.place(), error))?;
            expanded.records.push(record.with_quiet(verdict.is_none()));
        }
    }
    Ok(expanded)
}
