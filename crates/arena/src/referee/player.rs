// SPDX-License-Identifier: GPL-3.0-or-later
//! An engine's seat at the board: the process behind it may be replaced.

use chess::CastlingMode;
use driver::{EngineProcess, EngineSpec};
use uci::ClientError;

/// How often a start is tried before it is given up.
const START_ATTEMPTS: u32 = 3;

/// An engine that is started when it is needed, and again when it failed.
#[derive(Debug)]
pub struct Player {
    spec: EngineSpec,
    castling: CastlingMode,
    engine: Option<EngineProcess>,
    /// What the last start warned of.
    warnings: Vec<String>,
}

impl Player {
    /// A seat whose engine is not started yet.
    pub fn new(spec: EngineSpec, castling: CastlingMode) -> Self {
        Self { spec, castling, engine: None, warnings: Vec::new() }
    }

    /// The engine's description.
    pub fn spec(&self) -> &EngineSpec {
        &self.spec
    }

    /// Sets other UCI options for the games to come.
    ///
    /// A running engine keeps its process; one that cannot be told is started anew.
    pub fn set_options(&mut self, options: Vec<(String, String)>) {
        let Some(engine) = &mut self.engine else {
            self.spec.options = options;
            return;
        };
        let is_new = |option: &&(String, String)| !self.spec.options.contains(option);
        let mut new = options.iter().filter(is_new);
        if new.any(|(name, value)| engine.set_option(name, value).is_err()) {
            self.engine = None;
        }
        self.spec.options = options;
    }

    /// What of the description the engine did not accept.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// The engine, ready for a new game.
    ///
    /// A running engine that fails here is started again; the reason is returned with it. An error
    /// means that it cannot be started at all.
    pub(super) fn ready(
        &mut self,
    ) -> Result<(&mut EngineProcess, Option<ClientError>), ClientError> {
        let mut failure = None;
        for _ in 0..START_ATTEMPTS {
            match self.try_ready() {
                Ok(()) => break,
                Err(error @ ClientError::Spawn { .. }) => return Err(error),
                // One that said nothing for so long would say nothing again; a running one is started anew.
                Err(error @ ClientError::TimedOut { .. }) if self.engine.is_none() => {
                    return Err(error);
                }
                Err(error) => {
                    self.engine = None;
                    failure = Some(error);
                }
            }
        }
        match (&mut self.engine, failure) {
            (Some(engine), failure) => Ok((engine, failure)),
            (None, Some(error)) => Err(error),
            (None, None) => unreachable!("an attempt starts the engine or fails"),
        }
    }

    fn try_ready(&mut self) -> Result<(), ClientError> {
        if self.engine.is_none() {
            let engine = EngineProcess::start(&self.spec, self.castling)?;
            engine.warnings().clone_into(&mut self.warnings);
            self.engine = Some(engine);
        }
        self.engine.as_mut().map_or(Ok(()), EngineProcess::new_game)
    }

    /// Ends the engine's process; the next game starts another.
    pub(super) fn discard(&mut self) {
        self.engine = None;
    }

    /// Lets the engine quit in peace.
    pub fn quit(mut self) {
        if let Some(engine) = self.engine.take() {
            engine.quit();
        }
    }

    pub(super) fn engine(&mut self) -> Option<&mut EngineProcess> {
        self.engine.as_mut()
    }
}
