// SPDX-License-Identifier: GPL-3.0-or-later
//! `quincunx eval`: the static evaluation of a position.

use std::collections::BTreeMap;

use anyhow::Result;
use chess::Color;
use clap::Args;
use engine::{Output, Session};
use search::{Evaluator, Wdl};
use serde_json::json;

use super::{FenArg, Network, print_json};

/// Show the static evaluation, with what each piece adds to it.
#[derive(Args, Debug)]
pub(crate) struct Eval {
    /// The position: a FEN, or `startpos`
    fen: FenArg,
    #[command(flatten)]
    network: Network,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

impl Eval {
    pub(crate) fn run(&self) -> Result<()> {
        let board = &self.fen.0;
        if !self.json {
            let mut session = Session::new(Output::to_stdout());
            session.run_line(&format!("position fen {}", board.fen()));
            session.run_line("eval");
            return Ok(());
        }
        let mut evaluator = Evaluator::default();
        evaluator.reset(board);
        let score = evaluator.evaluate(board);
        let white = if board.turn() == Color::White { score.value() } else { -score.value() };
        let Wdl { win, draw, loss } = Wdl::of(score);
        let pawns = |points: i32| f64::from(points) / 100.0;
        let contributions: BTreeMap<String, f64> = Evaluator::contributions(board)
            .into_iter()
            .map(|part| (part.square.to_string(), pawns(part.white)))
            .collect();
        print_json(&json!({
            "network": self.network.network,
            "architecture": "material",
            "white": pawns(white),
            "stm": score.value(),
            "wdl": [win, draw, loss],
            "contributions": contributions,
            "hidden": {},
        }))
    }
}
