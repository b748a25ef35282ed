// SPDX-License-Identifier: GPL-3.0-or-later
//! `quincunx tb`: asks Syzygy endgame tables.

use std::fmt::Write as _;

use anyhow::{Context, Result, bail};
use chess::{Board, CastlingMode, Color, Role};
use clap::{Args, Subcommand};
use serde::Serialize;
use tablebase::{FiftyMoves, RootMove, Tables};

use super::match_::usage_error;
use super::{FenArg, print_json};
use crate::output;

/// Names the folders if the command line does not.
pub(super) const VARIABLE: &str = "SYZYGY_PATH";

/// Ask Syzygy endgame tables.
#[derive(Args, Debug)]
pub(crate) struct Tb {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand, Debug)]
enum Action {
    Probe(Probe),
}

impl Tb {
    pub(crate) fn run(&self) -> Result<()> {
        match &self.action {
            Action::Probe(probe) => probe.run(),
        }
    }
}

/// Show who wins, how soon, and what each move leads to.
#[derive(Args, Debug)]
struct Probe {
    /// The position: a FEN
    fen: FenArg,
    /// Folders of tables, separated by `:` (`;` on Windows) [default: the variable `SYZYGY_PATH`]
    #[arg(long, value_name = "PATH")]
    path: Option<String>,
    /// Count wins that the fifty-move rule spoils as wins
    #[arg(long = "ignore-50")]
    ignore_fifty: bool,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Answer {
    fen: String,
    material: String,
    /// -2 for a loss to 2 for a win, as if the clock stood at 0; none if no table knows.
    wdl: Option<i32>,
    /// In words, the clock counted.
    result: Option<&'static str>,
    dtz: Option<i32>,
    /// Whether the distance is not rounded.
    exact: Option<bool>,
    moves: Vec<AnswerMove>,
}

#[derive(Serialize)]
struct AnswerMove {
    #[serde(rename = "move")]
    uci: String,
    san: String,
    /// For the side that moves, the clock counted.
    wdl: Option<i32>,
    result: Option<&'static str>,
    /// From before the move.
    dtz: Option<i32>,
    mate: bool,
}

impl Probe {
    fn run(&self) -> Result<()> {
        let board = &self.fen.0;
        let tables = self.tables()?;
        let answer = self.ask(&tables, board);
        if let Some(damage) = tables.damage() {
            bail!("{damage}");
        }
        if self.json {
            print_json(&answer)?;
        } else if answer.is_known() {
            output::print(&answer.text(board))?;
        }
        if !answer.is_known() {
            let (found, largest) = (board.occupied().len(), tables.largest());
            bail!("no table knows {}: {found} men, and the largest has {largest}", answer.material);
        }
        Ok(())
    }

    fn tables(&self) -> Result<Tables> {
        let path = self.path.clone().or_else(|| std::env::var(VARIABLE).ok());
        let Some(path) = path else {
            usage_error(&format!("no tables given: expected --path or the variable {VARIABLE}"))
        };
        Tables::open(&path).context("opening the tables")
    }

    fn ask(&self, tables: &Tables, board: &Board) -> Answer {
        let rule = if self.ignore_fifty { FiftyMoves::Ignored } else { FiftyMoves::Counted };
        let legal = board.legal_moves();
        let mut moves: Vec<(chess::Move, Option<RootMove>)> =
            legal.iter().map(|&mv| (mv, tables.root_move(board, mv, rule))).collect();
        if let Some(ranked) = tables.root_moves(board, rule) {
            moves = ranked.into_iter().map(|one| (one.mv, Some(one))).collect();
        }
        let result = match rule {
            FiftyMoves::Counted => tables.result(board),
            FiftyMoves::Ignored => tables.wdl(board),
        };
        let dtz = tables.dtz(board);
        Answer {
            fen: board.fen().to_string(),
            material: material(board),
            wdl: tables.wdl(board).map(|wdl| wdl.under(rule).value()),
            result: result.map(|wdl| wdl.under(rule).name()),
            dtz: dtz.map(|dtz| dtz.plies),
            exact: dtz.map(|dtz| dtz.is_exact),
            moves: moves.into_iter().map(|(mv, known)| AnswerMove::new(board, mv, known)).collect(),
        }
    }
}

impl Answer {
    fn is_known(&self) -> bool {
        self.wdl.is_some() || self.moves.iter().any(|one| one.wdl.is_some())
    }

    fn text(&self, board: &Board) -> String {
        let result = self.result.unwrap_or("not known for certain");
        let mut text = format!("{}, {} to move: {result}", self.material, board.turn());
        if let Some(dtz) = self.dtz.filter(|&dtz| dtz != 0) {
            let rounded = if self.exact == Some(false) { " or one more" } else { "" };
            let plies = dtz.abs();
            let _ = write!(text, "; {plies} plies{rounded} to the next capture, pawn move or mate");
        }
        text.push('\n');
        for AnswerMove { uci, san, result, dtz, .. } in &self.moves {
            let result = result.unwrap_or("not known");
            let dtz = dtz.map_or_else(String::new, |dtz| dtz.to_string());
            let _ = writeln!(text, "{san:<8} {uci:<6} {result:<12} {dtz:>5}");
        }
        text
    }
}

impl AnswerMove {
    fn new(board: &Board, mv: chess::Move, known: Option<RootMove>) -> Self {
        let is_chess960 = board.is_chess960();
        let mode = if is_chess960 { CastlingMode::Chess960 } else { CastlingMode::Standard };
        Self {
            uci: mv.uci(mode).to_string(),
            san: board.san(mv).to_string(),
            wdl: known.map(|known| known.wdl.value()),
            result: known.map(|known| known.wdl.name()),
            dtz: known.and_then(|known| known.dtz).map(|dtz| dtz.plies),
            mate: known.is_some_and(|known| known.is_mate),
        }
    }
}

/// The men as names of tables write them, White's first: `KRvK`.
fn material(board: &Board) -> String {
    let side = |color: Color| -> String {
        let men = |role: &Role| {
            let letter = role.letter().to_ascii_uppercase().to_string();
            letter.repeat(board.by_piece(color, *role).len())
        };
        Role::ALL.iter().rev().map(men).collect()
    };
    format!("{}v{}", side(Color::White), side(Color::Black))
}
