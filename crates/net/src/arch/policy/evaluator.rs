// SPDX-License-Identifier: GPL-3.0-or-later
//! From a board and its moves to priors.

use std::sync::Arc;

use chess::{Board, Move};

use super::{MoveRows, Policy};
use crate::arch::Layer;
use crate::features::threats;
use crate::kernels::Kernels;
use crate::kernels::float::exp;

/// Gives moves their priors with a policy network. It owns the room that this takes, so that nothing
/// is allocated from move to move.
///
/// ```
/// use std::sync::Arc;
/// use chess::Board;
/// use net::{Kernels, policy::PolicyEvaluator, random};
/// let mut policy = PolicyEvaluator::new(Arc::new(random::policy(1)), Kernels::detect());
/// let board = Board::default();
/// let moves = board.legal_moves();
/// let priors = policy.priors(&board, &moves, 1.0);
/// assert_eq!(priors.len(), 20);
/// assert!((priors.iter().sum::<f32>() - 1.0).abs() < 1e-5);
/// ```
#[derive(Clone, Debug)]
pub struct PolicyEvaluator {
    network: Arc<Policy>,
    kernels: Kernels,
    features: Vec<u16>,
    sums: Vec<i16>,
    products: Vec<u8>,
    piece_to: Vec<u16>,
    from_to: Vec<u16>,
    dots: Vec<i32>,
    output: Vec<f32>,
}

impl PolicyEvaluator {
    /// As many moves as a list of moves can hold.
    const MAX_MOVES: usize = 512;

    /// An evaluator that uses these kernels.
    pub fn new(network: Arc<Policy>, kernels: Kernels) -> Self {
        let width = network.bias.len();
        Self {
            network,
            kernels,
            features: Vec::with_capacity(64),
            sums: vec![0; width],
            products: vec![0; width / 2],
            piece_to: Vec::with_capacity(Self::MAX_MOVES),
            from_to: Vec::with_capacity(Self::MAX_MOVES),
            dots: Vec::with_capacity(Self::MAX_MOVES),
            output: Vec::with_capacity(Self::MAX_MOVES),
        }
    }

    /// The network.
    pub fn network(&self) -> &Policy {
        &self.network
    }

    /// How good the network thinks each of these legal moves, on a logarithmic scale.
    pub fn logits(&mut self, board: &Board, moves: &[Move]) -> &[f32] {
        self.hide(board);
        self.find_rows(board, moves);
        let Policy { piece_to, from_to, .. } = &*self.network;
        let rows = self.piece_to.iter().zip(&self.from_to);
        let biases =
            rows.map(|(&p, &f)| piece_to.bias[usize::from(p)] + from_to.bias[usize::from(f)]);
        self.dots.clear();
        self.dots.extend(biases);
        self.kernels.row_dots(&self.products, &piece_to.weights, &self.piece_to, &mut self.dots);
        self.kernels.row_dots(&self.products, &from_to.weights, &self.from_to, &mut self.dots);
        let unit = self.network.unit();
        self.output.clear();
        self.output.extend(self.dots.iter().map(|&dot| dot as f32 * unit));
        &self.output
    }

    /// The shares of these legal moves, which sum to one: the softmax of the logits divided by
    /// `temperature`.
    ///
    /// # Panics
    /// If the temperature is not positive.
    pub fn priors(&mut self, board: &Board, moves: &[Move], temperature: f32) -> &[f32] {
        assert!(temperature > 0.0, "a temperature is positive, found {temperature}");
        self.logits(board, moves);
        softmax(&mut self.output, temperature);
        &self.output
    }

    /// The values of the hidden layer, for people to look at.
    pub fn hidden(&mut self, board: &Board) -> Vec<Layer> {
        self.hide(board);
        let [lane, _] = self.network.header().quantization.map(f32::from);
        let unit = 128.0 / (lane * lane);
        let values = self.products.iter().map(|&product| f32::from(product) * unit).collect();
        vec![Layer::new("products", values)]
    }

    /// Computes the hidden layer.
    fn hide(&mut self, board: &Board) {
        let Self { network, kernels, features, sums, products, .. } = self;
        features.clear();
        threats::for_each(board, |feature| features.push(feature as u16));
        sums.copy_from_slice(&network.bias);
        kernels.add_rows(sums, &network.features, features);
        kernels.multiply_halves(sums, products);
    }

    fn find_rows(&mut self, board: &Board, moves: &[Move]) {
        let rows = MoveRows::new(board);
        self.piece_to.clear();
        self.from_to.clear();
        for &mv in moves {
            let (piece_to, from_to) = rows.of(mv);
            self.piece_to.push(piece_to);
            self.from_to.push(from_to);
        }
    }
}

/// Turns logits into shares. The sum is taken in integers, so that the order of the moves does not
/// matter to the last bit.
fn softmax(logits: &mut [f32], temperature: f32) {
    /// The largest exponential, 1, in the integers that are summed.
    const ONE: f32 = (1 << 30) as f32;
    let best = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let sharpness = temperature.recip();
    let mut total = 0;
    for logit in &mut *logits {
        *logit = exp((*logit - best) * sharpness);
        total += (*logit * ONE) as u64;
    }
    let factor = ONE / total as f32;
    for share in logits {
        *share *= factor;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_follow_the_temperature() {
        let shares = |logits: &[f32], temperature: f32| {
            let mut shares = logits.to_vec();
            softmax(&mut shares, temperature);
            shares
        };
        let logits = [0.0, 1.0, -200.0, 3.0];
        for temperature in [0.5, 1.0, 3.0] {
            let exact = |logit: f32| f64::from(logit / temperature).exp();
            let total: f64 = logits.into_iter().map(exact).sum();
            for (share, logit) in shares(&logits, temperature).into_iter().zip(logits) {
                assert!((f64::from(share) - exact(logit) / total).abs() < 1e-6);
            }
        }
        assert_eq!(shares(&[7.5], 1.0), [1.0]);
        assert_eq!(shares(&[], 1.0), []);
    }
}
