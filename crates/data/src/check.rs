// SPDX-License-Identifier: GPL-3.0-or-later
//! Whether a file holds what it should.

use std::path::PathBuf;

use crate::dataset::Item;
use crate::pipeline::for_each_item;
use crate::unit::Need;
use crate::{DataError, Observer, Unmarked};

/// What is sound in the files that were checked; the rest is among the problems.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Sound {
    /// Games that can be replayed to their end.
    pub games: u64,
    /// Positions out of searches beside the games.
    pub leaves: u64,
    /// Records with a legal position and best move.
    pub records: u64,
    /// Positions in both.
    pub positions: u64,
}

/// Replays every game and looks at every record.
pub fn check(inputs: &[PathBuf], observer: &mut Observer<'_>) -> Result<Sound, DataError> {
    let mut sound = Sound::default();
    let work = |item: &Item| match item {
        Item::Game(game) => {
            let positions = game.decode_or_problem()?.moves.len() as u64;
            let is_leaf = game.is_leaf();
            let (games, leaves) = (u64::from(!is_leaf), u64::from(is_leaf));
            Ok(Sound { games, leaves, records: 0, positions })
        }
        Item::Record(..) => {
            crate::shuffle::checked_record(item)?;
            Ok(Sound { records: 1, positions: 1, ..Sound::default() })
        }
    };
    for_each_item(inputs, Unmarked::Unknown, Need::Nothing, observer, work, |_, found| {
        sound.games += found.games;
        sound.leaves += found.leaves;
        sound.records += found.records;
        sound.positions += found.positions;
        Ok(found.positions)
    })?;
    Ok(sound)
}
