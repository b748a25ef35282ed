// SPDX-License-Identifier: GPL-3.0-or-later
//! An engine against itself, with other options on each side.

use std::sync::atomic::AtomicBool;

use driver::{EngineProcess, EngineSpec};
use uci::ClientError;

use super::TrialError;
use crate::openings::OpeningBook;
use crate::referee::{GameRecord, Player, Referee, Rules};

/// UCI options by name.
pub type Options = Vec<(String, String)>;

/// Everything that the games of a trial depend on, except the options of the two sides.
#[derive(Debug)]
pub struct Duel {
    /// The engine.
    pub engine: EngineSpec,
    /// Where games begin.
    pub book: OpeningBook,
    /// How games are refereed.
    pub rules: Rules,
}

impl Duel {
    /// Two players. Their engines are started with the first game.
    pub fn players(&self) -> Duelists<'_> {
        let player = |name: &str| {
            let spec = EngineSpec { name: name.to_owned(), ..self.engine.clone() };
            Player::new(spec, self.rules.castling)
        };
        Duelists { duel: self, plus: player("plus"), minus: player("minus") }
    }
}

/// Two copies of an engine, which play pair after pair. Dropped, they are killed.
#[derive(Debug)]
pub struct Duelists<'a> {
    duel: &'a Duel,
    plus: Player,
    minus: Player,
}

/// Nobody breaks a game of a trial off: a trial that was killed is played again.
static NEVER: AtomicBool = AtomicBool::new(false);

impl Duelists<'_> {
    /// Sets the options of both sides, beside those of the engine's description.
    pub fn set_options(&mut self, plus: Options, minus: Options) {
        for (player, options) in [(&mut self.plus, plus), (&mut self.minus, minus)] {
            let base = self.duel.engine.options.iter().cloned();
            player.set_options(base.chain(options).collect());
        }
    }

    /// Plays the pair with this number: the plus side has White in the first game.
    pub fn play_pair(&mut self, pair: usize) -> Result<[GameRecord; 2], ClientError> {
        let opening = self.duel.book.opening(pair);
        let referee = Referee { rules: &self.duel.rules, should_stop: &NEVER, on_move: &|_| {} };
        let (plus, minus) = (&mut self.plus, &mut self.minus);
        let one = referee.play(plus, minus, &opening)?.expect("nobody breaks it off");
        let other = referee.play(minus, plus, &opening)?.expect("nobody breaks it off");
        Ok([one, other])
    }

    /// Lets the engines quit in peace.
    pub fn quit(self) {
        self.plus.quit();
        self.minus.quit();
    }
}

/// Checks that an engine has these options and takes these values.
pub fn check_options(spec: &EngineSpec, options: &Options) -> Result<(), TrialError> {
    let mut engine = EngineProcess::start_bare(spec)?;
    for (name, value) in options {
        engine.set_option(name, value)?;
    }
    let warning = engine.warnings().first().cloned();
    engine.quit();
    warning.map_or(Ok(()), |reason| {
        Err(TrialError::Option { engine: spec.command.display().to_string(), reason })
    })
}
