// SPDX-License-Identifier: GPL-3.0-or-later
//! Trials decided by games, and the engine's own list of what can be tuned.

use std::time::{Duration, Instant};

use chess::Color;
use driver::{EngineProcess, EngineSpec};
use uci::ClientError;

use super::Objective;
use crate::referee::{FaultKind, GameEnding, GameRecord};
use crate::spsa::{Parameter, ParameterKind, Trial};
use crate::stats::{FirstResult, Trinomial};
use crate::trials::{Duel, Options, TrialError};

/// Time for an engine to print its parameters.
const PATIENCE: Duration = Duration::from_secs(10);

/// Plays trials as pairs of games of an engine against itself.
#[derive(Debug)]
pub struct GamePlayer {
    /// The engine, without the parameters, and how it plays.
    pub duel: Duel,
    /// Pairs of a trial.
    pub pairs: u64,
}

impl Objective for GamePlayer {
    fn play(&self, trial: &Trial, parameters: &[Parameter]) -> Result<Trinomial, TrialError> {
        // An engine that vanishes was more often killed than it crashed: such a trial gets a second chance.
        match self.play_once(trial, parameters)? {
            (_, true) => Ok(self.play_once(trial, parameters)?.0),
            (games, false) => Ok(games),
        }
    }
}

impl GamePlayer {
    /// Plays a trial with new processes, and says whether one of them vanished.
    fn play_once(
        &self,
        trial: &Trial,
        parameters: &[Parameter],
    ) -> Result<(Trinomial, bool), TrialError> {
        let mut players = self.duel.players();
        let mut has_vanished = false;
        players.set_options(options(parameters, &trial.plus), options(parameters, &trial.minus));
        let mut games = Trinomial::default();
        for pair in 0..self.pairs {
            let [one, other]: [GameRecord; 2] =
                players.play_pair((trial.id.index() * self.pairs + pair) as usize)?;
            has_vanished |= [&one, &other].into_iter().any(is_cut_short);
            games.add_game(FirstResult::seen_by(Color::White, one.outcome));
            games.add_game(FirstResult::seen_by(Color::Black, other.outcome));
        }
        players.quit();
        Ok((games, has_vanished))
    }
}

/// Whether a game ended because an engine was gone.
fn is_cut_short(game: &GameRecord) -> bool {
    matches!(game.ending, GameEnding::Fault { kind: FaultKind::Disconnect, .. })
}

fn options(parameters: &[Parameter], values: &[f64]) -> Options {
    let option = |(parameter, value): (&Parameter, &f64)| {
        (parameter.name().to_owned(), option_text(parameter, *value))
    };
    parameters.iter().zip(values).map(option).collect()
}

fn option_text(parameter: &Parameter, value: f64) -> String {
    match parameter.kind() {
        ParameterKind::Int => format!("{value:.0}"),
        ParameterKind::Float => value.to_string(),
    }
}

/// Asks an engine for its parameters by the line `tunables`, and checks that each is an option.
///
/// Parameters given by hand (not empty) are only checked.
pub fn read_tunables(
    spec: &EngineSpec,
    given: Vec<Parameter>,
) -> Result<Vec<Parameter>, TrialError> {
    let name = || spec.command.display().to_string();
    let mut engine = EngineProcess::start_bare(spec)?;
    let parameters = if given.is_empty() { ask(&mut engine)? } else { given };
    if parameters.is_empty() {
        return Err(TrialError::NoTunables { engine: name() });
    }
    let is_missing = |parameter: &&Parameter| engine.handshake().option(parameter.name()).is_none();
    if let Some(parameter) = parameters.iter().find(is_missing) {
        let reason = format!("no option `{}`", parameter.name());
        return Err(TrialError::Option { engine: name(), reason });
    }
    engine.quit();
    Ok(parameters)
}

fn ask(engine: &mut EngineProcess) -> Result<Vec<Parameter>, ClientError> {
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
