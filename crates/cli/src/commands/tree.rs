// SPDX-License-Identifier: GPL-3.0-or-later
//! `quincunx tree`: the tree that Monte-Carlo tree search grows from a position.

mod picture;
mod sprig;

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use engine::{Limits, Mode, Position, Setting};
use search::Leaf;
use serde_json::{Value, json};

use super::{FenArg, Network, Policy, Threads, engine_with, help_of, print_json};
use crate::output;
use sprig::Sprig;

/// Grow a search tree from a position, and show or draw it.
#[derive(Args, Debug)]
pub(crate) struct Tree {
    /// The position: a FEN, or `startpos`
    fen: FenArg,
    /// Iterations
    #[arg(long, default_value_t = 10_000, value_name = "N",
          value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    nodes: u64,
    /// Plies to show
    #[arg(long, default_value_t = 3, value_name = "D",
          value_parser = clap::value_parser!(u8).range(1..=20))]
    depth: u8,
    /// Leave out moves with a smaller share of all iterations, in percent
    #[arg(long, default_value_t = 1.0, value_name = "PERCENT")]
    least: f32,
    #[arg(long, default_value = Leaf::default().name(), value_name = "LEAF", help = help_of("MctsLeaf"),
          value_parser = Leaf::ALL.map(Leaf::name))]
    leaf: String,
    #[arg(long, default_value_t = 256, value_name = "MB", help = help_of("Hash"),
          value_parser = clap::value_parser!(u32).range(1..=1 << 25))]
    hash: u32,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    network: Network,
    #[command(flatten)]
    policy: Policy,
    /// Draw the tree into this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

impl Tree {
    pub(crate) fn run(&self) -> Result<()> {
        let root = self.grow()?;
        if let Some(path) = &self.svg {
            output::write(path, picture::draw(&root).as_bytes())?;
            eprintln!("the tree is drawn in `{}`", path.display());
        }
        if self.json {
            return print_json(&describe(&root));
        }
        if self.svg.is_none() {
            let mut text = String::new();
            list(&root, 0, &mut text);
            output::print(&text)?;
        }
        Ok(())
    }

    /// Searches, and takes over what is to be shown.
    fn grow(&self) -> Result<Sprig> {
        let mut engine = engine_with([
            Setting::Threads(self.threads.count() as i64),
            Setting::Hash(self.hash.into()),
            self.network.setting(),
            self.policy.setting(),
            Setting::SearchMode(Mode::Mcts),
            Setting::MctsLeaf(Leaf::by_name(&self.leaf).unwrap_or_default()),
        ])?;
        engine.set_position(Position::new(self.fen.0));
        engine.go(Limits::of_nodes(self.nodes)).answer();
        let tree = engine.tree(&[], self.depth.into());
        let Some((position, root)) = tree.filter(|(_, root)| !root.children.is_empty()) else {
            anyhow::bail!("the game is over in this position: there is nothing to search");
        };
        Ok(Sprig::new(position.board(), &root, self.least / 100.0))
    }
}

/// The tree as indented lines.
fn list(sprig: &Sprig, level: usize, text: &mut String) {
    use std::fmt::Write;
    let _ = writeln!(
        text,
        "{:indent$}{:<8} {:>9} visits {:>6.1} % of them  prior {:>5.1} %  value {:>5.1} %{}",
        "",
        sprig.label,
        sprig.visits,
        100.0 * sprig.share,
        100.0 * sprig.prior,
        100.0 * sprig.value.unwrap_or(0.5),
        sprig.proof.as_ref().map_or(String::new(), |proof| format!("  proved: {proof}")),
        indent = 2 * level,
    );
    for child in &sprig.children {
        list(child, level + 1, text);
    }
}

/// The tree as JSON. Values are from 0 to 1 for the side that makes the move.
fn describe(sprig: &Sprig) -> Value {
    json!({
        "move": sprig.uci,
        "san": sprig.label,
        "visits": sprig.visits,
        "share": sprig.share,
        "prior": sprig.prior,
        "value": sprig.value,
        "draw": sprig.draw,
        "first": sprig.first,
        "proof": sprig.proof,
        "children": sprig.children.iter().map(describe).collect::<Vec<_>>(),
    })
}
