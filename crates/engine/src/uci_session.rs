// SPDX-License-Identifier: GPL-3.0-or-later
//! A conversation with a GUI, line by line: UCI in, UCI out, an [`Engine`] between.
//!
//! Lines are read and answered in one thread, searches run in others; so `isready` and `stop` are
//! answered at once, whatever the search does. Bad input gets an `info string` and changes nothing.

use std::fmt::Display;
use std::fs::File;
use std::io::BufRead;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use chess::{Board, Color};
use search::{Limits, Mode, Position};
use uci::{Base, BestMove, Command, Go, SetOption};

use crate::console::{self, Console, ConsoleView, read_move};
use crate::engine::Engine;
use crate::event::Event;
use crate::output::Output;
use crate::uci_text::UciPrinter;

/// Whether the conversation goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reply {
    /// Read the next line.
    GoOn,
    /// It is over.
    Quit,
}

/// A conversation.
#[derive(Debug)]
pub struct UciSession {
    engine: Engine,
    output: Output,
    /// `None` after a position that was refused.
    position: Option<Position>,
    is_debug: bool,
    /// The file that `Debug Log File` names.
    log_file: String,
}

impl UciSession {
    /// A conversation whose answers go to `output`.
    pub fn new(output: Output) -> Self {
        Self {
            engine: Engine::new(),
            output,
            position: Some(Position::default()),
            is_debug: false,
            log_file: String::new(),
        }
    }

    /// Whether a line begins with a word that means something here.
    pub fn understands(line: &str) -> bool {
        let is_command = || !matches!(line.parse(), Ok(Command::Unknown(_)));
        Console::parse(line).is_some() || is_command()
    }

    /// The words that begin a line.
    pub fn words() -> impl Iterator<Item = &'static str> {
        Command::WORDS.into_iter().chain(Console::WORDS)
    }

    /// The engine, for those who set it up before the conversation.
    pub const fn engine(&mut self) -> &mut Engine {
        &mut self.engine
    }

    /// Reads lines until `quit` or the end of input.
    pub fn run(&mut self, mut input: impl BufRead) {
        let mut line = vec![];
        loop {
            line.clear();
            match input.read_until(b'\n', &mut line) {
                Ok(0) | Err(_) => break,
                Ok(_) => (),
            }
            if self.run_line(&String::from_utf8_lossy(&line)) == Reply::Quit {
                break;
            }
        }
        self.engine.stop();
        self.wait();
    }

    /// Answers one line. A search that it starts goes on behind.
    pub fn run_line(&mut self, line: &str) -> Reply {
        self.output.log_input(line);
        let reply = match Console::parse(line) {
            Some(Ok(console)) => self.run_console(console),
            Some(Err(error)) => self.refuse(error),
            None => self.run_uci(line),
        };
        self.tell_notices();
        reply
    }

    fn run_uci(&mut self, line: &str) -> Reply {
        match Command::parse(line) {
            Ok(parsed) => {
                for warning in &parsed.warnings {
                    self.output.message(warning);
                }
                self.run_command(parsed.command)
            }
            Err(error) => {
                // A position that cannot be read is not the one before.
                if line.trim_start().to_ascii_lowercase().starts_with("position fen") {
                    self.position = None;
                }
                self.refuse(error)
            }
        }
    }

    fn refuse(&self, error: impl Display) -> Reply {
        self.output.refuse(error);
        Reply::GoOn
    }

    fn run_command(&mut self, command: Command) -> Reply {
        match command {
            Command::Nothing | Command::Unknown(_) | Command::Register(_) => (),
            Command::Uci => self.introduce(),
            Command::Debug { is_on } => self.is_debug = is_on,
            Command::IsReady => self.output.line(uci::Reply::ReadyOk),
            Command::SetOption(set) => self.set_option(&set),
            Command::UciNewGame => self.engine.new_game(),
            Command::Position(position) => self.set_position(&position),
            Command::Go(go) => self.go(&go, Instant::now()),
            Command::Stop => self.engine.stop(),
            Command::PonderHit => self.engine.ponder_hit(),
            Command::Quit => {
                self.engine.stop();
                return Reply::Quit;
            }
        }
        Reply::GoOn
    }

    fn introduce(&self) {
        self.output.line(uci::Reply::IdName(crate::NAME.to_owned()));
        self.output.line(uci::Reply::IdAuthor(env!("CARGO_PKG_AUTHORS").to_owned()));
        for option in crate::options::options() {
            self.output.line(uci::Reply::Option(option.spec.clone()));
        }
        self.output.line(uci::Reply::UciOk);
    }

    fn set_option(&mut self, set: &SetOption) {
        match self.engine.set_option(&set.name, set.value.as_deref().unwrap_or_default()) {
            Ok(warning) => {
                if let Some(warning) = warning {
                    self.output.message(warning);
                }
                self.log();
            }
            Err(error) => self.output.refuse(error),
        }
    }

    /// Opens the log if another is wanted than before.
    fn log(&mut self) {
        let path = self.engine.settings().log_file.clone();
        if path == self.log_file {
            return;
        }
        if path.is_empty() {
            self.output.set_log(None);
        } else {
            match File::options().create(true).append(true).open(&path) {
                Ok(file) => self.output.set_log(Some(file)),
                Err(error) => {
                    self.output.message(format_args!("Debug Log File: `{path}`: {error}"));
                }
            }
        }
        self.log_file = path;
    }

    fn tell_notices(&mut self) {
        for notice in self.engine.take_notices() {
            self.output.message(notice);
        }
    }

    fn set_position(&mut self, wanted: &uci::UciPosition) {
        let board = match &wanted.base {
            Base::Startpos => Ok(Board::default()),
            Base::Fen(fen) => fen.parse(),
        };
        match board {
            Ok(board) => {
                let mut position = Position::new(board);
                console::play_moves(&mut position, &wanted.moves, &self.output);
                self.position = Some(position);
            }
            Err(error) => {
                self.position = None;
                self.output.refuse(format_args!("position refused: {error}"));
            }
        }
    }

    fn go(&mut self, go: &Go, start: Instant) {
        if let Some(depth) = go.perft {
            return self.view().divide(depth);
        }
        // A search that is still running is ended first, with its best move.
        self.engine.stop();
        self.wait();
        let Some(position) = self.view().position() else {
            return self.output.line(uci::Reply::BestMove(BestMove { mv: None, ponder: None }));
        };
        let limits = self.limits(go, position.board());
        let printer = UciPrinter::new(position.board(), self.engine.settings());
        let printer = Mutex::new(printer.with_debug(self.is_debug));
        self.engine.set_position(position);
        let output = self.output.clone();
        let listener = Arc::new(move |event: Event| {
            let mut printer = printer.lock().unwrap_or_else(PoisonError::into_inner);
            printer.print(&event).into_iter().for_each(|reply| output.line(reply));
        });
        self.engine.go_with(limits, start, listener);
    }

    /// The limits that a `go` command sets for the side to move.
    fn limits(&self, go: &Go, board: &Board) -> Limits {
        let mut limits = limits_of(go, board.turn());
        // The classic search ends after its iterations: a plain `go` need not be stopped.
        limits.infinite &= go.infinite || self.engine.settings().mode != Mode::Classic;
        for text in &go.searchmoves {
            match read_move(board, text) {
                Ok(mv) => limits.root_moves.push(mv),
                Err(error) => self.output.refuse(format_args!("searchmoves: {error}")),
            }
        }
        limits
    }

    /// Ends the search as soon as it notices. Without one, nothing happens.
    pub fn stop(&self) {
        self.engine.stop();
    }

    /// Waits until the search, if any, has ended, and does what has waited for it.
    pub fn wait(&mut self) {
        self.engine.wait();
        self.tell_notices();
    }

    /// Answers a command that is not part of UCI.
    pub fn run_console(&mut self, console: Console) -> Reply {
        match console {
            // The line that could end it would never be read.
            Console::Wait if self.engine.is_endless() => {
                self.output.message("wait: only `stop` or `ponderhit` ends this search");
            }
            Console::Wait => self.wait(),
            other => self.view().show(other),
        }
        Reply::GoOn
    }

    const fn view(&mut self) -> ConsoleView<'_> {
        let Self { engine, output, position, .. } = self;
        ConsoleView { engine, output, position }
    }
}

/// The limits that a `go` command sets, but the moves to search.
fn limits_of(go: &Go, turn: Color) -> Limits {
    let (time, increment) = match turn {
        Color::White => (go.wtime, go.winc),
        Color::Black => (go.btime, go.binc),
    };
    // A clock that has run out is a clock all the same.
    let millis = |value: i64| Duration::from_millis(value.max(0) as u64);
    Limits {
        depth: go.depth.map(Into::into),
        nodes: go.nodes.map(Into::into),
        soft_nodes: go.softnodes.map(Into::into),
        mate: go.mate.map(Into::into),
        move_time: go.movetime.map(Duration::from_millis),
        soft_time: go.softtime.map(Duration::from_millis),
        clock: time.map(|time| search::Clock {
            remaining: millis(time),
            increment: millis(increment.unwrap_or(0)),
            moves_to_go: go.movestogo.map(Into::into),
        }),
        infinite: go.infinite || is_unlimited(go, time),
        ponder: go.ponder,
        ..Limits::default()
    }
}

/// Whether nothing but a stop can end the search.
fn is_unlimited(go: &Go, own_time: Option<i64>) -> bool {
    own_time.is_none()
        && go.depth.is_none()
        && go.nodes.is_none()
        && go.softnodes.is_none()
        && go.mate.is_none()
        && go.movetime.is_none()
        && go.softtime.is_none()
}
