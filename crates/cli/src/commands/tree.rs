// SPDX-License-Identifier: GPL-3.0-or-later
//! `quincunx tree`: the tree that a tree search grows from a position.
//!
//! Of the classic search, `prior` is the evaluation of the position behind a move and `value` the mean result of
//! its simulations.

mod picture;
mod sprig;

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use search::{Leaf, Limits, Mode, Position, Searcher, TreeOptions};
use serde_json::{Value, json};

use super::{Classic, FenArg, Network, Policy, Threads, print_json};
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
    /// The search that grows the tree
    #[arg(long, default_value = Mode::Mcts.name(), value_name = "MODE",
          value_parser = [Mode::Mcts.name(), Mode::Classic.name()])]
    mode: String,
    /// Plies to show
    #[arg(long, default_value_t = 3, value_name = "D",
          value_parser = clap::value_parser!(u8).range(1..=20))]
    depth: u8,
    /// Leave out moves with a smaller share of all iterations, in percent
    #[arg(long, default_value_t = 1.0, value_name = "PERCENT")]
    least: f32,
    /// What evaluates the leaves
    #[arg(long, default_value = Leaf::default().name(), value_name = "LEAF",
          value_parser = Leaf::ALL.map(Leaf::name))]
    leaf: String,
    /// Size of the tree in MiB
    #[arg(long, default_value_t = 256, value_name = "MB",
          value_parser = clap::value_parser!(u32).range(1..=1 << 25))]
    hash: u32,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    network: Network,
    #[command(flatten)]
    policy: Policy,
    #[command(flatten)]
    classic: Classic,
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
        let mut searcher = Searcher::new(self.threads.count(), self.hash as usize);
        searcher.set_network(self.network.load()?);
        searcher.set_ranking(self.policy.load()?);
        let mode = Mode::by_name(&self.mode).unwrap_or_default();
        anyhow::ensure!(searcher.set_mode(mode), "no memory for a tree");
        let leaf = Leaf::by_name(&self.leaf).unwrap_or_default();
        let mut classic = self.classic.options(mode)?;
        classic.iterations = self.classic.iterations.unwrap_or(self.nodes);
        searcher.set_tree_options(TreeOptions { leaf, classic, ..TreeOptions::default() });
        searcher.think(&Position::new(self.fen.0), &Limits::of_nodes(classic.iterations));
        let tree = searcher.tree(&[], self.depth.into());
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
