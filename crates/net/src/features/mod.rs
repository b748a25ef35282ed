// SPDX-License-Identifier: GPL-3.0-or-later
//! Feature sets: which row of the first layer stands for a piece on a square.
//!
//! One sentence covers all incremental networks: a feature's index chooses a row, the rows are added
//! up, and the head is run. A feature set is the first part of it, and the trainer shares it.

mod batu;
mod house;
pub(crate) mod names;
mod nectar;
pub mod planes;
mod rengar;
mod tal;
pub mod threats;

pub use batu::BatuFeatures;
pub use house::HouseFeatures;
pub use nectar::NectarFeatures;
pub use rengar::{RengarFeatures, Signs};
pub use tal::TalFeatures;

use chess::{Color, Piece, Square};

/// Maps a piece on a square to a feature, as one side sees it.
pub trait Features {
    /// How many features there are for one slot of the refresh cache.
    const LEN: usize;

    /// The feature of a piece on a square for a view whose own king stands on `king`; `None` if the
    /// piece is not a feature.
    fn index(&self, view: Color, king: Square, piece: Piece, square: Square) -> Option<usize>;

    /// How many sets of features the own king's square chooses from.
    fn slots(&self) -> usize {
        1
    }

    /// Which of these sets is in use while the own king stands on `king`.
    #[inline]
    fn slot(&self, _view: Color, _king: Square) -> usize {
        0
    }

    /// Whether all features change when the own king moves.
    #[inline]
    fn needs_refresh(&self, view: Color, from: Square, to: Square) -> bool {
        self.slot(view, from) != self.slot(view, to)
    }
}

#[cfg(test)]
pub(crate) fn all_indices(features: &impl Features, view: Color, king: Square) -> Vec<usize> {
    let squares = || Square::all();
    let pieces = Piece::ALL.into_iter();
    pieces.flat_map(|p| squares().filter_map(move |s| features.index(view, king, p, s))).collect()
}
