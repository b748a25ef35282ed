// SPDX-License-Identifier: GPL-3.0-or-later
//! What pieces are called when people look at features.

use chess::{Color, Piece, Role};

/// White's pieces from pawn to king, then Black's.
pub(crate) fn pieces() -> impl Iterator<Item = Piece> {
    Color::ALL.into_iter().flat_map(|color| Role::ALL.map(|role| Piece::new(color, role)))
}

/// What a piece is called from White's view.
pub(crate) fn kind(piece: Piece) -> String {
    let side = if piece.color() == Color::White { "own" } else { "their" };
    format!("{side} {}", name(piece.role()))
}

/// What a piece of either side is called.
pub(crate) const fn name(role: Role) -> &'static str {
    match role {
        Role::Pawn => "pawn",
        Role::Knight => "knight",
        Role::Bishop => "bishop",
        Role::Rook => "rook",
        Role::Queen => "queen",
        Role::King => "king",
    }
}

/// The names of all pieces from White's view: own ones from pawn to king, then theirs.
pub(crate) fn kinds() -> Vec<String> {
    pieces().map(kind).collect()
}
