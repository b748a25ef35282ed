// SPDX-License-Identifier: GPL-3.0-or-later
//! viriformat's sixteen bits of a move, and ours.

use chess::{Board, Move, MoveKind, Role, Square};

const EN_PASSANT: u16 = 1;
const CASTLE: u16 = 2;
const PROMOTION: u16 = 3;

/// The legal move that these bits mean on this board, if there is one.
pub fn decode_move(board: &Board, bits: u16) -> Option<Move> {
    let square = |shift: u16| Square::try_from_index(usize::from(bits >> shift & 63));
    let (from, to) = (square(0)?, square(6)?);
    if from == to {
        return None;
    }
    let is_capture = board.by_color(!board.turn()).contains(to);
    let mv = match bits >> 14 {
        EN_PASSANT => Move::new(from, to, MoveKind::EnPassant),
        CASTLE => Move::new(from, to, MoveKind::Castle),
        PROMOTION => {
            let role = Role::ALL[usize::from(bits >> 12 & 3) + 1];
            Move::promoting(from, to, role, is_capture)
        }
        _ if is_capture => Move::new(from, to, MoveKind::Capture),
        _ if is_double_push(board, from, to) => Move::new(from, to, MoveKind::DoublePush),
        _ => Move::new(from, to, MoveKind::Quiet),
    };
    board.is_legal(mv).then_some(mv)
}

fn is_double_push(board: &Board, from: Square, to: Square) -> bool {
    board.role_on(from) == Some(Role::Pawn) && from.index().abs_diff(to.index()) == 16
}

/// The bits that viriformat has for a move.
pub const fn encode_move(mv: Move) -> u16 {
    let squares = mv.from().index() as u16 | (mv.to().index() as u16) << 6;
    if let Some(role) = mv.promotion() {
        return squares | (role as u16 - 1) << 12 | PROMOTION << 14;
    }
    let kind = if mv.is_castle() {
        CASTLE
    } else if mv.is_en_passant() {
        EN_PASSANT
    } else {
        0
    };
    squares | kind << 14
}
