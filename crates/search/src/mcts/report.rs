// SPDX-License-Identifier: GPL-3.0-or-later
//! What a tree says: its best lines, and the numbers of every move.

use std::cmp::Ordering;

use chess::{Board, Move};

use super::edges::Edge;
use super::iteration::MAX_LINE;
use super::leaf::Draws;
use super::node::NodeRef;
use super::node_pool::Place;
use super::proof::Proof;
use super::select;
use super::tree::Tree;
use super::tuning::Tuning;
use crate::{Bound, Line, MoveStats, Odds, Score};

/// A part of a tree.
#[derive(Clone, PartialEq, Debug)]
pub struct TreeNode {
    /// The numbers of the move that leads here.
    pub stats: MoveStats,
    /// The moves from here, the best first.
    pub children: Vec<TreeNode>,
}

/// How a move ranks in the end, from the worst to the best.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug)]
enum MoveRank {
    /// It loses, the later the better.
    Lost(Score),
    /// Nobody has tried it; by its prior.
    Untried(f32),
    /// By its value, less something for few visits.
    Tried(f32),
    /// It wins, the sooner the better.
    Won(Score),
}

impl MoveRank {
    /// An order without gaps, whatever the numbers are.
    fn compare(self, other: Self) -> Ordering {
        match (self, other) {
            (Self::Untried(a), Self::Untried(b)) | (Self::Tried(a), Self::Tried(b)) => {
                a.total_cmp(&b)
            }
            _ => self.partial_cmp(&other).unwrap_or(Ordering::Equal),
        }
    }
}

/// What a node does not know itself, but the move that leads there.
struct IncomingMove {
    mv: Option<Move>,
    prior: f32,
    exploration: f32,
    /// Plies from the root to where the move is made.
    ply: usize,
}

/// Reads a tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct TreeReader<'a> {
    pub(super) tree: &'a Tree,
    pub(super) tuning: &'a Tuning,
    pub(super) draws: Draws,
}

impl TreeReader<'_> {
    fn rank(self, edge: Edge, child: Option<Place>, ply: usize) -> MoveRank {
        let node = child.map(|place| self.tree.node(place));
        let Some((node, mean)) = node.and_then(|node| Some((node, node.mean()?))) else {
            return MoveRank::Untried(edge.prior);
        };
        match node.proof().map(Proof::before_move) {
            Some(proof) if proof.is_won() => MoveRank::Won(proof.score(0)),
            Some(proof) if proof.is_lost() => MoveRank::Lost(proof.score(0)),
            Some(_) => MoveRank::Tried(self.draws.worth(ply)),
            None => {
                let doubt = self.tuning.caution / (node.visits() as f32).sqrt();
                MoveRank::Tried(mean.score - doubt)
            }
        }
    }

    /// The moves of a node with their children, the best first. Other threads may be at work in the tree, so
    /// each rank is read once: one that changed while it is compared would leave no order to sort by.
    pub(super) fn ranked(self, place: Place, ply: usize) -> Vec<(Edge, Option<Place>)> {
        let Some(expansion) = self.tree.expansion(self.tree.node(place)) else { return vec![] };
        let child = |i: usize| (i < expansion.children()).then(|| expansion.child(i));
        let moves = (0..expansion.edges()).map(|i| (expansion.edge(i), child(i)));
        let mut ranks: Vec<_> =
            moves.map(|(edge, child)| (self.rank(edge, child, ply), edge, child)).collect();
        ranks.sort_by(|(a, ..), (b, ..)| b.compare(*a));
        ranks.into_iter().map(|(_, edge, child)| (edge, child)).collect()
    }

    /// The best child that was visited.
    fn best_child(self, place: Place, ply: usize) -> Option<(Edge, Place)> {
        let visited = self.tree.children(place).filter(|&(_, c)| self.tree.node(c).visits() > 0);
        let ranks = visited.map(|(edge, child)| (self.rank(edge, Some(child), ply), edge, child));
        let best = ranks.max_by(|(a, ..), (b, ..)| a.compare(*b))?;
        Some((best.1, best.2))
    }

    /// The best line from the root that begins with a move.
    fn moves_from(self, edge: Edge, child: Option<Place>) -> Vec<Move> {
        let mut moves = vec![edge.mv];
        let mut place = child;
        while let Some(here) = place.filter(|_| moves.len() < MAX_LINE) {
            if self.tree.node(here).counts().is_repeated() {
                break;
            }
            let next = self.best_child(here, moves.len());
            moves.extend(next.map(|(edge, _)| edge.mv));
            place = next.map(|(_, child)| child);
        }
        moves
    }

    /// A line for every move of the root, the best first, made when it is asked for.
    pub(super) fn lines(self, board: &Board) -> impl Iterator<Item = Line> {
        let odds = Odds::on(board);
        self.ranked(self.tree.root(), 0).into_iter().map(move |(edge, child)| {
            let moves = self.moves_from(edge, child);
            let score = self.score(child, moves.len(), odds);
            Line { depth: 0, selective_depth: 0, rank: 1, score, bound: Bound::Exact, moves }
        })
    }

    /// The score of a move at the root whose best line has this many plies.
    fn score(self, child: Option<Place>, plies: usize, odds: Odds) -> Score {
        let node = child.map(|place| self.tree.node(place));
        let proof = node.and_then(NodeRef::proof).map(|proof| proof.before_move().score(0));
        if let Some(score) = proof {
            let is_shown = [Score::mate_in(plies), Score::mated_in(plies)].contains(&score);
            let is_mate = score.mate_moves().is_some();
            // A mate whose moves were forgotten in a collection is only a large score.
            return if is_mate && !is_shown { odds.score_of(win_or_loss(score)) } else { score };
        }
        let value = node.and_then(NodeRef::mean);
        let value = value.or_else(|| Some(self.tree.root_node().mean()?.flipped()));
        let plain = value.map_or(0.5, |value| self.draws.plain(value, 0));
        odds.score_of(f64::from(plain))
    }

    /// The share of the root's visits that went into a move.
    pub(super) fn share(self, mv: Move) -> f64 {
        let (mut own, mut all) = (0.0, 0.0);
        for (edge, child) in self.tree.children(self.tree.root()) {
            let visits = f64::from(self.tree.node(child).visits());
            all += visits;
            own += if edge.mv == mv { visits } else { 0.0 };
        }
        own / f64::max(all, 1.0)
    }

    /// The numbers of the root.
    pub(super) fn root_stats(self) -> MoveStats {
        // The root's counts are those of whoever moved there.
        let arrival = IncomingMove { mv: None, prior: 1.0, exploration: 0.0, ply: 1 };
        self.stats(&arrival, Some(self.tree.root()))
    }

    /// The numbers of every move of a node, the best first.
    pub(super) fn move_stats(self, place: Place, ply: usize) -> Vec<MoveStats> {
        let ranked = self.ranked(place, ply);
        ranked.into_iter().map(|(edge, child)| self.edge_stats(place, edge, child, ply)).collect()
    }

    fn edge_stats(self, parent: Place, edge: Edge, child: Option<Place>, ply: usize) -> MoveStats {
        let is_root = parent == self.tree.root();
        let scale = select::scale(self.tree.node(parent), is_root, self.tuning);
        let visits = child.map_or(0, |place| self.tree.node(place).visits());
        let exploration = scale * edge.prior / (1 + visits) as f32;
        self.stats(&IncomingMove { mv: Some(edge.mv), prior: edge.prior, exploration, ply }, child)
    }

    fn stats(self, arrival: &IncomingMove, place: Option<Place>) -> MoveStats {
        let node = place.map(|place| self.tree.node(place));
        let mean = node.and_then(NodeRef::mean);
        MoveStats {
            mv: arrival.mv,
            visits: node.map_or(0, NodeRef::visits),
            in_flight: node.map_or(0, |node| node.counts().in_flight()),
            prior: arrival.prior,
            value: mean.map(|mean| mean.score),
            plain: mean.map(|mean| self.draws.plain(mean, arrival.ply)),
            draw: mean.map(|mean| mean.draw),
            exploration: arrival.exploration,
            first_value: mean.and(node).map(NodeRef::first),
            proof: node.and_then(NodeRef::proof).map(|proof| proof.before_move().score(0)),
        }
    }

    /// The tree below the end of a line of moves, so many plies deep; `None` if the tree does not go
    /// there.
    pub(super) fn below(self, line: &[Move], depth: usize) -> Option<TreeNode> {
        let (mut place, mut stats) = (self.tree.root(), self.root_stats());
        for (ply, &mv) in line.iter().enumerate() {
            let (edge, child) = self.tree.children(place).find(|(edge, _)| edge.mv == mv)?;
            stats = self.edge_stats(place, edge, Some(child), ply);
            place = child;
        }
        Some(TreeNode { stats, children: self.subtrees(place, line.len(), depth) })
    }

    fn subtrees(self, place: Place, ply: usize, depth: usize) -> Vec<TreeNode> {
        if depth == 0 {
            return vec![];
        }
        let subtree = |(edge, child): (Edge, Option<Place>)| TreeNode {
            stats: self.edge_stats(place, edge, child, ply),
            children: child.map_or(vec![], |child| self.subtrees(child, ply + 1, depth - 1)),
        };
        self.ranked(place, ply).into_iter().map(subtree).collect()
    }
}

/// The expected score of a decided game.
fn win_or_loss(score: Score) -> f64 {
    f64::from(u8::from(score.is_win()))
}
