// SPDX-License-Identifier: GPL-3.0-or-later
//! `[challenge]`: which challenges are accepted.

use std::ops::RangeInclusive;

use super::reader::Section;
use crate::words::{Mode, Opponent, Speed, Variant, Word};

/// Which of several waiting challenges is accepted first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// The one that came first.
    First,
    /// The strongest challenger's.
    Best,
}

impl Word for Order {
    const WHAT: &'static str = "order";
    const ALL: &'static [Self] = &[Self::First, Self::Best];

    fn name(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Best => "best",
        }
    }
}

/// Which challenges are accepted, and how many at a time.
#[derive(Clone, PartialEq, Debug)]
pub struct Challenges {
    /// Games at a time, correspondence apart.
    pub concurrency: usize,
    /// Of these, how many are kept for people.
    pub human_slots: usize,
    /// Challenges that wait for a free slot; more are declined.
    pub queue: usize,
    /// Which of those that wait comes first.
    pub order: Order,
    /// Whose challenges come before all others.
    pub prefer: Option<Opponent>,
    /// Who may challenge.
    pub opponents: Vec<Opponent>,
    /// Games with the same bot in 24 hours; people are not counted.
    pub games_per_bot: Option<usize>,
    /// Whether rematches are accepted.
    pub rematches: bool,
    /// Only these names, in lower case; all if empty.
    pub allow: Vec<String>,
    /// Never these names, in lower case.
    pub block: Vec<String>,
    /// What people may ask for.
    pub humans: Filter,
    /// What bots may ask for.
    pub bots: Filter,
}

/// What a challenger may ask for.
#[derive(Clone, PartialEq, Debug)]
pub struct Filter {
    /// The variants.
    pub variants: Vec<Variant>,
    /// The speeds.
    pub speeds: Vec<Speed>,
    /// Rated, casual or both.
    pub modes: Vec<Mode>,
    /// Seconds on the clock at the start.
    pub initial: RangeInclusive<u32>,
    /// Seconds for each move.
    pub increment: RangeInclusive<u32>,
    /// Days for each move of a correspondence game.
    pub days: RangeInclusive<u32>,
    /// Whether games without any clock are accepted; the speed must be too.
    pub unlimited: bool,
    /// Whether bullet must have an increment.
    pub bullet_needs_increment: bool,
    /// Ratings of the challenger.
    pub rating: RangeInclusive<u32>,
    /// By how much the challenger's rating may differ from ours.
    pub rating_difference: Option<u32>,
}

impl Default for Filter {
    fn default() -> Self {
        Self {
            variants: Variant::ALL.to_vec(),
            speeds: vec![Speed::Bullet, Speed::Blitz, Speed::Rapid, Speed::Classical],
            modes: Mode::ALL.to_vec(),
            initial: 0..=10_800,
            increment: 0..=180,
            days: 1..=14,
            unlimited: false,
            bullet_needs_increment: false,
            rating: 0..=4000,
            rating_difference: None,
        }
    }
}

impl Challenges {
    pub(super) fn read(section: Section<'_, '_>) -> Self {
        let base = Filter::read(&section, &Filter::default());
        let [humans, bots] = ["humans", "bots"].map(|kind| {
            let special = section.section(kind);
            let filter = Filter::read(&special, &base);
            special.finish();
            filter
        });
        let challenges = Self {
            concurrency: section.number("concurrency", 1..=32, 1) as usize,
            human_slots: section.number("human_slots", 0..=32, 0) as usize,
            queue: section.number("queue", 0..=100, 10) as usize,
            order: section.word("order", Order::First),
            prefer: section.maybe_word("prefer"),
            opponents: section.words("opponents", Opponent::ALL),
            games_per_bot: section.maybe_number("games_per_bot", 1..=100).map(|n| n as usize),
            rematches: section.flag("rematches", true),
            allow: names(&section, "allow"),
            block: names(&section, "block"),
            humans,
            bots,
        };
        challenges.check(&section);
        section.finish();
        challenges
    }

    fn check(&self, section: &Section<'_, '_>) {
        let Self { concurrency, human_slots, .. } = self;
        if human_slots > concurrency {
            let message = format!("{human_slots} slots for people, but only {concurrency} games");
            section.wrong_section("human_slots", message);
        }
        if let Some(name) = self.allow.iter().find(|name| self.block.contains(name)) {
            section.wrong_section("block", format!("`{name}` is allowed and blocked"));
        }
    }

    /// What a kind of challenger may ask for.
    pub fn filter(&self, kind: Opponent) -> &Filter {
        match kind {
            Opponent::Human => &self.humans,
            Opponent::Bot => &self.bots,
        }
    }
}

impl Filter {
    fn read(section: &Section<'_, '_>, base: &Self) -> Self {
        Self {
            variants: section.words("variants", &base.variants),
            speeds: section.words("speeds", &base.speeds),
            modes: section.words("modes", &base.modes),
            initial: range(section, ["min_initial", "max_initial"], 10_800, &base.initial),
            increment: range(section, ["min_increment", "max_increment"], 180, &base.increment),
            days: range(section, ["min_days", "max_days"], 14, &base.days),
            unlimited: section.flag("unlimited", base.unlimited),
            bullet_needs_increment: section
                .flag("bullet_needs_increment", base.bullet_needs_increment),
            rating: range(section, ["min_rating", "max_rating"], 4000, &base.rating),
            rating_difference: section
                .maybe_number("rating_difference", 0..=4000)
                .map_or(base.rating_difference, |difference| Some(difference as u32)),
        }
    }
}

/// A range whose ends are two keys.
pub(super) fn range(
    section: &Section<'_, '_>,
    [low, high]: [&'static str; 2],
    most: i64,
    base: &RangeInclusive<u32>,
) -> RangeInclusive<u32> {
    let start = section.number(low, 0..=most, i64::from(*base.start())) as u32;
    let end = section.number(high, 0..=most, i64::from(*base.end())) as u32;
    if start > end {
        let key = if section.has(low) { low } else { high };
        section.wrong_section(key, format!("nothing lies from `{low}` {start} to `{high}` {end}"));
    }
    start..=end
}

/// Names of players in lower case, as Lichess compares them.
pub(super) fn names(section: &Section<'_, '_>, key: &'static str) -> Vec<String> {
    let is_name = |name: &str| {
        let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        (2..=30).contains(&name.len()) && name.chars().all(is_letter)
    };
    let names = section.texts(key);
    if let Some(bad) = names.iter().find(|name| !is_name(name)) {
        let shown: String = bad.chars().take(40).collect();
        section.wrong_section(key, format!("`{shown}` cannot be the name of a player"));
    }
    names.into_iter().map(|name| name.to_lowercase()).collect()
}
