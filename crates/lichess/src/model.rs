// SPDX-License-Identifier: GPL-3.0-or-later
//! What Lichess sends, as far as a bot needs it.
//!
//! Unknown fields are skipped and unknown kinds of events are a value of their own: Lichess adds both
//! without notice. What may be missing has a default.

use std::collections::HashMap;
use std::time::Duration;

use serde::Deserialize;

use crate::words::{Mode, Opponent, Speed, Variant, Word};

/// Our own account.
#[derive(Clone, Debug, Deserialize)]
pub struct Profile {
    /// The name in lower case.
    pub id: String,
    /// The name.
    pub username: String,
    /// `BOT` if it may play here.
    pub title: Option<String>,
    /// The ratings.
    #[serde(default)]
    pub perfs: HashMap<String, Perf>,
}

impl Profile {
    /// Our rating at a speed, or in Chess960.
    pub fn rating(&self, speed: Speed, variant: Variant) -> Option<u32> {
        rating_in(&self.perfs, speed, variant)
    }

    /// Whether the account may use the interface for bots.
    pub fn is_bot(&self) -> bool {
        self.title.as_deref() == Some("BOT")
    }
}

/// A player as challenges and games name one.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct LichessPlayer {
    /// The name in lower case; none for Lichess's own computer.
    pub id: Option<String>,
    /// The name.
    #[serde(alias = "username")]
    pub name: Option<String>,
    /// `BOT` for programs.
    pub title: Option<String>,
    /// The rating at this speed.
    pub rating: Option<u32>,
    /// The level of Lichess's own computer.
    pub ai_level: Option<u32>,
}

impl LichessPlayer {
    /// The name, or what stands for it.
    pub fn name(&self) -> String {
        match (&self.name, self.ai_level) {
            (Some(name), _) => name.clone(),
            (None, Some(level)) => format!("Lichess level {level}"),
            (None, None) => self.id.clone().unwrap_or_else(|| "somebody".to_owned()),
        }
    }

    /// Person or program.
    pub fn kind(&self) -> Opponent {
        let is_bot = self.title.as_deref() == Some("BOT") || self.ai_level.is_some();
        if is_bot { Opponent::Bot } else { Opponent::Human }
    }
}

/// A variant, of those we play or of the others.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub struct VariantKey {
    /// Its name.
    #[serde(default)]
    pub key: String,
}

impl VariantKey {
    /// The variant, if the engine plays it.
    pub fn known(&self) -> Option<Variant> {
        Variant::of(&self.key)
    }
}

/// The clock of a challenge.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum TimeControl {
    /// A clock.
    Clock {
        /// Seconds at the start.
        limit: u32,
        /// Seconds for each move.
        increment: u32,
    },
    /// Days for each move.
    #[serde(rename_all = "camelCase")]
    Correspondence {
        /// How many.
        days_per_turn: u32,
    },
    /// Anything else: no clock at all.
    #[serde(other)]
    Unlimited,
}

/// A challenge, ours or somebody's to us.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Challenge {
    /// Its identifier, and that of the game that comes of it.
    pub id: String,
    /// Who challenges; nobody known if an anonymous player does.
    #[serde(default)]
    pub challenger: Option<LichessPlayer>,
    /// Who is challenged.
    #[serde(default)]
    pub dest_user: Option<LichessPlayer>,
    /// The rules.
    #[serde(default)]
    pub variant: VariantKey,
    /// Whether it counts.
    #[serde(default)]
    pub rated: bool,
    /// The clock.
    pub time_control: TimeControl,
    /// Why it was declined, in a word.
    #[serde(default)]
    pub decline_reason_key: Option<String>,
    /// The game after which it is a rematch.
    #[serde(default)]
    pub rematch_of: Option<String>,
    /// Special rules, such as `noAbort`; bots may not have any.
    #[serde(default)]
    pub rules: Vec<String>,
}

impl Challenge {
    /// The speed of the game.
    pub const fn speed(&self) -> Speed {
        match self.time_control {
            TimeControl::Clock { limit, increment } => Speed::of_clock(limit, increment),
            TimeControl::Correspondence { .. } | TimeControl::Unlimited => Speed::Correspondence,
        }
    }

    /// Rated or casual.
    pub const fn mode(&self) -> Mode {
        if self.rated { Mode::Rated } else { Mode::Casual }
    }
}

/// A game as the stream of events names it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[derive(Default)]
pub struct GameInfo {
    /// Its identifier.
    pub game_id: Option<String>,
    /// The same, in another place.
    pub id: Option<String>,
    /// Its speed.
    pub speed: String,
    /// Who sits on the other side.
    pub opponent: LichessPlayer,
    /// Which interfaces may play it.
    pub compat: Option<Compat>,
}

/// Which interfaces may play a game.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Compat {
    /// That for bots.
    #[serde(default)]
    pub bot: bool,
}

impl GameInfo {
    /// Its identifier.
    pub fn id(&self) -> Option<&str> {
        self.game_id.as_deref().or(self.id.as_deref())
    }

    /// Whether a bot may play it; yes, if nothing is said.
    pub fn is_for_bots(&self) -> bool {
        self.compat.as_ref().is_none_or(|compat| compat.bot)
    }

    /// Its speed; correspondence if it has none that we know.
    pub fn speed(&self) -> Speed {
        Speed::of(&self.speed).unwrap_or(Speed::Correspondence)
    }
}

/// Something that happens to the account.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum Event {
    /// A game begins, or is under way when the stream is opened.
    GameStart {
        /// The game.
        game: GameInfo,
    },
    /// A game is over.
    GameFinish {
        /// The game.
        game: GameInfo,
    },
    /// A challenge is made, by us or to us.
    Challenge {
        /// The challenge.
        challenge: Challenge,
    },
    /// A challenge is taken back.
    ChallengeCanceled {
        /// The challenge.
        challenge: Challenge,
    },
    /// A challenge of ours is declined.
    ChallengeDeclined {
        /// The challenge.
        challenge: Challenge,
    },
    /// Anything else.
    #[serde(other)]
    Unknown,
}

/// What happens in a game.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum GameEvent {
    /// Everything about it; the first line of each stream.
    GameFull(Box<GameFull>),
    /// Moves, clocks and offers.
    GameState(GameState),
    /// Somebody says something.
    ChatLine(ChatLine),
    /// The opponent has left, or is back.
    #[serde(rename_all = "camelCase")]
    OpponentGone {
        /// Whether it has left.
        gone: bool,
        /// When the win can be claimed.
        #[serde(default)]
        claim_win_in_seconds: Option<u64>,
    },
    /// Anything else.
    #[serde(other)]
    Unknown,
}

/// Everything about a game.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GameFull {
    /// Its identifier.
    pub id: String,
    /// Its rules.
    #[serde(default)]
    pub variant: VariantKey,
    /// Its clock; none in correspondence.
    #[serde(default)]
    pub clock: Option<GameClock>,
    /// Its speed.
    #[serde(default)]
    pub speed: String,
    /// Whether it counts.
    #[serde(default)]
    pub rated: bool,
    /// When it began, in milliseconds.
    #[serde(default)]
    pub created_at: u64,
    /// Who has White.
    #[serde(default)]
    pub white: LichessPlayer,
    /// Who has Black.
    #[serde(default)]
    pub black: LichessPlayer,
    /// Where it began: `startpos` or a FEN.
    #[serde(default)]
    pub initial_fen: String,
    /// How it stands.
    pub state: GameState,
}

/// The clock of a game.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
pub struct GameClock {
    /// Milliseconds at the start.
    pub initial: u64,
    /// Milliseconds for each move.
    pub increment: u64,
}

/// How a game stands.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct GameState {
    /// The moves in UCI notation, with blanks between.
    pub moves: String,
    /// White's clock, in milliseconds.
    pub wtime: u64,
    /// Black's clock.
    pub btime: u64,
    /// What each move adds to White's.
    pub winc: u64,
    /// What each move adds to Black's.
    pub binc: u64,
    /// `started`, or how it ended.
    pub status: String,
    /// `white` or `black`, if either won.
    pub winner: Option<String>,
    /// Whether White offers a draw.
    pub wdraw: bool,
    /// Whether Black does.
    pub bdraw: bool,
    /// Whether White asks to take a move back.
    pub wtakeback: bool,
    /// Whether Black does.
    pub btakeback: bool,
}

/// A clock that stands for none.
const NO_CLOCK: u64 = i32::MAX as u64;

/// A time that can be added to any other, whatever the server says.
fn time(millis: u64) -> Duration {
    const LONGEST: Duration = Duration::from_hours(24 * 365);
    Duration::from_millis(millis).min(LONGEST)
}

impl GameState {
    /// Whether it is over.
    pub fn is_over(&self) -> bool {
        !matches!(self.status.as_str(), "created" | "started" | "")
    }

    /// A side's clock.
    pub fn clock(&self, color: chess::Color) -> Duration {
        time(match color {
            chess::Color::White => self.wtime,
            chess::Color::Black => self.btime,
        })
    }

    /// What each move adds to it.
    pub fn increment(&self, color: chess::Color) -> Duration {
        time(match color {
            chess::Color::White => self.winc,
            chess::Color::Black => self.binc,
        })
    }

    /// Whether a side offers a draw.
    pub const fn offers_draw(&self, color: chess::Color) -> bool {
        match color {
            chess::Color::White => self.wdraw,
            chess::Color::Black => self.bdraw,
        }
    }

    /// Whether a side asks to take a move back.
    pub const fn asks_takeback(&self, color: chess::Color) -> bool {
        match color {
            chess::Color::White => self.wtakeback,
            chess::Color::Black => self.btakeback,
        }
    }

    /// Whether the clocks stand for none.
    pub const fn has_no_clock(&self) -> bool {
        self.wtime >= NO_CLOCK && self.btime >= NO_CLOCK
    }
}

/// Something that somebody says.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct ChatLine {
    /// Who.
    #[serde(default)]
    pub username: String,
    /// What.
    #[serde(default)]
    pub text: String,
    /// Where: `player` or `spectator`.
    #[serde(default)]
    pub room: String,
}

/// A bot that is online.
#[derive(Clone, Debug, Deserialize)]
pub struct OnlineBot {
    /// Its name in lower case.
    pub id: String,
    /// Its name.
    pub username: String,
    /// Its ratings.
    #[serde(default)]
    pub perfs: HashMap<String, Perf>,
    /// Whether it is known to play unfairly.
    #[serde(default, rename = "tosViolation")]
    pub tos_violation: bool,
}

impl OnlineBot {
    /// Its rating at a speed, or in Chess960.
    pub fn rating(&self, speed: Speed, variant: Variant) -> Option<u32> {
        rating_in(&self.perfs, speed, variant)
    }
}

fn rating_in(perfs: &HashMap<String, Perf>, speed: Speed, variant: Variant) -> Option<u32> {
    let key = if variant == Variant::Chess960 { variant.name() } else { speed.name() };
    perfs.get(key)?.rating
}

/// A rating.
#[derive(Clone, Debug, Deserialize)]
pub struct Perf {
    /// The number; none for what is no rating, such as puzzles.
    #[serde(default)]
    pub rating: Option<u32>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_events_and_fields_do_no_harm() {
        let event = |text: &str| serde_json::from_str::<Event>(text).unwrap();
        assert_eq!(event(r#"{"type":"tournamentReminder","x":[1]}"#), Event::Unknown);
        let start = event(r#"{"type":"gameStart","new":1,"game":{"gameId":"a","id":"a","x":{}}}"#);
        let Event::GameStart { game } = start else { panic!() };
        assert_eq!((game.id(), game.is_for_bots()), (Some("a"), true));
        let line = r#"{"type":"somethingNew","state":5}"#;
        assert_eq!(serde_json::from_str::<GameEvent>(line).unwrap(), GameEvent::Unknown);
    }

    #[test]
    fn clocks_of_challenges() {
        let control = |text: &str| serde_json::from_str::<TimeControl>(text).unwrap();
        let clock = control(r#"{"type":"clock","limit":180,"increment":2,"show":"3+2"}"#);
        assert_eq!(clock, TimeControl::Clock { limit: 180, increment: 2 });
        let days = control(r#"{"type":"correspondence","daysPerTurn":3}"#);
        assert_eq!(days, TimeControl::Correspondence { days_per_turn: 3 });
        assert_eq!(control(r#"{"type":"unlimited"}"#), TimeControl::Unlimited);
    }

    #[test]
    fn a_game_against_the_server_is_read() {
        let text = r#"{"type":"gameFull","id":"x","white":{"aiLevel":3},"black":{"id":"me",
            "name":"Me","title":"BOT","rating":1500},"initialFen":"startpos","state":{"type":
            "gameState","moves":"","wtime":2147483647,"btime":2147483647,"status":"started",
            "expiration":{"idleMillis":1,"millisToMove":2},"rematch":"y"}}"#;
        let GameEvent::GameFull(full) = serde_json::from_str(text).unwrap() else { panic!() };
        assert_eq!(full.white.name(), "Lichess level 3");
        assert!(full.state.has_no_clock() && !full.state.is_over());
    }
}
