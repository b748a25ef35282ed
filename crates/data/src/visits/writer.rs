// SPDX-License-Identifier: GPL-3.0-or-later
//! Writing games with visits.

use std::io::{self, Write};

use bytemuck::bytes_of;

use super::{HEADER_BYTES, MAGIC, PLY, UNIT, VERSION, VisitedGame};
use crate::Unit;
use crate::outcome;
use crate::packed::Packed;
use crate::viri::encode_move;

/// Writes what a file begins with.
pub fn write_header(output: &mut impl Write) -> io::Result<()> {
    let mut bytes = [0; HEADER_BYTES];
    bytes[..8].copy_from_slice(&MAGIC);
    bytes[8..10].copy_from_slice(&VERSION.to_le_bytes());
    bytes[UNIT] = Unit::mark(Some(Unit::Centipawns));
    output.write_all(&bytes)
}

/// Writes a whole game with one call to `output`. Fails for a start with more than 32 pieces.
pub fn write_visits(output: &mut impl Write, game: &VisitedGame) -> io::Result<()> {
    let mut packed = Packed::new(&game.start).map_err(io::Error::other)?;
    packed.set_word(u16::try_from(game.start.fullmove_number()).unwrap_or(u16::MAX));
    packed.outcome = outcome::code(game.outcome);
    let mut bytes = bytes_of(&packed).to_vec();
    for visited in &game.moves {
        bytes.extend(encode_move(visited.mv).to_le_bytes());
        bytes.extend(visited.score.get().to_le_bytes());
        bytes.extend((visited.visits.len() as u16).to_le_bytes());
        bytes.extend(&visited.visits);
    }
    bytes.extend([0; PLY]);
    output.write_all(&bytes)
}
