// SPDX-License-Identifier: GPL-3.0-or-later
//! Writing games.

use std::io::{self, Write};

use bytemuck::bytes_of;

use super::encode_move;
use crate::outcome;
use crate::packed::Packed;
use crate::{ScoredGame, Unit};

/// Writes a whole game, marked as one in centipawns, with one call to `output`. Fails for a start with more than 32 pieces.
pub fn write_game(output: &mut impl Write, game: &ScoredGame) -> io::Result<()> {
    let mut packed = Packed::new(&game.start).map_err(io::Error::other)?;
    packed.set_word(u16::try_from(game.start.fullmove_number()).unwrap_or(u16::MAX));
    packed.outcome = outcome::code(game.outcome);
    packed.byte = Unit::mark(Some(Unit::Centipawns));
    let mut bytes = bytes_of(&packed).to_vec();
    bytes.reserve(4 * game.moves.len() + 4);
    for scored in &game.moves {
        bytes.extend(encode_move(scored.mv).to_le_bytes());
        bytes.extend(scored.score.get().to_le_bytes());
    }
    bytes.extend([0; 4]);
    output.write_all(&bytes)
}
