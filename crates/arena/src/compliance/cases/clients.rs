// SPDX-License-Identifier: GPL-3.0-or-later
//! The openings of real programs, line by line as they send them.

use super::{BLACK_TO_MOVE, MIDDLEGAME, case};
use crate::compliance::Case;
use crate::compliance::probe::{ANSWER, CaseResult, Probe, expect};

pub(super) const CASES: &[Case] = &[
    case("fastchess", "the runner most engines are tested with", fastchess),
    case("fastchess-compliance", "the forty steps of `fastchess --compliance`", forty_steps),
    case("cutechess", "no `isready` between `ucinewgame` and `position`", cutechess),
    case("python-chess", "the library behind lichess-bot and most scripts", python_chess),
    case("lichess-site", "the analysis board of lichess.org", lichess_site),
    case("lichess-provider", "an external engine on lichess.org", lichess_provider),
    case("en-croissant", "always a FEN, and castling as king-takes-rook", en_croissant),
    case("nibbler", "sets `UCI_Chess960` before `uciok` and leaves it on", nibbler),
    case("arena", "tries `xboard` first and goes on with `uci`", |probe| {
        probe.restart()?;
        probe.send("xboard")?;
        probe.shake_hands()?;
        probe.send_all(&["isready", "ucinewgame"])?;
        probe.plays_on()
    }),
    case("lichess-bot", "plays with increments, a ponder move and `Move Overhead`", |probe| {
        for (option, value) in [("Move Overhead", "100"), ("Threads", "1"), ("Hash", "16")] {
            set_if_declared(probe, option, value)?;
        }
        probe.send("ucinewgame")?;
        probe.ready()?;
        let game = "startpos moves d2d4 d7d5";
        probe.search(game, "go wtime 500 btime 500 winc 20 binc 20")?.legal_move().map(|_| ())
    }),
];

fn set_if_declared(probe: &mut Probe, option: &str, value: &str) -> CaseResult {
    if probe.handshake().option(option).is_some() { probe.set(option, value) } else { Ok(()) }
}

fn fastchess(probe: &mut Probe) -> CaseResult {
    set_if_declared(probe, "Threads", "1")?;
    set_if_declared(probe, "Hash", "16")?;
    probe.send("ucinewgame")?;
    probe.ready()?;
    for position in ["startpos", "startpos moves e2e4 e7e5"] {
        probe.ready()?;
        probe.send(&format!("position {position}"))?;
        probe.ready()?;
        probe.send("go wtime 300 btime 300 winc 10 binc 10")?;
        let search = probe.collect(position, ANSWER)?;
        search.legal_move()?;
        search.variations_are_sound()?;
        probe.ready()?;
    }
    Ok(())
}

fn forty_steps(probe: &mut Probe) -> CaseResult {
    probe.send_all(&["ucinewgame", "position startpos"])?;
    probe.ready()?;
    for (position, go) in [
        (MIDDLEGAME, "go wtime 100"),
        (BLACK_TO_MOVE, "go btime 100"),
        (MIDDLEGAME, "go wtime 100 winc 100 btime 100 binc 100"),
        (BLACK_TO_MOVE, "go btime 100 binc 100 wtime 100 winc 100"),
        ("startpos", "go wtime 100 btime 100"),
        ("startpos moves e2e4 e7e5", "go wtime 100 btime 100"),
    ] {
        probe.send(&format!("position {position}"))?;
        probe.ready()?;
        probe.send(go)?;
        let search = probe.collect(position, ANSWER)?;
        search.legal_move()?;
        search.last_exact()?;
        expect(search.warnings().next().is_none(), || format!("`{go}`: an odd info line"))?;
    }
    Ok(())
}

fn cutechess(probe: &mut Probe) -> CaseResult {
    probe.send("ucinewgame")?;
    set_if_declared(probe, "Ponder", "true")?;
    let game = "startpos moves e2e4 e7e5";
    probe.search(game, "go wtime 300 btime 300 winc 10 binc 10")?.legal_move()?;
    probe.ready()?;
    probe.search("startpos", "go depth 3")?.legal_move()?;
    probe.ready().map(|_| ())
}

fn python_chess(probe: &mut Probe) -> CaseResult {
    set_if_declared(probe, "UCI_AnalyseMode", "true")?;
    set_if_declared(probe, "MultiPV", "2")?;
    probe.send("ucinewgame")?;
    probe.ready()?;
    let go = "go wtime 500 btime 500 depth 4 nodes 5000 searchmoves e2e4 d2d4";
    let search = probe.search("startpos", go)?;
    expect(["e2e4", "d2d4"].contains(&search.best_text()), || {
        format!("`{}` for `{go}`", search.best_line())
    })?;
    set_if_declared(probe, "UCI_AnalyseMode", "false")?;
    set_if_declared(probe, "MultiPV", "1")?;
    probe.plays_on()
}

/// The site drops every line that is not exactly one deeper than the last it took.
fn lichess_site(probe: &mut Probe) -> CaseResult {
    probe.send_all(&[
        "setoption name UCI_AnalyseMode value true",
        "setoption name Analysis Contempt value Off",
        "setoption name UCI_Chess960 value true",
        "ucinewgame",
    ])?;
    probe.ready()?;
    set_if_declared(probe, "Threads", "1")?;
    set_if_declared(probe, "Hash", "16")?;
    set_if_declared(probe, "MultiPV", "1")?;
    let position = format!("{MIDDLEGAME} moves");
    let search = probe.search(&position, "go depth 6")?;
    let mut shown = 0;
    for info in search.exact() {
        let is_next = info.depth == Some(shown + 1);
        if is_next && info.nodes.is_some() && info.time.is_some() && !info.pv.is_empty() {
            shown += 1;
        }
    }
    expect(shown >= 3, || format!("the site would show {shown} depths of a search to depth 6"))
}

fn lichess_provider(probe: &mut Probe) -> CaseResult {
    probe.send_all(&[
        "setoption name UCI_AnalyseMode value true",
        "setoption name UCI_Chess960 value true",
        "setoption name UCI_Variant value chess",
        "setoption name Hash value 16",
        "setoption name MultiPV value 1",
    ])?;
    probe.ready()?;
    let position = format!("{MIDDLEGAME} moves ");
    probe.search(&position, "go movetime 50")?.last_exact().map(|_| ())
}

fn en_croissant(probe: &mut Probe) -> CaseResult {
    probe.ready()?;
    let start = "fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let game = format!("{start} moves e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1h1");
    probe.search(&game, "go depth 4")?.legal_move().map(|_| ())
}

fn nibbler(probe: &mut Probe) -> CaseResult {
    probe.needs("UCI_Chess960")?;
    probe.restart()?;
    probe.send_all(&["uci", "setoption name UCI_Chess960 value true"])?;
    probe.await_uciok()?;
    probe.ready()?;
    let game = "startpos moves e2e4 e7e5 g1f3 b8c6 f1b5 a7a6";
    let search = probe.holds_until_stop(game, "go infinite searchmoves e1h1 b5a4")?;
    expect(["e1h1", "b5a4"].contains(&search.best_text()), || {
        format!("`{}` for `searchmoves e1h1 b5a4`", search.best_line())
    })
}
