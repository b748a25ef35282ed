// SPDX-License-Identifier: GPL-3.0-or-later
//! Evaluating boards with a network.

use std::sync::Arc;

use chess::{Board, Color, Delta, Placed, Role, Square};

use crate::Kernels;
use crate::accumulator::Stack;
use crate::arch::{Layer, NapoleonState, Net};

/// Evaluates boards with a network, and follows a line of play so that it need not begin anew at
/// every node.
///
/// ```
/// use std::sync::Arc;
/// use chess::Board;
/// use net::{Architecture, Evaluator, Kernels, random};
/// let net = Arc::new(random::network(Architecture::House, 1));
/// let mut evaluator = Evaluator::new(net, Kernels::detect());
/// let mut board = Board::default();
/// evaluator.reset(&board);
/// let before = evaluator.evaluate(&board);
/// evaluator.push(&board.play(board.parse_uci("e2e4").unwrap()));
/// let _after = evaluator.evaluate(&board);
/// evaluator.pop();
/// assert_eq!(evaluator.evaluate(&Board::default()), before);
/// ```
#[derive(Clone, Debug)]
pub struct Evaluator {
    net: Arc<Net>,
    stack: Stack,
    /// What Napoleon needs instead of accumulators.
    napoleon: Option<NapoleonState>,
    kernels: Kernels,
}

/// Said if an evaluator was put together wrongly.
const STATE: &str = "an evaluator of Napoleon has its state";

/// What one piece adds to the evaluation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Contribution {
    /// Where the piece stands.
    pub square: Square,
    /// How many points White's evaluation would fall without it.
    pub white: i32,
}

impl Evaluator {
    /// An evaluator that stands on the starting position.
    pub fn new(net: Arc<Net>, kernels: Kernels) -> Self {
        let stack = match &*net {
            Net::Nectar(net) => Stack::new(&net.first, 1),
            Net::Rengar(net) => Stack::new(&net.first, 1),
            Net::Napoleon(_) => Stack::empty(),
            Net::Batu(net) => Stack::new(&net.first, 1),
            Net::Tal(net) => Stack::new(&net.first, 2),
            Net::House(net) => Stack::new(&net.first, 2),
        };
        let napoleon = match &*net {
            Net::Napoleon(net) => Some(NapoleonState::new(net.shape(), NapoleonState::ENTRIES)),
            _ => None,
        };
        let mut evaluator = Self { net, stack, napoleon, kernels };
        evaluator.reset(&Board::default());
        evaluator
    }

    /// The same evaluator without a memory of the last values, which networks without accumulators
    /// have: for measurements.
    #[must_use]
    pub fn without_memory(mut self) -> Self {
        self.napoleon.iter_mut().for_each(NapoleonState::drop_memory);
        self
    }

    /// The network.
    pub const fn net(&self) -> &Arc<Net> {
        &self.net
    }

    /// Begins a new line with this board.
    pub fn reset(&mut self, board: &Board) {
        let Self { net, stack, kernels, .. } = self;
        match &**net {
            Net::Nectar(net) => stack.reset(&net.first, board, kernels),
            Net::Rengar(net) => stack.reset(&net.first, board, kernels),
            Net::Napoleon(_) => *stack = Stack::empty(),
            Net::Batu(net) => stack.reset(&net.first, board, kernels),
            Net::Tal(net) => stack.reset(&net.first, board, kernels),
            Net::House(net) => stack.reset(&net.first, board, kernels),
        }
    }

    /// Follows a move.
    #[inline]
    pub fn push(&mut self, delta: &Delta) {
        self.stack.push(delta);
    }

    /// Follows a null move.
    #[inline]
    pub fn push_null(&mut self) {
        self.stack.push(&Delta::default());
    }

    /// Takes the last move back.
    ///
    /// # Panics
    /// If there is none.
    #[inline]
    pub fn pop(&mut self) {
        self.stack.pop();
    }

    /// What the board is worth to the side to move, in points. The board must be the one that the
    /// moves led to.
    #[inline]
    pub fn evaluate(&mut self, board: &Board) -> i32 {
        self.forward(board, board.occupied().len())
    }

    #[inline]
    fn forward(&mut self, board: &Board, pieces: usize) -> i32 {
        let Self { net, stack, napoleon, kernels } = self;
        match &**net {
            Net::Nectar(net) => net.forward(stack, board, kernels),
            Net::Rengar(net) => net.forward(stack, board, kernels),
            Net::Napoleon(net) => net.forward(napoleon.as_mut().expect(STATE), board, kernels),
            Net::Batu(net) => net.forward(stack, board, kernels),
            Net::Tal(net) => net.forward(stack, board, kernels),
            Net::House(net) => net.forward(stack, board, pieces, kernels),
        }
    }

    /// The values of the hidden layers, for people to look at. The board must be the one that the
    /// moves led to.
    pub fn hidden(&mut self, board: &Board) -> Vec<Layer> {
        self.evaluate(board);
        let Self { net, stack, napoleon, kernels } = self;
        match &**net {
            Net::Nectar(net) => net.hidden(stack),
            Net::Rengar(net) => net.hidden(stack, board),
            Net::Napoleon(net) => net.hidden(napoleon.as_mut().expect(STATE), board, kernels),
            Net::Batu(net) => net.hidden(stack, kernels),
            Net::Tal(net) => net.hidden(stack, board, kernels),
            Net::House(net) => net.hidden(stack, board, kernels),
        }
    }

    /// What each piece but the kings adds, found by taking it away. The line begins anew.
    pub fn contributions(&mut self, board: &Board) -> Vec<Contribution> {
        self.reset(board);
        let sign = if board.turn() == Color::White { 1 } else { -1 };
        let whole = self.evaluate(board);
        let pieces = board.occupied() - board.by_role(Role::King);
        let contribution = |square: Square| {
            let without = self.evaluate_without(board, square)?;
            Some(Contribution { square, white: sign * (whole - without) })
        };
        pieces.into_iter().filter_map(contribution).collect()
    }

    fn evaluate_without(&mut self, board: &Board, square: Square) -> Option<i32> {
        let piece = board.piece_on(square)?;
        if let Net::Napoleon(_) = &*self.net {
            return Some(self.evaluate(&crate::arch::without(board, square)?));
        }
        let mut delta = Delta::default();
        delta.off.push(Placed { piece, square });
        self.push(&delta);
        let points = self.forward(board, board.occupied().len() - 1);
        self.pop();
        Some(points)
    }
}
