// SPDX-License-Identifier: GPL-3.0-or-later
//! What the world sees of a league: a Markdown table and a page.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use arena::rating_files::add_results;
use arena::stats::{Anchor, Rating, RatingPool};
use arena::tournament::rating_table;

use super::document;
use crate::output;

/// How often the table is written while games are played. Reading all games again takes a while.
const PERIOD: Duration = Duration::from_secs(30);

/// A rating list and where it is shown.
#[derive(Debug)]
pub(super) struct Bulletin {
    pub(super) title: String,
    /// What documents call it.
    pub(super) name: String,
    /// Run folders and PGN files.
    pub(super) sources: Vec<PathBuf>,
    pub(super) anchor: Anchor,
    pub(super) table: Option<PathBuf>,
    pub(super) page: Option<PathBuf>,
    /// Documents that show the table among other things.
    pub(super) documents: Vec<PathBuf>,
}

impl Bulletin {
    /// Rates all games and writes what is asked for.
    pub(super) fn publish(&self) -> Result<Vec<Rating>> {
        let mut pool = RatingPool::default();
        let mut games = 0;
        for path in &self.sources {
            games += add_results(&mut pool, path)?;
        }
        if games == 0 {
            bail!("no finished games to be rated");
        }
        let ratings = pool.rate(&self.anchor)?;
        if let Some(path) = &self.table {
            output::write(path, rating_table(&ratings).as_bytes())?;
        }
        if let Some(path) = &self.page {
            let page = arena::report::league(&self.title, &pool, &ratings);
            output::write(path, page.as_bytes())?;
        }
        Ok(ratings)
    }

    /// The same at the end of the league, when the documents of others may know of it too.
    pub(super) fn publish_everywhere(&self) -> Result<Vec<Rating>> {
        let ratings = self.publish()?;
        for path in &self.documents {
            document::update(path, &self.name, &rating_table(&ratings))?;
        }
        Ok(ratings)
    }
}

/// Publishes a bulletin again and again, but not too often.
#[derive(Debug)]
pub(super) struct Timer<'a> {
    bulletin: &'a Bulletin,
    last: Instant,
}

impl<'a> Timer<'a> {
    pub(super) fn new(bulletin: &'a Bulletin) -> Self {
        Self { bulletin, last: Instant::now() }
    }

    /// Publishes if it is time. What goes wrong here goes wrong once more at the end, where it is
    /// told; and before all engines are connected by games there is no list yet.
    pub(super) fn publish_now_and_then(&mut self) {
        if self.last.elapsed() >= PERIOD {
            let _ = self.bulletin.publish();
            self.last = Instant::now();
        }
    }
}
