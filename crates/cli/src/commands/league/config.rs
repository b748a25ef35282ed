// SPDX-License-Identifier: GPL-3.0-or-later
//! A league's description.

use std::collections::BTreeMap;
use std::num::{NonZeroU32, NonZeroU64, NonZeroUsize};
use std::path::{Path, PathBuf};

use anyhow::Result;
use arena::openings::{BookSettings, Order};
use arena::referee::{DrawRule, ResignRule, Rules, TableSettings};
use arena::stats::Anchor;
use arena::tournament::{Format, MatchSettings, Pairing};
use arena::{EngineSpec, Limit, TimeControl};
use serde::Deserialize;
use tools::text::file_name;

use super::bulletin::Bulletin;
use super::usage_error;
use crate::input;

/// The description of a league.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct League {
    /// Games of each pairing.
    games: u64,
    /// Folder of all pairings.
    out: PathBuf,
    /// The Markdown table; `table.md` in `out` by default.
    table: Option<PathBuf>,
    /// The page; `report.html` in `out` by default.
    page: Option<PathBuf>,
    /// Documents that show the table between two marks.
    #[serde(default)]
    documents: Vec<PathBuf>,
    pub(super) concurrency: Option<NonZeroUsize>,
    /// Who meets whom.
    #[serde(default)]
    format: Format,
    tc: Option<TimeControl>,
    nodes: Option<NonZeroU64>,
    /// Milliseconds by which a clock may be overstepped.
    time_margin: Option<u64>,
    openings: Option<PathBuf>,
    #[serde(default)]
    order: Order,
    #[serde(default = "one")]
    seed: u64,
    /// In words, as on the command line of `match`.
    draw: Option<String>,
    resign: Option<String>,
    max_moves: Option<u32>,
    /// Folders of Syzygy tables.
    tb: Option<String>,
    tb_pieces: Option<usize>,
    #[serde(default)]
    tb_ignore_50: bool,
    anchor: Option<AnchorEntry>,
    /// Other PGN files and run folders to be rated too.
    #[serde(default)]
    include: Vec<PathBuf>,
    pub(super) engine: Vec<EngineEntry>,
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
pub(super) struct EngineEntry {
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

impl League {
    /// Reads a description; what makes no sense ends the program.
    pub(super) fn read(file: &Path) -> Result<Self> {
        let text = input::read_text(file)?;
        let bad = |error: &dyn std::fmt::Display| -> ! {
            usage_error(&format!("{}: {error}", file.display()))
        };
        let league: Self = toml::from_str(&text).unwrap_or_else(|error| bad(&error));
        let rules = league.draw_rule().map(drop).and_then(|()| league.resign_rule().map(drop));
        if let Err(error) = rules {
            bad(&error);
        }
        Ok(league)
    }

    /// The league's list without its pairings.
    pub(super) fn bulletin(&self, file: &Path) -> Bulletin {
        let anchor = self.anchor.as_ref().map_or(Anchor::Mean, |anchor| Anchor::Engine {
            name: anchor.name.clone(),
            elo: anchor.elo,
        });
        let title = file.file_stem().unwrap_or_default().to_string_lossy();
        let or_own = |path: &Option<PathBuf>, name| {
            Some(path.clone().unwrap_or_else(|| self.out.join(name)))
        };
        Bulletin {
            title: format!("League {title}"),
            name: title.into_owned(),
            sources: self.include.clone(),
            anchor,
            table: or_own(&self.table, "table.md"),
            page: or_own(&self.page, "report.html"),
            documents: self.documents.clone(),
        }
    }

    /// Who meets whom, in the order in which they take turns.
    pub(super) fn pairings(&self) -> Vec<Pairing> {
        self.format.pairings(self.engine.len())
    }

    /// A pairing as a match, and its folder. If the description once had the two engines in the
    /// other order, their match goes on in that order.
    pub(super) fn settings(&self, pairing: Pairing) -> (MatchSettings, PathBuf) {
        let Pairing { first, second } = pairing;
        let folder = self.folder(first, second);
        let swapped = self.folder(second, first);
        if !folder.exists() && swapped.exists() {
            return (self.duel(second, first), swapped);
        }
        (self.duel(first, second), folder)
    }

    fn duel(&self, first: usize, second: usize) -> MatchSettings {
        let common = Limit { tc: self.tc, nodes: self.nodes, ..Limit::default() };
        let book = self.openings.clone().map(|file| BookSettings {
            file,
            order: self.order,
            seed: self.seed,
            start: 1,
            plies: None,
        });
        let tables = self.tb.clone().map(|path| TableSettings {
            path,
            men: self.tb_pieces,
            ignore_fifty: self.tb_ignore_50,
        });
        let rules = Rules::default();
        MatchSettings {
            engines: [first, second].map(|index| self.engine[index].spec(&common)).into(),
            format: Format::RoundRobin,
            games: Some(self.games.next_multiple_of(2)),
            sprt: None,
            book,
            draw: self.draw_rule().unwrap_or_default(),
            resign: self.resign_rule().unwrap_or_default(),
            max_moves: self.max_moves,
            tables,
            margin_ms: self.time_margin.unwrap_or(rules.margin.as_millis() as u64),
            patience_ms: rules.patience.as_millis() as u64,
            chess960: false,
        }
    }

    fn draw_rule(&self) -> Result<Option<DrawRule>, arena::referee::RuleError> {
        self.draw.as_deref().map(str::parse).transpose()
    }

    fn resign_rule(&self) -> Result<Option<ResignRule>, arena::referee::RuleError> {
        self.resign.as_deref().map(str::parse).transpose()
    }

    /// The folder of a pairing, named after its engines.
    fn folder(&self, first: usize, second: usize) -> PathBuf {
        let plain = |index: usize| file_name(&self.engine[index].name);
        self.out.join(format!("{}-vs-{}", plain(first), plain(second)))
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
