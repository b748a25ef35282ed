// SPDX-License-Identifier: GPL-3.0-or-later
//! A conversation with a GUI, line by line.
//!
//! Lines are read and answered in one thread, searches run in others; so `isready` and `stop` are
//! answered at once, whatever the search does. While it runs, the searcher is out of reach: what
//! would change it waits until it is back. Bad input gets an `info string` and changes nothing.

use std::fs::File;
use std::io::BufRead;
use std::sync::Arc;
use std::time::Instant;

use chess::{Board, MoveError, Piece, Setup, Square};
use net::Kernels;
use search::{Mode, Network, Odds, Position, Ranking, Searcher, Stats};
use tablebase::Tables;
use uci::{Base, Command, Console, Go, OptionSpec, SetOption};

use crate::networks::{self, NetworkError};
use crate::options::{Effect, Options, Settings};
use crate::output::Output;
use crate::running::{Job, Running, Style, limits_of};
use crate::strength::Strength;
use crate::translate::castling_mode;

/// The engine's name and version.
pub const NAME: &str = concat!("Quincunx ", env!("CARGO_PKG_VERSION"));
pub(crate) const ABOUT: &str = concat!(
    "Quincunx ",
    env!("CARGO_PKG_VERSION"),
    ", a neural chess system; free software under GPL-3.0-or-later"
);

/// Whether the conversation goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reply {
    /// Read the next line.
    GoOn,
    /// It is over.
    Quit,
}

/// Where the searcher is.
enum Slot {
    Idle(Box<Searcher>),
    Busy(Running),
    /// Only for an instant, while it is moved.
    Moving,
}

/// What was asked for while the searcher was out of reach.
enum Deferred {
    Effect(String, Effect),
    NewGame,
}

/// A conversation.
pub struct Session {
    pub(crate) output: Output,
    pub(crate) settings: Settings,
    options: Options,
    /// `None` after a position that was refused.
    position: Option<Position>,
    /// What evaluates, in the searcher too.
    pub(crate) network: Network,
    /// What ranks moves in the tree search, in the searcher too.
    pub(crate) ranking: Ranking,
    slot: Slot,
    deferred: Vec<Deferred>,
    is_debug: bool,
    pub(crate) last_stats: Stats,
}

impl Session {
    /// A conversation whose answers go to `output`.
    pub fn new(output: Output) -> Self {
        let kernels = Kernels::detect();
        let (network, ranking) = (networks::default_network(kernels), networks::ranking(kernels));
        let settings = Settings::default();
        let searcher = new_searcher(&settings, &network, &ranking);
        Self {
            output,
            settings,
            options: Options::new(),
            position: Some(Position::default()),
            slot: Slot::Idle(Box::new(searcher)),
            network,
            ranking,
            deferred: vec![],
            is_debug: false,
            last_stats: Stats::default(),
        }
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
        self.stop();
        self.wait();
    }

    /// Answers one line. A search that it starts goes on behind.
    pub fn run_line(&mut self, line: &str) -> Reply {
        self.output.log_input(line);
        match Command::parse(line) {
            Ok(parsed) => {
                for warning in &parsed.warnings {
                    self.output.message(warning);
                }
                self.run_command(parsed.command)
            }
            Err(error) => {
                self.output.message(&error);
                // A position that cannot be read is not the one before.
                if line.trim_start().to_ascii_lowercase().starts_with("position fen") {
                    self.position = None;
                }
                Reply::GoOn
            }
        }
    }

    fn run_command(&mut self, command: Command) -> Reply {
        match command {
            Command::Nothing | Command::Unknown(_) | Command::Register(_) => (),
            Command::Uci => self.introduce(),
            Command::Debug { is_on } => self.is_debug = is_on,
            Command::IsReady => self.output.line(uci::Reply::ReadyOk),
            Command::SetOption(set) => self.set_option(&set),
            Command::UciNewGame => self.defer(Deferred::NewGame),
            Command::Position(position) => self.set_position(&position),
            Command::Go(go) => self.go(&go, Instant::now()),
            Command::Stop => self.stop(),
            Command::PonderHit => self.ponder_hit(),
            Command::Quit => {
                self.stop();
                return Reply::Quit;
            }
            Command::Console(console) => self.run_console(console),
        }
        Reply::GoOn
    }

    fn introduce(&self) {
        self.output.line(uci::Reply::IdName(NAME.to_owned()));
        self.output.line(uci::Reply::IdAuthor(env!("CARGO_PKG_AUTHORS").to_owned()));
        for spec in self.options.specs() {
            self.output.line(uci::Reply::Option(OptionSpec::clone(spec)));
        }
        self.output.line(uci::Reply::UciOk);
    }

    fn set_option(&mut self, set: &SetOption) {
        let Some((spec, apply)) = self.options.find(&set.name) else {
            self.output.message(format_args!("no option `{}`: `uci` lists them", set.name));
            return;
        };
        match spec.parse_value(set.value.as_deref().unwrap_or_default()) {
            Ok(accepted) => {
                if let Some(warning) = accepted.warning {
                    self.output.message(warning);
                }
                let effect = apply(&mut self.settings, &accepted.value);
                let name = spec.name().to_owned();
                self.reap();
                if effect.changes_network() && matches!(self.slot, Slot::Busy(_)) {
                    let text = "refused while a search is under way: `stop` it first";
                    return self.output.message(format_args!("{name}: {text}"));
                }
                self.defer(Deferred::Effect(name, effect));
            }
            Err(error) => self.output.message(error),
        }
    }

    /// Does something now, or as soon as the search has ended.
    fn defer(&mut self, what: Deferred) {
        self.deferred.push(what);
        self.reap();
    }

    /// Takes the searcher back if the search has ended, and does what has waited for it.
    fn reap(&mut self) {
        if matches!(&self.slot, Slot::Busy(running) if running.is_answered()) {
            self.wait();
        }
        while matches!(self.slot, Slot::Idle(_)) && !self.deferred.is_empty() {
            match self.deferred.remove(0) {
                Deferred::NewGame => self.with_searcher(|searcher, _| searcher.clear()),
                Deferred::Effect(name, effect) => self.take_effect(&name, effect),
            }
        }
    }

    fn take_effect(&mut self, name: &str, effect: Effect) {
        match effect {
            Effect::None => (),
            Effect::Threads(threads) => {
                self.with_searcher(|searcher, _| searcher.set_threads(threads));
            }
            Effect::ClearHash => self.with_searcher(|searcher, _| searcher.clear()),
            Effect::Hash(mebibytes) => self.with_searcher(|searcher, output| {
                if !searcher.set_table_size(mebibytes) {
                    let kept = searcher.table_stats().mebibytes;
                    output.message(format_args!(
                        "{name}: no memory for {mebibytes} MiB, the table stays at {kept} MiB"
                    ));
                }
            }),
            Effect::Network(wanted) => {
                self.use_network(name, networks::load(&wanted, self.kernels()));
            }
            Effect::EvalFile(path) if path.is_empty() => {
                self.use_network(name, Ok(networks::default_network(self.kernels())));
            }
            Effect::EvalFile(path) => {
                self.use_network(name, networks::load_file(&path, self.kernels()));
            }
            Effect::Kernels(wanted) => self.use_kernels(name, &wanted),
            Effect::PolicyFile(path) => self.use_policy(name, &path),
            Effect::Mode(mode) => self.use_mode(name, mode),
            Effect::Tree => {
                let options = self.settings.tree.clone();
                self.with_searcher(|searcher, _| searcher.set_tree_options(options));
            }
            Effect::SyzygyPath(paths) => self.open_tables(name, &paths),
            Effect::Tablebases => {
                let tablebases = self.settings.tablebases.clone();
                self.with_searcher(|searcher, _| searcher.set_tablebases(tablebases));
            }
            Effect::Log(path) => self.log_to(&path),
            Effect::Param(param, value) => self.with_searcher(|searcher, _| {
                let mut params = searcher.params().clone();
                let is_known = params.set(param, value);
                debug_assert!(is_known, "the option is declared from the number `{param}`");
                searcher.set_params(params);
            }),
        }
    }

    /// Evaluates by another network, unless it could not be loaded.
    fn use_network(&mut self, option: &str, loaded: Result<Network, NetworkError>) {
        match loaded {
            Ok(network) => {
                self.network = network.clone();
                self.with_searcher(|searcher, _| searcher.set_network(network));
            }
            Err(error) => {
                let kept = self.network.architecture();
                self.output.message(format_args!("{option}: {error}; `{kept}` stays in use"));
            }
        }
    }

    /// Lets another search think, unless there is no memory for its tree.
    fn use_mode(&mut self, option: &str, mode: Mode) {
        let mut kept = mode;
        self.with_searcher(|searcher, output| {
            if !searcher.set_mode(mode) {
                kept = searcher.mode();
                output.message(format_args!("{option}: no memory for the tree of `{mode}`"));
            }
        });
        self.settings.mode = kept;
    }

    /// Ranks moves by another policy, unless it could not be loaded.
    fn use_policy(&mut self, option: &str, path: &str) {
        let loaded = if path.is_empty() {
            Ok(networks::ranking(self.kernels()))
        } else {
            networks::load_policy(path, self.kernels())
        };
        match loaded {
            Ok(ranking) => self.rank_by(ranking),
            Err(error) => {
                let kept = self.ranking.name();
                self.output.message(format_args!("{option}: {error}; `{kept}` stays in use"));
            }
        }
    }

    fn rank_by(&mut self, ranking: Ranking) {
        self.ranking = ranking.clone();
        self.with_searcher(|searcher, _| searcher.set_ranking(ranking));
    }

    fn use_kernels(&mut self, option: &str, wanted: &str) {
        match Kernels::by_name(wanted) {
            Ok(kernels) => {
                self.settings.kernels = kernels;
                if let Network::Net(net, _) = self.network.clone() {
                    self.use_network(option, Ok(Network::Net(net, kernels)));
                }
                if let Ranking::Net(policy, _) = self.ranking.clone() {
                    self.rank_by(Ranking::Net(policy, kernels));
                }
            }
            Err(error) => self.output.message(format_args!("{option}: {error}")),
        }
    }

    /// Opens endgame tables; if that fails, those before stay.
    fn open_tables(&mut self, option: &str, paths: &str) {
        if paths.is_empty() {
            self.settings.tablebases.tables = None;
        } else {
            match Tables::open(paths) {
                Ok(tables) => {
                    let (files, men) = (tables.files(), tables.largest());
                    self.output.message(format_args!("{files} tables of up to {men} men"));
                    self.settings.tablebases.tables = Some(Arc::new(tables));
                }
                Err(error) => return self.output.message(format_args!("{option}: {error}")),
            }
        }
        self.take_effect(option, Effect::Tablebases);
    }

    const fn kernels(&self) -> Kernels {
        self.settings.kernels
    }

    fn log_to(&self, path: &str) {
        if path.is_empty() {
            return self.output.set_log(None);
        }
        match File::options().create(true).append(true).open(path) {
            Ok(file) => self.output.set_log(Some(file)),
            Err(error) => self.output.message(format_args!("Debug Log File: `{path}`: {error}")),
        }
    }

    fn with_searcher(&mut self, act: impl FnOnce(&mut Searcher, &Output)) {
        if let Slot::Idle(searcher) = &mut self.slot {
            act(searcher, &self.output);
        }
    }

    /// The searcher, unless a search has it.
    pub(crate) fn searcher(&mut self) -> Option<&mut Searcher> {
        self.reap();
        match &mut self.slot {
            Slot::Idle(searcher) => Some(searcher),
            _ => None,
        }
    }

    fn set_position(&mut self, wanted: &uci::Position) {
        let board = match &wanted.base {
            Base::Startpos => Ok(Board::default()),
            Base::Fen(fen) => fen.parse(),
        };
        match board {
            Ok(board) => {
                self.position = Some(Position::new(board));
                self.play_moves(&wanted.moves);
            }
            Err(error) => {
                self.position = None;
                self.output.message(format_args!("position refused: {error}"));
            }
        }
    }

    /// Plays moves on the current position, as far as they are legal.
    pub(crate) fn play_moves(&mut self, moves: &[String]) {
        let Some(position) = &mut self.position else { return };
        for text in moves {
            match read_move(position.board(), text) {
                Ok(mv) => position.play(mv),
                Err(error) => {
                    self.output.message(format_args!("moves: {error}; the moves end before it"));
                    return;
                }
            }
        }
    }

    /// The current position, or a message that there is none.
    pub(crate) fn position(&self) -> Option<&Position> {
        if self.position.is_none() {
            self.output.message("there is no position: the last one was refused");
        }
        self.position.as_ref()
    }

    /// Turns the board: colors, castling rights and the side to move change hands.
    pub(crate) fn flip(&mut self) {
        let Some(position) = self.position() else { return };
        let board = position.board();
        let mut setup = Setup { turn: !board.turn(), ..Setup::EMPTY };
        for square in board.occupied() {
            let flipped = |piece: Piece| Piece::new(!piece.color(), piece.role());
            setup.pieces[square.flip_rank().index()] = board.piece_on(square).map(flipped);
        }
        for (color, wing, rook) in board.castling().iter() {
            setup.castling.grant(!color, wing, rook.file());
        }
        setup.en_passant = board.en_passant().map(Square::flip_rank);
        setup.halfmoves = board.halfmove_clock() as u16;
        setup.fullmoves = board.fullmove_number();
        match setup.board() {
            Ok(board) => self.position = Some(Position::new(board)),
            Err(error) => self.output.message(error),
        }
    }

    fn go(&mut self, go: &Go, start: Instant) {
        if let Some(depth) = go.perft {
            return self.divide(depth);
        }
        // A search that is still running is ended first, with its best move.
        if matches!(self.slot, Slot::Busy(_)) {
            self.stop();
            self.wait();
        }
        self.reap();
        let Some(position) = self.position().cloned() else {
            self.output.line(uci::Reply::BestMove(uci::BestMove { mv: None, ponder: None }));
            return;
        };
        let board = *position.board();
        let mut limits = limits_of(go, board.turn());
        limits.overhead = self.settings.overhead;
        limits.multi_pv = self.settings.multi_pv;
        limits.contempt = Odds::on(&board).points(self.settings.contempt);
        for text in &go.searchmoves {
            match read_move(&board, text) {
                Ok(mv) => limits.root_moves.push(mv),
                Err(error) => self.output.message(format_args!("searchmoves: {error}")),
            }
        }
        let strength = self.settings.strength();
        if let Some(strength) = strength {
            limits.nodes = Some(limits.nodes.map_or(strength.nodes, |n| n.min(strength.nodes)));
            limits.multi_pv = limits.multi_pv.max(Strength::LINES);
        }
        let style = Style {
            strength,
            odds: Odds::on(&board),
            mode: castling_mode(&board, self.settings.is_chess960),
            shows_wdl: self.settings.shows_wdl,
            is_minimal: self.settings.is_minimal || strength.is_some(),
            is_debug: self.is_debug,
        };
        let job = Job { position, limits, start, style };
        if let Slot::Idle(searcher) = std::mem::replace(&mut self.slot, Slot::Moving) {
            self.slot = Slot::Busy(Running::start(*searcher, job, self.output.clone()));
        }
    }

    /// Ends the search as soon as it notices. Without one, nothing happens.
    pub fn stop(&mut self) {
        if let Slot::Busy(running) = &self.slot {
            running.stop();
        }
    }

    fn ponder_hit(&mut self) {
        if let Slot::Busy(running) = &self.slot {
            running.ponder_hit();
        }
    }

    /// Waits until the search, if any, has ended, and does what has waited for it.
    pub fn wait(&mut self) {
        if matches!(self.slot, Slot::Busy(_))
            && let Slot::Busy(running) = std::mem::replace(&mut self.slot, Slot::Moving)
        {
            let searcher = if let Some((searcher, answer)) = running.join() {
                self.last_stats = answer.stats;
                searcher
            } else {
                self.output.message("the search failed; its table starts anew");
                new_searcher(&self.settings, &self.network, &self.ranking)
            };
            self.slot = Slot::Idle(Box::new(searcher));
            self.reap();
        }
    }

    fn run_console(&mut self, console: Console) {
        match console {
            // The line that could end it would never be read.
            Console::Wait if matches!(&self.slot, Slot::Busy(running) if running.is_endless()) => {
                self.output.message("wait: only `stop` or `ponderhit` ends this search");
            }
            Console::Wait => self.wait(),
            other => crate::views::show(self, other),
        }
    }
}

fn new_searcher(settings: &Settings, network: &Network, ranking: &Ranking) -> Searcher {
    let mut searcher = Searcher::new(settings.threads, 16);
    searcher.set_network(network.clone());
    searcher.set_ranking(ranking.clone());
    searcher.set_tree_options(settings.tree.clone());
    searcher.set_mode(settings.mode);
    searcher
}

/// A move in UCI notation, or in the one that people write.
pub(crate) fn read_move(board: &Board, text: &str) -> Result<chess::Move, MoveError> {
    let lower = text.to_ascii_lowercase();
    board.parse_uci(&lower).or_else(|error| board.parse_san(text).map_err(|_| error))
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session").field("position", &self.position).finish_non_exhaustive()
    }
}
