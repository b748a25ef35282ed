// SPDX-License-Identifier: GPL-3.0-or-later
//! Positions in every form that clients send.

use super::{BLACK_TO_MOVE, MIDDLEGAME, case};
use crate::compliance::Case;
use crate::compliance::probe::{ANSWER, CaseResult, Probe};

pub(super) const CASES: &[Case] = &[
    case("startpos", "the position of nearly every game", |probe| plays_in(probe, "startpos")),
    case("startpos-moves", "runners send the whole game each time", |probe| {
        plays_in(probe, "startpos moves e2e4 c7c5 g1f3 d7d6 d2d4")
    }),
    case("startpos-moves-nothing", "the word `moves` may be followed by nothing", |probe| {
        plays_in(probe, "startpos moves")
    }),
    case("fen-white", "analysis and openings come as FENs", |probe| plays_in(probe, MIDDLEGAME)),
    case("fen-black", "the side to move of a FEN decides whose moves are legal", |probe| {
        plays_in(probe, BLACK_TO_MOVE)
    }),
    case("fen-moves", "openings are a FEN, games go on with moves", |probe| {
        plays_in(probe, "fen 4k3/P7/8/8/8/8/7p/4K3 w - - 0 1 moves e1d2 e8d7")
    }),
    case("fen-moves-nothing", "the Lichess site sends `moves` and a blank after a FEN", |probe| {
        let line = format!("position {MIDDLEGAME} moves ");
        probe.send_all(&[&line, "go depth 3"])?;
        probe.collect(MIDDLEGAME, ANSWER)?.legal_move().map(|_| ())
    }),
    case("fen-four-fields", "EPD files and many GUIs leave the two counters out", |probe| {
        plays_in(probe, "fen r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -")
    }),
    case("en-passant-in", "an en-passant capture in the move list must be played", |probe| {
        // Only the capture's side effect leaves Black a legal pawn move on the e-file.
        plays_in(probe, "startpos moves e2e4 a7a6 e4e5 d7d5 e5d6")
    }),
    case("en-passant-out", "the capture must be found and written as two squares", |probe| {
        let position = "startpos moves e2e4 a7a6 e4e5 d7d5";
        probe.search(position, "go depth 3 searchmoves e5d6")?.plays("e5d6")
    }),
    case("en-passant-phantom", "many FENs name a square where nothing can capture", |probe| {
        plays_in(probe, "fen rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1")
    }),
    case("en-passant-pinned", "a capture that exposes the king is not legal", |probe| {
        let fen = "fen 8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1";
        probe.search(fen, "go depth 4")?.legal_move().map(|_| ())
    }),
    case("promotion-in", "a promotion in the move list must be played", |probe| {
        plays_in(probe, "fen 8/P6k/8/8/8/8/8/K7 w - - 0 1 moves a7a8q")
    }),
    case("underpromotion-in", "the letter decides what a pawn becomes", |probe| {
        plays_in(probe, "fen 7k/P7/8/8/8/8/8/K7 w - - 0 1 moves a7a8n")
    }),
    case("promotion-out", "the letter must be printed, in lower case", |probe| {
        let fen = "fen 8/P6k/8/8/8/8/8/K7 w - - 0 1";
        probe.search(fen, "go depth 3 searchmoves a7a8q")?.plays("a7a8q")
    }),
    case("promotion-black", "Black's promotions too are written in lower case", |probe| {
        let fen = "fen k7/8/8/8/8/8/p6K/8 b - - 0 1";
        probe.search(fen, "go depth 3 searchmoves a2a1q")?.plays("a2a1q")
    }),
    case("underpromotion-out", "a promotion to a knight is sometimes the only move", |probe| {
        let fen = "fen 8/P6k/8/8/8/8/8/K7 w - - 0 1";
        probe.search(fen, "go depth 3 searchmoves a7a8n")?.plays("a7a8n")
    }),
    case("long-game", "games of hundreds of moves happen, and tables overflow", |probe| {
        let moves = "b1c3 b8c6 c3b1 c6b8 ".repeat(300);
        plays_in(probe, &format!("startpos moves {}", moves.trim_end()))
    }),
    case("many-moves", "218 legal moves is the most there can be", |probe| {
        plays_in(probe, "fen R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1")
    }),
    case("only-move", "a single legal move must be played, with a clock or without", |probe| {
        let fen = "fen 7k/8/8/8/8/8/r7/1r5K w - - 0 1";
        let fen_only = "fen 8/8/8/8/8/5k2/8/r6K w - - 0 1";
        probe.search(fen_only, "go wtime 1000 btime 1000")?.legal_move()?;
        probe.search(fen, "go depth 3").map(|_| ())
    }),
];

fn plays_in(probe: &mut Probe, position: &str) -> CaseResult {
    probe.search(position, "go depth 3")?.legal_move().map(|_| ())
}
