// SPDX-License-Identifier: GPL-3.0-or-later
//! The tree: two pools, of which one is in use, and a root.

use super::edges::{Edge, Expansion};
use super::node::{NODE_WORDS, NodeRef};
use super::node_pool::{NodePool, Place, PoolChunk};

/// A tree of positions. Threads share it by reference; only what needs it to be at rest borrows it
/// mutably.
#[derive(Debug)]
pub(super) struct Tree {
    pub(super) pool: NodePool,
    /// Where the tree goes when its pool is full.
    pub(super) spare: NodePool,
    root: Place,
    /// Nanoseconds that the last collection took for a word.
    pub(super) word_nanos: f64,
}

/// What a word costs before it was ever measured: on the safe side.
const WORD_NANOS: f64 = 10.0;

impl Tree {
    /// A tree in at most this many bytes; `None` if the system has not got the memory.
    pub(super) fn new(bytes: usize) -> Option<Self> {
        let (pool, spare) = (NodePool::new(bytes / 2)?, NodePool::new(bytes / 2)?);
        let root = Place::from_bits(1)?;
        let mut tree = Self { pool, spare, root, word_nanos: WORD_NANOS };
        tree.clear();
        Some(tree)
    }

    /// Begins anew with a root that nobody has visited.
    pub(super) fn clear(&mut self) {
        self.pool.reset();
        self.root = self.pool.take(NODE_WORDS).expect("room for one node");
        self.node(self.root).reset();
    }

    /// Where the root lies.
    pub(super) const fn root(&self) -> Place {
        self.root
    }

    /// Makes a node the root. What is not below it stays as garbage until the next collection.
    pub(super) fn set_root(&mut self, place: Place) {
        self.root = place;
    }

    #[inline]
    pub(super) fn node(&self, place: Place) -> NodeRef<'_> {
        NodeRef(self.pool.array(place))
    }

    pub(super) fn root_node(&self) -> NodeRef<'_> {
        self.node(self.root)
    }

    /// The moves of a node, if it has been expanded.
    #[inline]
    pub(super) fn expansion(&self, node: NodeRef<'_>) -> Option<Expansion<'_>> {
        node.expansion().map(|place| Expansion::at(&self.pool, place))
    }

    /// Writes the moves of a node, and publishes them with a factor for exploration. Only for the one
    /// who has locked the node; `false` if there is no room.
    #[must_use]
    pub(super) fn expand(
        &self,
        node: NodeRef<'_>,
        chunk: &mut PoolChunk,
        edges: &[Edge],
        factor: f32,
    ) -> bool {
        let place = Expansion::write(&self.pool, chunk, edges);
        place.inspect(|&place| node.expand(place, factor)).is_some()
    }

    /// The children that a node has, each with its move.
    pub(super) fn children(&self, place: Place) -> impl Iterator<Item = (Edge, Place)> {
        let expansion = self.expansion(self.node(place));
        expansion.into_iter().flat_map(|expansion| {
            (0..expansion.children()).map(move |i| (expansion.edge(i), expansion.child(i)))
        })
    }

    /// Per mille of the memory in use.
    pub(super) fn fill(&self) -> usize {
        self.pool.used() * 1000 / self.pool.len().max(1)
    }

    /// Bytes of memory, both pools included.
    pub(super) fn bytes(&self) -> usize {
        self.pool.bytes() + self.spare.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::super::proof::Proof;
    use super::super::testing::{TestTree, check_conservation, count_nodes, grow_by_threads};
    use crate::Position;

    const POSITIONS: [&str; 4] = [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "8/8/1p1k4/1P6/8/3K4/8/8 w - - 0 1",
        "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    ];

    #[test]
    fn every_visit_is_somewhere() {
        for fen in POSITIONS {
            let position = Position::from_fen(fen).unwrap();
            let test_tree = TestTree::from_position(position, 4 << 20, 3_000);
            assert!(
                test_tree.root_counts().visits() == 3_001
                    || test_tree.root_counts().proof().is_some()
            );
            check_conservation(&test_tree.tree);
        }
    }

    #[test]
    fn every_visit_of_four_threads_is_somewhere() {
        for fen in POSITIONS {
            let position = Position::from_fen(fen).unwrap();
            let (tree, done) = grow_by_threads(&position, 4 << 20, 1_000);
            assert_eq!(u64::from(tree.root_node().visits()), done + 1, "{fen}");
            assert!(done > 1_000 || tree.root_node().proof().is_some(), "{fen}: {done}");
            check_conservation(&tree);
        }
    }

    #[test]
    fn threads_fill_the_memory_to_the_end_and_no_further() {
        let (tree, done) = grow_by_threads(&Position::default(), 100_000, 2_000);
        assert!(done < 8_000 && tree.bytes() <= 100_000);
        check_conservation(&tree);
    }

    #[test]
    fn mates_are_proved_from_the_end_to_the_root() {
        for (fen, least) in
            [("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", 1), ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 3)]
        {
            let position = Position::from_fen(fen).unwrap();
            let test_tree = TestTree::from_position(position, 8 << 20, 20_000);
            let found = test_tree.root_counts().proof();
            assert!(matches!(found, Some(Proof::Won(n)) if n >= least && n % 2 == 1), "{found:?}");
            assert_eq!(test_tree.tree.prove_from_children(test_tree.tree.root()), found);
        }
    }

    #[test]
    fn insufficient_material_is_a_proved_draw() {
        let position = Position::from_fen("8/8/8/3k4/8/8/3K4/8 w - - 0 1").unwrap();
        let test_tree = TestTree::from_position(position, 1 << 20, 100);
        assert_eq!(test_tree.root_counts().proof(), Some(Proof::Drawn));
        assert_eq!(count_nodes(&test_tree.tree), 9);
    }

    #[test]
    fn a_cleared_tree_is_empty() {
        let mut test_tree = TestTree::new(1 << 20, 500);
        test_tree.tree.clear();
        assert_eq!((test_tree.root_counts().visits(), count_nodes(&test_tree.tree)), (0, 1));
        test_tree.grow(200);
        assert_eq!(test_tree.root_counts().visits(), 201);
        check_conservation(&test_tree.tree);
    }
}
