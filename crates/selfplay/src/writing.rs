// SPDX-License-Identifier: GPL-3.0-or-later
//! A game as it is written down: with scores, or with visits too.

use std::fs::File;
use std::io::{self, BufReader, Write};

use chess::{Board, Outcome};
use data::viri::{GameReader, write_game};
use data::visits::{
    HEADER_BYTES, VisitedGame, VisitedMove, VisitsReader, write_header, write_visits,
};
use data::{ScoredGame, ScoredMove};
use search::Mode;

use crate::GenerationProgress;

/// A game in the form of its file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Writing {
    /// Moves and scores, in viriformat.
    Scores(ScoredGame),
    /// Visits of all legal moves as well.
    Visits(VisitedGame),
}

impl Writing {
    /// A game that has just begun.
    pub(crate) fn new(mode: Mode, start: Board) -> Self {
        let outcome = Outcome::Draw;
        match mode {
            Mode::Mcts => Self::Visits(VisitedGame { start, outcome, moves: vec![] }),
            _ => Self::Scores(ScoredGame { start, outcome, moves: Vec::with_capacity(128) }),
        }
    }

    /// How many moves it has.
    pub fn len(&self) -> usize {
        match self {
            Self::Scores(game) => game.moves.len(),
            Self::Visits(game) => game.moves.len(),
        }
    }

    /// Whether it has no moves.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(crate) fn push(&mut self, visited: VisitedMove) {
        match self {
            Self::Scores(game) => {
                game.moves.push(ScoredMove { mv: visited.mv, score: visited.score });
            }
            Self::Visits(game) => game.moves.push(visited),
        }
    }

    pub(crate) fn finish(mut self, result: Outcome) -> Self {
        let (Self::Scores(ScoredGame { outcome, .. }) | Self::Visits(VisitedGame { outcome, .. })) =
            &mut self;
        *outcome = result;
        self
    }

    /// Appends the whole game; returns how many bytes it takes.
    pub(crate) fn write(&self, file: &mut File) -> io::Result<u64> {
        let mut bytes = Vec::new();
        match self {
            Self::Scores(game) => write_game(&mut bytes, game)?,
            Self::Visits(game) => write_visits(&mut bytes, game)?,
        }
        file.write_all(&bytes)?;
        Ok(bytes.len() as u64)
    }
}

/// What a file holds: whole games, and where the last of them ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Contents {
    pub(crate) progress: GenerationProgress,
    pub(crate) length: u64,
}

impl Contents {
    /// Counts the whole games of a file; a new file of visits gets its header.
    pub(crate) fn of(file: &mut File, mode: Mode) -> io::Result<Self> {
        if mode != Mode::Mcts {
            return Ok(Self::of_scores(file));
        }
        if file.metadata()?.len() == 0 {
            write_header(file)?;
            return Ok(Self { length: HEADER_BYTES as u64, ..Self::default() });
        }
        let reader = VisitsReader::new(BufReader::new(&*file)).map_err(io::Error::other)?;
        let mut contents = Self { length: HEADER_BYTES as u64, ..Self::default() };
        for game in reader.map_while(Result::ok) {
            contents.add(game.length(), game.plies());
        }
        Ok(contents)
    }

    fn of_scores(file: &File) -> Self {
        let mut reader = GameReader::new(BufReader::new(file));
        let mut contents = Self::default();
        while let Some(Ok(game)) = reader.next_raw() {
            contents.add(game.length(), game.plies());
        }
        contents
    }

    pub(crate) fn add(&mut self, length: u64, plies: usize) {
        self.length += length;
        self.progress.games += 1;
        self.progress.positions += plies as u64;
    }
}
