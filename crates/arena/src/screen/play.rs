// SPDX-License-Identifier: GPL-3.0-or-later
//! Pairs of a screening, decided by games.

use chess::Color;

use super::{Config, Design, Entry, PairGames, Side};
use crate::referee::GameRecord;
use crate::stats::FirstResult;
use crate::trials::{Duel, Duelists, Options, TrialError, check_options};

/// Checks that the engine has all options of the entries and takes both values of each.
pub fn check(config: &Config) -> Result<(), TrialError> {
    let engine = config.duel.engine()?;
    let entries = config.entries()?;
    let both = entries.iter().flat_map(|entry| [false, true].map(|made| (entry, made)));
    let options: Options = both.flat_map(|(entry, is_made)| entry.options(is_made)).collect();
    check_options(&engine, &options)
}

/// Plays one pair after the other, with the same two processes.
#[derive(Debug)]
pub struct PairPlayer<'a> {
    players: Duelists<'a>,
    design: Design,
    entries: &'a [Entry],
}

impl<'a> PairPlayer<'a> {
    /// A player of these entries. Its engines are started with the first pair.
    pub fn new(duel: &'a Duel, design: Design, entries: &'a [Entry]) -> Self {
        Self { players: duel.players(), design, entries }
    }

    /// Plays the pair with this number.
    pub fn play(&mut self, pair: u64) -> Result<PairGames, TrialError> {
        let sides = self.design.sides(pair);
        self.players
            .set_options(self.options(&sides, Side::Plus), self.options(&sides, Side::Minus));
        let [one, other] = self.players.play_pair(pair as usize)?;
        let outcomes = [
            FirstResult::seen_by(Color::White, one.outcome),
            FirstResult::seen_by(Color::Black, other.outcome),
        ];
        let faults = faults(pair, 1, &one).chain(faults(pair, 2, &other)).collect();
        Ok(PairGames { outcomes, faults })
    }

    /// Every option of every entry as one side has it.
    fn options(&self, sides: &[Side], mine: Side) -> Options {
        let made = self.entries.iter().zip(sides);
        made.flat_map(|(entry, &side)| entry.options(side == mine)).collect()
    }
}

/// What cost a side the game.
fn faults(pair: u64, game: u64, record: &GameRecord) -> impl Iterator<Item = String> {
    let fatal = record.faults.iter().filter(|fault| fault.kind.is_fatal());
    fatal.map(move |fault| {
        format!("pair {pair}, game {game}: {} of {}: {}", fault.kind, fault.color, fault.detail)
    })
}
