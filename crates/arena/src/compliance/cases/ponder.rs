// SPDX-License-Identifier: GPL-3.0-or-later
//! Thinking on the opponent's time.

use super::{MATE_IN_ONE, MIDDLEGAME, case};
use crate::compliance::Case;
use crate::compliance::probe::{ANSWER, CaseResult, Probe, WATCH, expect, read_position};

pub(super) const CASES: &[Case] = &[
    case("ponder-holds", "a move before `ponderhit` is an illegal end of pondering", |probe| {
        ponders(probe, MIDDLEGAME, "go ponder wtime 40 btime 40")?;
        probe.stop(MIDDLEGAME)?.legal_move().map(|_| ())
    }),
    case("ponder-hit", "after `ponderhit` the clock runs and a move must come", |probe| {
        ponders(probe, MIDDLEGAME, "go ponder wtime 300 btime 300")?;
        probe.send("ponderhit")?;
        probe.collect(MIDDLEGAME, ANSWER)?.legal_move().map(|_| ())
    }),
    case("ponder-mate", "a found mate does not end pondering", |probe| {
        ponders(probe, MATE_IN_ONE, "go ponder wtime 1000 btime 1000")?;
        probe.send("ponderhit")?;
        probe.collect(MATE_IN_ONE, ANSWER)?.plays("a1a8")
    }),
    case("ponder-depth", "a reached depth does not end pondering", |probe| {
        ponders(probe, MIDDLEGAME, "go ponder depth 1")?;
        probe.send("ponderhit")?;
        probe.collect(MIDDLEGAME, ANSWER)?.legal_move().map(|_| ())
    }),
    case("ponder-isready", "GUIs check on a pondering engine too", |probe| {
        ponders(probe, MIDDLEGAME, "go ponder wtime 1000 btime 1000")?;
        probe.ready()?;
        probe.holds(WATCH)?;
        probe.stop(MIDDLEGAME).map(|_| ())
    }),
    case("ponder-hit-then-stop", "a user may stop the engine after the hit", |probe| {
        ponders(probe, MIDDLEGAME, "go ponder wtime 600000 btime 600000")?;
        probe.send("ponderhit")?;
        probe.stop(MIDDLEGAME)?.legal_move().map(|_| ())
    }),
    case("ponder-miss", "after a miss the engine is stopped and asked again", |probe| {
        ponders(probe, "startpos moves e2e4 e7e5", "go ponder wtime 1000 btime 1000")?;
        probe.stop("startpos moves e2e4 e7e5")?;
        let position = "startpos moves e2e4 c7c5";
        probe.search(position, "go wtime 200 btime 200")?.legal_move().map(|_| ())
    }),
    case("ponderhit-idle", "`ponderhit` may come when nothing is searched", |probe| {
        probe.survives(&["ponderhit"])
    }),
    case("ponder-move-legal", "a runner plays the `ponder` move on its board", |probe| {
        let search = probe.search(MIDDLEGAME, "go depth 5")?;
        let best = search.legal_move()?;
        let Some(ponder) = search.best.ponder else { return Ok(()) };
        let mut game = read_position(MIDDLEGAME);
        game.play(best);
        expect(game.board().parse_uci(ponder.as_str()).is_ok(), || {
            format!("`{}`: the second move is not legal", search.best_line())
        })
    }),
];

/// Begins to ponder and sees that the engine keeps its move to itself.
fn ponders(probe: &mut Probe, position: &str, go: &str) -> CaseResult {
    probe.set("Ponder", "true")?;
    probe.send_all(&[&format!("position {position}"), go])?;
    probe.holds(WATCH)
}
