// SPDX-License-Identifier: GPL-3.0-or-later
//! A file of games or of records, told apart by how it begins.

use std::io::BufRead;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use crate::qrec::{Header, RecordReader};
use crate::unit::{Treatment, converted};
use crate::viri::{GameReader, RawGame};
use crate::{DataError, Input, Place, Problem, Record, Unit};

/// An open file of training data.
#[derive(Debug)]
pub enum Dataset {
    /// Games in viriformat.
    Games(GameReader<Input>),
    /// Records.
    Records(RecordReader),
}

/// One game or record as it stands in a file, not yet replayed or checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Item {
    /// A game.
    Game(RawGame),
    /// A record and its number in the file, from 1.
    Record(u64, Record),
}

impl Item {
    /// Where it stands.
    pub const fn place(&self) -> Place {
        match self {
            Self::Game(game) => game.place(),
            Self::Record(number, _) => Place::Record(*number),
        }
    }

    /// The same with its scores as a job wants them.
    pub(crate) fn treated(self, treatment: Treatment) -> Result<Self, Problem> {
        Ok(match (treatment, self) {
            (Treatment::Mark, Self::Game(game)) => Self::Game(game.marked()),
            (Treatment::Convert(convert), Self::Game(game)) => Self::Game(game.converted(convert)?),
            (Treatment::Convert(convert), Self::Record(number, record)) if record.has_score() => {
                let place = Place::Record(number);
                let board = record.board().map_err(|error| Problem::new(place, error))?;
                let score = converted(&board, record.score(), convert);
                Self::Record(number, record.with_score(score))
            }
            (_, same) => same,
        })
    }
}

impl Dataset {
    /// Opens a file; see [`Input`] for compressed ones. Whatever does not begin like records is
    /// taken for games.
    pub fn open(path: &Path) -> Result<Self, DataError> {
        Self::new(Input::open(path)?)
    }

    /// Reads from an open file.
    pub fn new(mut input: Input) -> Result<Self, DataError> {
        let path = input.path().to_owned();
        let start = input.fill_buf().map_err(DataError::io("reading", &path))?;
        if Header::is_start_of(start) {
            RecordReader::new(input).map(Self::Records)
        } else {
            Ok(Self::Games(GameReader::new(input)))
        }
    }

    /// The next game or record.
    pub fn next_item(&mut self) -> Option<Result<Item, Problem>> {
        match self {
            Self::Games(games) => Some(games.next_raw()?.map(Item::Game)),
            Self::Records(records) => {
                Some(records.next_unchecked()?.map(|(number, record)| Item::Record(number, record)))
            }
        }
    }

    /// What the scores of something from this file count, as far as the game, the file's header or the
    /// settings beside it say so.
    pub(crate) fn unit_of(&self, item: &Item, beside: Option<Unit>) -> Option<Unit> {
        match (self, item) {
            (Self::Records(records), _) => records.header().unit,
            (_, Item::Game(game)) => game.unit().or(beside),
            (_, Item::Record(..)) => None,
        }
    }

    /// How many bytes of the file have been read.
    pub fn bytes_read(&self) -> Arc<AtomicU64> {
        match self {
            Self::Games(games) => games.stream().bytes_read(),
            Self::Records(records) => records.input().bytes_read(),
        }
    }
}
