// SPDX-License-Identifier: GPL-3.0-or-later
//! The part of a tree that is shown, in people's notation.

use chess::Board;
use engine::castling_mode;
use search::TreeNode;

/// A move with its numbers, and the moves after it that are worth showing, the best first.
#[derive(Clone, Debug)]
pub(super) struct ShownNode {
    /// The move in standard notation; `root` at the root.
    pub(super) label: String,
    /// The move in UCI notation; `None` at the root.
    pub(super) uci: Option<String>,
    pub(super) visits: u32,
    /// The share of all iterations.
    pub(super) share: f32,
    pub(super) prior: f32,
    /// The expected score for whoever made the move; `None` without a visit.
    pub(super) value: Option<f32>,
    pub(super) draw: Option<f32>,
    pub(super) first: Option<f32>,
    /// `mate N` or `draw` or a tablebase's verdict, for whoever made the move.
    pub(super) proof: Option<String>,
    pub(super) children: Vec<Self>,
}

impl ShownNode {
    /// Takes over a tree, without the moves that have a smaller share of all iterations than `least`.
    pub(super) fn new(board: &Board, root: &TreeNode, least: f32) -> Self {
        Self::grown(board, root, root.stats.visits.max(1), least)
    }

    fn grown(board: &Board, node: &TreeNode, all: u32, least: f32) -> Self {
        let stats = &node.stats;
        let mut after = *board;
        let (mut label, mut uci) = ("root".to_owned(), None);
        if let Some(mv) = stats.mv {
            label = board.san(mv).to_string();
            uci = Some(mv.uci(castling_mode(board, false)).to_string());
            after.play(mv);
        }
        let share = |node: &TreeNode| node.stats.visits as f32 / all as f32;
        let shown = node.children.iter().filter(|child| share(child) >= least);
        Self {
            label,
            uci,
            visits: stats.visits,
            share: share(node),
            prior: stats.prior,
            value: stats.value,
            draw: stats.draw,
            first: stats.first_value,
            proof: stats.proof.map(verdict),
            children: shown.map(|child| Self::grown(&after, child, all, least)).collect(),
        }
    }

    /// How many moves are shown that no other follows.
    pub(super) fn leaves(&self) -> usize {
        self.children.iter().map(Self::leaves).sum::<usize>().max(1)
    }

    /// The longest line.
    pub(super) fn depth(&self) -> usize {
        self.children.iter().map(|child| 1 + child.depth()).max().unwrap_or(0)
    }
}

fn verdict(score: search::Score) -> String {
    match score.mate_moves() {
        Some(moves) => format!("mate {moves}"),
        None if score.is_win() => "won by tablebase".to_owned(),
        None if score.is_loss() => "lost by tablebase".to_owned(),
        None => "draw".to_owned(),
    }
}
