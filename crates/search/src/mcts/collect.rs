// SPDX-License-Identifier: GPL-3.0-or-later
//! Making room: what is still worth having is copied into the other pool, all at once.
//!
//! Nobody walks in the tree meanwhile, which the borrow checker sees to. Nodes may lose their moves
//! and children, but never their own counts: what was visited least is forgotten first, and grows
//! again if it is visited again.

use std::time::{Duration, Instant};

use super::edges::Expansion;
use super::node::{NODE_WORDS, NodeRef};
use super::node_pool::{Place, PoolChunk};
use super::tree::Tree;

/// Steps of the visit count for each doubling.
const STEPS: u32 = 4;
/// Steps up to the most visits that there can be.
const BINS: usize = 32 * STEPS as usize;

/// The step that a visit count lies on.
fn bin(visits: u32) -> usize {
    let visits = visits.max(1);
    let octave = visits.ilog2();
    let rest = ((u64::from(visits) * u64::from(STEPS)) >> octave) as u32 - STEPS;
    (STEPS * octave + rest) as usize
}

/// Words of a node's moves and children.
fn cost(expansion: Expansion<'_>) -> usize {
    Expansion::words_for(expansion.edges()) + Expansion::run_words_for(expansion.children())
}

impl Tree {
    /// How long a collection would take now.
    pub(super) fn collection_time(&self) -> Duration {
        Duration::from_nanos((self.pool.used() as f64 * self.word_nanos) as u64)
    }

    /// Copies what is below the root, as far as it fits into half of an pool.
    pub(super) fn collect(&mut self) {
        let (start, used) = (Instant::now(), self.pool.used());
        let least = self.least_visits(self.spare.len() / 2);
        self.spare.reset();
        let root = self.copy(least);
        std::mem::swap(&mut self.pool, &mut self.spare);
        self.set_root(root);
        let nanos = start.elapsed().as_nanos() as f64 / used as f64;
        // Believe in slowness at once and in speed only gradually.
        self.word_nanos = nanos.max(self.word_nanos / 2.0);
    }

    /// From which step of visits on nodes keep their moves and children, if all shall take no more
    /// than this many words.
    fn least_visits(&self, words: usize) -> usize {
        let mut costs = [0; BINS];
        let mut waiting = vec![self.root()];
        while let Some(place) = waiting.pop() {
            let node = self.node(place);
            if let Some(expansion) = self.expansion(node) {
                costs[bin(node.visits())] += cost(expansion);
                waiting.extend(self.children(place).map(|(_, child)| child));
            }
        }
        let mut total = NODE_WORDS;
        let too_much = costs.iter().rposition(|cost| {
            total += cost;
            total > words
        });
        too_much.map_or(0, |index| index + 1)
    }

    /// Copies the root and what is below it into the spare pool, and says where the root lies there.
    fn copy(&self, least: usize) -> Place {
        let target = |place: Place| NodeRef(self.spare.array(place));
        let root = self.spare.take(NODE_WORDS).expect("an empty pool has room for a node");
        target(root).copy_from(self.root_node());
        let mut chunk = PoolChunk::exact();
        let mut waiting = vec![(self.root(), root)];
        while let Some((old, new)) = waiting.pop() {
            let node = self.node(old);
            let is_kept = old == self.root() || bin(node.visits()) >= least;
            let Some(from) = self.expansion(node).filter(|_| is_kept) else { continue };
            let place = Expansion::copy_moves(&self.spare, &mut chunk, from)
                .expect("room for what was counted");
            target(new).expand(place, node.factor());
            for _ in 0..from.children() {
                let mut to = Expansion::at(&self.spare, place);
                let old = from.child(to.children());
                let new = to.next_child(&mut chunk).expect("room for what was counted");
                target(new).copy_from(self.node(old));
                to.count_child();
                waiting.push((old, new));
            }
        }
        root
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{TestTree, check_conservation, count_nodes};
    use super::*;

    #[test]
    fn steps_grow_with_visits() {
        assert_eq!([1, 2, 3, 4, 5, 8, 16].map(bin), [0, 4, 6, 8, 9, 12, 16]);
        assert!(bin(u32::MAX) < BINS);
    }

    #[test]
    fn a_collected_tree_is_the_same_but_for_what_was_visited_least() {
        let mut test_tree = TestTree::new(1 << 20, 2_000);
        let before = test_tree.root_counts();
        let nodes = count_nodes(&test_tree.tree);
        test_tree.tree.collect();
        assert_eq!(test_tree.root_counts(), before);
        assert_eq!(count_nodes(&test_tree.tree), nodes, "there is room for all");
        check_conservation(&test_tree.tree);
        test_tree.grow(1_000);
        check_conservation(&test_tree.tree);
    }

    #[test]
    fn half_of_the_memory_is_free_after_a_collection() {
        let mut test_tree = TestTree::new(200_000, 100_000);
        assert!(test_tree.is_full);
        let (before, nodes) = (test_tree.root_counts(), count_nodes(&test_tree.tree));
        test_tree.tree.collect();
        assert_eq!(test_tree.root_counts(), before);
        let kept = count_nodes(&test_tree.tree);
        assert!(kept < nodes && kept > nodes / 8, "{kept} of {nodes}");
        assert!(test_tree.tree.fill() <= 500);
        assert!(test_tree.tree.bytes() <= 200_000);
        test_tree.grow(2_000);
        test_tree.tree.collect();
        assert!(test_tree.tree.fill() <= 500);
    }
}
