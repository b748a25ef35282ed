// SPDX-License-Identifier: GPL-3.0-or-later
//! What an engine must know about the end of a game.

use uci::ScoreValue;

use super::{MATE_IN_ONE, MATE_IN_TWO, MATED, STALEMATED, case};
use crate::compliance::Case;
use crate::compliance::probe::expect;

pub(super) const CASES: &[Case] = &[
    case("mated", "a mated side has no move, and clients read any move as one", |probe| {
        probe.search(MATED, "go depth 4")?.has_no_move()
    }),
    case("mated-score", "GUIs show the score of a finished game", |probe| {
        let search = probe.search(MATED, "go depth 4")?;
        let score = search.last_score()?;
        expect(score == ScoreValue::Mate(0), || format!("`score {score}` where mate 0 is right"))
    }),
    case("stalemated", "a stalemated side has no move", |probe| {
        probe.search(STALEMATED, "go depth 4")?.has_no_move()
    }),
    case("stalemated-score", "stalemate is a draw and must be scored as one", |probe| {
        probe.search(STALEMATED, "go depth 4")?.is_draw()
    }),
    case("mated-clock", "a finished game is answered at once on the clock", |probe| {
        probe.search(MATED, "go wtime 60000 btime 60000")?.has_no_move()
    }),
    case("mate-in-one", "the shortest mate must be seen, scored and shown", |probe| {
        let search = probe.search(MATE_IN_ONE, "go depth 5")?;
        search.plays("a1a8")?;
        search.mates_in(1)
    }),
    case("mate-in-two", "a mate score promises a line of exactly that length", |probe| {
        probe.search(MATE_IN_TWO, "go depth 9")?.mates_in(2)
    }),
    case("mated-in-one", "negative mate scores count the loser's moves", |probe| {
        let fen = "fen 7k/5K2/8/8/8/8/8/6R1 b - - 0 1";
        probe.search(fen, "go depth 7")?.mates_in(-1)
    }),
    case("repetition", "the third occurrence is a draw, however much one side is up", |probe| {
        let game = "fen 6k1/8/8/8/8/8/8/K1Q5 w - - 0 1 \
                    moves c1d1 g8g7 d1c1 g7g8 c1d1 g8g7 d1c1";
        probe.search(game, "go depth 5 searchmoves g7g8")?.is_draw()
    }),
    case("fifty-moves", "the hundredth quiet ply is a draw", |probe| {
        let fen = "fen 6k1/8/8/8/8/8/8/K1Q5 w - - 99 80";
        probe.search(fen, "go depth 5 searchmoves c1d1")?.is_draw()
    }),
    case("mate-before-fifty", "mate on the hundredth ply still wins", |probe| {
        let search = probe.search("fen 7k/8/6K1/8/8/8/8/R7 w - - 99 90", "go depth 5")?;
        search.plays("a1a8")?;
        search.mates_in(1)
    }),
    case("bare-kings", "two kings alone are a draw", |probe| {
        probe.search("fen 8/8/4k3/8/8/3K4/8/8 w - - 0 1", "go depth 4")?.is_draw()
    }),
    case("king-and-bishop", "a bishop alone cannot mate", |probe| {
        probe.search("fen 8/8/4k3/8/8/3K4/5B2/8 w - - 0 1", "go depth 4")?.is_draw()
    }),
    case("king-and-knight", "a knight alone cannot mate", |probe| {
        probe.search("fen 8/8/4k3/8/8/3K4/8/5n2 b - - 0 1", "go depth 4")?.is_draw()
    }),
    case("same-colored-bishops", "bishops of one color can never mate", |probe| {
        probe.search("fen 8/8/4k1b1/8/8/3K4/4B3/8 w - - 0 1", "go depth 4")?.is_draw()
    }),
];
