// SPDX-License-Identifier: GPL-3.0-or-later
//! Static evaluation behind one type, whatever computes it.

mod material;
mod tables;

use std::sync::Arc;

use chess::{Board, Delta, Placed};
use net::{Contribution, Kernels, Layer, Net};

use crate::Score;
use material::Material;

/// What evaluates: a network on the kernels of this processor, or material alone.
#[derive(Clone, Debug, Default)]
pub enum Network {
    /// Piece-square tables, which need no file.
    #[default]
    Material,
    /// A network.
    Net(Arc<Net>, Kernels),
}

impl Network {
    /// The architecture's name.
    pub fn architecture(&self) -> &'static str {
        match self {
            Self::Material => "material",
            Self::Net(net, _) => net.header().architecture.name(),
        }
    }

    /// What the right to move is worth, if the network cannot see who has it.
    fn tempo(&self) -> i32 {
        match self {
            Self::Net(net, _) => net.spec().tempo,
            Self::Material => 0,
        }
    }
}

/// Evaluates boards, and follows a line of play so that it need not begin anew at every node.
///
/// ```
/// use chess::Board;
/// use search::Evaluator;
/// let mut evaluator = Evaluator::default();
/// let board = Board::default();
/// evaluator.reset(&board);
/// assert!(evaluator.evaluate(&board).value().abs() < 50);
/// ```
#[derive(Clone, Debug)]
pub struct Evaluator {
    source: Source,
    tempo: i32,
}

/// The closed list of what can compute an evaluation; one branch per call costs nothing measurable.
#[derive(Clone, Debug)]
enum Source {
    Material(Material),
    Net(Box<net::NetEvaluator>),
}

impl Default for Evaluator {
    fn default() -> Self {
        Self::new(&Network::Material)
    }
}

impl Evaluator {
    /// An evaluator that uses this network.
    pub fn new(network: &Network) -> Self {
        let source = match network {
            Network::Material => Source::Material(Material::default()),
            Network::Net(net, kernels) => {
                Source::Net(Box::new(net::NetEvaluator::new(Arc::clone(net), *kernels)))
            }
        };
        Self { source, tempo: network.tempo() }
    }

    /// Begins a new line with this board.
    pub fn reset(&mut self, board: &Board) {
        match &mut self.source {
            Source::Material(material) => material.reset(board),
            Source::Net(net) => net.reset(board),
        }
    }

    /// Follows a move.
    #[inline]
    pub fn push(&mut self, delta: &Delta) {
        match &mut self.source {
            Source::Material(material) => material.push(delta),
            Source::Net(net) => net.push(delta),
        }
    }

    /// Follows a null move.
    #[inline]
    pub fn push_null(&mut self) {
        self.push(&Delta::default());
    }

    /// Takes the last move back.
    #[inline]
    pub fn pop(&mut self) {
        match &mut self.source {
            Source::Material(material) => material.pop(),
            Source::Net(net) => net.pop(),
        }
    }

    /// What the board is worth to the side to move. The board must be the one that the moves led to.
    #[inline]
    pub fn evaluate(&mut self, board: &Board) -> Score {
        Score::new(self.output(board) + self.tempo)
    }

    /// What the network itself says for the side to move, with nothing added.
    #[inline]
    pub fn output(&mut self, board: &Board) -> i32 {
        match &mut self.source {
            Source::Material(material) => material.evaluate(board.turn()),
            Source::Net(net) => net.evaluate(board),
        }
    }

    /// The values of the hidden layers. The board must be the one that the moves led to.
    pub fn hidden(&mut self, board: &Board) -> Vec<Layer> {
        match &mut self.source {
            Source::Material(_) => vec![],
            Source::Net(net) => net.hidden(board),
        }
    }

    /// What each piece but the kings adds, found by taking it away. The line begins anew.
    pub fn contributions(&mut self, board: &Board) -> Vec<Contribution> {
        self.reset(board);
        let material = match &mut self.source {
            Source::Net(net) => return net.contributions(board),
            Source::Material(material) => material,
        };
        let whole = material.evaluate(board.turn());
        Contribution::of_pieces(board, whole, |square| {
            let mut delta = Delta::default();
            delta.off.push(Placed { piece: board.piece_on(square)?, square });
            material.push(&delta);
            let without = material.evaluate(board.turn());
            material.pop();
            Some(without)
        })
    }
}
