// SPDX-License-Identifier: GPL-3.0-or-later
//! What the unit tests of the tree share.

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use chess::{Board, History, Move};

use super::iteration::{IterationEnd, Shared, TreeWorker};
use super::leaf::{Draws, Leaf, LeafBox, LeafValue};
use super::node::Counts;
use super::node_pool::Place;
use super::prior::{Ranker, Ranking};
use super::tree::Tree;
use super::tuning::Tuning;
use crate::{Evaluator, Network, Params, Points, Position, STACK_BYTES, Score};

/// Values leaves by material. It knows no search.
pub(super) struct MaterialLeaf {
    boards: Vec<Board>,
    history: History,
    evaluator: Evaluator,
}

impl MaterialLeaf {
    /// Stands on the root.
    pub(super) fn boxed(position: &Position) -> LeafBox<'static> {
        Box::new(Self {
            boards: vec![*position.board()],
            history: position.history().clone(),
            evaluator: Evaluator::new(&Network::Material),
        })
    }
}

impl LeafValue for MaterialLeaf {
    fn board(&self) -> &Board {
        self.boards.last().unwrap()
    }

    fn make(&mut self, mv: Move) {
        let mut board = *self.board();
        board.play(mv);
        self.history.push(&board);
        self.boards.push(board);
    }

    fn unmake(&mut self) {
        self.boards.pop();
        self.history.pop();
    }

    fn is_repetition(&self) -> bool {
        self.history.is_repetition(self.boards.len() - 1)
    }

    fn table_score(&mut self) -> Option<Score> {
        None
    }

    fn table_hits(&self) -> u64 {
        0
    }

    fn evaluate(&mut self) -> Score {
        let board = *self.board();
        self.evaluator.reset(&board);
        self.evaluator.evaluate(&board)
    }

    fn quiesce(&mut self) -> Score {
        self.evaluate()
    }

    fn search(&mut self, _depth: i32) -> Score {
        self.evaluate()
    }
}

/// A tree that grows from the starting position, with one thread.
pub(super) struct TestTree {
    pub(super) tree: Tree,
    pub(super) is_full: bool,
    position: Position,
}

impl TestTree {
    /// A tree of this many bytes after this many iterations, or less if it is full.
    pub(super) fn new(bytes: usize, iterations: usize) -> Self {
        Self::from_position(Position::default(), bytes, iterations)
    }

    pub(super) fn from_position(position: Position, bytes: usize, iterations: usize) -> Self {
        let tree = Tree::new(bytes).unwrap();
        let mut test_tree = Self { tree, is_full: false, position };
        test_tree.grow(iterations);
        test_tree
    }

    /// Iterates until the tree is full or its root's result certain.
    pub(super) fn grow(&mut self, iterations: usize) {
        let tuning = Tuning::new(&Params::default());
        let (deepest, draws) = (AtomicUsize::new(0), Draws::new(self.position.board(), Points(0)));
        let shared = Shared {
            tree: &self.tree,
            tuning: &tuning,
            leaf: Leaf::Static,
            draws,
            deepest: &deepest,
        };
        let leaf = MaterialLeaf::boxed(&self.position);
        let mut worker = TreeWorker::new(leaf, Ranker::new(&Ranking::Rule));
        worker.open_root(&shared, &[]);
        self.is_full = (0..iterations).any(|_| worker.iterate_once(&shared) == IterationEnd::Full);
    }

    pub(super) fn root_counts(&self) -> Counts {
        self.tree.root_node().counts()
    }
}

/// A tree that four threads have grown, and how many iterations they have counted.
pub(super) fn grow_by_threads(position: &Position, bytes: usize, iterations: usize) -> (Tree, u64) {
    let tree = Tree::new(bytes).unwrap();
    // Even small trees have nodes where threads stay.
    let tuning = Tuning::new(
        &Params::default().with("mcts_subtree_visits", 16).with("mcts_large_subtree_visits", 100),
    );
    let (deepest, draws) = (AtomicUsize::new(0), Draws::new(position.board(), Points(0)));
    let shared =
        Shared { tree: &tree, tuning: &tuning, leaf: Leaf::Static, draws, deepest: &deepest };
    let worker = |_| TreeWorker::new(MaterialLeaf::boxed(position), Ranker::new(&Ranking::Rule));
    let mut workers: Vec<_> = (0..4).map(worker).collect();
    workers[0].open_root(&shared, &[]);
    let done = Arc::new(std::sync::atomic::AtomicU64::new(0));
    std::thread::scope(|scope| {
        for worker in &mut workers {
            let (shared, done) = (&shared, &done);
            let grow = move || {
                for _ in 0..iterations {
                    let (count, _) = worker.iterate_many(shared, 20);
                    done.fetch_add(count, std::sync::atomic::Ordering::Relaxed);
                }
                worker.release_collided(shared);
            };
            let builder = std::thread::Builder::new().stack_size(STACK_BYTES);
            builder.spawn_scoped(scope, grow).unwrap();
        }
    });
    let done = done.load(std::sync::atomic::Ordering::Relaxed);
    (tree, done)
}

/// Every node below a place, itself included.
pub(super) fn nodes_below(tree: &Tree, place: Place) -> Vec<Place> {
    let mut nodes = vec![place];
    let mut next = 0;
    while let Some(&place) = nodes.get(next) {
        nodes.extend(tree.children(place).map(|(_, child)| child));
        next += 1;
    }
    nodes
}

pub(super) fn count_nodes(tree: &Tree) -> usize {
    nodes_below(tree, tree.root()).len()
}

/// Checks that every visit but a node's first has gone on to one of its children, that values lie
/// between 0 and 1, and that nothing is in flight.
pub(super) fn check_conservation(tree: &Tree) {
    for place in nodes_below(tree, tree.root()) {
        let node = tree.node(place);
        assert_eq!(node.counts().in_flight(), 0);
        assert!(node.visits() > 0, "nobody leaves a node unvisited");
        let mean = node.mean().unwrap();
        assert!((0.0..=1.0).contains(&mean.score) && (0.0..=1.0).contains(&mean.draw), "{mean:?}");
        if node.expansion().is_some() && node.proof().is_none() {
            let below: u32 = tree.children(place).map(|(_, c)| tree.node(c).visits()).sum();
            assert_eq!(node.visits(), below + 1);
        }
    }
}
