// SPDX-License-Identifier: GPL-3.0-or-later
//! The engine as a Lichess bot, and as a provider of analysis there.
//!
//! | module | what it holds |
//! |---|---|
//! | `config` | the TOML file: every key, its range, and mistakes with their lines |
//! | `client` | the doors of Lichess, with waits, limits and errors |
//! | `follow` | streams that are opened again for as long as anybody listens |
//! | `policy`, `queue` | which challenges are accepted, and in what order |
//! | `matchmaking` | whom to challenge, and whom to leave in peace |
//! | `game` | one game: position, clock, engine, moves, offers, chat |
//! | `thinker` | the engine of a game, in this process |
//! | `record` | games, results and what is under way, in files |
//! | `bot` | all of it together |
//! | `external` | analysis on the site |
//! | `view` | a picture of it for a terminal |
//!
//! Nothing here prints. What happens is told as [`Update`]s, and logged through `tracing`.

mod bot;
mod client;
pub mod config;
mod external;
mod follow;
mod game;
mod lag;
mod live;
mod matchmaking;
pub mod model;
pub mod policy;
mod queue;
mod record;
mod thinker;
mod token;
mod update;
mod view;
pub mod words;

pub use bot::{BotError, Stop, connect, run};
pub use client::{ApiError, Client, Timing};
pub use config::{Config, ConfigError, EXAMPLE, Mistake, Mistakes};
pub use external::provide;
pub use record::Archive;
pub use token::{Token, TokenError, TokenSource};
pub use update::{GameView, ResultRecord, Update};
pub use view::StatusView;
