// SPDX-License-Identifier: GPL-3.0-or-later
//! A position unpacked from its record: what feature sets ask for.

use chess::{ByColor, Color, Piece, Role, Square};
use data::Record;
use net::features::Features;

/// The most pieces that a record holds.
const MAX_PIECES: usize = 32;

/// The pieces of a position, its kings, and who is to move.
#[derive(Clone, Copy, Debug)]
pub struct TrainingPosition {
    pieces: [(Piece, Square); MAX_PIECES],
    len: usize,
    /// Where the kings stand.
    pub kings: ByColor<Square>,
    /// Who is to move.
    pub turn: Color,
}

impl From<&Record> for TrainingPosition {
    /// Unpacks a record. Nonsense is unpacked too: it gives some position.
    #[inline]
    fn from(record: &Record) -> Self {
        let mut position = Self {
            pieces: [(Piece::WhitePawn, Square::A1); MAX_PIECES],
            len: 0,
            kings: ByColor([Square::E1, Square::E8]),
            turn: record.side_to_move(),
        };
        for (place, (color, role, square)) in position.pieces.iter_mut().zip(record.pieces()) {
            *place = (Piece::new(color, role), square);
            position.len += 1;
            if role == Role::King {
                position.kings[color] = square;
            }
        }
        position
    }
}

impl TrainingPosition {
    /// The pieces and where they stand.
    #[inline]
    pub fn pieces(&self) -> &[(Piece, Square)] {
        &self.pieces[..self.len]
    }

    /// The active features in a view.
    #[inline]
    pub fn features<'a>(
        &'a self,
        features: &'a impl Features,
        view: Color,
    ) -> impl Iterator<Item = usize> + 'a {
        let king = self.kings[view];
        let index =
            move |&(piece, square): &(Piece, Square)| features.index(view, king, piece, square);
        self.pieces().iter().filter_map(index)
    }
}
