// SPDX-License-Identifier: GPL-3.0-or-later
//! `league`: a round robin that grows, and its rating list.
//!
//! Each pairing is a match of its own in its own run folder, so that engines and games can be added
//! at any time without playing anything twice.

use std::collections::BTreeMap;
use std::fs;
use std::num::{NonZeroU32, NonZeroU64, NonZeroUsize};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use arena::openings::{BookSettings, Order};
use arena::rating_files::add_results;
use arena::run::RunFolder;
use arena::stats::{Anchor, Rating, RatingPool};
use arena::tournament::{Format, Match, Settings, rating_table};
use arena::{EngineSpec, Limit, TimeControl};
use clap::Args;
use serde::Deserialize;

use super::match_::{self, usage_error};
use super::print_json;

/// Play a round robin that can grow, and rate all games
#[derive(Args, Debug)]
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
    /// Games at a time, instead of the description's
    #[arg(long, value_name = "N")]
    concurrency: Option<NonZeroUsize>,
    /// Print the list as JSON
    #[arg(long)]
    json: bool,
}

/// The description of a league.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct League {
    /// Games of each pairing.
    games: u64,
    /// Folder of all pairings.
    out: PathBuf,
    /// The Markdown table; `table.md` in `out` by default.
    table: Option<PathBuf>,
    concurrency: Option<NonZeroUsize>,
    tc: Option<TimeControl>,
    nodes: Option<NonZeroU64>,
    openings: Option<PathBuf>,
    #[serde(default)]
    order: Order,
    #[serde(default = "one")]
    seed: u64,
    max_moves: Option<u32>,
    anchor: Option<AnchorEntry>,
    /// Other PGN files and run folders to be rated too.
    #[serde(default)]
    include: Vec<PathBuf>,
    engine: Vec<EngineEntry>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct AnchorEntry {
    name: String,
    elo: f64,
}

/// One engine of a league.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct EngineEntry {
    name: String,
    cmd: PathBuf,
    #[serde(default)]
    args: Vec<String>,
    dir: Option<PathBuf>,
    #[serde(default)]
    options: BTreeMap<String, toml::Value>,
    tc: Option<TimeControl>,
    nodes: Option<NonZeroU64>,
    depth: Option<NonZeroU32>,
    #[serde(default)]
    ponder: bool,
}

const fn one() -> u64 {
    1
}

impl LeagueCommand {
    /// Plays what is missing, writes the table and prints it.
    pub(crate) fn run(self) -> Result<()> {
        let ratings = match &self.file {
            Some(file) => self.play(file)?,
            None => rate(&self.rate, &parse_anchor(self.anchor.as_deref()))?,
        };
        if self.json {
            return print_json(&ratings);
        }
        print!("{}", rating_table(&ratings));
        Ok(())
    }

    fn play(&self, file: &Path) -> Result<Vec<Rating>> {
        let text = fs::read_to_string(file)
            .with_context(|| format!("reading the league `{}`", file.display()))?;
        let league: League = toml::from_str(&text)
            .unwrap_or_else(|error| usage_error(&format!("{}: {error}", file.display())));
        let concurrency = self.concurrency.or(league.concurrency);
        let concurrency = concurrency.unwrap_or_else(match_::default_concurrency);
        let mut folders = league.include.clone();
        let anchor = league.anchor.as_ref().map_or(Anchor::Mean, |anchor| Anchor::Engine {
            name: anchor.name.clone(),
            elo: anchor.elo,
        });
        let should_stop = match_::stop_on_interrupt()?;
        let mut ratings = Vec::new();
        for pairing in Format::RoundRobin.pairings(league.engine.len()) {
            let mut settings = league.settings(pairing.first, pairing.second);
            let folder = league.folder(&settings);
            let book = match_::load_book(&mut settings)?;
            let game = Match::new(settings, book).unwrap_or_else(|error| usage_error(&error));
            let mut journal = RunFolder::open(&folder, game.settings())?;
            match_::play(&game, &mut journal, concurrency, &should_stop)?;
            folders.push(folder);
            // Before all have met there may be no list yet.
            let rated = rate(&folders, &anchor);
            let is_last = folders.len() == league.include.len() + league.pairing_count();
            match rated {
                Ok(list) => ratings = list,
                Err(error) if is_last => return Err(error),
                Err(_) => continue,
            }
            league.write_table(&ratings)?;
            if should_stop.load(std::sync::atomic::Ordering::Relaxed) {
                break;
            }
        }
        Ok(ratings)
    }
}

impl League {
    fn pairing_count(&self) -> usize {
        Format::RoundRobin.pairings(self.engine.len()).len()
    }

    fn settings(&self, first: usize, second: usize) -> Settings {
        let common = Limit { tc: self.tc, nodes: self.nodes, ..Limit::default() };
        let book = self.openings.clone().map(|file| BookSettings {
            file,
            order: self.order,
            seed: self.seed,
            start: 1,
            plies: None,
        });
        let rules = arena::referee::Rules::default();
        Settings {
            engines: [first, second].map(|index| self.engine[index].spec(&common)).into(),
            format: Format::RoundRobin,
            games: Some(self.games.next_multiple_of(2)),
            sprt: None,
            book,
            draw: None,
            resign: None,
            max_moves: self.max_moves,
            margin_ms: rules.margin.as_millis() as u64,
            patience_ms: rules.patience.as_millis() as u64,
            chess960: false,
        }
    }

    /// The folder of a pairing, named after its engines.
    fn folder(&self, settings: &Settings) -> PathBuf {
        let is_plain = |letter: char| letter.is_alphanumeric() || "-_.+".contains(letter);
        let plain = |name: &str| -> String {
            name.chars().map(|letter| if is_plain(letter) { letter } else { '_' }).collect()
        };
        let names: Vec<String> =
            settings.engines.iter().map(|engine| plain(&engine.name)).collect();
        self.out.join(names.join("-vs-"))
    }

    fn write_table(&self, ratings: &[Rating]) -> Result<()> {
        let path = self.table.clone().unwrap_or_else(|| self.out.join("table.md"));
        fs::write(&path, rating_table(ratings))
            .with_context(|| format!("writing the table `{}`", path.display()))
    }
}

impl EngineEntry {
    fn spec(&self, common: &Limit) -> EngineSpec {
        let text = |value: &toml::Value| match value {
            toml::Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let limit = Limit { tc: self.tc, nodes: self.nodes, depth: self.depth, ..Limit::default() };
        EngineSpec {
            name: self.name.clone(),
            command: self.cmd.clone(),
            args: self.args.clone(),
            cwd: self.dir.clone(),
            options: self.options.iter().map(|(name, value)| (name.clone(), text(value))).collect(),
            limit: limit.or(common),
            ponder: self.ponder,
        }
    }
}

fn rate(paths: &[PathBuf], anchor: &Anchor) -> Result<Vec<Rating>> {
    let mut pool = RatingPool::default();
    let mut games = 0;
    for path in paths {
        games += add_results(&mut pool, path)?;
    }
    if games == 0 {
        bail!("no finished games to be rated");
    }
    Ok(pool.rate(anchor)?)
}

fn parse_anchor(text: Option<&str>) -> Anchor {
    let Some(text) = text else { return Anchor::Mean };
    let parsed = text.rsplit_once('=').and_then(|(name, elo)| Some((name, elo.parse().ok()?)));
    let Some((name, elo)) = parsed else {
        usage_error(&format!("--anchor: bad value `{text}`, expected NAME=ELO"))
    };
    Anchor::Engine { name: name.to_owned(), elo }
}
