// SPDX-License-Identifier: GPL-3.0-or-later
//! When a search ends: clocks, depths, nodes, and what to make of odd ones.

use super::{BLACK_TO_MOVE, MATE_IN_ONE, MATE_IN_TWO, MIDDLEGAME, case};
use crate::compliance::Case;
use crate::compliance::probe::{CaseFault, CaseResult, Probe, expect};

/// Nodes beyond a limit that an engine may need to notice it.
const SLACK: u64 = 20_000;

pub(super) const CASES: &[Case] = &[
    case("depth", "a search to a depth ends at that depth", |probe| {
        let search = probe.search(MIDDLEGAME, "go depth 3")?;
        search.legal_move()?;
        let deepest = search.infos().filter_map(|info| info.depth).max().unwrap_or(0);
        expect(deepest <= 3, || format!("`info depth {deepest}` for `go depth 3`"))
    }),
    case("depth-one", "the smallest search still needs a legal move", |probe| {
        ends(probe, "go depth 1")
    }),
    case("nodes", "tests at fixed nodes rely on the count", |probe| {
        let search = probe.search(MIDDLEGAME, "go nodes 5000")?;
        search.legal_move()?;
        let nodes = search.infos().filter_map(|info| info.nodes).max().unwrap_or(0);
        expect(nodes <= 5000 + SLACK, || format!("{nodes} nodes for `go nodes 5000`"))
    }),
    case("nodes-one", "even one node must give a legal move", |probe| ends(probe, "go nodes 1")),
    case("movetime", "analysis by the second and the Lichess site use it", |probe| {
        ends(probe, "go movetime 50")
    }),
    case("movetime-one", "a millisecond must give a legal move", |probe| {
        ends(probe, "go movetime 1")
    }),
    case("mate-one", "mate searches are a command of the protocol", |probe| {
        probe.search(MATE_IN_ONE, "go mate 1")?.plays("a1a8")
    }),
    case("mate-two", "mate searches must end when the mate is found", |probe| {
        probe.search(MATE_IN_TWO, "go mate 2")?.legal_move().map(|_| ())
    }),
    case("combined", "of several limits the first one reached counts", |probe| {
        let go = "go depth 60 nodes 5000 movetime 3500";
        let search = probe.search(MIDDLEGAME, go)?;
        let nodes = search.infos().filter_map(|info| info.nodes).max().unwrap_or(0);
        expect(nodes <= 5000 + SLACK, || format!("{nodes} nodes for `{go}`"))
    }),
    case("combined-depth", "the same with the depth as the first limit", |probe| {
        ends(probe, "go wtime 600000 btime 600000 depth 2 nodes 100000000")
    }),
    case("clock-white-only", "fastchess's checker sends only White's clock", |probe| {
        ends(probe, "go wtime 100")
    }),
    case("clock-black-only", "fastchess's checker sends only Black's clock", |probe| {
        probe.search(BLACK_TO_MOVE, "go btime 100")?.legal_move().map(|_| ())
    }),
    case("clock-increments", "clocks and increments of both sides", |probe| {
        ends(probe, "go wtime 100 winc 100 btime 100 binc 100")
    }),
    case("clock-order", "the order of the clocks is free", |probe| {
        ends(probe, "go btime 100 binc 100 wtime 100 winc 100")
    }),
    case("clock-opponent-only", "without a clock of its own a side may think on", |probe| {
        stops_after(probe, "go btime 1000")
    }),
    case("clock-one", "a millisecond left must give a move at once", |probe| {
        ends(probe, "go wtime 1 btime 1")
    }),
    case("clock-zero", "a clock may show nothing before the flag falls", |probe| {
        ends(probe, "go wtime 0 btime 0 winc 0 binc 0")
    }),
    case("clock-negative", "clients with lag send negative clocks", |probe| {
        ends(probe, "go wtime -500 btime 1000 winc 0 binc 0")
    }),
    case("clock-huge", "correspondence clocks need more than 32 bits", |probe| {
        stops_after(probe, "go wtime 99999999999 btime 99999999999")
    }),
    case("movestogo", "time controls by number of moves", |probe| {
        ends(probe, "go wtime 200 btime 200 movestogo 10")
    }),
    case("movestogo-one", "the last move before the control may use nearly all", |probe| {
        ends(probe, "go wtime 200 btime 200 movestogo 1")
    }),
    case("movestogo-zero", "some clients send 0, which must not divide", |probe| {
        ends(probe, "go wtime 200 btime 200 movestogo 0")
    }),
    case("odd-depth", "depths that are no depths must not hang the engine", |probe| {
        ["go depth 0", "go depth -5", "go depth abc", "go depth"]
            .iter()
            .try_for_each(|go| stops_after(probe, go))
    }),
    case("odd-movetime", "movetime 0 and less must not hang the engine", |probe| {
        ["go movetime 0", "go movetime -1", "go nodes 0"]
            .iter()
            .try_for_each(|go| stops_after(probe, go))
    }),
    case("unknown-argument", "what an engine does not know it should skip", |probe| {
        ends(probe, "go depth 3 banana 7")
    }),
    case("searchmoves", "analysis of some moves only", |probe| {
        probe.search("startpos", "go depth 4 searchmoves a2a3")?.plays("a2a3")
    }),
    case("searchmoves-many", "one of the moves asked for must be the answer", |probe| {
        one_of(probe, "go depth 4 searchmoves a2a3 h2h3", &["a2a3", "h2h3"])
    }),
    case("searchmoves-first", "limits may follow the moves", |probe| {
        one_of(probe, "go searchmoves a2a3 h2h3 depth 4", &["a2a3", "h2h3"])
    }),
    case("searchmoves-middle", "limits may stand on both sides of the moves", |probe| {
        one_of(probe, "go nodes 3000 searchmoves a2a3 h2h3 depth 4", &["a2a3", "h2h3"])
    }),
    case("searchmoves-illegal", "moves that are not legal are no reason to die", |probe| {
        probe.send_all(&["position startpos", "go depth 3 searchmoves e2e5 zzzz"])?;
        probe.stop("startpos")?;
        probe.plays_on()
    }),
];

/// The search ends by itself with a legal move.
fn ends(probe: &mut Probe, go: &str) -> CaseResult {
    probe.search(MIDDLEGAME, go)?.legal_move().map(|_| ())
}

/// The search has ended, or ends when asked to, exactly once.
fn stops_after(probe: &mut Probe, go: &str) -> CaseResult {
    probe.send_all(&["position startpos", go])?;
    let stopped = probe.stop("startpos");
    let search = stopped.map_err(|fault| match fault {
        CaseFault::Failed(what) => CaseFault::Failed(format!("`{go}`, then `stop`: {what}")),
        skipped @ CaseFault::Skipped(_) => skipped,
    })?;
    search.legal_move()?;
    probe.plays_on()
}

fn one_of(probe: &mut Probe, go: &str, moves: &[&str]) -> CaseResult {
    let search = probe.search("startpos", go)?;
    expect(moves.contains(&search.best_text()), || format!("`{}` for `{go}`", search.best_line()))
}
