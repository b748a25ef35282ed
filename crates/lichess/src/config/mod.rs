// SPDX-License-Identifier: GPL-3.0-or-later
//! What the bot is told in its TOML file.
//!
//! ```
//! use lichess::Config;
//! use std::path::Path;
//!
//! let config = Config::parse("[challenge]\nspeeds = [\"blitz\"]", Path::new("."))?;
//! assert_eq!(config.challenge.concurrency, 1);
//!
//! let mistakes = Config::parse("[challange]\n[play]\nponder = 3", Path::new(".")).unwrap_err();
//! assert_eq!(mistakes.0.len(), 2);
//! assert_eq!(mistakes.0[0].hint.as_deref(), Some("did you mean `challenge`?"));
//! # Ok::<(), lichess::Mistakes>(())
//! ```

mod account;
mod challenge;
mod engine;
mod matchmaking;
mod mistake;
mod play;
mod reader;

use std::path::Path;

pub use account::{Account, Connection};
pub use challenge::{Challenges, Filter, Order};
pub use engine::{BookChoice, BookConfig, EngineSettings, ExternalEngine, Setup, When};
pub use matchmaking::{ClockSetting, Matchmaking, Pool};
pub use mistake::{Mistake, Mistakes};
pub use play::{Chat, Correspondence, DrawRule, Files, OnStop, PgnFiles, Play, ResignRule};

use reader::ConfigReader;

/// The example that `quincunx lichess init` writes: every key with its default, and what it does.
pub const EXAMPLE: &str = include_str!("example.toml");

/// Everything the bot is told.
#[derive(Clone, PartialEq, Debug)]
pub struct Config {
    /// Who we are, and where.
    pub account: Account,
    /// How the connection is watched.
    pub connection: Connection,
    /// Which challenges are accepted.
    pub challenge: Challenges,
    /// Which challenges are made.
    pub matchmaking: Matchmaking,
    /// How games are played.
    pub play: Play,
    /// When draws are offered and accepted.
    pub draw: DrawRule,
    /// When games are given up.
    pub resign: ResignRule,
    /// Games without a running clock.
    pub correspondence: Correspondence,
    /// What thinks.
    pub engine: EngineSettings,
    /// Opening books.
    pub book: BookConfig,
    /// What is said.
    pub chat: Chat,
    /// What is kept.
    pub files: Files,
    /// Analysis on the site.
    pub external_engine: ExternalEngine,
}

impl Config {
    /// Reads a file; paths in it are taken from its folder.
    pub fn read(path: &Path) -> Result<Self, ConfigError> {
        let text = tools::read::read_text(path)
            .map_err(|error| ConfigError::Unreadable(path.display().to_string(), error))?;
        let folder = path.parent().unwrap_or(Path::new(""));
        Self::parse(&text, folder)
            .map_err(|mistakes| ConfigError::Wrong(path.display().to_string(), mistakes))
    }

    /// Reads a text; paths in it are taken from `folder`.
    pub fn parse(text: &str, folder: &Path) -> Result<Self, Mistakes> {
        let reader = ConfigReader::new(text, folder);
        let table = reader.parse();
        let root = reader.root(&table);
        let config = Self {
            account: Account::read(root.section("account")),
            connection: Connection::read(root.section("connection")),
            challenge: Challenges::read(root.section("challenge")),
            matchmaking: Matchmaking::read(root.section("matchmaking")),
            play: Play::read(root.section("play")),
            draw: DrawRule::read(root.section("draw")),
            resign: ResignRule::read(root.section("resign")),
            correspondence: Correspondence::read(root.section("correspondence")),
            engine: EngineSettings::read(root.section("engine")),
            book: BookConfig::read(root.section("book")),
            chat: Chat::read(root.section("chat")),
            files: Files::read(root.section("files")),
            external_engine: ExternalEngine::read(root.section("external_engine")),
        };
        root.finish();
        reader.finish().map(|()| config)
    }
}

/// Why there is no configuration.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("`{0}` cannot be read: {1}; `quincunx lichess init` writes an example")]
    Unreadable(String, std::io::Error),
    /// The file has mistakes.
    #[error("`{0}`: {1}")]
    Wrong(String, Mistakes),
}

#[cfg(test)]
mod tests;
