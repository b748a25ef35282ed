// SPDX-License-Identifier: GPL-3.0-or-later
//! Challenges that wait for a free slot.

use crate::config::{Challenges, Correspondence, Order};
use crate::model::{Challenge, LichessPlayer};
use crate::words::{Opponent, Speed};

/// How many games of each kind are under way, or about to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Taken {
    pub(crate) humans: usize,
    pub(crate) bots: usize,
    pub(crate) correspondence: usize,
}

impl Taken {
    /// Counts a game.
    pub(crate) const fn add(&mut self, kind: Opponent, speed: Speed) {
        match (speed, kind) {
            (Speed::Correspondence, _) => self.correspondence += 1,
            (_, Opponent::Human) => self.humans += 1,
            (_, Opponent::Bot) => self.bots += 1,
        }
    }

    /// Whether there is room for one more.
    pub(crate) fn has_room(
        &self,
        kind: Opponent,
        speed: Speed,
        rules: &Challenges,
        slow: &Correspondence,
    ) -> bool {
        if speed == Speed::Correspondence {
            return self.correspondence < slow.games;
        }
        let is_free = self.humans + self.bots < rules.concurrency;
        match kind {
            Opponent::Human => is_free,
            // People who are here already do not use up the slots kept for people who are not.
            Opponent::Bot => is_free && self.bots < rules.concurrency - rules.human_slots,
        }
    }
}

/// Challenges that wait.
#[derive(Debug, Default)]
pub(crate) struct Queue(Vec<Challenge>);

impl Queue {
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Adds a challenge; `false` if there are too many. One that is there already is not added.
    pub(crate) fn add(&mut self, challenge: Challenge, rules: &Challenges) -> bool {
        if self.0.iter().any(|other| other.id == challenge.id) {
            return true;
        }
        let has_room = self.0.len() < rules.queue.max(1);
        if has_room {
            self.0.push(challenge);
        }
        has_room
    }

    /// Forgets a challenge that was taken back.
    pub(crate) fn remove(&mut self, id: &str) {
        self.0.retain(|challenge| challenge.id != id);
    }

    /// Takes all challenges out.
    pub(crate) fn drain(&mut self) -> Vec<Challenge> {
        std::mem::take(&mut self.0)
    }

    /// Takes the next challenge out for which there is room.
    pub(crate) fn next(
        &mut self,
        taken: &Taken,
        rules: &Challenges,
        slow: &Correspondence,
    ) -> Option<Challenge> {
        let fits =
            |challenge: &Challenge| taken.has_room(kind(challenge), challenge.speed(), rules, slow);
        let rank = |challenge: &Challenge| {
            let is_preferred = rules.prefer == Some(kind(challenge));
            let rating = match rules.order {
                Order::First => 0,
                Order::Best => challenge.challenger.as_ref().and_then(|it| it.rating).unwrap_or(0),
            };
            (is_preferred, rating)
        };
        let fitting = self.0.iter().enumerate().filter(|(_, challenge)| fits(challenge)).rev();
        let best = fitting.max_by_key(|(_, challenge)| rank(challenge)).map(|(index, _)| index);
        best.map(|index| self.0.remove(index))
    }
}

/// Who sits on the other side of a challenge to us.
pub(crate) fn kind(challenge: &Challenge) -> Opponent {
    challenge.challenger.as_ref().map_or(Opponent::Human, LichessPlayer::kind)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Config;

    fn challenge(id: &str, title: &str, rating: u32, days: Option<u32>) -> Challenge {
        let control = match days {
            Some(days) => serde_json::json!({"type": "correspondence", "daysPerTurn": days}),
            None => serde_json::json!({"type": "clock", "limit": 60, "increment": 0}),
        };
        serde_json::from_value(serde_json::json!({
            "id": id, "timeControl": control, "variant": {"key": "standard"},
            "challenger": {"id": id, "name": id, "title": title, "rating": rating}
        }))
        .unwrap()
    }

    fn order(rules: &str, mut taken: Taken) -> String {
        let config = format!("[challenge]\n{rules}\n[correspondence]\ngames = 1");
        let config = Config::parse(&config, std::path::Path::new(".")).unwrap();
        let mut queue = Queue::default();
        for (id, title, rating, days) in [
            ("a", "BOT", 2000, None),
            ("b", "", 1500, None),
            ("c", "BOT", 3000, None),
            ("d", "", 1800, None),
            ("e", "", 1000, Some(3)),
            ("f", "", 1000, Some(3)),
        ] {
            assert!(queue.add(challenge(id, title, rating, days), &config.challenge));
        }
        let mut names = String::new();
        while let Some(next) = queue.next(&taken, &config.challenge, &config.correspondence) {
            taken.add(kind(&next), next.speed());
            names.push_str(&next.id);
        }
        names
    }

    #[test]
    fn the_order_is_that_of_the_rules() {
        let none = Taken::default();
        assert_eq!(order("concurrency = 4", none), "abcde");
        assert_eq!(order("concurrency = 4\norder = \"best\"", none), "cadbe");
        assert_eq!(order("concurrency = 4\nprefer = \"human\"", none), "bdeac");
        assert_eq!(order("concurrency = 2", none), "abe");
    }

    #[test]
    fn slots_are_kept_for_people() {
        let none = Taken::default();
        assert_eq!(order("concurrency = 2\nhuman_slots = 1", none), "abe");
        assert_eq!(order("concurrency = 3\nhuman_slots = 2", none), "abde");
        assert_eq!(order("concurrency = 2\nhuman_slots = 2", none), "bde");
        let taken = Taken { humans: 1, bots: 1, correspondence: 1 };
        assert_eq!(order("concurrency = 3\nhuman_slots = 1", taken), "a");
        assert_eq!(order("concurrency = 2", taken), "");
    }

    #[test]
    fn a_full_queue_takes_no_more_and_nobody_twice() {
        let config = Config::parse("[challenge]\nqueue = 2", std::path::Path::new(".")).unwrap();
        let (mut queue, rules) = (Queue::default(), &config.challenge);
        for (id, is_taken) in [("a", true), ("b", true), ("a", true), ("c", false)] {
            assert_eq!(queue.add(challenge(id, "", 1, None), rules), is_taken, "{id}");
        }
        queue.remove("a");
        assert!(queue.add(challenge("c", "", 1, None), rules));
        assert_eq!(queue.drain().len(), 2);
    }
}
