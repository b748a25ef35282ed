// SPDX-License-Identifier: GPL-3.0-or-later
//! `quincunx analyze`: the best lines of a position as they deepen.

use std::fmt::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Result;
use chess::{Board, Color};
use clap::Args;
use engine::{castling_mode, centipawns};
use search::{
    Answer, Bound, Effort, Info, Limits, Line, Odds, Position, Report, Searcher, TreeOptions, Wdl,
};
use serde_json::{Value, json};

use super::{Classic, FenArg, Mode, Network, Threads, print_json};

/// Search a position and show the best lines as they deepen.
#[derive(Args, Debug)]
pub(crate) struct Analyze {
    /// The position: a FEN, or `startpos`
    fen: FenArg,
    /// Stop at this depth
    #[arg(long, value_name = "N")]
    depth: Option<u32>,
    /// Stop after this many nodes; in a tree search, iterations
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Stop after this many milliseconds [default: 5000 without another limit]
    #[arg(long, value_name = "MS")]
    movetime: Option<u64>,
    /// How many best lines to show
    #[arg(long, default_value_t = 1, value_name = "N",
          value_parser = clap::value_parser!(u16).range(1..=256))]
    multipv: u16,
    /// Size of the table in MiB
    #[arg(long, default_value_t = 64, value_name = "MB",
          value_parser = clap::value_parser!(u32).range(1..=1 << 25))]
    hash: u32,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    network: Network,
    #[command(flatten)]
    mode: Mode,
    #[command(flatten)]
    classic: Classic,
    /// Print one JSON object per line; the last one has `bestmove`
    #[arg(long)]
    json: bool,
}

const DEFAULT_TIME: Duration = Duration::from_secs(5);

impl Analyze {
    pub(crate) fn run(&self) -> Result<()> {
        let board = self.fen.0;
        let limits = Limits {
            depth: self.depth,
            nodes: self.nodes,
            move_time: self.move_time(),
            multi_pv: self.multipv.into(),
            ..Limits::default()
        };
        let mut searcher = Searcher::new(self.threads.count(), self.hash as usize);
        searcher.set_network(self.network.load()?);
        let classic = self.classic.options(self.mode.get())?;
        searcher.set_tree_options(TreeOptions { classic, ..TreeOptions::default() });
        self.mode.apply(&mut searcher)?;
        let is_json = self.json;
        let report: Report = Arc::new(move |info| {
            // Bounds would look like scores.
            if let Info::Line(line, effort) = info
                && line.bound == Bound::Exact
            {
                show(&board, &line, &effort, is_json);
            }
        });
        let position = Position::new(board);
        let answer = searcher.search(&position, &limits, Instant::now(), &Arc::default(), &report);
        self.finish(&board, &answer)
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
}

fn show(board: &Board, line: &Line, effort: &Effort, is_json: bool) {
    if is_json {
        // A broken pipe ends the program at its next write anyway.
        let _ = print_json(&describe(board, line, effort));
        return;
    }
    println!(
        "{:>3}/{:<3} {:>9} {:>11} nodes {:>7.2} s  {}",
        line.depth,
        line.selective_depth,
        score_text(line, Odds::on(board)),
        effort.nodes,
        effort.time.as_secs_f64(),
        moves_text(board, line),
    );
}

/// The score in pawns or moves to mate, from the side to move's view.
pub(super) fn score_text(line: &Line, odds: Odds) -> String {
    match line.score.mate_moves() {
        Some(moves) => format!("mate {moves}"),
        None => format!("{:+.2}", f64::from(centipawns(line.score, odds)) / 100.0),
    }
}

/// The line's moves with numbers, as in a book.
pub(super) fn moves_text(start: &Board, line: &Line) -> String {
    let mut board = *start;
    let mut text = String::new();
    for (i, &mv) in line.moves.iter().enumerate() {
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
    let score = match line.score.mate_moves() {
        Some(moves) => json!({"mate": moves}),
        None => json!({"cp": centipawns(line.score, odds)}),
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
