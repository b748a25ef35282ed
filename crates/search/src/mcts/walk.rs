// SPDX-License-Identifier: GPL-3.0-or-later
//! The iterations of one thread: select → expand → evaluate → back up.
//!
//! A thread that has come to a node with many visits *stays* there for some more iterations, which begin
//! at that node. What they bring is told to the nodes above it in one go. One way down and up again is
//! saved for each of them, and threads meet less often where all of them pass: memory that one thread has
//! written to is slow for the others. This happens on two scales: a thread *camps* below a node with
//! thousands of visits, and on its ways from there *halts* below nodes with hundreds.

use std::sync::atomic::{AtomicUsize, Ordering};

use chess::Move;

use super::arena::{Place, Plot};
use super::leaf::{Draws, Leaf, LeafBox, first_value};
use super::node::{Harvest, Node, Value};
use super::prior::Ranker;
use super::select::{Choice, gini_factor};
use super::tree::Tree;
use super::tuning::Tuning;
use crate::MAX_PLY;

/// The longest line of the tree; searches of leaves go on below it.
pub(super) const MAX_LINE: usize = MAX_PLY - 46;

/// As how many iterations under way a thread counts at most where it stays: enough that others go
/// elsewhere, and so few that a thousand threads do not overflow the count.
const MAX_WEIGHT: u64 = 24;

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
pub(super) enum Step {
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
    Stop(Step),
}

/// A thread on its way through the tree.
pub(super) struct Walker<'a> {
    leaf: LeafBox<'a>,
    ranker: Ranker,
    /// The nodes of the line, the root first.
    path: Vec<Place>,
    /// The moves between them.
    line: Vec<Move>,
    /// The nodes of the last line that came to nothing. They count as under way while another line is
    /// tried, so that it becomes another one.
    avoided: Vec<Place>,
    /// The moves that `leaf` has made: mostly those of the last line.
    made: Vec<Move>,
    /// Where in the tree's memory it puts what it makes.
    plot: Plot,
}

impl<'a> Walker<'a> {
    pub(super) fn new(leaf: LeafBox<'a>, ranker: Ranker) -> Self {
        let places = || Vec::with_capacity(MAX_PLY);
        let moves = || Vec::with_capacity(MAX_PLY);
        let (path, avoided, line, made) = (places(), places(), moves(), moves());
        Self { leaf, ranker, path, line, avoided, made, plot: Plot::default() }
    }

    /// Prepares the root: every line begins there, so that it must have a value and moves. `wanted`
    /// moves only, if there are any.
    pub(super) fn open_root(&mut self, shared: &Shared<'_>, wanted: &[Move]) {
        let root = shared.tree.root_node();
        self.path.clear();
        self.line.clear();
        self.path.push(shared.tree.root());
        self.follow();
        if root.visits() == 0 {
            let value = self.evaluate(shared, root);
            // A drawn root is played on: only what its moves prove counts.
            root.doubt();
            root.set_repeated(false);
            root.set_first(1.0 - value.score);
            root.add_unmarked(value.flipped());
        }
        root.set_repeated(false);
        if root.expansion().is_none() {
            let is_written = self.write_moves(shared, root, wanted);
            assert!(is_written, "a new tree has room for the root's moves");
        }
    }

    /// One iteration, and some more below nodes that it went through, up to `most` in all. How many came
    /// to an end, and how the first one ended.
    pub(super) fn burst(&mut self, shared: &Shared<'_>, most: u64) -> (u64, Step) {
        match self.step(shared) {
            Step::Done => (1 + self.camp(shared, most - 1), Step::Done),
            step => (0, step),
        }
    }

    /// Stays below the last node of the path with very many visits, and from there below others; without
    /// such a node, below the last one with many. How many iterations came to an end.
    fn camp(&mut self, shared: &Shared<'_>, most: u64) -> u64 {
        let tuning = shared.tuning;
        let camp = self.last_visited(shared, 0, tuning.camp_visits);
        let harvest = match camp {
            Some(ply) => {
                self.stay(shared, 0, ply, most, |walker, left| walker.halt(shared, ply, left))
            }
            None => self.halt(shared, 0, most),
        };
        harvest.visits()
    }

    /// Stays below the last node of the path behind `floor` with many visits, for so few iterations that
    /// nobody would have chosen otherwise in between. What they bring the node at the floor.
    fn halt(&mut self, shared: &Shared<'_>, floor: usize, most: u64) -> Harvest {
        let per_iteration = shared.tuning.stay_visits;
        let Some(ply) = self.last_visited(shared, floor, 2 * per_iteration) else {
            return Harvest::default();
        };
        let visits = shared.tree.node(self.path[ply]).visits();
        let wanted = u64::from(visits / per_iteration);
        self.stay(shared, floor, ply, wanted.min(most), |_, _| Harvest::default())
    }

    /// The last ply of the path behind `floor` whose node has so many visits.
    fn last_visited(&self, shared: &Shared<'_>, floor: usize, visits: u32) -> Option<usize> {
        let has_many = |&ply: &usize| shared.tree.node(self.path[ply]).visits() >= visits;
        (floor + 1..self.path.len()).rev().find(has_many)
    }

    /// Iterations that begin at a ply of the path, each followed by what `more` does, up to `most` in all.
    /// The nodes down from `floor` are told in one go; what they bring the one at the floor.
    fn stay(
        &mut self,
        shared: &Shared<'_>,
        floor: usize,
        ply: usize,
        most: u64,
        more: impl Fn(&mut Self, u64) -> Harvest,
    ) -> Harvest {
        let weight = most.min(MAX_WEIGHT);
        for &place in &self.path[floor + 1..=ply] {
            shared.tree.node(place).enter_for(weight);
        }
        let mut harvest = Harvest::default();
        let node = shared.tree.node(self.path[ply]);
        while harvest.visits() < most && node.proof().is_none() {
            self.path.truncate(ply + 1);
            self.line.truncate(ply);
            let Ok(value) = self.walk_on(shared) else {
                for &place in &self.path[ply + 1..] {
                    shared.tree.node(place).leave();
                }
                break;
            };
            harvest.add(self.back_up(shared, ply, value));
            harvest += more(self, most - harvest.visits());
        }
        self.bring_home(shared, floor, ply, (harvest, weight))
    }

    /// Tells the nodes above the one where the thread has stayed what came out, and leaves. What it is for
    /// the one at the floor.
    fn bring_home(
        &self,
        shared: &Shared<'_>,
        floor: usize,
        ply: usize,
        (mut harvest, weight): (Harvest, u64),
    ) -> Harvest {
        shared.tree.node(self.path[ply]).leave_for(weight);
        for &place in self.path[floor + 1..ply].iter().rev() {
            harvest = harvest.flipped();
            let node = shared.tree.node(place);
            node.add_harvest(harvest);
            node.leave_for(weight);
        }
        harvest = harvest.flipped();
        shared.tree.node(self.path[floor]).add_harvest(harvest);
        harvest
    }

    /// One iteration. After a collision, the next one goes another way; whoever does not try again must
    /// [`Walker::rest`].
    pub(super) fn step(&mut self, shared: &Shared<'_>) -> Step {
        let step = self.try_step(shared);
        self.rest(shared);
        if step != Step::Done {
            // The root is under way all the time, and nobody counts it.
            self.avoided.extend(self.path.iter().skip(1));
        }
        if step != Step::Collision {
            self.rest(shared);
        }
        step
    }

    fn try_step(&mut self, shared: &Shared<'_>) -> Step {
        let root = shared.tree.root();
        self.path.clear();
        self.line.clear();
        if shared.tree.node(root).proof().is_some() {
            return Step::Settled;
        }
        self.path.push(root);
        match self.walk_on(shared) {
            Ok(value) => {
                self.back_up(shared, 0, value);
                Step::Done
            }
            Err(step) => step,
        }
    }

    /// Goes on from the end of the path until there is a value, for the side to move there, or nothing.
    fn walk_on(&mut self, shared: &Shared<'_>) -> Result<Value, Step> {
        loop {
            match self.descend(shared) {
                Descent::On => (),
                Descent::End(value) => return Ok(value),
                Descent::Stop(step) => return Err(step),
            }
        }
    }

    /// Lets others go again where this thread came to nothing.
    pub(super) fn rest(&mut self, shared: &Shared<'_>) {
        for place in self.avoided.drain(..) {
            shared.tree.node(place).leave();
        }
    }

    /// Goes to a child, and marks it as under way, so that other threads rather go elsewhere.
    fn enter(&mut self, shared: &Shared<'_>, place: Place) {
        shared.tree.node(place).enter();
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
            Some(_) if self.ply() == 0 => return Descent::Stop(Step::Settled),
            Some(proof) => return Descent::End(shared.draws.proved(proof, self.ply())),
            None => (),
        }
        // Whoever made the node is still evaluating it.
        if counts.visits() == 0 {
            return Descent::Stop(Step::Collision);
        }
        let Some(expansion) = tree.expansion(node) else { return self.expand(shared, node) };
        let draw = shared.draws.worth(self.ply());
        match tree.choose(place, expansion, draw, shared.tuning) {
            Choice::Child(index) => {
                self.line.push(expansion.edge(index).mv);
                self.enter(shared, expansion.child(index));
                Descent::On
            }
            Choice::New => self.add_child(shared, node),
            Choice::Nowhere => match tree.deduce(place) {
                Some(proof) => {
                    node.prove(proof);
                    Descent::On
                }
                None => Descent::Stop(Step::Collision),
            },
        }
    }

    /// Gives the last node of the path its moves.
    fn expand(&mut self, shared: &Shared<'_>, node: Node<'_>) -> Descent {
        self.follow();
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
            return Descent::Stop(Step::Collision);
        }
        let is_done = node.expansion().is_some() || self.write_moves(shared, node, &[]);
        node.unlock();
        if is_done { Descent::On } else { Descent::Stop(Step::Full) }
    }

    /// Writes the moves of the position that `leaf` stands on.
    fn write_moves(&mut self, shared: &Shared<'_>, node: Node<'_>, wanted: &[Move]) -> bool {
        let board = self.leaf.board();
        let mut moves = board.legal_moves();
        if !wanted.is_empty() {
            moves.retain(|mv| wanted.contains(mv));
        }
        let temperature = shared.tuning.temperature(self.line.len());
        let edges = self.ranker.rank(board, &moves, temperature);
        let factor = gini_factor(edges.iter().map(|edge| edge.prior), shared.tuning);
        shared.tree.expand(node, &mut self.plot, edges, factor)
    }

    /// Makes the node of the first move that has none, and evaluates it.
    fn add_child(&mut self, shared: &Shared<'_>, node: Node<'_>) -> Descent {
        if !node.lock() {
            return Descent::Stop(Step::Collision);
        }
        // Another thread may have added a child since we chose; then the next one is meant.
        let expansion = shared.tree.expansion(node).filter(|e| e.children() < e.edges());
        let Some(mut expansion) = expansion else {
            node.unlock();
            return Descent::On;
        };
        let edge = expansion.edge(expansion.children());
        let Some(place) = expansion.next_child(&mut self.plot) else {
            node.unlock();
            return Descent::Stop(Step::Full);
        };
        let child = shared.tree.node(place);
        child.begin();
        expansion.count_child();
        node.unlock();
        self.line.push(edge.mv);
        self.path.push(place);
        self.follow();
        // Reading is free while nobody writes.
        if self.ply() > shared.deepest.load(Ordering::Relaxed) {
            shared.deepest.fetch_max(self.ply(), Ordering::Relaxed);
        }
        let value = self.evaluate(shared, child);
        child.set_first(1.0 - value.score);
        Descent::End(value)
    }

    /// The value of the last node of the path.
    fn evaluate(&mut self, shared: &Shared<'_>, node: Node<'_>) -> Value {
        let ply = self.ply();
        first_value(&mut *self.leaf, node, ply, shared.leaf, shared.draws)
    }

    /// Puts `leaf` on the last node of the path, by the way that differs from the last one.
    fn follow(&mut self) {
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
    /// for the one at the ply, which does not count this iteration as under way.
    fn back_up(&self, shared: &Shared<'_>, ply: usize, value: Value) -> Value {
        let mut value = value.flipped();
        for &place in self.path[ply + 1..].iter().rev() {
            shared.tree.node(place).add(value);
            value = value.flipped();
        }
        shared.tree.node(self.path[ply]).add_unmarked(value);
        let last = self.path[self.path.len() - 1];
        if shared.tree.node(last).proof().is_some() {
            shared.tree.spread_proof(&self.path);
        }
        value
    }

    /// Gives a node below the root new priors by the temperature of its new place. The order of the
    /// moves stays: a temperature changes how much, not which.
    pub(super) fn relabel(&mut self, shared: &Shared<'_>, line: &[Move], place: Place) {
        let node = shared.tree.node(place);
        let Some(expansion) = shared.tree.expansion(node) else { return };
        self.line.clear();
        self.line.extend_from_slice(line);
        self.follow();
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
    pub(super) fn leave_plot(&mut self) {
        self.plot = Plot::default();
    }
}
