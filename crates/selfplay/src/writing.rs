// SPDX-License-Identifier: GPL-3.0-or-later
//! A game as it is written down: with scores, or with visits too.

use std::fs::File;
use std::io::{self, BufReader, Write};

use chess::{Board, Outcome};
use data::viri::{GameReader, write_game_with_leaves};
use data::visits::{
    HEADER_BYTES, VisitedGame, VisitedMove, VisitsReader, write_header, write_visits,
};
use data::{Origin, ScoredGame, ScoredMove};
use search::Mode;

use crate::GenerationProgress;

/// A game in the form of its file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Writing {
    /// Moves and scores, in viriformat, and positions that the searches looked at.
    Scores {
        /// The game.
        game: ScoredGame,
        /// Positions beside it, with their best move and its score.
        leaves: Vec<(Board, ScoredMove)>,
    },
    /// Visits of all legal moves as well.
    Visits(VisitedGame),
}

impl Writing {
    /// A game that has just begun.
    pub(crate) fn new(mode: Mode, start: Board) -> Self {
        let outcome = Outcome::Draw;
        if mode == Mode::Mcts {
            return Self::Visits(VisitedGame { start, outcome, moves: vec![] });
        }
        let moves = Vec::with_capacity(128);
        let game = ScoredGame { start, origin: Origin::Game(outcome), moves };
        Self::Scores { game, leaves: vec![] }
    }

    /// How many moves it has.
    pub fn len(&self) -> usize {
        match self {
            Self::Scores { game, .. } => game.moves.len(),
            Self::Visits(game) => game.moves.len(),
        }
    }

    /// How many positions there are beside the game.
    pub fn leaves(&self) -> usize {
        match self {
            Self::Scores { leaves, .. } => leaves.len(),
            Self::Visits(_) => 0,
        }
    }

    /// Whether it has no moves.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(crate) fn push(&mut self, visited: VisitedMove) {
        match self {
            Self::Scores { game, .. } => {
                game.moves.push(ScoredMove { mv: visited.mv, score: visited.score });
            }
            Self::Visits(game) => game.moves.push(visited),
        }
    }

    /// Adds a position that a search looked at. Files of visits have no room for it.
    pub(crate) fn add_leaf(&mut self, board: Board, scored: ScoredMove) {
        if let Self::Scores { leaves, .. } = self {
            leaves.push((board, scored));
        }
    }

    pub(crate) fn finish(mut self, outcome: Outcome) -> Self {
        match &mut self {
            Self::Scores { game, .. } => game.origin = Origin::Game(outcome),
            Self::Visits(game) => game.outcome = outcome,
        }
        self
    }

    /// Appends the whole game; returns how many bytes it takes.
    pub(crate) fn write(&self, file: &mut File) -> io::Result<u64> {
        let mut bytes = Vec::new();
        match self {
            Self::Scores { game, leaves } => write_game_with_leaves(&mut bytes, game, leaves)?,
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
        // Leaves stand before their game, and belong to it alone.
        let (mut bytes, mut leaves) = (0, 0);
        while let Some(Ok(game)) = reader.next_raw() {
            bytes += game.length();
            if game.is_leaf() {
                leaves += 1;
            } else {
                contents.add(bytes, game.plies() + leaves);
                (bytes, leaves) = (0, 0);
            }
        }
        contents
    }

    pub(crate) fn add(&mut self, length: u64, positions: usize) {
        self.length += length;
        self.progress.games += 1;
        self.progress.positions += positions as u64;
    }
}
