// SPDX-License-Identifier: GPL-3.0-or-later
//! The numbers of the classic tree, for people to look at.
//!
//! Of Napoleon's words, `prior` is the prediction, `value` the chance to win by simulations, `plain` what
//! the two weigh together, and `exploration` the logarithm's term; all for the side that makes the move.

use chess::{Color, Move};

use super::tree::{ClassicNode, ClassicTree, ROOT, sign};
use crate::mcts::report::TreeNode;
use crate::{MoveStats, Position};

impl ClassicTree {
    /// The tree of the last search below the end of a line of moves, so many plies deep, and the position
    /// at its root; `None` if there is none.
    pub(crate) fn tree_below(&self, line: &[Move], depth: usize) -> Option<(Position, TreeNode)> {
        let root = self.root()?;
        let mut turn = root.position.board().turn();
        let mut place = ROOT;
        let mut stats = self.stats(ROOT, 0, !turn);
        for &mv in line {
            let parent = place;
            place = self.children(parent).find(|&child| self.node(child).mv == Some(mv))?;
            stats = self.stats(place, self.node(parent).visits, turn);
            turn = !turn;
        }
        let children = self.subtrees(place, turn, depth);
        Some((root.position.clone(), TreeNode { stats, children }))
    }

    /// The numbers of all moves of the root, the best last, and then those of the root.
    pub(super) fn root_moves(&self) -> Vec<MoveStats> {
        let Some((_, root)) = self.tree_below(&[], 1) else { return vec![] };
        let moves = root.children.into_iter().rev().map(|child| child.stats);
        moves.chain([root.stats]).collect()
    }

    fn subtrees(&self, place: usize, turn: Color, depth: usize) -> Vec<TreeNode> {
        if depth == 0 {
            return vec![];
        }
        let visits = self.node(place).visits;
        let mut nodes: Vec<TreeNode> = self
            .children(place)
            .map(|child| TreeNode {
                stats: self.stats(child, visits, turn),
                children: self.subtrees(child, !turn, depth - 1),
            })
            .collect();
        // A mate that is certain goes before all, a certain loss behind.
        let rank = |node: &TreeNode| {
            let certain = node.stats.proof.map_or(0, |score| score.value().signum());
            (certain, node.stats.plain.unwrap_or(0.0))
        };
        nodes.sort_by(|a, b| {
            let (a, b) = (rank(a), rank(b));
            b.0.cmp(&a.0).then(b.1.total_cmp(&a.1))
        });
        nodes
    }

    /// The numbers of a move that `mover` makes in a position with so many visits.
    fn stats(&self, place: usize, visits_before: u32, mover: Color) -> MoveStats {
        let ClassicNode { mv, value, results, visits, proof, .. } = *self.node(place);
        let exploration = self.root().map_or(0.0, |root| root.exploration);
        let own = |white: f64| f64::midpoint(1.0, sign(mover) * white) as f32;
        let result = (visits > 0).then(|| own(results / f64::from(visits)));
        MoveStats {
            mv,
            visits,
            in_flight: 0,
            prior: own(value.into()),
            value: result,
            plain: Some(own(self.node(place).mixed_value(exploration))),
            draw: None,
            exploration: (f64::from(visits_before).ln_1p() / (1.0 + f64::from(visits))) as f32,
            first_value: Some(own(value.into())),
            proof: proof.map(|proof| proof.before_move().score(0)),
        }
    }
}
