// SPDX-License-Identifier: GPL-3.0-or-later
//! Whom to challenge when nobody comes, and whom to leave in peace.
//!
//! Who declines is asked less and less often; who says why is not asked for that again. Lichess's own
//! limits come with a time, which is waited for. When nobody wants to play at all, the pauses double.

use std::collections::{HashMap, VecDeque};
use std::time::{Duration, Instant};

use crate::client::ApiError;
use crate::config::{Matchmaking, Pool};
use crate::model::{OnlineBot, Profile};
use crate::words::{Mode, Reason, Speed, Variant, Word};

/// The first pause after a bot has declined; it doubles each time.
const FIRST_PAUSE: Duration = Duration::from_hours(1);
const LONGEST_PAUSE: Duration = Duration::from_hours(168);
/// How long an answer is waited for. Lichess forgets a challenge after 20 seconds.
pub(crate) const ANSWER_TIME: Duration = Duration::from_secs(25);
/// The longest pause when nobody plays at all.
const LONGEST_IDLE: Duration = Duration::from_hours(1);

/// What a bot has told us not to ask for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Refused {
    Speed(Speed),
    Mode(Mode),
    Variant(Variant),
}

/// What is known of one bot.
#[derive(Clone, Debug, Default)]
struct Standing {
    /// Not to be asked before.
    not_before: Option<Instant>,
    declined: u32,
    refused: Vec<Refused>,
}

/// A challenge that waits for its answer.
#[derive(Clone, Debug)]
pub(crate) struct Pending {
    pub(crate) id: String,
    pub(crate) user: String,
    pool: Pool,
    since: Instant,
}

/// The matchmaker.
#[derive(Debug)]
pub(crate) struct Matchmaker {
    rules: Matchmaking,
    standings: HashMap<String, Standing>,
    pending: Option<Pending>,
    /// Answers to challenges that we do not know yet: events may be quicker than the response.
    early: VecDeque<(String, Option<String>)>,
    /// Challenges in a row that came to nothing.
    failures: u32,
    /// When the last attempt ended.
    last_try: Option<Instant>,
    /// Nobody is challenged before.
    not_before: Option<Instant>,
    /// When challenges were made.
    made: Vec<Instant>,
}

const DAY: Duration = Duration::from_hours(24);

impl Matchmaker {
    pub(crate) fn new(rules: &Matchmaking) -> Self {
        Self {
            rules: rules.clone(),
            standings: HashMap::new(),
            pending: None,
            early: VecDeque::new(),
            failures: 0,
            last_try: None,
            not_before: None,
            made: vec![],
        }
    }

    /// Whether somebody should be challenged now, after so long without a game.
    pub(crate) fn is_due(&mut self, now: Instant, idle_since: Instant) -> bool {
        self.made.retain(|&made| now.duration_since(made) < DAY);
        let pause = self.pause();
        let has_passed = |since: Instant| now.duration_since(since) >= pause;
        self.rules.enabled
            && self.pending.is_none()
            && self.made.len() < self.rules.per_day
            && self.not_before.is_none_or(|time| now >= time)
            && now.duration_since(idle_since) >= self.rules.idle
            && self.last_try.is_none_or(has_passed)
    }

    /// The pause between two attempts: it doubles while nobody plays.
    fn pause(&self) -> Duration {
        // Soon at first: one bot out of many having declined means nothing.
        let first = self.rules.idle.min(Duration::from_secs(30));
        first.saturating_mul(1 << self.failures.min(20)).min(LONGEST_IDLE.max(first))
    }

    /// An attempt begins; until it ends, no other does.
    pub(crate) fn begin(&mut self, now: Instant) {
        self.last_try = Some(now);
    }

    /// Whom to challenge, and to what. `chance` is from 0 to 1.
    pub(crate) fn choose<'a>(
        &self,
        bots: &'a [OnlineBot],
        me: &Profile,
        now: Instant,
        chance: [f64; 2],
    ) -> Option<(&'a OnlineBot, Pool)> {
        let pool = self.choose_pool(chance[0])?;
        let fitting: Vec<_> = bots.iter().filter(|bot| self.fits(bot, &pool, me, now)).collect();
        let index = (chance[1] * fitting.len() as f64) as usize;
        Some((*fitting.get(index.min(fitting.len().checked_sub(1)?))?, pool))
    }

    fn choose_pool(&self, chance: f64) -> Option<Pool> {
        let total: u32 = self.rules.pools.iter().map(|pool| pool.weight).sum();
        let mut rest = chance * f64::from(total);
        let weighty = || self.rules.pools.iter().filter(|pool| pool.weight > 0);
        for pool in weighty() {
            rest -= f64::from(pool.weight);
            if rest < 0.0 {
                return Some(pool.clone());
            }
        }
        weighty().next_back().cloned()
    }

    fn fits(&self, bot: &OnlineBot, pool: &Pool, me: &Profile, now: Instant) -> bool {
        let (speed, variant) = (pool.speed(), pool.variant);
        let rating = bot.rating(speed, variant);
        let is_near = match (self.rules.rating_difference, rating, me.rating(speed, variant)) {
            (Some(most), Some(theirs), Some(ours)) => theirs.abs_diff(ours) <= most,
            _ => true,
        };
        let is_free = self.standings.get(&bot.id).is_none_or(|standing| {
            let refuses = |refused: &Refused| match *refused {
                Refused::Speed(refused) => refused == speed,
                Refused::Mode(refused) => refused == pool.mode,
                Refused::Variant(refused) => refused == variant,
            };
            standing.not_before.is_none_or(|time| now >= time)
                && !standing.refused.iter().any(refuses)
        });
        bot.id != me.id
            && !bot.tos_violation
            && !self.rules.block.contains(&bot.id)
            && rating.is_none_or(|rating| self.rules.rating.contains(&rating))
            && is_near
            && is_free
    }

    /// A challenge was made.
    pub(crate) fn made(&mut self, id: String, user: &str, pool: Pool, now: Instant) {
        self.made.push(now);
        let early = self.early.iter().find(|(other, _)| *other == id).cloned();
        self.pending = Some(Pending { id, user: user.to_owned(), pool, since: now });
        if let Some((id, reason)) = early {
            self.was_declined(&id, reason.as_deref(), now);
        }
    }

    /// A challenge could not be made.
    pub(crate) fn failed(&mut self, user: &str, error: &ApiError, now: Instant) {
        self.failures += 1;
        match error {
            // Our own limit: nobody can be challenged until it ends.
            ApiError::TooMany { wait, .. } => {
                let wait = wait.unwrap_or(Duration::from_mins(1));
                self.not_before = Some(now + wait);
            }
            // Theirs.
            ApiError::Refused { limit: Some((_, wait)), .. } => {
                self.standings.entry(user.to_owned()).or_default().not_before = Some(now + *wait);
            }
            ApiError::Refused { .. } => self.declined(user, now),
            _ => (),
        }
    }

    /// A challenge of ours was declined. Returns whether it was one of ours.
    pub(crate) fn was_declined(&mut self, id: &str, reason: Option<&str>, now: Instant) -> bool {
        let Some(pending) = self.pending.take_if(|pending| pending.id == id) else {
            const KEPT: usize = 16;
            self.early.push_back((id.to_owned(), reason.map(str::to_owned)));
            if self.early.len() > KEPT {
                self.early.pop_front();
            }
            return false;
        };
        self.failures += 1;
        self.last_try = Some(now);
        let refused = match reason.and_then(reason_of) {
            Some(Reason::TooFast | Reason::TooSlow | Reason::TimeControl) => {
                Some(Refused::Speed(pending.pool.speed()))
            }
            Some(Reason::Rated | Reason::Casual) => Some(Refused::Mode(pending.pool.mode)),
            Some(Reason::Standard | Reason::Variant) => {
                Some(Refused::Variant(pending.pool.variant))
            }
            _ => None,
        };
        self.declined(&pending.user, now);
        self.standings.entry(pending.user).or_default().refused.extend(refused);
        true
    }

    fn declined(&mut self, user: &str, now: Instant) {
        let standing = self.standings.entry(user.to_owned()).or_default();
        let pause = FIRST_PAUSE.saturating_mul(1 << standing.declined.min(16)).min(LONGEST_PAUSE);
        standing.declined += 1;
        standing.not_before = Some(now + pause);
    }

    /// A game has begun; it may be the one we asked for.
    pub(crate) fn game_began(&mut self, id: &str) {
        if let Some(pending) = self.pending.take_if(|pending| pending.id == id) {
            self.failures = 0;
            self.standings.remove(&pending.user);
        }
    }

    /// The challenge that nobody has answered in time; it must be taken back.
    pub(crate) fn overdue(&mut self, now: Instant) -> Option<Pending> {
        let is_over = |it: &mut Pending| now.duration_since(it.since) > ANSWER_TIME;
        let pending = self.pending.take_if(is_over)?;
        self.failures += 1;
        self.last_try = Some(now);
        self.declined(&pending.user.clone(), now);
        Some(pending)
    }

    /// The challenge that waits, taken out because we stop.
    pub(crate) fn withdraw(&mut self) -> Option<Pending> {
        self.pending.take()
    }

    #[cfg(test)]
    pub(crate) const fn is_waiting(&self) -> bool {
        self.pending.is_some()
    }
}

/// The reason behind a key; Lichess writes keys in lower case here.
fn reason_of(key: &str) -> Option<Reason> {
    Reason::ALL.iter().copied().find(|reason| reason.name().eq_ignore_ascii_case(key))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Config;

    fn matchmaker(text: &str) -> Matchmaker {
        let text = format!("[matchmaking]\nenabled = true\nidle_seconds = 60\n{text}");
        let config = Config::parse(&text, std::path::Path::new(".")).unwrap();
        Matchmaker::new(&config.matchmaking)
    }

    fn bot(id: &str, rating: u32) -> OnlineBot {
        serde_json::from_value(serde_json::json!({
            "id": id, "username": id, "perfs": {"blitz": {"rating": rating}, "storm": {"runs": 1}}
        }))
        .unwrap()
    }

    fn me() -> Profile {
        let perfs = serde_json::json!({"blitz": {"rating": 2000}});
        let json = serde_json::json!({"id": "me", "username": "Me", "perfs": perfs});
        serde_json::from_value(json).unwrap()
    }

    fn chosen(matchmaker: &Matchmaker, now: Instant) -> Vec<String> {
        let bots = [bot("me", 2000), bot("low", 1500), bot("even", 2010), bot("high", 2900)];
        let choose = |chance| matchmaker.choose(&bots, &me(), now, [0.0, chance]);
        let ids = [0.0, 0.4, 0.9].into_iter().filter_map(choose).map(|(bot, _)| bot.id.clone());
        let mut ids: Vec<_> = ids.collect();
        ids.dedup();
        ids
    }

    #[test]
    fn only_fitting_bots_are_chosen() {
        let now = Instant::now();
        assert_eq!(chosen(&matchmaker(""), now), ["low", "even", "high"]);
        assert_eq!(chosen(&matchmaker("rating_difference = 500"), now), ["low", "even"]);
        assert_eq!(chosen(&matchmaker("min_rating = 1600\nmax_rating = 2500"), now), ["even"]);
        assert_eq!(chosen(&matchmaker("block = [\"low\", \"EVEN\"]"), now), ["high"]);
        assert!(chosen(&matchmaker("min_rating = 3000"), now).is_empty());
    }

    #[test]
    fn who_declines_is_asked_less_and_less_often() {
        let (mut matchmaker, start) = (matchmaker(""), Instant::now());
        let pool = Pool::default();
        let mut now = start;
        for hours in [1, 2, 4, 8] {
            matchmaker.made("x".into(), "even", pool.clone(), now);
            assert!(!matchmaker.was_declined("y", None, now));
            assert!(matchmaker.was_declined("x", Some("later"), now));
            let pause = Duration::from_secs(3600 * hours);
            assert!(!chosen(&matchmaker, now + pause / 2).contains(&"even".to_owned()));
            now += pause;
            assert!(chosen(&matchmaker, now).contains(&"even".to_owned()), "{hours}");
        }
    }

    #[test]
    fn answers_may_come_before_the_response() {
        let (mut matchmaker, now) = (matchmaker(""), Instant::now());
        assert!(!matchmaker.was_declined("x", Some("later"), now));
        matchmaker.made("x".into(), "even", Pool::default(), now);
        assert!(!matchmaker.is_waiting());
        assert!(!chosen(&matchmaker, now).contains(&"even".to_owned()));
    }

    #[test]
    fn reasons_are_remembered() {
        let (mut matchmaker, now) = (matchmaker(""), Instant::now());
        matchmaker.made("x".into(), "even", Pool::default(), now);
        matchmaker.was_declined("x", Some("toofast"), now);
        let much_later = now + LONGEST_PAUSE;
        assert!(!chosen(&matchmaker, much_later).contains(&"even".to_owned()));
    }

    #[test]
    fn pauses_double_while_nobody_plays_and_end_with_a_game() {
        let (mut matchmaker, mut now) = (matchmaker(""), Instant::now());
        let idle = now;
        assert!(!matchmaker.is_due(now + Duration::from_secs(59), idle));
        now += Duration::from_mins(1);
        let mut pauses = vec![];
        for _ in 0..9 {
            assert!(matchmaker.is_due(now, idle));
            matchmaker.begin(now);
            matchmaker.failed("even", &ApiError::Server(502), now);
            let began = now;
            while !matchmaker.is_due(now, idle) {
                now += Duration::from_secs(10);
            }
            pauses.push((now - began).as_secs());
        }
        assert_eq!(pauses, [60, 120, 240, 480, 960, 1920, 3600, 3600, 3600]);
        matchmaker.made("x".into(), "even", Pool::default(), now);
        matchmaker.game_began("x");
        assert!(matchmaker.is_due(now + Duration::from_secs(30), idle));
    }

    #[test]
    fn limits_of_the_server_are_waited_for() {
        let (mut matchmaker, now) = (matchmaker(""), Instant::now());
        let idle = now.checked_sub(Duration::from_mins(1)).unwrap_or(now);
        let day = Some("bot.vsBot.day".to_owned());
        let wait = Duration::from_secs(5000);
        matchmaker.failed("x", &ApiError::TooMany { wait: Some(wait), limit: day }, now);
        assert!(!matchmaker.is_due(now + wait / 2, idle));
        assert!(matchmaker.is_due(now + wait, idle));
        let limit = Some(("bot.vsBot.day".to_owned(), wait));
        let theirs = ApiError::Refused { status: 400, message: String::new(), limit };
        matchmaker.failed("even", &theirs, now);
        assert!(!chosen(&matchmaker, now + wait / 2).contains(&"even".to_owned()));
        assert!(chosen(&matchmaker, now + wait).contains(&"even".to_owned()));
    }

    #[test]
    fn unanswered_challenges_are_taken_back() {
        let (mut matchmaker, now) = (matchmaker(""), Instant::now());
        matchmaker.made("x".into(), "even", Pool::default(), now);
        assert!(matchmaker.overdue(now + ANSWER_TIME).is_none() && matchmaker.is_waiting());
        assert_eq!(matchmaker.overdue(now + ANSWER_TIME * 2).unwrap().id, "x");
        assert!(!matchmaker.is_waiting());
    }

    #[test]
    fn no_more_than_allowed_in_a_day() {
        let (mut matchmaker, now) = (matchmaker("per_day = 2"), Instant::now());
        for id in ["a", "b"] {
            matchmaker.made(id.into(), "even", Pool::default(), now);
            matchmaker.game_began(id);
        }
        let later = |part: u32| now + DAY / 2 * part;
        assert!(!matchmaker.is_due(later(1), now));
        assert!(matchmaker.is_due(later(2), now));
    }
}
