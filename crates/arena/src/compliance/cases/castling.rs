// SPDX-License-Identifier: GPL-3.0-or-later
//! Castling: two notations for moves, three for rights, and Chess960.

use super::case;
use crate::compliance::Case;
use crate::compliance::probe::{ANSWER, CaseResult, Probe};

/// White castles with check, so that Black's legal moves show whether the rook has moved.
const ROOK_CHECK: &str = "fen 5k2/8/8/8/8/8/8/4K2R w K - 0 1";

/// Both may castle to both sides.
const OPEN: &str = "fen r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 6 8";

/// A Chess960 game: kings and rooks stand on squares where only X-FEN or Shredder-FEN name them.
const SHREDDER: &str = "fen 1r1k3r/pppppppp/8/8/8/8/PPPPPPPP/1R1K3R w HBhb - 0 1";

/// Two rooks on one side: the inner one castles.
const INNER_ROOK: &str = "fen 4k3/8/8/8/8/8/8/1R1RK3 w D - 0 1";

pub(super) const CASES: &[Case] = &[
    case("castling-in", "the king's move of two squares is castling", |probe| {
        castles_in(probe, "e1g1")
    }),
    case("castling-in-rook", "En Croissant sent king-takes-rook in standard games", |probe| {
        castles_in(probe, "e1h1")
    }),
    case("castling-out", "standard games expect the king's target square", |probe| {
        probe.search(OPEN, "go depth 3 searchmoves e1g1")?.plays("e1g1")
    }),
    case("castling-out-queenside", "the same on the other side", |probe| {
        probe.search(OPEN, "go depth 3 searchmoves e1c1")?.plays("e1c1")
    }),
    case("castling-rights-respected", "a FEN without rights allows no castling", |probe| {
        let fen = "fen 4k3/8/8/8/8/8/5PPP/4K2R w - - 0 1";
        probe.search(fen, "go depth 5")?.legal_move().map(|_| ())
    }),
    case("960-in", "king-takes-rook is the notation of Chess960", |probe| {
        probe.set("UCI_Chess960", "true")?;
        castles_in(probe, "e1h1")
    }),
    case("960-in-king", "the Lichess stream sends `e1g1` whatever the options say", |probe| {
        probe.set("UCI_Chess960", "true")?;
        castles_in(probe, "e1g1")
    }),
    case("960-out", "with `UCI_Chess960` clients expect king-takes-rook", |probe| {
        probe.set("UCI_Chess960", "true")?;
        probe.search(OPEN, "go depth 3 searchmoves e1h1")?.plays("e1h1")
    }),
    case("960-out-queenside", "the same on the other side", |probe| {
        probe.set("UCI_Chess960", "true")?;
        probe.search(OPEN, "go depth 3 searchmoves e1a1")?.plays("e1a1")
    }),
    case("960-shredder-fen", "fastchess and books name rooks by their files", |probe| {
        probe.set("UCI_Chess960", "true")?;
        probe.search(SHREDDER, "go depth 3")?.legal_move().map(|_| ())
    }),
    case("960-x-fen", "X-FEN writes the outermost rooks as KQkq", |probe| {
        probe.set("UCI_Chess960", "true")?;
        let fen = SHREDDER.replace("HBhb", "KQkq");
        probe.search(&fen, "go depth 3")?.legal_move().map(|_| ())
    }),
    case("960-inner-rook", "the rook that castles may have another one behind it", |probe| {
        probe.set("UCI_Chess960", "true")?;
        probe.search(INNER_ROOK, "go depth 3 searchmoves e1d1")?.plays("e1d1")
    }),
    case("960-start", "a Chess960 game from its first position", |probe| {
        probe.set("UCI_Chess960", "true")?;
        let fen = "fen nqbbrkrn/pppppppp/8/8/8/8/PPPPPPPP/NQBBRKRN w GEge - 0 1";
        probe.search(fen, "go depth 4")?.variations_are_sound()
    }),
    case("960-standard-start", "Nibbler leaves `UCI_Chess960` on in standard games", |probe| {
        probe.set("UCI_Chess960", "true")?;
        let game = "startpos moves e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 e1h1";
        probe.search(game, "go depth 4")?.legal_move().map(|_| ())
    }),
    case("960-off-again", "GUIs switch the option back for the next game", |probe| {
        probe.set("UCI_Chess960", "true")?;
        probe.search(OPEN, "go depth 2")?;
        probe.set("UCI_Chess960", "false")?;
        probe.search(OPEN, "go depth 3 searchmoves e1g1")?.plays("e1g1")
    }),
];

/// Castles in the move list; then only Black's answers to the check are legal.
fn castles_in(probe: &mut Probe, mv: &str) -> CaseResult {
    let position = format!("{ROOK_CHECK} moves {mv}");
    probe.send_all(&[&format!("position {position}"), "go depth 3"])?;
    probe.collect(&position, ANSWER)?.legal_move().map(|_| ())
}
