// SPDX-License-Identifier: GPL-3.0-or-later
//! A file of games or of records, told apart by how it begins.

use std::io::BufRead;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use crate::qrec::{Header, RecordReader};
use crate::viri::{GameReader, RawGame};
use crate::{DataError, Input, Place, Problem, Record};

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

    /// How many bytes of the file have been read.
    pub fn bytes_read(&self) -> Arc<AtomicU64> {
        match self {
            Self::Games(games) => games.stream().bytes_read(),
            Self::Records(records) => records.input().bytes_read(),
        }
    }
}
