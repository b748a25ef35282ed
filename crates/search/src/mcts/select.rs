// SPDX-License-Identifier: GPL-3.0-or-later
//! Which move an iteration follows: the best sum of what a move has brought and how little it has
//! been tried (PUCT, Rosin 2011; Silver et al. 2017).
//!
//! ```text
//!   value(move) + scale(node) · prior(move) / (1 + visits(move))
//! ```

use super::edges::Expansion;
use super::node::{Counts, NodeRef};
use super::node_pool::Place;
use super::proof::Proof;
use super::tree::Tree;
use super::tuning::Tuning;

/// Where an iteration goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Choice {
    /// To the child of this number.
    Child(usize),
    /// To the first move that nobody has tried.
    New,
    /// Nowhere: every move is known to lose.
    Nowhere,
}

impl Tree {
    /// Chooses among a node's moves, for a side to which a draw is worth `draw`. Moves that are proved
    /// to lose are never chosen.
    pub(super) fn choose(
        &self,
        place: Place,
        expansion: Expansion<'_>,
        draw: f32,
        t: &Tuning,
    ) -> Choice {
        let node = self.node(place);
        let is_root = place == self.root();
        let scale = scale(node, is_root, t);
        // What the node is worth to its side to move.
        let own = node.mean().map_or(0.5, |value| 1.0 - value.score);
        let (mut best, mut choice) = (f32::NEG_INFINITY, Choice::Nowhere);
        let mut tried = 0.0;
        for index in 0..expansion.children() {
            let child = self.node(expansion.child(index));
            let prior = expansion.edge(index).prior;
            tried += prior;
            let Some(value) = worth(child, [own, draw], t) else { continue };
            let counts = child.counts();
            let sum = value + scale * prior / (1 + counts.visits() + counts.in_flight()) as f32;
            if sum > best {
                (best, choice) = (sum, Choice::Child(index));
            }
        }
        if expansion.children() < expansion.edges() {
            let value = first_play(own, tried, t);
            let sum = value + scale * expansion.edge(expansion.children()).prior;
            if sum > best {
                choice = Choice::New;
            }
        }
        choice
    }
}

/// What a move that was tried is worth to the side that makes it, iterations in flight counted as
/// losses; `None` if it is proved to lose.
#[inline]
fn worth(child: NodeRef<'_>, [own, draw]: [f32; 2], t: &Tuning) -> Option<f32> {
    let counts: Counts = child.counts();
    match counts.proof() {
        Some(Proof::Drawn) => return Some(draw),
        Some(proof) => return proof.is_lost().then_some(1.0),
        None => (),
    }
    let visits = counts.visits();
    let mean = if visits == 0 { own } else { child.mean_score(visits) };
    let visits = visits as f32;
    let in_flight = counts.in_flight() as f32 * t.virtual_loss;
    Some(if in_flight > 0.0 { mean * visits / (visits + in_flight) } else { mean })
}

/// What a move that nobody has tried is worth: what its node is, less something if much of the prior
/// has been tried already.
#[inline]
fn first_play(own: f32, tried: f32, t: &Tuning) -> f32 {
    if t.fpu_reduction == 0.0 { own } else { own - t.fpu_reduction * tried.sqrt() }
}

/// How much exploration counts at a node.
#[inline]
pub(super) fn scale(node: NodeRef<'_>, is_root: bool, t: &Tuning) -> f32 {
    let counts = node.counts();
    let visits = (counts.visits() + counts.in_flight()).max(1) as f32;
    let base = if is_root { t.explore_root } else { t.explore };
    let growth = 1.0 + (visits / t.explore_visits).ln_1p();
    base * growth * spread_factor(node, visits, t) * node.factor() * visits.powf(t.explore_power)
}

/// More exploration where values differ much from visit to visit. While there are few visits, the
/// usual spread is assumed.
fn spread_factor(node: NodeRef<'_>, visits: f32, t: &Tuning) -> f32 {
    let mean = node.mean_score(node.visits().max(1));
    let variance = (node.mean_square() - mean * mean).max(0.0);
    let relative = variance.sqrt() / t.spread_usual;
    let trust = 1.0 - 1.0 / (1.0 + 0.5 * visits);
    1.0 + t.spread_weight * trust * (relative - 1.0)
}

/// How much wider to explore where the priors favor few moves: they may have overlooked one.
pub(super) fn gini_factor(priors: impl Iterator<Item = f32>, t: &Tuning) -> f32 {
    let impurity = 1.0 - priors.map(|prior| prior * prior).sum::<f32>();
    (t.gini_base - t.gini_slope * (impurity.max(0.0) + 0.001).ln()).clamp(0.0, t.gini_max)
}

#[cfg(test)]
mod tests {
    use super::super::edges::Edge;
    use super::super::node::Value;
    use super::super::node_pool::PoolChunk;
    use super::*;
    use crate::Params;
    use chess::Board;

    /// A root with two children of these mean values, and moves with these priors.
    fn tree(priors: &[f32], values: &[f32]) -> Tree {
        let tree = Tree::new(1 << 16).unwrap();
        let root = tree.root_node();
        let moves = Board::default().legal_moves();
        let edges: Vec<Edge> =
            priors.iter().zip(&moves).map(|(&prior, &mv)| Edge { mv, prior }).collect();
        let mut chunk = PoolChunk::default();
        assert!(tree.expand(root, &mut chunk, &edges, 1.0));
        root.add_without_virtual_loss(Value { score: 0.5, draw: 0.0 });
        for &score in values {
            let mut expansion = tree.expansion(root).unwrap();
            let child = tree.node(expansion.next_child(&mut chunk).unwrap());
            child.init();
            child.add(Value { score, draw: 0.0 });
            expansion.count_child();
            root.add_without_virtual_loss(Value { score: 1.0 - score, draw: 0.0 });
        }
        tree
    }

    fn choice(tree: &Tree) -> Choice {
        let expansion = tree.expansion(tree.root_node()).unwrap();
        tree.choose(tree.root(), expansion, 0.5, &Tuning::new(&Params::default()))
    }

    #[test]
    fn the_first_move_comes_first_and_good_ones_again() {
        assert_eq!(choice(&tree(&[0.6, 0.3, 0.1], &[])), Choice::New);
        assert_eq!(choice(&tree(&[0.6, 0.3, 0.1], &[0.9])), Choice::Child(0));
        assert_eq!(choice(&tree(&[0.4, 0.35, 0.25], &[0.0])), Choice::New);
        assert_eq!(choice(&tree(&[0.4, 0.3, 0.3], &[0.1, 0.9])), Choice::Child(1));
    }

    #[test]
    fn lost_moves_are_never_chosen() {
        let tree = tree(&[0.9, 0.1], &[0.9, 0.1]);
        let child = |index| {
            let expansion = tree.expansion(tree.root_node()).unwrap();
            tree.node(expansion.child(index))
        };
        assert_eq!(choice(&tree), Choice::Child(0));
        child(0).prove(Proof::Won(3));
        assert_eq!(choice(&tree), Choice::Child(1));
        child(1).prove(Proof::TableWon);
        assert_eq!(choice(&tree), Choice::Nowhere);
        assert_eq!(tree.prove_from_children(tree.root()), Some(Proof::TableLost));
    }

    #[test]
    fn threads_spread_out() {
        let tree = tree(&[0.4, 0.35, 0.25], &[0.6, 0.55]);
        assert_eq!(choice(&tree), Choice::Child(0));
        let expansion = tree.expansion(tree.root_node()).unwrap();
        for _ in 0..3 {
            tree.node(expansion.child(0)).add_virtual_loss();
        }
        assert_ne!(choice(&tree), Choice::Child(0));
    }

    #[test]
    fn peaked_priors_explore_more_widely() {
        let t = Tuning::new(&Params::default());
        let flat = gini_factor([0.25; 4].into_iter(), &t);
        let peaked = gini_factor([0.97, 0.01, 0.01, 0.01].into_iter(), &t);
        assert!(flat < peaked && peaked <= t.gini_max, "{flat} {peaked}");
    }
}
