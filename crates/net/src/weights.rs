// SPDX-License-Identifier: GPL-3.0-or-later
//! The first layer's weights by piece and square, for pictures.

use chess::{Color, Piece, Square};

use crate::features::Features;
use crate::features::names::{kind, pieces};
use crate::layers::FirstLayer;

/// What the first layer makes of each kind of piece on each square.
///
/// ```
/// use net::{Architecture, random};
/// let weights = random::network(Architecture::Tal, 1).first_weights(0).unwrap();
/// assert_eq!((weights.units(), weights.kinds().len()), (8, 10)); // no kings
/// assert_eq!(weights.kinds()[5], "their pawn");
/// assert_eq!(weights.board(7, 9).len(), 64);
/// ```
#[derive(Clone, Debug)]
pub struct FirstWeights {
    kinds: Vec<String>,
    /// `[unit][kind]`.
    boards: Vec<[f32; 64]>,
}

impl FirstWeights {
    /// Weights of these kinds for so many units; `weight` tells them by unit, kind and square.
    pub(crate) fn new(
        kinds: Vec<String>,
        units: usize,
        weight: impl Fn(usize, usize, Square) -> Option<f32>,
    ) -> Self {
        let board = |unit: usize, kind: usize| {
            let mut board = [f32::NAN; 64];
            for square in Square::all() {
                board[square.index()] = weight(unit, kind, square).unwrap_or(f32::NAN);
            }
            board
        };
        let boards = (0..units).flat_map(|unit| (0..kinds.len()).map(move |kind| (unit, kind)));
        Self { boards: boards.map(|(unit, kind)| board(unit, kind)).collect(), kinds }
    }

    /// The first `units` lanes of a layer's rows as White sees them with its king on `king`, divided
    /// by `factor`. Pieces that are no features are left out.
    pub(crate) fn of_rows<F: Features>(
        layer: &FirstLayer<F>,
        king: Square,
        units: usize,
        factor: f32,
    ) -> Self {
        let index = |piece, square| layer.features.index(Color::White, king, piece, square);
        let is_seen = |piece: &Piece| Square::all().any(|square| index(*piece, square).is_some());
        let pieces: Vec<Piece> = pieces().filter(is_seen).collect();
        let kinds = pieces.iter().map(|&piece| kind(piece)).collect();
        Self::new(kinds, units, |unit, kind, square| {
            let row = layer.row(index(pieces[kind], square)?);
            Some(f32::from(row[unit]) / factor)
        })
    }

    /// How many units the layer has.
    pub fn units(&self) -> usize {
        self.boards.len() / self.kinds.len()
    }

    /// What each board of a unit belongs to: kinds of pieces, as a rule.
    pub fn kinds(&self) -> &[String] {
        &self.kinds
    }

    /// The weights of a kind for a unit, a1 first, in the units of training. NaN where the network has
    /// no such weight.
    ///
    /// # Panics
    /// If there is no such unit or kind.
    pub fn board(&self, unit: usize, kind: usize) -> &[f32; 64] {
        assert!(kind < self.kinds.len(), "no kind {kind}");
        &self.boards[unit * self.kinds.len() + kind]
    }

    /// How much a unit looks at pieces: the sum of its weights' squares.
    pub fn strength(&self, unit: usize) -> f32 {
        let boards = &self.boards[unit * self.kinds.len()..][..self.kinds.len()];
        boards.as_flattened().iter().filter(|weight| !weight.is_nan()).map(|w| w * w).sum()
    }
}

#[cfg(test)]
mod tests {
    use crate::random;
    use crate::{Architecture, Net};

    #[test]
    fn every_architecture_has_boards_to_look_at() {
        for (architecture, units, kinds) in [
            (Architecture::Nectar, 16, 12),
            (Architecture::Rengar, 128, 12),
            (Architecture::Napoleon, 16, 34),
            (Architecture::Tal, 8, 10),
            (Architecture::Batu, 256, 12),
            (Architecture::House, 64, 12),
        ] {
            let weights = random::network(architecture, 1).first_weights(0).unwrap();
            assert_eq!((weights.units(), weights.kinds().len()), (units, kinds));
            assert!(weights.strength(0) > 0.0);
            let error = random::network(architecture, 1).first_weights(1).unwrap_err();
            assert_eq!(error.to_string(), "bucket is 1, expected 0");
        }
        let policy = random::policy(1).first_weights(3).unwrap();
        assert_eq!((policy.units(), policy.kinds().len()), (128, 12));
        assert!(random::policy(1).first_weights(4).is_err());
    }

    #[test]
    fn weights_are_those_of_the_rows() {
        let net = random::with_header(&random::house_header(32, 4, 1), 2);
        let Net::House(house) = &net else { unreachable!() };
        for bucket in 0..4 {
            let weights = net.first_weights(bucket).unwrap();
            // Their knight on c6.
            let row = house.first.row(768 * bucket + 384 + 64 + 42);
            let found = weights.board(5, 7)[42];
            assert!((found - f32::from(row[5]) / 255.0).abs() < 1e-6);
        }
    }

    #[test]
    fn what_is_no_feature_is_no_number() {
        let net = random::network(Architecture::Rengar, 1);
        let pawn = *net.first_weights(0).unwrap().board(0, 0);
        assert!(pawn[0].is_nan() && pawn[63].is_nan() && !pawn[8].is_nan());
    }
}
