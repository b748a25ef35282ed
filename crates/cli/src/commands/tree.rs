// SPDX-License-Identifier: GPL-3.0-or-later
//! `quincunx tree`: the tree that a tree search grows from a position.
//!
//! Of the classic search, `prior` is the evaluation of the position behind a move and `value` the mean result of
//! its simulations.

mod picture;
mod shown_node;

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use engine::{Limits, Mode, Position, Setting};
use search::Leaf;
use serde_json::{Value, json};

use super::{Classic, FenArg, NetworkArgs, PolicyArgs, Threads, engine_with, help_of, print_json};
use crate::output;
use shown_node::ShownNode;

/// Grow a search tree from a position, and show or draw it.
#[derive(Args, Debug)]
pub(crate) struct TreeCommand {
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
    #[arg(long, default_value = Leaf::default().name(), value_name = "LEAF", help = help_of("MctsLeaf"),
          value_parser = Leaf::ALL.map(Leaf::name))]
    leaf: String,
    #[arg(long, default_value_t = 256, value_name = "MB", help = help_of("Hash"),
          value_parser = clap::value_parser!(u32).range(1..=1 << 25))]
    hash: u32,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    network: NetworkArgs,
    #[command(flatten)]
    policy: PolicyArgs,
    #[command(flatten)]
    classic: Classic,
    /// Draw the tree into this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

impl TreeCommand {
    pub(crate) fn run(&self) -> Result<()> {
        let root = self.search()?;
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
    fn search(&self) -> Result<ShownNode> {
        let mode = Mode::by_name(&self.mode).unwrap_or_default();
        let iterations = self.classic.iterations.unwrap_or(self.nodes);
        let settings = [
            Setting::Threads(self.threads.count() as i64),
            Setting::Hash(self.hash.into()),
            self.network.setting(),
            self.policy.setting(),
            Setting::SearchMode(mode),
            Setting::MctsLeaf(Leaf::by_name(&self.leaf).unwrap_or_default()),
            Setting::ClassicIterations(iterations as i64),
        ];
        let mut engine = engine_with(settings.into_iter().chain(self.classic.settings(mode)?))?;
        engine.set_position(Position::new(self.fen.0));
        engine.go(Limits::of_nodes(iterations)).answer();
        let tree = engine.tree(&[], self.depth.into());
        let Some((position, root)) = tree.filter(|(_, root)| !root.children.is_empty()) else {
            anyhow::bail!("the game is over in this position: there is nothing to search");
        };
        Ok(ShownNode::new(position.board(), &root, self.least / 100.0))
    }
}

/// The tree as indented lines.
fn list(node: &ShownNode, level: usize, text: &mut String) {
    use std::fmt::Write;
    let _ = writeln!(
        text,
        "{:indent$}{:<8} {:>9} visits {:>6.1} % of them  prior {:>5.1} %  value {:>5.1} %{}",
        "",
        node.label,
        node.visits,
        100.0 * node.share,
        100.0 * node.prior,
        100.0 * node.value.unwrap_or(0.5),
        node.proof.as_ref().map_or(String::new(), |proof| format!("  proved: {proof}")),
        indent = 2 * level,
    );
    for child in &node.children {
        list(child, level + 1, text);
    }
}

/// The tree as JSON. Values are from 0 to 1 for the side that makes the move.
fn describe(node: &ShownNode) -> Value {
    json!({
        "move": node.uci,
        "san": node.label,
        "visits": node.visits,
        "share": node.share,
        "prior": node.prior,
        "value": node.value,
        "draw": node.draw,
        "first": node.first,
        "proof": node.proof,
        "children": node.children.iter().map(describe).collect::<Vec<_>>(),
    })
}
