// SPDX-License-Identifier: GPL-3.0-or-later
//! Trials decided by games, and the engine's own list of what can be tuned.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use chess::{Color, Outcome};
use uci::ClientError;

use super::{Objective, TuneError};
use crate::openings::Book;
use crate::referee::{Player, Referee, Rules};
use crate::spsa::{Kind, Parameter, Trial};
use crate::stats::Trinomial;
use crate::{Engine, EngineSpec};

/// Time for an engine to print its parameters.
const PATIENCE: Duration = Duration::from_secs(10);

/// Plays trials as pairs of games of an engine against itself.
#[derive(Debug)]
pub struct GamePlayer {
    /// The engine, without the parameters.
    pub engine: EngineSpec,
    /// Where games begin.
    pub book: Book,
    /// How games are refereed.
    pub rules: Rules,
    /// Pairs of a trial.
    pub pairs: u64,
}

impl Objective for GamePlayer {
    fn play(
        &self,
        trial: &Trial,
        parameters: &[Parameter],
        serial: u64,
    ) -> Result<Trinomial, TuneError> {
        let mut plus = self.player("plus", parameters, &trial.plus);
        let mut minus = self.player("minus", parameters, &trial.minus);
        let mut games = Trinomial::default();
        for pair in 0..self.pairs {
            let opening = self.book.opening((serial * self.pairs + pair) as usize);
            for plus_color in [Color::White, Color::Black] {
                let (white, black) = match plus_color {
                    Color::White => (&mut plus, &mut minus),
                    Color::Black => (&mut minus, &mut plus),
                };
                let outcome = self.referee(&NEVER).play(white, black, &opening)?;
                count(&mut games, plus_color, outcome.map(|record| record.outcome));
            }
        }
        plus.quit();
        minus.quit();
        Ok(games)
    }
}

/// Nobody breaks a game of a trial off: a killed trial is played again.
static NEVER: AtomicBool = AtomicBool::new(false);

impl GamePlayer {
    fn referee<'a>(&'a self, should_stop: &'a AtomicBool) -> Referee<'a> {
        Referee { rules: &self.rules, should_stop, on_move: &|_, _| {} }
    }

    fn player(&self, name: &str, parameters: &[Parameter], values: &[f64]) -> Player {
        let mut spec = EngineSpec { name: name.to_owned(), ..self.engine.clone() };
        for (parameter, value) in parameters.iter().zip(values) {
            spec.options.push((parameter.name().to_owned(), option_text(parameter, *value)));
        }
        Player::new(spec, self.rules.castling)
    }
}

fn option_text(parameter: &Parameter, value: f64) -> String {
    match parameter.kind() {
        Kind::Int => format!("{value:.0}"),
        Kind::Float => value.to_string(),
    }
}

fn count(games: &mut Trinomial, plus: Color, outcome: Option<Outcome>) {
    match outcome {
        Some(Outcome::Decisive { winner }) if winner == plus => games.wins += 1,
        Some(Outcome::Decisive { .. }) => games.losses += 1,
        Some(Outcome::Draw) => games.draws += 1,
        None => {}
    }
}

/// Asks an engine for its parameters by the line `tunables`, and checks that each is an option.
///
/// Parameters given by hand (not empty) are only checked.
pub fn read_tunables(
    spec: &EngineSpec,
    given: Vec<Parameter>,
) -> Result<Vec<Parameter>, TuneError> {
    let name = || spec.command.display().to_string();
    let mut engine = Engine::start_bare(spec)?;
    let parameters = if given.is_empty() { ask(&mut engine)? } else { given };
    if parameters.is_empty() {
        return Err(TuneError::NoTunables { engine: name() });
    }
    let is_missing = |parameter: &&Parameter| engine.handshake().option(parameter.name()).is_none();
    if let Some(parameter) = parameters.iter().find(is_missing) {
        let parameter = parameter.name().to_owned();
        return Err(TuneError::NoOption { engine: name(), parameter });
    }
    engine.quit();
    Ok(parameters)
}

fn ask(engine: &mut Engine) -> Result<Vec<Parameter>, ClientError> {
    let client = engine.client();
    client.send("tunables")?;
    client.send("isready")?;
    let mut parameters = Vec::new();
    client.recv_until(Instant::now() + PATIENCE, "readyok", |line| {
        // Other lines may come as well; one that is no parameter is none of ours.
        parameters.extend(line.text.trim().parse::<Parameter>());
        line.text.trim_end() == "readyok"
    })?;
    Ok(parameters)
}
