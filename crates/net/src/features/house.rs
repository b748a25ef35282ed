// SPDX-License-Identifier: GPL-3.0-or-later
//! The house's features: every piece on every square as each side sees it, by the own king's place.

use chess::{Color, Piece, Square};

use super::Features;

/// `768·bucket + 384·theirs + 64·role + square`.
///
/// The board is turned so that the view's side plays upwards and, if mirrored, so that its king
/// stands on the files a to d.
///
/// ```
/// use chess::{Color, Piece, Square};
/// use net::features::{Features, HouseFeatures};
/// let features = HouseFeatures::new(true, &[0; 32]);
/// let index = |king, square| features.index(Color::White, king, Piece::BlackPawn, square);
/// assert_eq!(index(Square::B1, Square::A7), Some(384 + 48));
/// assert_eq!(index(Square::G1, Square::H7), Some(384 + 48));
/// assert!(features.needs_refresh(Color::White, Square::D1, Square::E1));
/// ```
#[derive(Clone, Debug)]
pub struct HouseFeatures {
    /// By the king's square as its side sees it.
    places: [Place; 64],
    buckets: usize,
}

/// What a king's square decides.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// The first feature of the bucket.
    first: u16,
    /// 7 if the board is mirrored, otherwise 0.
    flip: u8,
    /// Twice the bucket, plus one if the board is mirrored.
    slot: u8,
}

impl HouseFeatures {
    /// Features with this map of buckets: 32 squares of the files a to d if mirrored, otherwise 64.
    ///
    /// # Panics
    /// If the map has another length.
    pub fn new(is_mirrored: bool, map: &[u8]) -> Self {
        let buckets = usize::from(map.iter().copied().max().unwrap_or(0)) + 1;
        Self::with_buckets(is_mirrored, map, buckets)
    }

    /// The same with so many buckets, of which the map may leave the last ones out.
    ///
    /// # Panics
    /// If the map has another length.
    pub(crate) fn with_buckets(is_mirrored: bool, map: &[u8], buckets: usize) -> Self {
        assert_eq!(map.len(), if is_mirrored { 32 } else { 64 }, "a bucket per king's square");
        let place = |square: usize| {
            let (rank, file) = (square / 8, square % 8);
            let is_flipped = is_mirrored && file >= 4;
            let folded = if is_flipped { 7 - file } else { file };
            let bucket = map[if is_mirrored { 4 * rank + folded } else { square }];
            Place {
                first: Self::LEN as u16 * u16::from(bucket),
                flip: if is_flipped { 7 } else { 0 },
                slot: 2 * bucket + u8::from(is_flipped),
            }
        };
        Self { places: std::array::from_fn(place), buckets }
    }
}

impl Features for HouseFeatures {
    const LEN: usize = 768;

    #[inline]
    fn index(&self, view: Color, king: Square, piece: Piece, square: Square) -> Option<usize> {
        let place = self.places[king.relative_to(view).index()];
        // Pieces are ordered by role, then by color. Without a branch, which would often be mispredicted.
        let (role, color) = (piece.index() / Color::ALL.len(), piece.index() % Color::ALL.len());
        let row = role + 6 * (color ^ view.index());
        let square = square.relative_to(view).index() ^ usize::from(place.flip);
        Some(usize::from(place.first) + 64 * row + square)
    }

    fn slots(&self) -> usize {
        2 * self.buckets
    }

    #[inline]
    fn slot(&self, view: Color, king: Square) -> usize {
        self.places[king.relative_to(view).index()].slot.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_index_occurs_once_in_each_bucket() {
        let map: Vec<u8> = (0..32).map(|square| square / 8).collect();
        let features = HouseFeatures::new(true, &map);
        for view in Color::ALL {
            for king in Square::all() {
                let mut indices = super::super::all_indices(&features, view, king);
                indices.sort_unstable();
                let bucket = king.relative_to(view).rank().index() / 2;
                assert!(indices.into_iter().eq(768 * bucket..768 * (bucket + 1)));
            }
        }
    }

    #[test]
    fn mirroring_files_changes_nothing_if_mirrored() {
        let map: Vec<u8> = (0..32).map(|square| square % 4).collect();
        let features = HouseFeatures::new(true, &map);
        for king in Square::all() {
            for square in Square::all() {
                let index = |king, square| {
                    features.index(Color::Black, king, Piece::WhiteRook, square).unwrap()
                };
                assert_eq!(index(king, square), index(king.flip_file(), square.flip_file()));
            }
        }
    }

    #[test]
    fn without_mirroring_only_the_bucket_matters() {
        let features = HouseFeatures::new(false, &[0; 64]);
        assert!(!features.needs_refresh(Color::White, Square::D1, Square::E1));
        let index = features.index(Color::White, Square::H1, Piece::WhiteKing, Square::H1);
        assert_eq!(index, Some(64 * 5 + 7));
    }
}
