// SPDX-License-Identifier: GPL-3.0-or-later
//! `quincunx analyze`: the best lines of a position as they deepen, or every move of a file's games.

mod annotate;
mod games;
mod journal;

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use anyhow::{Result, bail};
use chess::{Board, Color, FenError, Move};
use clap::Args;
use engine::{
    Answer, Bound, Effort, Engine, Event, Info, Limits, Line, Odds, Position, Setting, ShownScore,
    Wdl, castling_mode,
};
use serde_json::{Value, json};

use super::{Classic, ModeArgs, NetworkArgs, Threads, engine_with, help_of, print_json};

/// Search a position and show the best lines as they deepen, or annotate the games of a file.
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Analyze {
    /// A position: a FEN, or `startpos`. Or games: a PGN file, perhaps compressed (.zst, .xz); `-` is
    /// standard input
    #[arg(value_name = "FEN|FILE")]
    target: Target,
    /// Games: where to write them with evaluations, marks and better lines; `-` is standard output
    /// [default: NAME.analyzed.pgn beside the file]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Stop at this depth
    #[arg(long, value_name = "N")]
    depth: Option<u32>,
    /// Stop after this many nodes; in a tree search, iterations
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Stop after this many milliseconds [default without another limit: 5000; of games 100000 nodes
    /// for each move]
    #[arg(long, value_name = "MS")]
    movetime: Option<u64>,
    #[arg(long, value_name = "N", help = help_of("MultiPV"),
          value_parser = clap::value_parser!(u16).range(1..=256))]
    multipv: Option<u16>,
    #[arg(long, default_value_t = 64, value_name = "MB", help = help_of("Hash"),
          value_parser = clap::value_parser!(u32).range(1..=1 << 25))]
    hash: u32,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    network: NetworkArgs,
    #[command(flatten)]
    mode: ModeArgs,
    #[command(flatten)]
    classic: Classic,
    /// Print one JSON object per line; of a position the last one has `bestmove`, of games there is one for
    /// each game
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
Examples:
  quincunx analyze startpos --multipv 3 --movetime 2000
  quincunx analyze games.pgn                writes games.analyzed.pgn; if it is killed, the same
                                            command goes on
  quincunx analyze games.pgn --nodes 1000000 --threads 4 --out deep.pgn";

const DEFAULT_TIME: Duration = Duration::from_secs(5);

/// What is to be analyzed.
#[derive(Clone, Debug)]
enum Target {
    Position(Box<Board>),
    Games(PathBuf),
}

impl FromStr for Target {
    type Err = TargetError;

    fn from_str(text: &str) -> Result<Self, TargetError> {
        let path = Path::new(text);
        if text == "-" || path.is_file() {
            return Ok(Self::Games(path.to_owned()));
        }
        let is_name = [".pgn", ".zst", ".xz"].iter().any(|end| text.ends_with(end));
        match text {
            "startpos" => Ok(Self::Position(Box::default())),
            text if is_name => Err(TargetError::NoFile(text.to_owned())),
            text => Ok(Self::Position(Box::new(text.parse()?))),
        }
    }
}

/// What cannot be analyzed.
#[derive(Debug, thiserror::Error)]
enum TargetError {
    #[error("there is no file `{0}`")]
    NoFile(String),
    #[error("this is no file that is there, and no position: {0}")]
    Fen(#[from] FenError),
}

impl Analyze {
    pub(crate) fn run(&self) -> Result<()> {
        match &self.target {
            Target::Games(path) => self.annotate(path),
            Target::Position(_) if self.out.is_some() => {
                bail!("--out is for the games of a file: of a position nothing is written")
            }
            Target::Position(board) => self.search(**board),
        }
    }

    fn search(&self, board: Board) -> Result<()> {
        let limits = Limits {
            depth: self.depth,
            nodes: self.nodes,
            move_time: self.move_time(),
            multi_pv: self.multipv.unwrap_or(1).into(),
            ..Limits::default()
        };
        let mut engine = self.engine(self.threads.count())?;
        engine.set_position(Position::new(board));
        for event in engine.go(limits) {
            match event {
                // Bounds would look like scores.
                Event::Info(Info::Line(line, effort)) if line.bound == Bound::Exact => {
                    self.show(&board, &line, &effort)?;
                }
                Event::Info(_) => (),
                Event::Failed(reason) => eprintln!("error: the search failed: {reason}"),
                Event::Ended(answer) => self.finish(&board, &answer)?,
            }
        }
        Ok(())
    }

    fn engine(&self, threads: usize) -> Result<Engine> {
        let settings = [
            Setting::Threads(threads as i64),
            Setting::Hash(self.hash.into()),
            self.network.setting(),
        ];
        let classic = self.classic.settings(self.mode.get())?;
        engine_with(settings.into_iter().chain(self.mode.settings()).chain(classic))
    }

    fn move_time(&self) -> Option<Duration> {
        // The classic search ends by itself.
        let is_limited = self.depth.is_some()
            || self.nodes.is_some()
            || self.mode.get() == search::Mode::Classic;
        let default = (!is_limited).then_some(DEFAULT_TIME);
        self.movetime.map(Duration::from_millis).or(default)
    }

    fn finish(&self, board: &Board, answer: &Answer) -> Result<()> {
        let mode = castling_mode(board, false);
        let best = answer.best_move();
        if self.json {
            let bestmove = best.map(|mv| mv.uci(mode).to_string());
            let mut last = match &answer.best {
                Some(line) => describe(board, line, &answer.effort),
                None => json!({}),
            };
            last["bestmove"] = json!(bestmove);
            return print_json(&last);
        }
        match best {
            Some(mv) => println!("\nbest move: {}", board.san(mv)),
            None if board.in_check() => println!("checkmate: {} has lost", board.turn()),
            None => println!("stalemate: the game is drawn"),
        }
        Ok(())
    }

    fn show(&self, board: &Board, line: &Line, effort: &Effort) -> Result<()> {
        if self.json {
            return print_json(&describe(board, line, effort));
        }
        println!(
            "{:>3}/{:<3} {:>9} {:>11} nodes {:>7.2} s  {}",
            line.depth,
            line.selective_depth,
            score_text(line, Odds::on(board)),
            effort.nodes,
            effort.time.as_secs_f64(),
            moves_text(board, &line.moves),
        );
        Ok(())
    }
}

/// The score in pawns or moves to mate, from the side to move's view.
pub(super) fn score_text(line: &Line, odds: Odds) -> String {
    match odds.shown(line.score) {
        ShownScore::Mate(moves) => format!("mate {moves}"),
        ShownScore::Centipawns(centipawns) => format!("{centipawns:+}"),
    }
}

/// The line's moves with numbers, as in a book.
pub(super) fn moves_text(start: &Board, moves: &[Move]) -> String {
    let mut board = *start;
    let mut text = String::new();
    for (i, &mv) in moves.iter().enumerate() {
        let number = board.fullmove_number();
        match board.turn() {
            Color::White => drop(write!(text, "{number}. ")),
            Color::Black if i == 0 => drop(write!(text, "{number}… ")),
            Color::Black => (),
        }
        let _ = write!(text, "{} ", board.san(mv));
        board.play(mv);
    }
    text.trim_end().to_owned()
}

fn describe(board: &Board, line: &Line, effort: &Effort) -> Value {
    let (mode, odds) = (castling_mode(board, false), Odds::on(board));
    let score = match odds.shown(line.score) {
        ShownScore::Mate(moves) => json!({"mate": moves}),
        ShownScore::Centipawns(centipawns) => json!({"cp": centipawns.0}),
    };
    let Wdl { win, draw, loss } = odds.wdl(line.score);
    let pv: Vec<String> = line.moves.iter().map(|mv| mv.uci(mode).to_string()).collect();
    let seconds = effort.time.as_secs_f64();
    json!({
        "depth": line.depth,
        "seldepth": line.selective_depth,
        "multipv": line.rank,
        "score": score,
        "wdl": [win, draw, loss],
        "nodes": effort.nodes,
        "nps": (effort.nodes as f64 / seconds.max(1e-6)) as u64,
        "time": effort.time.as_millis() as u64,
        "pv": pv,
    })
}
