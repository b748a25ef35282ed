// SPDX-License-Identifier: GPL-3.0-or-later
//! `league`: a round robin or gauntlet that grows, and its rating list.
//!
//! Each pairing is a match of its own in its own run folder, so that engines and games can be added
//! at any time without playing anything twice.

mod bulletin;
mod config;
mod document;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use anyhow::Result;
use arena::run::RunFolder;
use arena::stats::{Anchor, Rating};
use arena::tournament::{Journal, Match, PairRecord, PairResult, Standings, rating_table};
use clap::Args;
use tools::store::StoreError;

use super::match_::{self, usage_error};
use super::print_json;
use crate::output;
use bulletin::Bulletin;
use config::League;

/// Play a round robin or gauntlet that can grow, and rate all games
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct LeagueCommand {
    /// The league's description
    #[arg(value_name = "FILE.toml", required_unless_present = "rate")]
    file: Option<PathBuf>,
    /// Play nothing, only rate the games of these PGN files and run folders
    #[arg(long, value_name = "PATH", num_args = 1.., conflicts_with = "file")]
    rate: Vec<PathBuf>,
    /// Rating to hold in place
    #[arg(long, value_name = "NAME=ELO", requires = "rate")]
    anchor: Option<String>,
    /// The Markdown table to write [default: `table` of the file, or table.md in its folder]
    #[arg(long, value_name = "FILE.md")]
    table: Option<PathBuf>,
    /// The report page to write [default: `page` of the file, or report.html in its folder]
    #[arg(long, value_name = "FILE.html")]
    page: Option<PathBuf>,
    /// Games at a time, instead of the description's
    #[arg(long, value_name = "N")]
    concurrency: Option<NonZeroUsize>,
    /// Print the list as JSON
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
The description:
  games = 100            # of each pairing; may be raised later
  out = \"runs/league\"    # one run folder for each pairing; also table.md and report.html
  tc = \"10+0.1\"          # or nodes = 20000; each engine may have its own
  openings = \"book.epd.zst\"
  anchor = { name = \"stockfish\", elo = 0 }
  [[engine]]
  name = \"stockfish\"
  cmd = \"/usr/games/stockfish\"
  options = { Hash = 16 }
Further keys: table, page, documents (Markdown files whose table between `<!-- league NAME -->`, where
NAME is the file's, and `<!-- end of league -->` is replaced when all is played), concurrency, order,
seed, include (other runs and PGN files to be rated too), format (round-robin or gauntlet: the first
engine against all others), time_margin (milliseconds by which a clock may be overstepped), draw, resign,
max_moves, tb, tb_pieces, tb_ignore_50; for engines: args, dir, tc, nodes, depth, ponder.

Ratings of games that were played elsewhere:
  quincunx league --rate runs/a runs/b games.pgn.zst --anchor stockfish=3000 --table ratings.md";

impl LeagueCommand {
    /// Plays what is missing, writes table and page, and prints the list.
    pub(crate) fn run(self) -> Result<()> {
        let ratings = match &self.file {
            Some(file) => self.play(file)?,
            None => self.rate()?,
        };
        if self.json { print_json(&ratings) } else { output::print(&rating_table(&ratings)) }
    }

    fn rate(&self) -> Result<Vec<Rating>> {
        let bulletin = Bulletin {
            title: "Rating list".to_owned(),
            name: String::new(),
            sources: self.rate.clone(),
            anchor: parse_anchor(self.anchor.as_deref()),
            table: self.table.clone(),
            page: self.page.clone(),
            documents: Vec::new(),
        };
        bulletin.publish()
    }

    fn play(&self, file: &Path) -> Result<Vec<Rating>> {
        let league = League::read(file)?;
        let mut bulletin = league.bulletin(file);
        bulletin.table = self.table.clone().or(bulletin.table);
        bulletin.page = self.page.clone().or(bulletin.page);
        for document in &bulletin.documents {
            document::check(document, &bulletin.name)?;
        }
        let concurrency = self.concurrency.or(league.concurrency);
        let concurrency = concurrency.unwrap_or_else(match_::default_concurrency);
        let should_stop = match_::stop_on_interrupt()?;
        for pairing in league.pairings() {
            let (mut settings, folder) = league.settings(pairing);
            let book = match_::load_book(&mut settings)?;
            let game = Match::new(settings, book).unwrap_or_else(|error| usage_error(&error));
            let run = RunFolder::open(&folder, game.settings())?;
            bulletin.sources.push(folder);
            let mut journal = LeagueRun { run, bulletin: bulletin::Timer::new(&bulletin) };
            match_::play(&game, &mut journal, concurrency, &should_stop)?;
            if should_stop.load(Ordering::Relaxed) {
                // Engines that have not met yet may be missing, so that there is no list.
                return Ok(bulletin.publish().unwrap_or_default());
            }
        }
        bulletin.publish_everywhere()
    }
}

/// A run whose results show in the league's table while it is played.
#[derive(Debug)]
struct LeagueRun<'a> {
    run: RunFolder,
    bulletin: bulletin::Timer<'a>,
}

impl Journal for LeagueRun<'_> {
    fn finished_pairs(&self) -> &[PairResult] {
        self.run.finished_pairs()
    }

    fn add(&mut self, pair: &PairRecord, standings: &Standings) -> Result<(), StoreError> {
        self.run.add(pair, standings)?;
        self.bulletin.publish_now_and_then();
        Ok(())
    }
}

fn parse_anchor(text: Option<&str>) -> Anchor {
    let Some(text) = text else { return Anchor::Mean };
    let parsed = text.rsplit_once('=').and_then(|(name, elo)| Some((name, elo.parse().ok()?)));
    let Some((name, elo)) = parsed else {
        usage_error(&format!("--anchor: bad value `{text}`, expected NAME=ELO"))
    };
    Anchor::Engine { name: name.to_owned(), elo }
}
