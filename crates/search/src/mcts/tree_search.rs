// SPDX-License-Identifier: GPL-3.0-or-later
//! One tree search, and what it remembers for the next.

use std::sync::atomic::AtomicUsize;

use chess::Move;

use super::TreeOptions;
use super::iteration::{Shared, TreeWorker};
use super::leaf::{Draws, Leaf, LeafBox};
use super::monitor::SearchMonitor;
use super::prior::{Ranker, Ranking};
use super::report::{TreeNode, TreeReader};
use super::reroot::TreeRoot;
use super::rounds::ParallelSearch;
use super::tree::Tree;
use super::tuning::Tuning;
use crate::request::SearchRequest;
use crate::{Answer, Params, Position, Stats};

/// The tree search with what it remembers from move to move.
#[derive(Debug)]
pub(crate) struct TreeSearch {
    tree: Tree,
    /// Where the tree begins; `None` if it is empty.
    rooted: Option<TreeRoot>,
}

impl TreeSearch {
    /// A search with so many bytes for its tree; `None` if the system has not got the memory.
    pub(crate) fn new(bytes: usize) -> Option<Self> {
        Some(Self { tree: Tree::new(bytes)?, rooted: None })
    }

    /// Forgets the tree.
    pub(crate) fn clear(&mut self) {
        self.rooted = None;
    }

    /// Bytes of the tree.
    pub(crate) fn bytes(&self) -> usize {
        self.tree.bytes()
    }

    /// Searches, with one thread for each of the leaf values, until a limit is reached.
    pub(crate) fn think(
        &mut self,
        leaves: Vec<LeafBox<'_>>,
        request: &SearchRequest<'_>,
        options: &TreeOptions,
        ranking: &Ranking,
    ) -> Answer {
        let tuning = Tuning::new(request.params);
        let draws = Draws::new(request.position.board(), request.limits.contempt);
        let is_reused = self.reroot(request);
        let tree = &mut self.tree;
        let mut workers: Vec<_> =
            leaves.into_iter().map(|leaf| TreeWorker::new(leaf, Ranker::new(ranking))).collect();
        open(tree, &tuning, (options.leaf, draws), &mut workers[0], request, is_reused);
        let visits_before = tree.root_node().visits();
        let mut growth = ParallelSearch { request, tree, tuning, draws, leaf: options.leaf };
        let mut monitor = SearchMonitor::new(request, options.shows_moves, visits_before);
        growth.run(&mut workers, &mut monitor);
        let reader = growth.reader();
        monitor.report_last_moves(reader);
        let best = monitor.last_line(reader);
        Answer { best, effort: monitor.effort(reader), stats: Stats::default() }
    }

    /// Makes the request's position the root, with what is known of it if possible. Whether it is.
    fn reroot(&mut self, request: &SearchRequest<'_>) -> bool {
        let tree = &mut self.tree;
        let contempt = request.limits.contempt;
        let is_partial = request.candidates.is_partial;
        let rooted = self.rooted.take().filter(|_| !is_partial);
        let found = rooted.and_then(|rooted| rooted.find(tree, request.position, contempt));
        let found = found.filter(|&place| tree.has_intact_proof(place));
        match found {
            Some(place) => tree.set_root(place),
            None => tree.clear(),
        }
        self.rooted = Some(TreeRoot { position: request.position.clone(), contempt, is_partial });
        found.is_some()
    }

    /// The tree below the end of a line of moves from the last root, so many plies deep; `None` if
    /// there is none.
    pub(crate) fn tree_below(
        &self,
        params: &Params,
        line: &[Move],
        depth: usize,
    ) -> Option<(Position, TreeNode)> {
        let rooted = self.rooted.as_ref()?;
        let tuning = Tuning::new(params);
        let draws = Draws::new(rooted.position.board(), rooted.contempt);
        let reader = TreeReader { tree: &self.tree, tuning: &tuning, draws };
        Some((rooted.position.clone(), reader.below(line, depth)?))
    }
}

/// Gives the root its moves. In a tree that is used again, the root and its children get the priors of
/// their new places.
fn open(
    tree: &mut Tree,
    tuning: &Tuning,
    (leaf, draws): (Leaf, Draws),
    worker: &mut TreeWorker<'_>,
    request: &SearchRequest<'_>,
    is_reused: bool,
) {
    if is_reused && tree.root_node().expansion().is_none() && tree.fill() > 900 {
        tree.collect();
    }
    let tree = &*tree;
    let deepest = AtomicUsize::new(0);
    let shared = Shared { tree, tuning, leaf, draws, deepest: &deepest };
    let is_labelled = tree.root_node().expansion().is_none();
    let candidates = &request.candidates;
    let wanted = candidates.moves.iter().map(|root| root.mv).filter(|_| candidates.is_partial);
    worker.open_root(&shared, &wanted.collect::<Vec<Move>>());
    if is_reused {
        if !is_labelled {
            worker.refresh_priors(&shared, &[], tree.root());
        }
        for (edge, child) in tree.children(tree.root()) {
            worker.refresh_priors(&shared, &[edge.mv], child);
        }
    }
}
