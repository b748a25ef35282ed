// SPDX-License-Identifier: GPL-3.0-or-later
//! Searches that last until they are stopped, and commands that come meanwhile.

use std::time::Duration;

use super::{MATE_IN_ONE, MATED, MIDDLEGAME, STALEMATED, case};
use crate::compliance::Case;
use crate::compliance::probe::{CaseFault, CaseResult, PROMPT, Probe, WATCH, expect};

pub(super) const CASES: &[Case] = &[
    case("stop", "`stop` must bring a move at once", |probe| {
        probe.holds_until_stop(MIDDLEGAME, "go infinite")?.legal_move().map(|_| ())
    }),
    case("stop-at-once", "`stop` may follow `go` before the search has begun", |probe| {
        probe.send_all(&["position startpos", "go infinite"])?;
        probe.stop("startpos")?.legal_move().map(|_| ())
    }),
    case("stop-twice", "one search has one `bestmove`", |probe| {
        probe.send_all(&["position startpos", "go infinite", "stop"])?;
        probe.stop("startpos")?;
        probe.plays_on()
    }),
    case("stop-idle", "`stop` may cross the `bestmove` of a search that just ended", |probe| {
        probe.survives(&["stop"])
    }),
    case("go-bare", "`go` alone searches until `stop`", |probe| {
        probe.holds_until_stop(MIDDLEGAME, "go")?.legal_move().map(|_| ())
    }),
    case("infinite-mate", "a found mate does not end `go infinite`", |probe| {
        probe.holds_until_stop(MATE_IN_ONE, "go infinite")?.plays("a1a8")
    }),
    case("infinite-mated", "no legal moves do not end `go infinite` either", |probe| {
        probe.holds_until_stop(MATED, "go infinite")?.has_no_move()
    }),
    case("infinite-stalemate", "an endless search is not ended by stalemate either", |probe| {
        probe.holds_until_stop(STALEMATED, "go infinite")?.has_no_move()
    }),
    case("infinite-only-move", "nor does a single legal move", |probe| {
        let fen = "fen 8/8/8/8/8/5k2/8/r6K w - - 0 1";
        probe.holds_until_stop(fen, "go infinite").map(|_| ())
    }),
    case("infinite-draw", "an endless search is not ended by a dead draw either", |probe| {
        probe.holds_until_stop("fen 8/8/4k3/8/8/3K4/8/8 w - - 0 1", "go infinite").map(|_| ())
    }),
    case("isready-searching", "GUIs check on a thinking engine with `isready`", |probe| {
        probe.send_all(&["position startpos", "go infinite"])?;
        let lines = probe.ready()?;
        expect(!lines.iter().any(|line| line.starts_with("bestmove")), || {
            "the search ended at `isready`".to_owned()
        })?;
        probe.holds(WATCH)?;
        probe.stop("startpos")?.legal_move().map(|_| ())
    }),
    case("quick-go-stop", "fast users start and stop many searches", |probe| {
        for _ in 0..5 {
            probe.send_all(&["position startpos", "go infinite"])?;
            probe.stop("startpos")?.legal_move()?;
        }
        Ok(())
    }),
    case("queued-go-stop", "two searches sent in one go have two answers", |probe| {
        let lines = ["position startpos", "go infinite", "stop"];
        probe.send_all(&lines)?;
        probe.collect("startpos", PROMPT)?;
        probe.send_all(&lines)?;
        probe.collect("startpos", PROMPT)?;
        probe.plays_on()
    }),
    case("fifty-searches", "bullet games ask for many moves in little time", |probe| {
        (0..50).try_for_each(|_| probe.search(MIDDLEGAME, "go nodes 50")?.legal_move().map(|_| ()))
    }),
    case("newgame-searching", "a GUI's bug sends `ucinewgame` during a search", |probe| {
        interrupted(probe, &["ucinewgame"])
    }),
    case("position-searching", "a GUI's bug sends `position` during a search", |probe| {
        interrupted(probe, &["position startpos moves e2e4"])
    }),
    case("go-searching", "a GUI's bug sends `go` during a search", |probe| {
        interrupted(probe, &["go infinite"])
    }),
    case("uci-searching", "a GUI may ask again who is there", |probe| interrupted(probe, &["uci"])),
    case("garbage-searching", "noise must not end a search", |probe| {
        probe.send_all(&["position startpos", "go infinite", "hello", "", "d3d4"])?;
        probe.holds(WATCH)?;
        probe.stop("startpos").map(|_| ())
    }),
    case("flushed", "lines must arrive while the engine thinks, not at its end", |probe| {
        probe.send_all(&["position startpos", "go infinite"])?;
        let first = probe.line_within(Duration::from_secs(2))?;
        probe.stop("startpos")?;
        expect(first.is_some(), || "nothing was printed in two seconds of thinking".to_owned())
    }),
];

/// Sends lines into a running search. How many searches those lines begin or end is up to the
/// engine, but it must stop, be ready and play on.
fn interrupted(probe: &mut Probe, lines: &[&str]) -> CaseResult {
    probe.send_all(&["position startpos", "go infinite"])?;
    probe.holds(Duration::from_millis(30))?;
    probe.send_all(lines)?;
    probe.send("stop")?;
    probe.ready()?;
    probe.send("stop")?;
    // A second search may have begun and ended; its answer may still be on the way.
    while let Some(line) = probe.line_within(Duration::from_millis(100))? {
        if line.text.starts_with("bestmove") && line.text.len() < "bestmove a1a1".len() {
            return Err(CaseFault::Failed(format!("`{}` after an interruption", line.text)));
        }
    }
    probe.plays_on()
}
