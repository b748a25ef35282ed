// SPDX-License-Identifier: GPL-3.0-or-later
//! The legal moves of a sub-batch, with their rows and what becomes of them.

use data::Record;
use net::features::threats;
use net::policy::MoveRows;

use crate::layers::Lists;

/// A legal move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) piece_to: u16,
    pub(super) from_to: u16,
    /// The logit; after [`softmax`] the slope of the loss by it.
    pub(super) value: f32,
}

/// The moves of one position, and the place of the best among them.
pub(super) struct Choice<'a> {
    pub(super) moves: &'a mut [Candidate],
    pub(super) best: usize,
}

/// The legal moves of all positions of a sub-batch.
#[derive(Debug, Default)]
pub(super) struct Moves {
    all: Vec<Candidate>,
    /// Where each position's moves end, and the place of its best move among its own.
    positions: Vec<(usize, usize)>,
}

impl Moves {
    pub(super) fn clear(&mut self) {
        self.all.clear();
        self.positions.clear();
    }

    /// Appends a position and the list of its features. One without a board or a legal best move has
    /// nothing to learn from: it gets neither features nor moves.
    pub(super) fn push(&mut self, record: &Record, lists: &mut Lists) {
        let mut features = [0; 32];
        let mut count = 0;
        let mut best = 0;
        if let (Ok(board), Some(wanted)) = (record.board(), record.best_move()) {
            let moves = board.legal_moves();
            if let Some(place) = moves.iter().position(|&mv| mv == wanted) {
                best = place;
                threats::for_each(&board, |feature| {
                    features[count] = feature;
                    count += 1;
                });
                let rows = MoveRows::new(&board);
                self.all.extend(moves.iter().map(|&mv| {
                    let (piece_to, from_to) = rows.of(mv);
                    Candidate { piece_to, from_to, value: 0.0 }
                }));
            }
        }
        lists.push(features[..count].iter().copied());
        self.positions.push((self.all.len(), best));
    }

    /// The positions in order.
    pub(super) fn positions(&mut self) -> impl Iterator<Item = Choice<'_>> {
        let mut rest = self.all.as_mut_slice();
        let mut start = 0;
        self.positions.iter().map(move |&(end, best)| {
            let (moves, later) = std::mem::take(&mut rest).split_at_mut(end - start);
            (rest, start) = (later, end);
            Choice { moves, best }
        })
    }
}

/// Turns logits into the slopes of the cross-entropy by them, and returns it. The target is the best
/// move but for a share of `smoothing`, which is spread over all moves.
pub(super) fn softmax(moves: &mut [Candidate], best: usize, smoothing: f32) -> f64 {
    if moves.is_empty() {
        return 0.0;
    }
    let highest = moves.iter().fold(f32::NEG_INFINITY, |highest, mv| highest.max(mv.value));
    let total: f32 = moves.iter().map(|mv| (mv.value - highest).exp()).sum();
    let (log_total, spread) = (highest + total.ln(), smoothing / moves.len() as f32);
    let mut loss = 0.0;
    for (index, mv) in moves.iter_mut().enumerate() {
        let target = spread + if index == best { 1.0 - smoothing } else { 0.0 };
        loss -= f64::from(target * (mv.value - log_total));
        mv.value = (mv.value - highest).exp() / total - target;
    }
    loss
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slopes_are_those_of_finite_differences() {
        let logits = [0.5, -1.0, 2.0, 0.0];
        let moves = |logits: &[f32]| -> Vec<Candidate> {
            let candidate = |&value: &f32| Candidate { piece_to: 0, from_to: 0, value };
            logits.iter().map(candidate).collect()
        };
        let mut slopes = moves(&logits);
        softmax(&mut slopes, 1, 0.1);
        for index in 0..4 {
            let at = |step: f32| {
                let mut moved = logits;
                moved[index] += step;
                softmax(&mut moves(&moved), 1, 0.1)
            };
            let difference = (at(0.01) - at(-0.01)) / 0.02;
            assert!((difference - f64::from(slopes[index].value)).abs() < 1e-4);
        }
        assert!(softmax(&mut [], 0, 0.1).abs() < f64::EPSILON);
    }
}
