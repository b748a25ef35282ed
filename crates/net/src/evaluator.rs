// SPDX-License-Identifier: GPL-3.0-or-later
//! Evaluating boards with a network.

use std::sync::Arc;

use chess::{Board, Delta, Placed, Role, Square, White};

use crate::Kernels;
use crate::arch::{EvaluatorState, Layer, Net, without};

/// Evaluates boards with a network, and follows a line of play so that it need not begin anew at
/// every node.
///
/// ```
/// use std::sync::Arc;
/// use chess::Board;
/// use net::{Architecture, NetEvaluator, Kernels, random};
/// let net = Arc::new(random::network(Architecture::House, 1));
/// let mut evaluator = NetEvaluator::new(net, Kernels::detect());
/// let mut board = Board::default();
/// evaluator.reset(&board);
/// let before = evaluator.evaluate(&board);
/// evaluator.push(&board.play(board.parse_uci("e2e4").unwrap()));
/// let _after = evaluator.evaluate(&board);
/// evaluator.pop();
/// assert_eq!(evaluator.evaluate(&Board::default()), before);
/// ```
#[derive(Clone, Debug)]
pub struct NetEvaluator {
    net: Arc<Net>,
    state: EvaluatorState,
    kernels: Kernels,
}

/// What one piece adds to the evaluation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Contribution {
    /// Where the piece stands.
    pub square: Square,
    /// How many points White's evaluation would fall without it.
    pub white: i32,
}

impl Contribution {
    /// What each piece but the kings adds to the points of the whole board: the difference when it is taken
    /// away, as far as it can be.
    pub fn of_pieces(
        board: &Board,
        whole: i32,
        mut without: impl FnMut(Square) -> Option<i32>,
    ) -> Vec<Self> {
        let pieces = board.occupied() - board.by_role(Role::King);
        let contribution = |square| {
            let share = White::seen_by(board.turn(), whole - without(square)?);
            Some(Self { square, white: share.get() })
        };
        pieces.into_iter().filter_map(contribution).collect()
    }
}

impl NetEvaluator {
    /// An evaluator that stands on the starting position.
    pub fn new(net: Arc<Net>, kernels: Kernels) -> Self {
        let state = net.state();
        let mut evaluator = Self { net, state, kernels };
        evaluator.reset(&Board::default());
        evaluator
    }

    /// The same evaluator without a memory of the last values, which networks without accumulators
    /// have: for measurements.
    #[must_use]
    pub fn without_memory(mut self) -> Self {
        self.state.drop_memory();
        self
    }

    /// The network.
    pub const fn net(&self) -> &Arc<Net> {
        &self.net
    }

    /// Begins a new line with this board.
    pub fn reset(&mut self, board: &Board) {
        self.net.reset(&mut self.state, board, &self.kernels);
    }

    /// Follows a move.
    #[inline]
    pub fn push(&mut self, delta: &Delta) {
        self.state.stack.push(delta);
    }

    /// Follows a null move.
    #[inline]
    pub fn push_null(&mut self) {
        self.state.stack.push(&Delta::default());
    }

    /// Takes the last move back.
    ///
    /// # Panics
    /// If there is none.
    #[inline]
    pub fn pop(&mut self) {
        self.state.stack.pop();
    }

    /// What the board is worth to the side to move, in points. The board must be the one that the
    /// moves led to.
    #[inline]
    pub fn evaluate(&mut self, board: &Board) -> i32 {
        self.forward(board, board.occupied().len())
    }

    #[inline]
    fn forward(&mut self, board: &Board, pieces: usize) -> i32 {
        self.net.forward(&mut self.state, board, pieces, &self.kernels)
    }

    /// The values of the hidden layers, for people to look at. The board must be the one that the
    /// moves led to.
    pub fn hidden(&mut self, board: &Board) -> Vec<Layer> {
        self.evaluate(board);
        self.net.hidden(&mut self.state, board, &self.kernels)
    }

    /// What each piece but the kings adds, found by taking it away. The line begins anew.
    pub fn contributions(&mut self, board: &Board) -> Vec<Contribution> {
        self.reset(board);
        let whole = self.evaluate(board);
        Contribution::of_pieces(board, whole, |square| self.evaluate_without(board, square))
    }

    fn evaluate_without(&mut self, board: &Board, square: Square) -> Option<i32> {
        let piece = board.piece_on(square)?;
        if !self.state.follows_moves() {
            return Some(self.evaluate(&without(board, square)?));
        }
        let mut delta = Delta::default();
        delta.off.push(Placed { piece, square });
        self.push(&delta);
        let points = self.forward(board, board.occupied().len() - 1);
        self.pop();
        Some(points)
    }
}
