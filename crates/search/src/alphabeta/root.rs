// SPDX-License-Identifier: GPL-3.0-or-later
//! The moves at the root, and what is known of each.

use chess::Move;

use crate::Score;
use crate::request::{RootCandidate, RootCandidates};

/// A move at the root.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct RootMove {
    pub(super) mv: Move,
    /// Its score in the present depth; `None` if it is only known to be worse than another's.
    pub(super) score: Option<Score>,
    /// The moves that are expected after it. Empty until it has been searched, and so without memory: most
    /// searches find a line for few moves only.
    pub(super) replies: Vec<Move>,
    /// Nodes spent on it in the whole search.
    pub(super) nodes: u64,
    pub(super) selective_depth: usize,
    /// What the tablebases say about it.
    pub(super) table_score: Option<Score>,
}

impl RootMove {
    /// The line that begins with it.
    pub(super) fn line(&self) -> Vec<Move> {
        std::iter::once(self.mv).chain(self.replies.iter().copied()).collect()
    }
}

/// All moves that may be played at the root, the best first.
#[derive(Clone, Debug, Default)]
pub(super) struct RootMoves {
    moves: Vec<RootMove>,
    /// How many best lines have been settled in the present depth.
    settled: usize,
    /// Whether some legal moves are left out.
    is_partial: bool,
}

impl RootMoves {
    /// These moves, none of which has been searched.
    pub(super) fn new(candidates: &RootCandidates) -> Self {
        let unsearched = |candidate: &RootCandidate| RootMove {
            mv: candidate.mv,
            score: None,
            replies: vec![],
            nodes: 0,
            selective_depth: 0,
            table_score: candidate.table_score,
        };
        let moves = candidates.moves.iter().map(unsearched).collect();
        Self { moves, settled: 0, is_partial: candidates.is_partial }
    }

    pub(super) fn len(&self) -> usize {
        self.moves.len()
    }

    /// Nodes spent on each move.
    pub(super) fn nodes(&self) -> Vec<(Move, u64)> {
        self.moves.iter().map(|root| (root.mv, root.nodes)).collect()
    }

    pub(super) fn get(&self, index: usize) -> &RootMove {
        &self.moves[index]
    }

    /// Which of the best lines is being searched, from 0.
    pub(super) const fn index(&self) -> usize {
        self.settled
    }

    /// Leaves out the `settled` best moves from now on, and forgets the others' scores.
    pub(super) fn settle(&mut self, settled: usize) {
        self.settled = settled;
    }

    /// Whether the result does not hold for the position as a whole.
    pub(super) const fn is_restricted(&self) -> bool {
        self.is_partial || self.settled > 0
    }

    /// Whether a move is to be searched now.
    pub(super) fn is_searched(&self, mv: Move) -> bool {
        !self.is_restricted() || self.moves[self.settled..].iter().any(|root| root.mv == mv)
    }

    /// What the tablebases say about a move.
    pub(super) fn table_score(&self, mv: Move) -> Option<Score> {
        self.moves.iter().find(|root| root.mv == mv)?.table_score
    }

    /// The move to be searched first.
    pub(super) fn first_move(&self) -> Option<Move> {
        self.moves.get(self.settled).map(|root| root.mv)
    }

    /// Keeps a move's score and line, or that it is worse than another's, with the nodes that were spent on
    /// it now and the selective depth.
    pub(super) fn record(
        &mut self,
        mv: Move,
        result: Option<(Score, &[Move])>,
        (nodes, selective_depth): (u64, usize),
    ) {
        let Some(root) = self.moves.iter_mut().find(|root| root.mv == mv) else { return };
        root.nodes += nodes;
        root.selective_depth = selective_depth;
        root.score = result.map(|(score, _)| score);
        if let Some((_, rest)) = result {
            root.replies.clear();
            root.replies.extend(rest);
        }
    }

    /// Forgets the scores of moves that are not settled.
    pub(super) fn forget_scores(&mut self) {
        for root in &mut self.moves[self.settled..] {
            root.score = None;
        }
    }

    /// Brings the moves that are not settled into order; unknown ones keep theirs.
    pub(super) fn sort(&mut self) {
        self.moves[self.settled..].sort_by_key(|root| std::cmp::Reverse(root.score));
    }

    /// Brings the first `count` moves into order, after several lines were searched.
    pub(super) fn sort_first(&mut self, count: usize) {
        self.moves[..count].sort_by_key(|root| std::cmp::Reverse(root.score));
    }

    /// The share of all nodes that went into a move.
    pub(super) fn share(&self, index: usize) -> f64 {
        let all: u64 = self.moves.iter().map(|root| root.nodes).sum();
        self.moves[index].nodes as f64 / all.max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use chess::Board;

    use super::*;

    #[test]
    fn known_scores_come_first_and_settled_ones_stay() {
        let board = Board::default();
        let mut root = RootMoves::new(&RootCandidates::new(&board, &[]));
        let (e4, d4) = (board.parse_uci("e2e4").unwrap(), board.parse_uci("d2d4").unwrap());
        root.record(e4, Some((Score::new(30), &[])), (10, 1));
        root.record(d4, Some((Score::new(20), &[])), (30, 1));
        root.sort();
        assert_eq!((root.get(0).mv, root.get(1).mv), (e4, d4));
        root.settle(1);
        assert!(!root.is_searched(e4));
        assert_eq!(root.first_move(), Some(d4));
        assert!((root.share(1) - 0.75).abs() < 1e-9);
    }
}
