// SPDX-License-Identifier: GPL-3.0-or-later
//! Our boards as those of the crate that reads the tables.

use chess::{Bitboard, Board, Color, Role};
use shakmaty::{CastlingMode, Chess, FromSetup, PositionError, Setup};

/// The same position without rights to castle. `None` if the other crate finds it impossible.
pub(crate) fn position(board: &Board) -> Option<Chess> {
    let role = |role| set(board.by_role(role));
    let roles = shakmaty::ByRole {
        pawn: role(Role::Pawn),
        knight: role(Role::Knight),
        bishop: role(Role::Bishop),
        rook: role(Role::Rook),
        queen: role(Role::Queen),
        king: role(Role::King),
    };
    let colors = shakmaty::ByColor {
        white: set(board.by_color(Color::White)),
        black: set(board.by_color(Color::Black)),
    };
    let setup = Setup {
        board: shakmaty::Board::try_from_bitboards(roles, colors).ok()?,
        turn: shakmaty::Color::from_white(board.turn() == Color::White),
        ep_square: board.en_passant().map(|square| shakmaty::Square::new(square.index() as u32)),
        ..Setup::empty()
    };
    Chess::from_setup(setup, CastlingMode::Chess960)
        // The tables know positions that no game leads to; there is no reason to refuse them.
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .ok()
}

fn set(squares: Bitboard) -> shakmaty::Bitboard {
    shakmaty::Bitboard(squares.0)
}
