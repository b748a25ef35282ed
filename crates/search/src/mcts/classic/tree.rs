// SPDX-License-Identifier: GPL-3.0-or-later
//! The classic tree and its iterations.

use std::ops::Range;

use chess::{Board, Color, Move};

use super::{ClassicOptions, Rollout};
use crate::mcts::iteration::MAX_LINE;
use crate::mcts::leaf::LeafBox;
use crate::mcts::proof::Proof;
use crate::{Odds, Position, Score};

/// Random games that go on for longer are drawn.
const MAX_ROLLOUT: usize = 400;

/// A position behind a move.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClassicNode {
    /// The move that leads here; `None` at the root.
    pub(super) mv: Option<Move>,
    /// The evaluation, or the result of a game that is over here, from -1 to 1 in White's view.
    pub(super) value: f32,
    /// The sum of results of simulations through here.
    pub(super) results: f64,
    pub(super) visits: u32,
    /// Where the positions behind the moves from here begin, and how many there are.
    first: u32,
    count: u16,
    /// Whether the game is over here.
    is_over: bool,
    /// What is certain here. The rule knows nothing of it; only the last choice and the score do.
    pub(super) proof: Option<Proof>,
}

impl ClassicNode {
    /// A position behind a move that is worth this much, with the result if the game is over there.
    const fn new(mv: Option<Move>, value: f32, proof: Option<Proof>) -> Self {
        let is_over = proof.is_some();
        Self { mv, value, results: 0.0, visits: 0, first: 0, count: 0, is_over, proof }
    }

    const fn children(&self) -> Range<usize> {
        self.first as usize..self.first as usize + self.count as usize
    }

    /// The bracket of the rule, in White's view.
    pub(super) fn mixed_value(&self, exploration: f64) -> f64 {
        let result = self.results / f64::from(self.visits.max(1));
        (1.0 - exploration) * f64::from(self.value) + exploration * result
    }
}

/// The memory of the classic tree. It never grows: what does not fit is not expanded.
#[derive(Debug, Default)]
pub(crate) struct ClassicTree(Vec<ClassicNode>, Option<Root>);

/// Where a tree begins, and how it was grown.
#[derive(Clone, Debug)]
pub(super) struct Root {
    pub(super) position: Position,
    /// How much simulations count against evaluations, from 0 to 1.
    pub(super) exploration: f64,
}

impl ClassicTree {
    /// Room for this many bytes of positions; `None` if the system has not got the memory.
    pub(crate) fn new(bytes: usize) -> Option<Self> {
        let mut nodes = Vec::new();
        let count = (bytes / size_of::<ClassicNode>()).clamp(1, u32::MAX as usize);
        nodes.try_reserve_exact(count).ok()?;
        Some(Self(nodes, None))
    }

    /// Where the tree begins; `None` before the first search and after `clear`.
    pub(super) const fn root(&self) -> Option<&Root> {
        self.1.as_ref()
    }

    /// Forgets the tree.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
        self.1 = None;
    }

    pub(super) fn node(&self, place: usize) -> &ClassicNode {
        &self.0[place]
    }

    /// The places of the positions behind the moves from a place.
    pub(super) fn children(&self, place: usize) -> Range<usize> {
        self.0[place].children()
    }

    fn has_room_for(&self, count: usize) -> bool {
        self.0.len() + count <= self.0.capacity()
    }

    /// Bytes of memory.
    pub(crate) fn bytes(&self) -> usize {
        self.0.capacity() * size_of::<ClassicNode>()
    }
}

/// Iterates by the classic rule.
pub(super) struct ClassicSearch<'a, 'p> {
    leaf: LeafBox<'p>,
    tree: &'a mut ClassicTree,
    exploration: f64,
    rollout: Rollout,
    path: Vec<usize>,
    deepest: usize,
    random: Random,
}

pub(super) const ROOT: usize = 0;

impl<'a, 'p> ClassicSearch<'a, 'p> {
    /// Begins with a root that has these moves.
    pub(super) fn new(
        leaf: LeafBox<'p>,
        tree: &'a mut ClassicTree,
        options: ClassicOptions,
        position: &Position,
        moves: &[Move],
    ) -> Self {
        tree.clear();
        tree.0.push(ClassicNode::new(None, 0.0, None));
        let exploration = f64::from(options.exploration) / 1000.0;
        tree.1 = Some(Root { position: position.clone(), exploration });
        let mut search = Self {
            leaf,
            tree,
            exploration,
            rollout: options.rollout,
            path: Vec::with_capacity(MAX_LINE + 1),
            deepest: 0,
            random: Random(0x9E37_79B9_7F4A_7C15),
        };
        search.expand(ROOT, moves);
        search
    }

    /// One iteration: to a leaf, which is expanded, and one move further; from there a simulation.
    pub(super) fn iterate(&mut self) {
        self.path.clear();
        self.path.push(ROOT);
        let mut place = ROOT;
        loop {
            if self.tree.0[place].count == 0 && !self.tree.0[place].is_over && place != ROOT {
                let moves = self.leaf.board().legal_moves();
                if self.path.len() <= MAX_LINE && self.tree.has_room_for(moves.len()) {
                    self.expand(place, &moves);
                }
            }
            let Some(next) = self.choose(place) else { break };
            let is_new = self.tree.0[next].visits == 0;
            let mv = self.tree.0[next].mv.expect("only the root has no move");
            self.leaf.make(mv);
            self.path.push(next);
            place = next;
            if is_new {
                break;
            }
        }
        self.deepest = self.deepest.max(self.path.len() - 1);
        let result = self.simulate(place);
        for &place in &self.path {
            let node = &mut self.tree.0[place];
            node.visits += 1;
            node.results += f64::from(result);
        }
        for _ in 1..self.path.len() {
            self.leaf.unmake();
        }
        self.back_up_proofs();
    }

    /// Notes what the positions of the path are worth for certain, now that more of them are known.
    fn back_up_proofs(&mut self) {
        for index in (0..self.path.len()).rev() {
            let place = self.path[index];
            if let Some(proof) = self.prove_from_children(place) {
                self.tree.0[place].proof = Some(proof);
            }
        }
    }

    /// What the positions behind its moves prove about a position.
    fn prove_from_children(&self, place: usize) -> Option<Proof> {
        let children = &self.tree.0[self.tree.0[place].children()];
        let best = children.iter().filter_map(|child| child.proof).map(Proof::before_move).max()?;
        let is_complete = children.iter().all(|child| child.proof.is_some());
        (best.is_won() || is_complete).then_some(best)
    }

    /// Evaluates all positions behind the moves from here.
    fn expand(&mut self, place: usize, moves: &[Move]) {
        let first = self.tree.0.len();
        for &mv in moves.iter().take(self.tree.0.capacity() - first) {
            self.leaf.make(mv);
            let (value, proof) = self.value();
            self.leaf.unmake();
            self.tree.0.push(ClassicNode::new(Some(mv), value, proof));
        }
        let count = self.tree.0.len() - first;
        let node = &mut self.tree.0[place];
        (node.first, node.count) = (first as u32, count as u16);
    }

    /// The worth of the position that `leaf` stands on in White's view, and the result if the game is over
    /// there.
    fn value(&mut self) -> (f32, Option<Proof>) {
        if let Some(result) = result_of(self.leaf.board()) {
            let is_mate = self.leaf.board().is_checkmate();
            return (result, Some(if is_mate { Proof::Lost(0) } else { Proof::Drawn }));
        }
        if self.leaf.is_repetition() {
            return (0.0, Some(Proof::Drawn));
        }
        if let Some(score) = self.leaf.table_score() {
            let proof = match score {
                score if score.is_win() => Proof::TableWon,
                score if score.is_loss() => Proof::TableLost,
                _ => Proof::Drawn,
            };
            return (whites(self.leaf.board(), score.value().signum() as f32), Some(proof));
        }
        let score = self.leaf.evaluate();
        (in_whites_view(self.leaf.board(), score), None)
    }

    /// The move that the rule chooses.
    fn choose(&self, place: usize) -> Option<usize> {
        let node = &self.tree.0[place];
        let sign = sign(self.leaf.board().turn());
        let growth = f64::from(node.visits).ln_1p();
        let is_first = node.visits == 0;
        let worth = |&index: &usize| {
            let child = &self.tree.0[index];
            if is_first {
                return sign * f64::from(child.value);
            }
            sign * child.mixed_value(self.exploration) + growth / (1.0 + f64::from(child.visits))
        };
        // Of equals the first: `max_by` would take the last.
        node.children().rev().max_by(|a, b| worth(a).total_cmp(&worth(b)))
    }

    /// The result of a simulation from a position, in White's view.
    fn simulate(&mut self, place: usize) -> f32 {
        let node = self.tree.0[place];
        if node.is_over {
            return node.value;
        }
        match self.rollout {
            Rollout::Value => node.value,
            Rollout::Quiescence => {
                let score = self.leaf.quiesce();
                in_whites_view(self.leaf.board(), score)
            }
            Rollout::Random => self.random.play_out(*self.leaf.board()),
        }
    }

    fn root_sign(&self) -> f64 {
        sign(self.leaf.board().turn())
    }

    /// The moves of the root, the best first: by the bracket, but what surely wins before all and what
    /// surely loses behind.
    pub(super) fn ranked(&self) -> Vec<usize> {
        let sign = self.root_sign();
        let rank = |index: usize| {
            let child = &self.tree.0[index];
            let certain =
                child.proof.map(Proof::before_move).filter(|proof| *proof != Proof::Drawn);
            let score = certain.map_or(Score::DRAW, |proof| proof.score(0));
            (score, sign * child.mixed_value(self.exploration))
        };
        let mut ranked: Vec<usize> = self.tree.0[ROOT].children().collect();
        ranked.sort_by(|&a, &b| {
            let (a, b) = (rank(a), rank(b));
            b.0.cmp(&a.0).then(b.1.total_cmp(&a.1))
        });
        ranked
    }

    /// The best line that begins with a move of the root, and its score.
    pub(super) fn line(&self, child: usize, odds: Odds) -> (Vec<Move>, Score) {
        let (mut place, mut sign) = (child, -self.root_sign());
        let mut moves: Vec<Move> = self.tree.0[child].mv.into_iter().collect();
        while let Some(next) = self.next_of_line(place, sign) {
            moves.extend(self.tree.0[next].mv);
            (place, sign) = (next, -sign);
        }
        let node = &self.tree.0[child];
        let certain = node.proof.map(|proof| proof.before_move().score(0));
        let is_shown = |score: &Score| {
            let plies = moves.len();
            score.mate_moves().is_none()
                || [Score::mate_in(plies), Score::mated_in(plies)].contains(score)
        };
        let own = self.root_sign() * node.mixed_value(self.exploration);
        let guess = || odds.score_of(f64::midpoint(own, 1.0));
        let score = certain.filter(is_shown).unwrap_or_else(guess);
        (moves, score)
    }

    /// Where the best line goes on: by what is certain, or by the bracket.
    fn next_of_line(&self, place: usize, sign: f64) -> Option<usize> {
        let node = &self.tree.0[place];
        let child = |index: &usize| &self.tree.0[*index];
        if let Some(proof) = node.proof {
            let proves = |i: &usize| child(i).proof.map(Proof::before_move) == Some(proof);
            return node.children().find(proves);
        }
        let visited = node.children().filter(|index| child(index).visits > 0);
        let worth = |index: &usize| sign * child(index).mixed_value(self.exploration);
        visited.max_by(|a, b| worth(a).total_cmp(&worth(b)))
    }

    pub(super) const fn deepest(&self) -> usize {
        self.deepest
    }

    pub(super) fn table_hits(&self) -> u64 {
        self.leaf.table_hits()
    }

    /// Per mille of the memory in use.
    pub(super) fn fill(&self) -> usize {
        self.tree.0.len() * 1000 / self.tree.0.capacity().max(1)
    }
}

/// +1 for White, -1 for Black.
pub(super) const fn sign(color: Color) -> f64 {
    match color {
        Color::White => 1.0,
        Color::Black => -1.0,
    }
}

/// Something for the side to move, in White's view.
fn whites(board: &Board, own: f32) -> f32 {
    own * sign(board.turn()) as f32
}

/// A score of the side to move as a number from -1 to 1 in White's view.
fn in_whites_view(board: &Board, score: Score) -> f32 {
    let (win, draw) = Odds::on(board).chances(score);
    whites(board, 2.0 * win + draw - 1.0)
}

/// The result of a game that is over by the rules, in White's view.
fn result_of(board: &Board) -> Option<f32> {
    let winner = board.ending_with_claims(1)?.outcome.winner();
    Some(winner.map_or(0.0, |winner| sign(winner) as f32))
}

/// Marsaglia's xorshift: playouts need variety, not secrecy.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((u128::from(self.0) * limit as u128) >> 64) as usize
    }

    /// The result of random moves until the game is over.
    fn play_out(&mut self, mut board: Board) -> f32 {
        for _ in 0..MAX_ROLLOUT {
            if let Some(result) = result_of(&board) {
                return result;
            }
            let moves = board.legal_moves();
            board.play(moves[self.below(moves.len())]);
        }
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bracket_is_napoleons() {
        let node = ClassicNode { results: 3.0, visits: 4, ..ClassicNode::new(None, 0.5, None) };
        assert!((node.mixed_value(0.05) - (0.95 * 0.5 + 0.05 * 0.75)).abs() < 1e-9);
        assert!((ClassicNode::new(None, 0.5, None).mixed_value(0.05) - 0.475).abs() < 1e-9);
    }

    #[test]
    fn playouts_end_by_the_rules() {
        let mut random = Random(1);
        let mated: Board = "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1".parse().unwrap();
        let mut result = |board: Board| random.play_out(board) as i32;
        assert_eq!(result(mated), 1);
        let results: Vec<i32> = (0..50).map(|_| result(Board::default())).collect();
        assert!(results.iter().any(|&result| result != results[0]), "not always the same");
    }
}
