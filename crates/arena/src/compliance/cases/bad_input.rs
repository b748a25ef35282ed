// SPDX-License-Identifier: GPL-3.0-or-later
//! Nonsense of every kind. No engine has to understand it, but none may die of it.

use super::case;
use crate::compliance::Case;
use crate::compliance::probe::{ANSWER, CaseResult, Probe};

pub(super) const CASES: &[Case] = &[
    case("unknown-commands", "other protocols and typing errors are ignored", |probe| {
        probe.survives(&["xboard", "hello world", "protover 2", "go2", "# a comment", "e2e4"])
    }),
    case("blank-lines", "scripts and people send empty lines", |probe| {
        probe.survives(&["", "   ", "\t", ""])
    }),
    case("leading-blanks", "blanks around a command do not matter", |probe| {
        probe.send_all(&["   position   startpos   moves   e2e4  ", "\tgo   depth \t 3  "])?;
        probe.collect("startpos moves e2e4", ANSWER)?.legal_move().map(|_| ())
    }),
    case("tabs", "a tab separates words like a blank", |probe| {
        probe.send_all(&["position\tstartpos\tmoves\te2e4", "go\tdepth\t3"])?;
        probe.collect("startpos moves e2e4", ANSWER)?.legal_move().map(|_| ())
    }),
    case("crlf", "programs on Windows end their lines with CR LF", |probe| {
        let mut engine = probe.raw()?;
        engine.write(b"uci\r\nisready\r\n")?;
        engine.await_line("uciok", ANSWER)?;
        engine.await_line("readyok", ANSWER)?;
        engine.write(b"position startpos moves e2e4\r\ngo depth 2\r\n")?;
        engine.await_line("bestmove", ANSWER)?;
        engine.write(b"quit\r\n")
    }),
    case("not-utf-8", "old GUIs send names in other encodings", |probe| {
        let mut engine = probe.raw()?;
        engine.write(b"uci\nsetoption name UCI_Opponent value none none human J\xfcrgen\n")?;
        engine.write(b"\xff\xfe\x80\nisready\n")?;
        engine.await_line("readyok", ANSWER)?;
        engine.write(b"quit\n")
    }),
    case("long-line", "a line has no greatest length", |probe| {
        let line = "x".repeat(60_000);
        probe.survives(&[&line])
    }),
    case("position-nothing", "`position` without anything", |probe| {
        probe.survives(&["position", "position startfoo"])
    }),
    case("position-fen-nothing", "`position fen` without a FEN", |probe| {
        bad_position(probe, "fen")
    }),
    case("fen-few-ranks", "a FEN cut short by a bad copy", |probe| {
        bad_position(probe, "fen 8/8/8 w - - 0 1")
    }),
    case("fen-long-rank", "a rank with more than eight squares", |probe| {
        bad_position(probe, "fen rnbqkbnr/ppppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
    }),
    case("fen-text", "text where a FEN should be", |probe| bad_position(probe, "fen hello world")),
    case("fen-no-kings", "board editors start with an empty board", |probe| {
        bad_position(probe, "fen 8/8/8/8/8/8/8/8 w - - 0 1")
    }),
    case("fen-many-kings", "board editors let users put several kings", |probe| {
        bad_position(probe, "fen kk6/8/8/8/8/8/8/KK6 w - - 0 1")
    }),
    case("fen-king-capturable", "the side not to move stands in check", |probe| {
        bad_position(probe, "fen 4k3/8/8/8/8/8/4R3/4K3 w - - 0 1")
    }),
    case("fen-pawn-on-last-rank", "pawns where no pawn can stand", |probe| {
        bad_position(probe, "fen P3k2p/8/8/8/8/8/8/p3K2P w - - 0 1")
    }),
    case("fen-bogus-castling", "rights without king or rook on their squares", |probe| {
        bad_position(probe, "fen 8/8/4k3/8/8/4K3/8/8 w KQkq - 0 1")
    }),
    case("fen-bad-side", "a side to move that is none", |probe| {
        bad_position(probe, "fen 4k3/8/8/8/8/8/8/4K2R x K - 0 1")
    }),
    case("fen-bad-en-passant", "an en-passant square off the board", |probe| {
        bad_position(probe, "fen 4k3/8/8/8/8/8/8/4K2R w K z9 0 1")
    }),
    case("fen-bad-counters", "counters that are no numbers, or far too large", |probe| {
        bad_position(probe, "fen 4k3/8/8/8/8/8/8/4K2R w K - x y")?;
        bad_position(probe, "fen 4k3/8/8/8/8/8/8/4K2R w K - 99999999999 99999999999")
    }),
    case("move-illegal", "an illegal move in the list ends the list", |probe| {
        bad_position(probe, "startpos moves e2e4 e7e6 e1e3")
    }),
    case("move-garbage", "text where a move should be", |probe| {
        bad_position(probe, "startpos moves e2e4 zzzz 12 -")
    }),
    case("move-null", "the null move has no place in a game", |probe| {
        bad_position(probe, "startpos moves e2e4 0000")
    }),
    case("move-san", "moves in the notation of people", |probe| {
        bad_position(probe, "startpos moves e4 e5 Nf3 O-O")
    }),
    case("move-upper-case", "moves in capital letters", |probe| {
        bad_position(probe, "startpos moves E2E4")
    }),
    case("move-promotion-king", "a promotion to a king", |probe| {
        bad_position(probe, "fen 8/P6k/8/8/8/8/8/K7 w - - 0 1 moves a7a8k")
    }),
    case("move-from-empty", "a move of no piece at all", |probe| {
        bad_position(probe, "startpos moves e4e5")
    }),
    case("moves-without-keyword", "moves without the word `moves`", |probe| {
        bad_position(probe, "startpos e2e4 e7e5")
    }),
];

/// Sends a bad position and a search in it, which may answer anything but must end; after that the
/// engine must play on from a good one.
fn bad_position(probe: &mut Probe, position: &str) -> CaseResult {
    probe.send(&format!("position {position}"))?;
    probe.ready()?;
    probe.send("go depth 2")?;
    probe.stop("startpos")?;
    probe.plays_on()
}
