// SPDX-License-Identifier: GPL-3.0-or-later
//! Which challenges are accepted: a pure function of the challenge and the rules.

use std::ops::RangeInclusive;

use crate::config::{Challenges, Filter};
use crate::model::{Challenge, LichessPlayer, Profile, TimeControl};
use crate::words::{Mode, Opponent, Reason, Speed, Variant};

/// What is to be done with a challenge.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChallengeVerdict {
    /// Accept it, as soon as there is a free slot.
    Accept,
    /// Decline it.
    Decline(Reason),
    /// Nothing: it is our own.
    Ignore,
}

/// What the rules ask about besides the challenge.
#[derive(Clone, Copy, Debug)]
pub struct Situation<'a> {
    /// Our account.
    pub me: &'a Profile,
    /// Games with this challenger in the last 24 hours.
    pub recent_games: usize,
    /// Whether we are about to stop.
    pub is_stopping: bool,
}

/// Judges a challenge. The first reason against it is the one that is told.
pub fn judge(
    challenge: &Challenge,
    rules: &Challenges,
    situation: Situation<'_>,
) -> ChallengeVerdict {
    let stranger = LichessPlayer::default();
    let challenger = challenge.challenger.as_ref().unwrap_or(&stranger);
    if challenger.id.as_ref() == Some(&situation.me.id) {
        return ChallengeVerdict::Ignore;
    }
    let filter = rules.filter(challenger.kind());
    let objection = None
        .or_else(|| situation.is_stopping.then_some(Reason::Later))
        .or_else(|| wrong_person(challenger, rules))
        .or_else(|| wrong_variant(challenge, filter))
        .or_else(|| wrong_mode(challenge, filter))
        .or_else(|| wrong_time(challenge, filter))
        .or_else(|| wrong_rating(challenge, challenger, filter, situation.me))
        .or_else(|| too_often(challenge, challenger, rules, situation));
    objection.map_or(ChallengeVerdict::Accept, ChallengeVerdict::Decline)
}

fn wrong_person(challenger: &LichessPlayer, rules: &Challenges) -> Option<Reason> {
    let id = challenger.id.as_ref().map(|id| id.to_lowercase()).unwrap_or_default();
    if !rules.allow.is_empty() && !rules.allow.contains(&id) || rules.block.contains(&id) {
        return Some(Reason::Generic);
    }
    let kind = challenger.kind();
    (!rules.opponents.contains(&kind)).then_some(match kind {
        Opponent::Bot => Reason::NoBot,
        Opponent::Human => Reason::OnlyBot,
    })
}

fn wrong_variant(challenge: &Challenge, filter: &Filter) -> Option<Reason> {
    let is_fine = challenge.variant.known().is_some_and(|it| filter.variants.contains(&it));
    let is_only_standard = filter.variants == [Variant::Standard];
    (!is_fine).then_some(if is_only_standard { Reason::Standard } else { Reason::Variant })
}

fn wrong_mode(challenge: &Challenge, filter: &Filter) -> Option<Reason> {
    let mode = challenge.mode();
    (!filter.modes.contains(&mode)).then_some(match mode {
        Mode::Rated => Reason::Casual,
        Mode::Casual => Reason::Rated,
    })
}

fn wrong_time(challenge: &Challenge, filter: &Filter) -> Option<Reason> {
    let speed = challenge.speed();
    if !filter.speeds.contains(&speed) {
        return Some(wrong_speed(speed, filter));
    }
    match challenge.time_control {
        TimeControl::Clock { limit, increment } => {
            let needs_more =
                filter.bullet_needs_increment && speed <= Speed::Bullet && increment == 0;
            outside(limit, &filter.initial)
                .or_else(|| outside(increment, &filter.increment))
                .or_else(|| needs_more.then_some(Reason::TooFast))
        }
        TimeControl::Correspondence { days_per_turn } => outside(days_per_turn, &filter.days),
        TimeControl::Unlimited => (!filter.unlimited).then_some(Reason::TooSlow),
    }
}

/// What is wrong with a speed: all others are slower, or faster, or some of each.
fn wrong_speed(speed: Speed, filter: &Filter) -> Reason {
    match () {
        () if filter.speeds.is_empty() => Reason::TimeControl,
        () if filter.speeds.iter().all(|other| *other > speed) => Reason::TooFast,
        () if filter.speeds.iter().all(|other| *other < speed) => Reason::TooSlow,
        () => Reason::TimeControl,
    }
}

fn outside(value: u32, range: &RangeInclusive<u32>) -> Option<Reason> {
    if value < *range.start() {
        Some(Reason::TooFast)
    } else {
        (value > *range.end()).then_some(Reason::TooSlow)
    }
}

fn wrong_rating(
    challenge: &Challenge,
    challenger: &LichessPlayer,
    filter: &Filter,
    me: &Profile,
) -> Option<Reason> {
    // Whoever has no rating yet is not shut out by one.
    let rating = challenger.rating?;
    let own = challenge.variant.known().and_then(|it| me.rating(challenge.speed(), it));
    let is_far = match (filter.rating_difference, own) {
        (Some(most), Some(own)) => rating.abs_diff(own) > most,
        _ => false,
    };
    (!filter.rating.contains(&rating) || is_far).then_some(Reason::Generic)
}

fn too_often(
    challenge: &Challenge,
    challenger: &LichessPlayer,
    rules: &Challenges,
    situation: Situation<'_>,
) -> Option<Reason> {
    let is_rematch = challenge.rematch_of.is_some() && !rules.rematches;
    let is_flood = challenger.kind() == Opponent::Bot
        && rules.games_per_bot.is_some_and(|most| situation.recent_games >= most);
    (is_rematch || is_flood).then_some(Reason::Later)
}

#[cfg(test)]
mod tests;
