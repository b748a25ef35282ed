// SPDX-License-Identifier: GPL-3.0-or-later
//! What is said, and what is answered.

use std::time::{Duration, Instant};

use crate::client::Room;
use crate::model::ChatLine;

/// What a question is answered with.
#[derive(Clone, Debug, Default)]
pub(super) struct Facts {
    /// The engine and its network.
    pub(super) engine: String,
    /// The last evaluation, in words.
    pub(super) eval: Option<String>,
    /// Challenges that wait.
    pub(super) queue: usize,
}

/// Chat in one game: who is heard, and how often.
#[derive(Debug)]
pub(super) struct Talk {
    me: String,
    is_on: bool,
    /// When we last answered.
    last: Option<Instant>,
    answers: u32,
}

/// Whoever floods the chat is not answered more often than this.
const PAUSE: Duration = Duration::from_secs(2);
/// Nor more often than this in a game.
const MOST: u32 = 40;

impl Talk {
    pub(super) fn new(me: &str, is_on: bool) -> Self {
        Self { me: me.to_lowercase(), is_on, last: None, answers: 0 }
    }

    /// The answer to a line, if it is a question to us.
    pub(super) fn answer(
        &mut self,
        line: &ChatLine,
        facts: &Facts,
        now: Instant,
    ) -> Option<(Room, String)> {
        let is_own = line.username.to_lowercase() == self.me;
        if !self.is_on || is_own || self.answers >= MOST {
            return None;
        }
        if self.last.is_some_and(|last| now.duration_since(last) < PAUSE) {
            return None;
        }
        let room = if line.room == "spectator" { Room::Spectator } else { Room::Player };
        let text = reply(line.text.trim(), room, facts)?;
        self.last = Some(now);
        self.answers += 1;
        Some((room, text))
    }
}

fn reply(text: &str, room: Room, facts: &Facts) -> Option<String> {
    let word = text.strip_prefix('!')?.split_whitespace().next()?.to_lowercase();
    Some(match (word.as_str(), room) {
        ("help" | "commands", _) => "!name !eval !queue".to_owned(),
        ("name" | "engine", _) => facts.engine.clone(),
        ("eval", Room::Spectator) => {
            facts.eval.clone().unwrap_or_else(|| "I have not thought yet.".to_owned())
        }
        ("eval", Room::Player) => "I tell spectators only.".to_owned(),
        ("queue", _) if facts.queue == 0 => "Nobody waits: challenge me!".to_owned(),
        ("queue", _) => format!("Challenges that wait: {}.", facts.queue),
        _ => return None,
    })
}

/// A text with names put in.
pub(super) fn fill(text: &str, me: &str, opponent: &str) -> String {
    text.replace("{me}", me).replace("{opponent}", opponent).replace("{engine}", engine::NAME)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(username: &str, text: &str, room: &str) -> ChatLine {
        ChatLine { username: username.into(), text: text.into(), room: room.into() }
    }

    fn facts() -> Facts {
        Facts { engine: "Quincunx".into(), eval: Some("+0.35".into()), queue: 2 }
    }

    #[test]
    fn questions_are_answered_where_they_are_asked() {
        let now = Instant::now();
        for (text, room, answer) in [
            ("!help", "player", Some((Room::Player, "!name !eval !queue"))),
            (" !NAME please", "spectator", Some((Room::Spectator, "Quincunx"))),
            ("!eval", "spectator", Some((Room::Spectator, "+0.35"))),
            ("!eval", "player", Some((Room::Player, "I tell spectators only."))),
            ("!queue", "player", Some((Room::Player, "Challenges that wait: 2."))),
            ("hello", "player", None),
            ("!", "player", None),
            ("!dance", "player", None),
        ] {
            let given = Talk::new("Me", true).answer(&line("you", text, room), &facts(), now);
            assert_eq!(given, answer.map(|(room, text)| (room, text.to_owned())), "{text}");
        }
    }

    #[test]
    fn floods_and_our_own_lines_are_not_answered() {
        let (mut talk, now) = (Talk::new("Me", true), Instant::now());
        assert_eq!(talk.answer(&line("ME", "!help", "player"), &facts(), now), None);
        let ask = line("you", "!help", "player");
        let heard = (0..100).filter(|_| talk.answer(&ask, &facts(), now).is_some()).count();
        assert_eq!(heard, 1);
        let later = |i: u32| now + PAUSE * (i + 1);
        let heard = (0..100).filter(|&i| talk.answer(&ask, &facts(), later(i)).is_some()).count();
        assert_eq!(heard, MOST as usize - 1);
        assert_eq!(Talk::new("Me", false).answer(&ask, &facts(), now), None);
    }

    #[test]
    fn names_are_put_in() {
        assert_eq!(fill("Hi {opponent}, I am {me}.", "A", "B"), "Hi B, I am A.");
    }
}
