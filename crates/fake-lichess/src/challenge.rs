// SPDX-License-Identifier: GPL-3.0-or-later
//! Challenges: what is asked for, and what becomes of it.

use std::time::Duration;

use serde_json::{Value, json};

use crate::opponent::Part;
use crate::world::User;

/// A clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChallengeClock {
    /// A real one. Finer than the real server allows, for quick tests.
    Real {
        /// At the start.
        initial: Duration,
        /// For each move.
        increment: Duration,
    },
    /// Days for each move.
    Days(u32),
    /// None.
    Unlimited,
}

/// What is asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChallengeSpec {
    /// The clock.
    pub clock: ChallengeClock,
    /// Whether it counts.
    pub rated: bool,
    /// The variant's key.
    pub variant: String,
    /// Where the game begins, if not as usual.
    pub fen: Option<String>,
    /// The color of the challenger: `white`, `black` or `random`.
    pub color: String,
    /// The game after which it is a rematch.
    pub rematch_of: Option<String>,
    /// What a scripted challenger does in the game.
    pub part: Part,
}

impl ChallengeSpec {
    /// A casual game of standard chess.
    pub fn casual(initial: Duration, increment: Duration) -> Self {
        Self {
            clock: ChallengeClock::Real { initial, increment },
            rated: false,
            variant: "standard".to_owned(),
            fen: None,
            color: "random".to_owned(),
            rematch_of: None,
            part: Part::Plain,
        }
    }

    pub(crate) fn speed(&self) -> &'static str {
        let ChallengeClock::Real { initial, increment } = self.clock else {
            return "correspondence";
        };
        match initial.as_secs() + 40 * increment.as_secs() {
            0..30 => "ultraBullet",
            30..180 => "bullet",
            180..480 => "blitz",
            480..1500 => "rapid",
            _ => "classical",
        }
    }
}

/// How a challenge stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Status {
    Created,
    Accepted,
    Canceled,
    Declined(String),
}

/// A challenge.
#[derive(Clone, Debug)]
pub(crate) struct Challenge {
    pub(crate) id: String,
    pub(crate) from: User,
    pub(crate) to: User,
    pub(crate) spec: ChallengeSpec,
    pub(crate) status: Status,
}

impl Challenge {
    pub(crate) fn json(&self) -> Value {
        let control = match self.spec.clock {
            ChallengeClock::Real { initial, increment } => json!({
                "type": "clock", "limit": initial.as_secs(), "increment": increment.as_secs(),
                "show": format!("{}+{}", initial.as_secs() / 60, increment.as_secs()),
            }),
            ChallengeClock::Days(days) => json!({"type": "correspondence", "daysPerTurn": days}),
            ChallengeClock::Unlimited => json!({"type": "unlimited"}),
        };
        let mut object = json!({
            "id": self.id, "url": format!("/{}", self.id), "color": self.spec.color,
            "direction": "in", "timeControl": control, "rated": self.spec.rated,
            "variant": {"key": self.spec.variant, "name": self.spec.variant, "short": "?"},
            "challenger": self.from.json(), "destUser": self.to.json(),
            "perf": {"icon": "", "name": self.spec.speed()}, "speed": self.spec.speed(),
            "finalColor": "white", "somethingNew": true,
            "status": match &self.status {
                Status::Created => "created",
                Status::Accepted => "accepted",
                Status::Canceled => "canceled",
                Status::Declined(_) => "declined",
            },
        });
        if let Some(game) = &self.spec.rematch_of {
            object["rematchOf"] = json!(game);
        }
        if let Some(fen) = &self.spec.fen {
            object["initialFen"] = json!(fen);
        }
        if let Status::Declined(reason) = &self.status {
            object["declineReason"] = json!("No, thank you.");
            object["declineReasonKey"] = json!(reason.to_lowercase());
        }
        object
    }
}
