// SPDX-License-Identifier: GPL-3.0-or-later
//! Writing games.

use std::io::{self, Write};

use bytemuck::bytes_of;
use chess::{Board, Outcome};

use super::encode_move;
use super::reader::family_of;
use crate::outcome;
use crate::packed::Packed;
use crate::{Origin, ScoredGame, ScoredMove, Unit};

/// Marks a position out of a search, whose score counts centipawns.
pub(super) const LEAF: u8 = b'l';

/// Writes a whole game, marked as one in centipawns, with one call to `output`. Fails for a start with more than 32 pieces.
pub fn write_game(output: &mut impl Write, game: &ScoredGame) -> io::Result<()> {
    let mut packed = Packed::new(&game.start).map_err(io::Error::other)?;
    packed.outcome = outcome::code(game.origin.outcome().unwrap_or(Outcome::Draw));
    match game.origin {
        Origin::Game(_) => {
            packed.set_word(u16::try_from(game.start.fullmove_number()).unwrap_or(u16::MAX));
            packed.byte = Unit::mark(Some(Unit::Centipawns));
        }
        Origin::Leaf { family } => {
            packed.set_word(family);
            packed.byte = LEAF;
        }
    }
    let mut bytes = bytes_of(&packed).to_vec();
    bytes.reserve(4 * game.moves.len() + 4);
    for scored in &game.moves {
        bytes.extend(encode_move(scored.mv).to_le_bytes());
        bytes.extend(scored.score.get().to_le_bytes());
    }
    bytes.extend([0; 4]);
    output.write_all(&bytes)
}

/// Writes positions that searches looked at, each with its best move and score, and then the game that was
/// played meanwhile. A file that is cut anywhere has no leaf too few for a game that is whole.
pub fn write_game_with_leaves(
    output: &mut impl Write,
    game: &ScoredGame,
    leaves: &[(Board, ScoredMove)],
) -> io::Result<()> {
    let mut bytes = Vec::new();
    write_game(&mut bytes, game)?;
    let origin = Origin::Leaf { family: family_of(&bytes) };
    for &(start, scored) in leaves {
        write_game(output, &ScoredGame { start, origin, moves: vec![scored] })?;
    }
    output.write_all(&bytes)
}
