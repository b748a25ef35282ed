// SPDX-License-Identifier: GPL-3.0-or-later
//! How promising moves look before anything is searched.

use std::sync::Arc;

use chess::{Board, Move, Role};
use net::Kernels;
use net::policy::{Policy, PolicyEvaluator, SEE_VALUES};

use super::edges::Edge;

/// What gives moves their priors.
#[derive(Clone, Debug, Default)]
pub enum Ranking {
    /// A rule of thumb: captures and promotions that win material first, moves that lose it last.
    #[default]
    Rule,
    /// A policy network on the kernels of this processor.
    Net(Arc<Policy>, Kernels),
}

impl Ranking {
    /// Its name.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Rule => "rule",
            Self::Net(..) => "policy",
        }
    }
}

/// Ranks moves for one thread; it owns the room that this takes.
#[derive(Debug)]
pub(super) struct Ranker {
    source: Source,
    /// The moves of the last position, the most promising first.
    edges: Vec<Edge>,
}

#[derive(Debug)]
enum Source {
    Rule,
    Net(Box<PolicyEvaluator>),
}

impl Ranker {
    pub(super) fn new(ranking: &Ranking) -> Self {
        let source = match ranking {
            Ranking::Rule => Source::Rule,
            Ranking::Net(policy, kernels) => {
                Source::Net(Box::new(PolicyEvaluator::new(Arc::clone(policy), *kernels)))
            }
        };
        Self { source, edges: Vec::with_capacity(512) }
    }

    /// The moves with their priors, the most promising first. Equal ones keep their order, so that
    /// the same board always gives the same list.
    pub(super) fn rank(&mut self, board: &Board, moves: &[Move], temperature: f32) -> &[Edge] {
        self.edges.clear();
        match &mut self.source {
            Source::Rule => {
                let edge = |&mv: &Move| Edge { mv, prior: (points(board, mv) / temperature).exp() };
                self.edges.extend(moves.iter().map(edge));
                let total: f32 = self.edges.iter().map(|edge| edge.prior).sum();
                for edge in &mut self.edges {
                    edge.prior /= total;
                }
            }
            Source::Net(policy) => {
                let priors = policy.priors(board, moves, temperature);
                let edges = moves.iter().zip(priors).map(|(&mv, &prior)| Edge { mv, prior });
                self.edges.extend(edges);
            }
        }
        // A stable sort would allocate.
        self.edges
            .sort_unstable_by(|a, b| b.prior.total_cmp(&a.prior).then_with(|| a.mv.cmp(&b.mv)));
        &self.edges
    }
}

/// What a move promises by the rule of thumb, on a logarithmic scale.
fn points(board: &Board, mv: Move) -> f32 {
    let victim = match board.role_on(mv.to()) {
        Some(role) if mv.is_capture() => SEE_VALUES[role],
        _ if mv.is_capture() => SEE_VALUES[Role::Pawn],
        _ => 0,
    };
    let is_safe = mv.is_castle() || board.see(mv, 0, &SEE_VALUES);
    let promotion = match mv.promotion() {
        Some(Role::Queen) => 1.5,
        Some(_) => -1.0,
        None => 0.0,
    };
    let exchange = match (is_safe, victim) {
        (true, 0) => 0.0,
        (true, value) => 1.0 + value as f32 / 600.0,
        (false, _) => -1.0,
    };
    let check = if board.gives_check(mv) && is_safe { 0.5 } else { 0.0 };
    exchange + promotion + check
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first_moves(fen: &str, ranking: &Ranking) -> Vec<Edge> {
        let board: Board = fen.parse().unwrap();
        let mut ranker = Ranker::new(ranking);
        ranker.rank(&board, &board.legal_moves(), 1.0).to_vec()
    }

    #[test]
    fn the_rule_prefers_what_wins_material() {
        let edges = first_moves("4k3/8/8/3q4/4P3/8/8/4K2R w K - 0 1", &Ranking::Rule);
        let board: Board = "4k3/8/8/3q4/4P3/8/8/4K2R w K - 0 1".parse().unwrap();
        assert_eq!(edges[0].mv, board.parse_uci("e4d5").unwrap());
        let total: f32 = edges.iter().map(|edge| edge.prior).sum();
        assert!((total - 1.0).abs() < 1e-4 && edges.is_sorted_by(|a, b| a.prior >= b.prior));
    }

    #[test]
    fn a_hot_temperature_evens_out() {
        let board: Board = "4k3/8/8/3q4/4P3/8/8/4K2R w K - 0 1".parse().unwrap();
        for ranking in
            [Ranking::Rule, Ranking::Net(Arc::new(net::random::policy(3)), Kernels::detect())]
        {
            let mut ranker = Ranker::new(&ranking);
            let cold = ranker.rank(&board, &board.legal_moves(), 1.0).to_vec();
            let hot = ranker.rank(&board, &board.legal_moves(), 3.0).to_vec();
            assert!(hot[0].prior < cold[0].prior);
            assert!(cold.iter().map(|e| e.mv).eq(hot.iter().map(|e| e.mv)), "the order stays");
        }
    }
}
