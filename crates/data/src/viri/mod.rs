// SPDX-License-Identifier: GPL-3.0-or-later
//! Games in viriformat, the format of the Viridithas engine that other trainers read too.
//!
//! ```text
//! game   start position (32 bytes), then per ply a move (u16) and a score (i16), then four zeros
//! start  as in `Record`, but the number of the move at byte 26, and at byte 31 what scores count: `c`
//!        centipawns, `p` points of a network, 0 not said, as in files of others
//! leaf   a game of one move with `l` at byte 31: a position that a search looked at while the game behind
//!        it in the file was played. Its score is in centipawns, it has no result (byte 30 is to be
//!        ignored), and bytes 26 and 27 hold the first bits of that game's hash instead of a number
//! move   from 0–5 | to 6–11 | promotion 12–13 (knight 0 … queen 3) | kind 14–15
//!        kind: 0 plain, 1 en passant, 2 castling as king takes rook, 3 promotion
//! score  centipawns in White's view, before the move
//! ```

mod moves;
mod reader;
mod writer;

pub use moves::{decode_move, encode_move};
pub(crate) use reader::MAX_PLIES;
pub use reader::{GameError, GameReader, RawGame};
pub use writer::{write_game, write_game_with_leaves};
