// SPDX-License-Identifier: GPL-3.0-or-later
//! The first words between a GUI and an engine.

use std::time::Duration;

use super::case;
use crate::compliance::Case;
use crate::compliance::probe::{ANSWER, CaseResult, Probe, expect};

pub(super) const CASES: &[Case] = &[
    case("id-name", "GUIs and match runners show and file the engine under `id name`", |probe| {
        let name = probe.handshake().name.as_deref().unwrap_or_default();
        expect(!name.is_empty(), || "no `id name` line with a name".to_owned())
    }),
    case("id-author", "`id author` is a required answer to `uci`", |probe| {
        let author = probe.handshake().author.as_deref().unwrap_or_default();
        expect(!author.is_empty(), || "no `id author` line with a name".to_owned())
    }),
    case("uciok-last", "options after `uciok` are lost on GUIs such as Arena", uciok_is_last),
    case("uciok-bare", "older python-chess hangs on a blank around `uciok`", |probe| {
        let last = probe.greeting().last().map(String::as_str).unwrap_or_default();
        expect(last == "uciok", || format!("the line is `{last}`"))
    }),
    case("uci-twice", "GUIs send `uci` again when a user reloads an engine", |probe| {
        probe.shake_hands()?;
        probe.plays_on()
    }),
    case("isready-idle", "every client waits for `readyok` before it goes on", |probe| {
        probe.ready().map(|_| ())
    }),
    case("isready-many", "each `isready` has its own `readyok`, or clients lose count", |probe| {
        (0..20).try_for_each(|_| probe.ready().map(|_| ()))
    }),
    case("isready-queued", "a client may ask twice before it reads, and counts answers", queued),
    case("xboard-first", "Arena sends `xboard` before `uci` to learn the protocol", |probe| {
        probe.restart()?;
        probe.send_all(&["xboard", "uci"])?;
        Ok(probe.await_uciok()?)
    }),
    case("newgame-many", "`ucinewgame` must be cheap and leave the engine ready", |probe| {
        (0..10).try_for_each(|_| {
            probe.send("ucinewgame")?;
            probe.ready().map(|_| ())
        })
    }),
    case(
        "debug-and-register",
        "both are commands of the protocol and may come any time",
        |probe| probe.survives(&["debug on", "debug off", "register later"]),
    ),
    case("utf-8", "python-chess ends the session at a byte that is not UTF-8", |probe| {
        let is_broken = |line: &&String| line.contains(char::REPLACEMENT_CHARACTER);
        let broken = probe.greeting().iter().find(is_broken);
        expect(broken.is_none(), || format!("`{}` is not UTF-8", broken.map_or("", |line| line)))
    }),
    case(
        "go-without-position",
        "a search right after the start means the start position",
        |probe| {
            probe.restart()?;
            probe.shake_hands()?;
            probe.send("go depth 2")?;
            let search = probe.collect("startpos", ANSWER)?;
            search.legal_move().map(|_| ())
        },
    ),
];

fn uciok_is_last(probe: &mut Probe) -> CaseResult {
    if let Some(line) = probe.line_within(Duration::from_millis(50))? {
        let is_late = line.text.starts_with("option") || line.text.starts_with("id ");
        return expect(!is_late, || format!("`{}` came after `uciok`", line.text));
    }
    Ok(())
}

/// Both answers must come, and nothing else.
fn queued(probe: &mut Probe) -> CaseResult {
    probe.send_all(&["isready", "isready"])?;
    probe.await_ready()?;
    probe.await_ready()?;
    probe.plays_on()
}
