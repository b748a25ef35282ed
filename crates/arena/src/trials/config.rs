// SPDX-License-Identifier: GPL-3.0-or-later
//! The part of a TOML file that says who plays, and how.

use std::num::{NonZeroU32, NonZeroU64};
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::{Duel, TrialError};
use crate::openings::{BookSettings, OpeningBook, Order, starting_position};
use crate::referee::Rules;
use crate::{EngineSpec, Limit};

/// An engine, its limits, where its games begin and how they end.
#[derive(Clone, Debug, Deserialize)]
pub struct DuelConfig {
    /// The engine in words, as [`EngineSpec`] reads them.
    pub engine: String,
    /// The clock, such as `1+0.01`.
    pub tc: Option<String>,
    /// Nodes for each move.
    pub nodes: Option<NonZeroU64>,
    /// Depth of each move.
    pub depth: Option<NonZeroU32>,
    /// The opening book; the starting position if there is none.
    pub book: Option<PathBuf>,
    /// Plies to take from the book's games.
    pub plies: Option<usize>,
    /// When games are drawn by score, such as `movenumber=34 movecount=8 score=20`.
    pub draw: Option<String>,
    /// When games are lost by score, such as `movecount=3 score=600`.
    pub resign: Option<String>,
    /// Trials at the same time.
    #[serde(default = "one")]
    pub concurrency: usize,
    /// The seed of everything random.
    #[serde(default)]
    pub seed: u64,
    /// The run's folder; beside the file by default.
    pub out: Option<PathBuf>,
}

fn one() -> usize {
    1
}

impl DuelConfig {
    /// The engine with its limits.
    pub fn engine(&self) -> Result<EngineSpec, TrialError> {
        let mut spec: EngineSpec = self.engine.parse()?;
        let tc = match &self.tc {
            None => None,
            Some(text) => {
                let tc = text.parse();
                Some(tc.map_err(|_| TrialError::field("tc", text, "a clock such as 1+0.01"))?)
            }
        };
        let limit = Limit { tc, nodes: self.nodes, depth: self.depth, movetime: None };
        spec.limit = spec.limit.or(&limit);
        if spec.limit.is_none() {
            return Err(TrialError::field("tc", "", "one of tc, nodes and depth"));
        }
        Ok(spec)
    }

    /// The opening book.
    fn book(&self) -> Result<OpeningBook, TrialError> {
        let Some(file) = &self.book else { return Ok(starting_position()) };
        let settings = BookSettings {
            file: file.clone(),
            order: Order::Random,
            seed: self.seed,
            start: 1,
            plies: self.plies,
        };
        Ok(OpeningBook::load(&settings)?)
    }

    /// The rules of the games.
    fn rules(&self, book: &OpeningBook) -> Result<Rules, TrialError> {
        let draw = self.draw.as_deref().map(str::parse).transpose()?;
        let resign = self.resign.as_deref().map(str::parse).transpose()?;
        Ok(Rules { draw, resign, castling: book.castling(), ..Rules::default() })
    }

    /// Engine, book and rules, ready to play.
    pub fn duel(&self) -> Result<Duel, TrialError> {
        let (engine, book) = (self.engine()?, self.book()?);
        let rules = self.rules(&book)?;
        Ok(Duel { engine, book, rules })
    }

    /// The folder of the run: `out`, or the file's name without its ending.
    pub fn folder(&self, file: &Path) -> PathBuf {
        self.out.clone().unwrap_or_else(|| file.with_extension(""))
    }

    /// Engine, limit and book, for people to read.
    pub(crate) fn purpose(&self) -> String {
        let limit = self.engine().map_or_else(|_| String::new(), |spec| spec.limit.to_string());
        let book = self.book.as_ref().map_or("no book".into(), |book| book.to_string_lossy());
        format!("{}; {limit}; {book}", self.engine)
    }
}
