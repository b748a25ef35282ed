// SPDX-License-Identifier: GPL-3.0-or-later
//! The iterations of one thread: select → expand → evaluate → back up.
//!
//! `subtree` repeats iterations below nodes with many visits.

use std::sync::atomic::{AtomicUsize, Ordering};

use chess::Move;

use super::leaf::{Draws, Leaf, LeafBox, first_value};
use super::node::{NodeRef, Value};
use super::node_pool::{Place, PoolChunk};
use super::prior::Ranker;
use super::select::{Choice, gini_factor};
use super::tree::Tree;
use super::tuning::Tuning;
use crate::MAX_PLY;

/// The longest line of the tree; searches of leaves go on below it.
pub(super) const MAX_LINE: usize = MAX_PLY - 46;

/// What all threads of a search share.
#[derive(Debug)]
pub(super) struct Shared<'a> {
    pub(super) tree: &'a Tree,
    pub(super) tuning: &'a Tuning,
    pub(super) leaf: Leaf,
    pub(super) draws: Draws,
    /// The longest line so far.
    pub(super) deepest: &'a AtomicUsize,
}

/// How an iteration ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum IterationEnd {
    /// With a value.
    Done,
    /// In the way of another thread: nothing was counted.
    Collision,
    /// There is no room for another node: nothing was counted.
    Full,
    /// Before it began: what the root is worth is certain.
    Settled,
}

/// How the descent goes on.
enum Descent {
    /// One ply deeper, or with what another thread has just changed.
    On,
    /// The line ends here, with a value for its side to move.
    End(Value),
    Stop(IterationEnd),
}

/// A thread that iterates in the tree.
pub(super) struct TreeWorker<'a> {
    leaf: LeafBox<'a>,
    ranker: Ranker,
    /// The nodes of the line, the root first.
    pub(super) path: Vec<Place>,
    /// The moves between them.
    pub(super) line: Vec<Move>,
    /// The nodes of the last line that ended in a collision. They keep their virtual loss while another
    /// line is tried, so that it becomes another one.
    collided: Vec<Place>,
    /// The moves that `leaf` has made: mostly those of the last line.
    made: Vec<Move>,
    /// Where in the tree's memory it puts what it makes.
    chunk: PoolChunk,
}

impl<'a> TreeWorker<'a> {
    pub(super) fn new(leaf: LeafBox<'a>, ranker: Ranker) -> Self {
        let places = || Vec::with_capacity(MAX_PLY);
        let moves = || Vec::with_capacity(MAX_PLY);
        let (path, collided, line, made) = (places(), places(), moves(), moves());
        Self { leaf, ranker, path, line, collided, made, chunk: PoolChunk::default() }
    }

    /// Prepares the root: every line begins there, so that it must have a value and moves. `wanted`
    /// moves only, if there are any.
    pub(super) fn open_root(&mut self, shared: &Shared<'_>, wanted: &[Move]) {
        let root = shared.tree.root_node();
        self.path.clear();
        self.line.clear();
        self.path.push(shared.tree.root());
        self.replay_line();
        if root.visits() == 0 {
            let value = self.evaluate(shared, root);
            // A drawn root is played on: only what its moves prove counts.
            root.clear_proof();
            root.set_repeated(false);
            root.set_first(1.0 - value.score);
            root.add_without_virtual_loss(value.flipped());
        }
        root.set_repeated(false);
        if root.expansion().is_none() {
            let is_written = self.write_moves(shared, root, wanted);
            assert!(is_written, "a new tree has room for the root's moves");
        }
    }

    /// One iteration. After a collision, the next one goes another way; a caller that does not try again
    /// must call [`TreeWorker::release_collided`].
    pub(super) fn iterate_once(&mut self, shared: &Shared<'_>) -> IterationEnd {
        let step = self.try_iteration(shared);
        self.release_collided(shared);
        if step != IterationEnd::Done {
            // The root has no virtual loss: every iteration goes through it.
            self.collided.extend(self.path.iter().skip(1));
        }
        if step != IterationEnd::Collision {
            self.release_collided(shared);
        }
        step
    }

    fn try_iteration(&mut self, shared: &Shared<'_>) -> IterationEnd {
        let root = shared.tree.root();
        self.path.clear();
        self.line.clear();
        if shared.tree.node(root).proof().is_some() {
            return IterationEnd::Settled;
        }
        self.path.push(root);
        match self.descend_to_value(shared) {
            Ok(value) => {
                self.back_up(shared, 0, value);
                IterationEnd::Done
            }
            Err(step) => step,
        }
    }

    /// Descends from the end of the path until there is a value, for the side to move there, or nothing.
    pub(super) fn descend_to_value(&mut self, shared: &Shared<'_>) -> Result<Value, IterationEnd> {
        loop {
            match self.descend(shared) {
                Descent::On => (),
                Descent::End(value) => return Ok(value),
                Descent::Stop(step) => return Err(step),
            }
        }
    }

    /// Removes the virtual losses of the last collision.
    pub(super) fn release_collided(&mut self, shared: &Shared<'_>) {
        for place in self.collided.drain(..) {
            shared.tree.node(place).remove_virtual_loss();
        }
    }

    /// Goes to a child and adds a virtual loss, so that other threads rather go elsewhere.
    fn push_child(&mut self, shared: &Shared<'_>, place: Place) {
        shared.tree.node(place).add_virtual_loss();
        self.path.push(place);
    }

    fn ply(&self) -> usize {
        self.line.len()
    }

    /// Goes on from the last node of the path.
    fn descend(&mut self, shared: &Shared<'_>) -> Descent {
        let tree = shared.tree;
        let place = self.path[self.ply()];
        let node = tree.node(place);
        let counts = node.counts();
        match counts.proof() {
            Some(_) if self.ply() == 0 => return Descent::Stop(IterationEnd::Settled),
            Some(proof) => return Descent::End(shared.draws.proved(proof, self.ply())),
            None => (),
        }
        // Whoever made the node is still evaluating it.
        if counts.visits() == 0 {
            return Descent::Stop(IterationEnd::Collision);
        }
        let Some(expansion) = tree.expansion(node) else { return self.expand(shared, node) };
        let draw = shared.draws.worth(self.ply());
        match tree.choose(place, expansion, draw, shared.tuning) {
            Choice::Child(index) => {
                self.line.push(expansion.edge(index).mv);
                self.push_child(shared, expansion.child(index));
                Descent::On
            }
            Choice::New => self.add_child(shared, node),
            Choice::Nowhere => match tree.prove_from_children(place) {
                Some(proof) => {
                    node.prove(proof);
                    Descent::On
                }
                None => Descent::Stop(IterationEnd::Collision),
            },
        }
    }

    /// Gives the last node of the path its moves.
    fn expand(&mut self, shared: &Shared<'_>, node: NodeRef<'_>) -> Descent {
        self.replay_line();
        if node.counts().is_repeated() {
            if self.leaf.is_repetition() {
                return Descent::End(shared.draws.value(self.ply()));
            }
            node.set_repeated(false);
        }
        if self.ply() >= MAX_LINE {
            return Descent::End(self.evaluate(shared, node));
        }
        if !node.lock() {
            return Descent::Stop(IterationEnd::Collision);
        }
        let is_done = node.expansion().is_some() || self.write_moves(shared, node, &[]);
        node.unlock();
        if is_done { Descent::On } else { Descent::Stop(IterationEnd::Full) }
    }

    /// Writes the moves of the position that `leaf` stands on.
    fn write_moves(&mut self, shared: &Shared<'_>, node: NodeRef<'_>, wanted: &[Move]) -> bool {
        let board = self.leaf.board();
        let mut moves = board.legal_moves();
        if !wanted.is_empty() {
            moves.retain(|mv| wanted.contains(mv));
        }
        let temperature = shared.tuning.temperature(self.line.len());
        let edges = self.ranker.rank(board, &moves, temperature);
        let factor = gini_factor(edges.iter().map(|edge| edge.prior), shared.tuning);
        shared.tree.expand(node, &mut self.chunk, edges, factor)
    }

    /// Makes the node of the first move that has none, and evaluates it.
    fn add_child(&mut self, shared: &Shared<'_>, node: NodeRef<'_>) -> Descent {
        if !node.lock() {
            return Descent::Stop(IterationEnd::Collision);
        }
        // Another thread may have added a child since we chose; then the next one is meant.
        let expansion = shared.tree.expansion(node).filter(|e| e.children() < e.edges());
        let Some(mut expansion) = expansion else {
            node.unlock();
            return Descent::On;
        };
        let edge = expansion.edge(expansion.children());
        let Some(place) = expansion.next_child(&mut self.chunk) else {
            node.unlock();
            return Descent::Stop(IterationEnd::Full);
        };
        let child = shared.tree.node(place);
        child.init();
        expansion.count_child();
        node.unlock();
        self.line.push(edge.mv);
        self.path.push(place);
        self.replay_line();
        // Reading is free while nobody writes.
        if self.ply() > shared.deepest.load(Ordering::Relaxed) {
            shared.deepest.fetch_max(self.ply(), Ordering::Relaxed);
        }
        let value = self.evaluate(shared, child);
        child.set_first(1.0 - value.score);
        Descent::End(value)
    }

    /// The value of the last node of the path.
    fn evaluate(&mut self, shared: &Shared<'_>, node: NodeRef<'_>) -> Value {
        let ply = self.ply();
        first_value(&mut *self.leaf, node, ply, shared.leaf, shared.draws)
    }

    /// Puts `leaf` on the last node of the path, by the way that differs from the last one.
    fn replay_line(&mut self) {
        let same = self.made.iter().zip(&self.line).take_while(|(made, mv)| made == mv).count();
        for _ in same..self.made.len() {
            self.leaf.unmake();
        }
        self.made.truncate(same);
        for &mv in &self.line[same..] {
            self.leaf.make(mv);
            self.made.push(mv);
        }
    }

    /// Adds the value to every node of the path from this ply on, and spreads what was proved. The value
    /// for the one at the ply, which does not count this iteration as in flight.
    pub(super) fn back_up(&self, shared: &Shared<'_>, ply: usize, value: Value) -> Value {
        let mut value = value.flipped();
        for &place in self.path[ply + 1..].iter().rev() {
            shared.tree.node(place).add(value);
            value = value.flipped();
        }
        shared.tree.node(self.path[ply]).add_without_virtual_loss(value);
        let last = self.path[self.path.len() - 1];
        if shared.tree.node(last).proof().is_some() {
            shared.tree.back_up_proof(&self.path);
        }
        value
    }

    /// Gives a node below the root new priors by the temperature of its new place. The order of the
    /// moves stays: a temperature changes how much, not which.
    pub(super) fn refresh_priors(&mut self, shared: &Shared<'_>, line: &[Move], place: Place) {
        let node = shared.tree.node(place);
        let Some(expansion) = shared.tree.expansion(node) else { return };
        self.line.clear();
        self.line.extend_from_slice(line);
        self.replay_line();
        let board = self.leaf.board();
        let temperature = shared.tuning.temperature(line.len());
        let edges = self.ranker.rank(board, &board.legal_moves(), temperature);
        for (index, edge) in edges.iter().enumerate() {
            expansion.set_prior(index, edge.prior);
        }
        let factor = gini_factor(edges.iter().map(|edge| edge.prior), shared.tuning);
        if let Some(place) = node.expansion() {
            node.expand(place, factor);
        }
    }

    /// Positions found in the tablebases.
    pub(super) fn table_hits(&self) -> u64 {
        self.leaf.table_hits()
    }

    /// Forgets where there was room: the tree has moved to other memory.
    pub(super) fn forget_chunk(&mut self) {
        self.chunk = PoolChunk::default();
    }
}
