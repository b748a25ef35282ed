// SPDX-License-Identifier: GPL-3.0-or-later
//! `quincunx eval`: the static evaluation of a position.

use std::collections::BTreeMap;

use anyhow::Result;
use clap::Args;
use engine::{Evaluation, Points};
use search::Wdl;
use serde_json::json;

use super::{FenArg, NetworkArgs, print_json};

/// Show the static evaluation, with what each piece adds to it.
#[derive(Args, Debug)]
pub(crate) struct Eval {
    /// The position: a FEN, or `startpos`
    fen: FenArg,
    #[command(flatten)]
    network: NetworkArgs,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

impl Eval {
    pub(crate) fn run(&self) -> Result<()> {
        let evaluation = Evaluation::new(&self.fen.0, &self.network.load());
        if !self.json {
            println!("{evaluation}");
            return Ok(());
        }
        let Wdl { win, draw, loss } = evaluation.wdl;
        let parts = evaluation.contributions.iter();
        let contributions: BTreeMap<String, f64> = parts
            .map(|part| (part.square.to_string(), evaluation.pawns(Points(part.white))))
            .collect();
        let layers = evaluation.hidden.iter();
        let hidden: BTreeMap<&str, &[f32]> =
            layers.map(|layer| (layer.name, layer.values.as_slice())).collect();
        print_json(&json!({
            "network": self.network.name(),
            "architecture": evaluation.architecture,
            "white": evaluation.white_pawns(),
            "stm": evaluation.output.0,
            "wdl": [win, draw, loss],
            "contributions": contributions,
            "hidden": hidden,
        }))
    }
}
