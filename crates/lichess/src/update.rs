// SPDX-License-Identifier: GPL-3.0-or-later
//! What the bot tells whoever watches it: as values for a view, and as JSON for scripts.

use serde::Serialize;

use crate::words::Word;

/// Something that happened. `type` names it in JSON.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum Update {
    /// The bot is connected.
    Connected {
        /// The account.
        name: String,
    },
    /// A challenge came and was judged.
    Challenge {
        /// Its identifier.
        id: String,
        /// Who challenges.
        from: String,
        /// `accepted`, `waiting`, or the reason for declining.
        verdict: String,
    },
    /// We challenge somebody.
    Challenging {
        /// Its identifier.
        id: String,
        /// Who is challenged.
        to: String,
    },
    /// A game begins or is taken up again, or something changed in it.
    Game(Box<GameView>),
    /// A game is over.
    Ended(Box<ResultRecord>),
    /// The bot stops when its games are over, or at once.
    Stopping {
        /// Games that are still played.
        games: usize,
    },
}

/// A game as it stands.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GameView {
    /// Its identifier.
    pub id: String,
    /// White's name.
    pub white: String,
    /// Black's name.
    pub black: String,
    /// `white` or `black`: our side.
    pub color: &'static str,
    /// The position.
    pub fen: String,
    /// The last move in UCI notation.
    pub last_move: Option<String>,
    /// The last move in algebraic notation.
    pub last_san: Option<String>,
    /// Plies played.
    pub ply: usize,
    /// White's and Black's clocks in milliseconds; none without a clock.
    pub clocks: Option<[u64; 2]>,
    /// Our last score in centipawns, White's view.
    pub eval: Option<i32>,
    /// The same in words: `+0.35`, `#4`.
    pub score: Option<String>,
    /// How deep we looked.
    pub depth: Option<u32>,
}

/// How a game ended, as it is kept in `results.jsonl`.
#[derive(Clone, Debug, PartialEq, Serialize, serde::Deserialize)]
pub struct ResultRecord {
    /// When, in seconds since 1970.
    pub time: u64,
    /// Its identifier.
    pub id: String,
    /// Who was on the other side.
    pub opponent: String,
    /// Whether that was a bot.
    pub is_bot: bool,
    /// `white` or `black`: our side.
    pub color: String,
    /// Points for us: 1, 0.5 or 0; none if it was aborted.
    pub points: Option<f32>,
    /// How it ended, in Lichess's word.
    pub status: String,
    /// The speed.
    pub speed: String,
    /// Whether it counted.
    pub rated: bool,
    /// Our rating before it.
    pub rating: Option<u32>,
    /// The opponent's.
    pub opponent_rating: Option<u32>,
    /// Plies played.
    pub plies: usize,
}

/// A color's name.
pub(crate) const fn color_name(color: chess::Color) -> &'static str {
    match color {
        chess::Color::White => "white",
        chess::Color::Black => "black",
    }
}

/// What happened to a challenge, in a word.
pub(crate) fn verdict_name(reason: Option<crate::words::Reason>) -> String {
    reason.map_or("accepted", Word::name).to_owned()
}
