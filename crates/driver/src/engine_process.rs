// SPDX-License-Identifier: GPL-3.0-or-later
//! A running engine: started, set up, asked for moves and cleaned away.
//!
//! Built on [`uci::Client`], which moves the bytes; here are the order of commands that match
//! runners have agreed on and the care that no process is left behind. The
//! answer to a search is kept as text and read afterwards, since while an engine thinks the
//! processor should be its own.

use std::time::{Duration, Instant};

use chess::CastlingMode;
use tools::suggest::did_you_mean;
use uci::{
    Client, ClientConfig, ClientError, Command, Go, Handshake, OptionKind, OutputLine, SetOption,
    UciPosition,
};

use crate::process;
use crate::spec::EngineSpec;
use crate::thought::{Collector, Thought};

/// Time for an engine to say `uciok`.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(10);

/// Time for an engine to say `readyok`, as it may allocate memory and load networks.
const READY_TIMEOUT: Duration = Duration::from_secs(30);

/// Time for an engine to end after `quit`.
const QUIT_GRACE: Duration = Duration::from_millis(500);

/// A running engine. Dropping it kills its whole process group.
///
/// It must be started by a thread that outlives it: the kernel kills it when that thread ends.
///
/// ```no_run
/// use driver::{EngineProcess, EngineSpec};
/// use std::time::Duration;
///
/// let spec: EngineSpec = "cmd=stockfish opt.Hash=16 depth=8".parse()?;
/// let mut engine = EngineProcess::start(&spec, chess::CastlingMode::Standard)?;
/// engine.new_game()?;
/// let start = driver::position_at(&chess::Board::default(), chess::CastlingMode::Standard);
/// let thought = engine.search(&start, &spec.limit.go(), Duration::from_secs(9))?;
/// println!("{:?} after {:?}", thought.best, thought.elapsed);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct EngineProcess {
    client: Client,
    handshake: Handshake,
    warnings: Vec<String>,
    /// When the clock of the present search began to run.
    started: Instant,
    /// What was said during the present search.
    collector: Collector,
    /// The end of the present search, if it was seen before it was waited for.
    answer: Option<OutputLine>,
}

impl EngineProcess {
    /// Starts an engine, shakes hands and sets its options.
    ///
    /// Options that it does not declare and values that it would refuse are not sent; see
    /// [`Self::warnings`].
    pub fn start(spec: &EngineSpec, castling: CastlingMode) -> Result<Self, ClientError> {
        Self::start_within(HANDSHAKE_TIMEOUT, spec, castling)
    }

    /// The same for those who can wait so long for `uciok`.
    pub fn start_within(
        timeout: Duration,
        spec: &EngineSpec,
        castling: CastlingMode,
    ) -> Result<Self, ClientError> {
        let mut engine = Self::shake_hands(spec, timeout)?;
        engine.configure(spec, castling)?;
        engine.client.await_ready(READY_TIMEOUT)?;
        Ok(engine)
    }

    /// Starts an engine and shakes hands, but sets no option.
    pub fn start_bare(spec: &EngineSpec) -> Result<Self, ClientError> {
        Self::shake_hands(spec, HANDSHAKE_TIMEOUT)
    }

    fn shake_hands(spec: &EngineSpec, timeout: Duration) -> Result<Self, ClientError> {
        let mut client = Client::spawn(&client_config(spec))?;
        let handshake = client.handshake(timeout);
        let mut engine = Self {
            client,
            handshake: Handshake::default(),
            warnings: Vec::new(),
            started: Instant::now(),
            collector: Collector::default(),
            answer: None,
        };
        engine.handshake = handshake?;
        Ok(engine)
    }

    /// What the engine said about itself.
    pub fn handshake(&self) -> &Handshake {
        &self.handshake
    }

    /// What of the description could not be followed.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// The connection, for talk that this type does not know.
    pub fn client(&mut self) -> &mut Client {
        &mut self.client
    }

    /// The process id.
    pub fn id(&self) -> u32 {
        self.client.id()
    }

    fn configure(&mut self, spec: &EngineSpec, castling: CastlingMode) -> Result<(), ClientError> {
        let is_threads = |name: &str| name.eq_ignore_ascii_case("Threads");
        let (first, rest): (Vec<_>, Vec<_>) =
            spec.options.iter().partition(|(name, _)| is_threads(name));
        for (name, value) in first.into_iter().chain(rest) {
            self.set_option(name, value)?;
        }
        if spec.ponder && self.handshake.option("Ponder").is_some() {
            self.set_option("Ponder", "true")?;
        }
        if castling == CastlingMode::Chess960 {
            self.set_option("UCI_Chess960", "true")?;
        }
        Ok(())
    }

    /// Sets an option if the engine declares it and takes the value; warns otherwise.
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<(), ClientError> {
        let Some(option) = self.handshake.option(name) else {
            let names = self.handshake.options.iter().map(uci::OptionSpec::name);
            let hint = did_you_mean(name, names);
            let message = format!("`{}` has no option `{name}`{hint}", self.client.name());
            self.warnings.push(message);
            return Ok(());
        };
        let accepted = match option.parse_value(value) {
            Ok(accepted) => accepted,
            Err(error) => {
                self.warnings.push(format!("`{}`: {error}", self.client.name()));
                return Ok(());
            }
        };
        if let Some(warning) = accepted.warning {
            self.warnings.push(format!("`{}`: {warning}", self.client.name()));
        }
        let line = match option.kind() {
            OptionKind::Button => SetOption::press(option.name()),
            _ => SetOption::new(option.name(), accepted.value),
        };
        self.client.send(Command::SetOption(line))
    }

    /// Tells the engine that the next position is of another game and waits until it is ready.
    pub fn new_game(&mut self) -> Result<(), ClientError> {
        self.client.send(Command::UciNewGame)?;
        self.client.await_ready(READY_TIMEOUT)
    }

    /// Waits until the engine is ready.
    pub fn await_ready(&mut self) -> Result<(), ClientError> {
        self.client.await_ready(READY_TIMEOUT)
    }

    /// Searches a position.
    pub fn search(
        &mut self,
        position: &UciPosition,
        go: &Go,
        timeout: Duration,
    ) -> Result<Thought, ClientError> {
        self.begin(position, go)?;
        self.finish(timeout)
    }

    /// Begins a search; its clock runs from now on.
    pub fn begin(&mut self, position: &UciPosition, go: &Go) -> Result<(), ClientError> {
        self.collector = Collector::default();
        self.answer = None;
        self.client.send(position)?;
        self.started = Instant::now();
        self.client.send(go)
    }

    /// The move that the engine ponders on was played: the search goes on, its clock runs from now.
    pub fn ponder_hit(&mut self) -> Result<(), ClientError> {
        self.started = Instant::now();
        self.client.send(Command::PonderHit)
    }

    /// Asks the engine to end its search.
    pub fn stop(&mut self) -> Result<(), ClientError> {
        self.client.send(Command::Stop)
    }

    /// Waits for the end of the search, but not longer than `timeout` after its clock began to run.
    pub fn finish(&mut self, timeout: Duration) -> Result<Thought, ClientError> {
        let deadline = self.started + timeout;
        let collector = &mut self.collector;
        let last = match self.answer.take() {
            Some(line) => line,
            None => {
                self.client.recv_until(deadline, "bestmove", |line| collector.take(&line.text))?
            }
        };
        let elapsed = last.at.saturating_duration_since(self.started);
        Ok(std::mem::take(collector).finish(&last.text, elapsed))
    }

    /// The time since the clock of the present search began to run.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Whether the engine has said `bestmove` up to now; what it said is kept for
    /// [`Self::finish`].
    pub fn has_answered(&mut self) -> bool {
        const MOST: usize = 10_000;
        for line in self.client.drain(MOST) {
            if self.collector.take(&line.text) && self.answer.is_none() {
                self.answer = Some(line);
            }
        }
        self.answer.is_some()
    }

    /// Asks the engine to quit and waits a little, then kills what is left.
    pub fn quit(mut self) {
        if self.client.send(Command::Quit).is_ok() {
            let deadline = Instant::now() + QUIT_GRACE;
            // Ends with an error, which is what we wait for: closed pipes, or the time is over.
            let _ = self.client.recv_until(deadline, "the end", |_| false);
        }
    }
}

impl Drop for EngineProcess {
    fn drop(&mut self) {
        process::kill_group(self.client.id());
    }
}

fn client_config(spec: &EngineSpec) -> ClientConfig {
    let mut config = ClientConfig::new(spec.command.clone());
    config.label = Some(spec.name.clone());
    config.args.clone_from(&spec.args);
    config.cwd.clone_from(&spec.cwd);
    config.customize = Some(process::prepare);
    config
}
