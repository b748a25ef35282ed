// SPDX-License-Identifier: GPL-3.0-or-later
//! An engine under examination, and the questions that most cases ask.

use std::time::{Duration, Instant};

use chess::Game;
use uci::{BestMove, Client, ClientConfig, ClientError, Exit, Handshake, OutputLine, Reply};

use super::raw::RawEngine;
use super::search::Search;

/// For `uciok`: loading a network may take its time.
const START: Duration = Duration::from_secs(30);

/// For `readyok`, and for the end of a search that should end by itself.
pub(super) const ANSWER: Duration = Duration::from_secs(5);

/// For `bestmove` after `stop`; an instant on a sound engine, but the machine may be busy.
pub(super) const PROMPT: Duration = Duration::from_secs(3);

/// How long a search that must not end by itself is watched.
pub(super) const WATCH: Duration = Duration::from_millis(150);

/// Lines kept of one search.
const MAX_LINES: usize = 20_000;

/// Why a case did not pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CaseFault {
    /// The engine did something wrong.
    Failed(String),
    /// The case does not apply to the engine.
    Skipped(String),
}

/// What most steps of a case return.
pub(super) type CaseResult = Result<(), CaseFault>;

impl From<ClientError> for CaseFault {
    fn from(error: ClientError) -> Self {
        Self::Failed(error.to_string())
    }
}

/// A fault with this text unless `is_right`.
pub(super) fn expect(is_right: bool, otherwise: impl FnOnce() -> String) -> CaseResult {
    if is_right { Ok(()) } else { Err(CaseFault::Failed(otherwise())) }
}

/// A running engine that has said `uciok`.
#[derive(Debug)]
pub(super) struct Probe {
    config: ClientConfig,
    client: Client,
    handshake: Handshake,
    /// Everything up to `uciok`, as it came.
    greeting: Vec<String>,
    /// Whether an option was set, so that the engine is not as it was at first.
    has_settings: bool,
}

impl Probe {
    pub(super) fn start(config: &ClientConfig) -> Result<Self, ClientError> {
        let (config, client) = (config.clone(), Client::spawn(config)?);
        let (handshake, greeting) = (Handshake::default(), Vec::new());
        let mut probe = Self { config, client, handshake, greeting, has_settings: false };
        probe.shake_hands()?;
        Ok(probe)
    }

    /// An engine that has not been spoken to, in place of this one.
    pub(super) fn restart(&mut self) -> CaseResult {
        self.client = Client::spawn(&self.config)?;
        self.has_settings = true;
        Ok(())
    }

    /// Sends `uci` and keeps what comes until `uciok`.
    pub(super) fn shake_hands(&mut self) -> Result<(), ClientError> {
        self.client.send("uci")?;
        self.await_uciok()
    }

    /// Keeps what comes until `uciok`.
    pub(super) fn await_uciok(&mut self) -> Result<(), ClientError> {
        let mut lines = Vec::new();
        self.client.recv_until(Instant::now() + START, "uciok", |line| {
            lines.push(line.text.clone());
            Reply::parse(&line.text) == Reply::UciOk
        })?;
        self.handshake = read_handshake(&lines);
        self.greeting = lines;
        Ok(())
    }

    pub(super) const fn handshake(&self) -> &Handshake {
        &self.handshake
    }

    pub(super) fn greeting(&self) -> &[String] {
        &self.greeting
    }

    /// Whether the engine can serve another case as if it had just been started.
    pub(super) const fn is_pristine(&self) -> bool {
        !self.has_settings
    }

    /// A second engine that takes bytes instead of lines.
    pub(super) fn raw(&self) -> Result<RawEngine, CaseFault> {
        RawEngine::start(&self.config)
    }

    /// Skips the case unless the engine declares an option.
    pub(super) fn needs(&self, option: &str) -> CaseResult {
        match self.handshake.option(option) {
            Some(_) => Ok(()),
            None => Err(CaseFault::Skipped(format!(
                "the engine does not declare the option `{option}`"
            ))),
        }
    }

    /// Sets an option, which the engine must declare or the case is skipped.
    pub(super) fn set(&mut self, option: &str, value: &str) -> CaseResult {
        self.needs(option)?;
        self.send(&format!("setoption name {option} value {value}"))
    }

    pub(super) fn send(&mut self, line: &str) -> CaseResult {
        self.has_settings |= line.contains("setoption") || line.contains("debug");
        Ok(self.client.send(line)?)
    }

    pub(super) fn send_all(&mut self, lines: &[&str]) -> CaseResult {
        lines.iter().try_for_each(|line| self.send(line))
    }

    /// Sends `isready` and returns the lines before `readyok`.
    pub(super) fn ready(&mut self) -> Result<Vec<String>, CaseFault> {
        self.client.send("isready")?;
        self.await_ready()
    }

    /// The lines before the next `readyok`.
    pub(super) fn await_ready(&mut self) -> Result<Vec<String>, CaseFault> {
        let mut lines = Vec::new();
        self.client.recv_until(Instant::now() + ANSWER, "readyok", |line| {
            lines.push(line.text.clone());
            line.text.trim_end() == "readyok"
        })?;
        lines.pop();
        Ok(lines)
    }

    /// The next line, if one comes in time.
    pub(super) fn line_within(&mut self, wait: Duration) -> Result<Option<OutputLine>, CaseFault> {
        match self.client.recv(Instant::now() + wait, "a line") {
            Ok(line) => Ok(Some(line)),
            Err(ClientError::TimedOut { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// A whole search that must end by itself. `position` is the argument of that command.
    pub(super) fn search(&mut self, position: &str, go: &str) -> Result<Search, CaseFault> {
        self.send(&format!("position {position}"))?;
        self.send(go)?;
        self.collect(position, ANSWER)
    }

    /// The rest of a search, which must end in time.
    pub(super) fn collect(&mut self, position: &str, wait: Duration) -> Result<Search, CaseFault> {
        let game = read_position(position);
        let mut lines = Vec::new();
        self.client.recv_until(Instant::now() + wait, "bestmove", |line| {
            if lines.len() < MAX_LINES {
                lines.push(line.text.clone());
            }
            line.text.split_ascii_whitespace().next() == Some("bestmove")
        })?;
        Search::read(game, lines)
    }

    /// Sends `stop` and returns the rest of the search.
    pub(super) fn stop(&mut self, position: &str) -> Result<Search, CaseFault> {
        self.send("stop")?;
        self.collect(position, PROMPT)
    }

    /// Watches a search that must not end yet.
    pub(super) fn holds(&mut self, wait: Duration) -> CaseResult {
        let deadline = Instant::now() + wait;
        let is_end = |line: &OutputLine| line.text.starts_with("bestmove");
        match self.client.recv_until(deadline, "nothing", is_end) {
            Ok(line) => {
                Err(CaseFault::Failed(format!("`{}` came before it was asked for", line.text)))
            }
            Err(ClientError::TimedOut { .. }) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Sends a search that must not end by itself, watches it and stops it.
    pub(super) fn holds_until_stop(
        &mut self,
        position: &str,
        go: &str,
    ) -> Result<Search, CaseFault> {
        self.send(&format!("position {position}"))?;
        self.send(go)?;
        self.holds(WATCH)?;
        self.stop(position)
    }

    /// Sends odd lines; afterwards the engine must still be there and play.
    pub(super) fn survives(&mut self, lines: &[&str]) -> CaseResult {
        self.send_all(lines)?;
        self.plays_on()
    }

    /// Whether the engine answers and searches a position as usual, each search once.
    pub(super) fn plays_on(&mut self) -> CaseResult {
        let stray = self.ready()?;
        expect(!stray.iter().any(|line| line.starts_with("bestmove")), || {
            "a `bestmove` came without a search".to_owned()
        })?;
        self.search("startpos moves e2e4", "go depth 2")?.legal_move().map(|_| ())
    }

    /// The end of a case: no line of a search may be left over.
    pub(super) fn finish(&mut self) -> CaseResult {
        self.client.send("ucinewgame")?;
        let lines = self.ready()?;
        expect(!lines.iter().any(|line| line.starts_with("bestmove")), || {
            "a second `bestmove` came for one search".to_owned()
        })
    }

    /// Sends `quit` and waits; the engine must end by itself. Another one takes its place.
    pub(super) fn quits_within(&mut self, grace: Duration) -> CaseResult {
        let fresh = Client::spawn(&self.config)?;
        let exit = std::mem::replace(&mut self.client, fresh).quit(grace)?;
        self.shake_hands()?;
        match exit {
            Exit::Quit(status) => {
                expect(status.success(), || format!("it ended with {status} instead of 0"))
            }
            Exit::Killed => Err(CaseFault::Failed(format!("it still ran {grace:?} after `quit`"))),
        }
    }
}

/// Reads the argument of a `position` command that a case made up.
pub(super) fn read_position(position: &str) -> Game {
    let (base, moves) = position.split_once("moves").unwrap_or((position, ""));
    let base = base.trim();
    let board = match base.strip_prefix("fen ") {
        Some(fen) => fen.parse().expect("a case's position is sound"),
        None => chess::Board::default(),
    };
    let mut game = Game::new(board);
    for text in moves.split_ascii_whitespace() {
        let mv = game.board().parse_uci(text).expect("a case's moves are legal");
        game.play(mv);
    }
    game
}

fn read_handshake(lines: &[String]) -> Handshake {
    let mut handshake = Handshake::default();
    for line in lines {
        match Reply::parse(line) {
            Reply::IdName(name) => handshake.name = Some(name),
            Reply::IdAuthor(author) => handshake.author = Some(author),
            Reply::Option(option) => handshake.options.push(option),
            Reply::Malformed(reply) => handshake.malformed.push(reply),
            _ => {}
        }
    }
    handshake
}

/// The move of a `bestmove` line, if there is one.
pub(super) fn read_best(line: &str) -> Result<BestMove, CaseFault> {
    match Reply::parse(line) {
        Reply::BestMove(best) => Ok(best),
        Reply::Malformed(reply) => Err(CaseFault::Failed(reply.to_string())),
        _ => Err(CaseFault::Failed(format!("`{line}` is no `bestmove`"))),
    }
}
