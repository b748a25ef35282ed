// SPDX-License-Identifier: GPL-3.0-or-later
//! The options an engine declares, and what it makes of values for them.

use std::collections::HashSet;

use uci::{OptionKind, OptionSpec};

use super::{MIDDLEGAME, case};
use crate::compliance::Case;
use crate::compliance::probe::{CaseFault, CaseResult, Probe, expect};

pub(super) const CASES: &[Case] = &[
    case("option-lines", "python-chess refuses an engine with a default out of range", |probe| {
        match probe.handshake().malformed.first() {
            Some(reply) => Err(CaseFault::Failed(reply.to_string())),
            None => Ok(()),
        }
    }),
    case("option-names-unique", "GUIs keep options by name without regard to case", |probe| {
        let mut seen = HashSet::new();
        let options = &probe.handshake().options;
        let twice = options.iter().find(|option| !seen.insert(option.name().to_lowercase()));
        expect(twice.is_none(), || format!("`{}` twice", twice.map_or("", OptionSpec::name)))
    }),
    case("option-string-default", "cutechess drops a string option without `default`", |probe| {
        let is_bare = |line: &&String| line.contains(" type string") && !line.contains(" default");
        let bare = probe.greeting().iter().find(is_bare);
        expect(bare.is_none(), || format!("`{}`", bare.map_or("", |line| line)))
    }),
    case("option-spin-32-bit", "cutechess reads the range of a spin as 32-bit numbers", |probe| {
        let fits = |number: i64| i32::try_from(number).is_ok();
        let is_wide = |option: &&OptionSpec| matches!(option.kind(), OptionKind::Spin { min, max, .. } if !(fits(*min) && fits(*max)));
        let wide = probe.handshake().options.iter().find(is_wide);
        expect(wide.is_none(), || format!("the range of `{}`", wide.map_or("", OptionSpec::name)))
    }),
    case("option-defaults", "clients write every option back as declared", set_defaults),
    case("option-unknown", "the Lichess site sets options that no engine has", |probe| {
        probe.survives(&["setoption name No Such Option value 5", "setoption name Nothing"])
    }),
    case("option-garbage", "half-typed options come from scripts and people", |probe| {
        probe.survives(&[
            "setoption",
            "setoption name",
            "setoption value 3",
            "setoption Hash 16",
            "setoption name value",
            "setoption name Hash value",
        ])
    }),
    case("option-bad-number", "text for a number must be refused, not end the engine", |probe| {
        probe.needs("Hash")?;
        probe.survives(&["setoption name Hash value abc", "setoption name Hash value 1e"])
    }),
    case("option-no-value", "a value may be missing altogether", |probe| {
        probe.needs("Hash")?;
        probe.survives(&["setoption name Hash"])
    }),
    case("option-any-case", "option names are the same in any case", |probe| {
        probe.needs("MultiPV")?;
        probe.send("setoption name mULTIpv value 2")?;
        shows_lines(probe, 2)
    }),
    case("option-odd-blanks", "runs of blanks and tabs separate words like one blank", |probe| {
        probe.needs("MultiPV")?;
        probe.send("  setoption   name \t MultiPV   value \t 2  ")?;
        shows_lines(probe, 2)
    }),
    case("hash-resize", "users and runners change the hash size between games", |probe| {
        probe.needs("Hash")?;
        for size in ["1", "64", "2", "33"] {
            probe.set("Hash", size)?;
        }
        probe.plays_on()?;
        probe.set("Hash", "16")?;
        probe.plays_on()
    }),
    case("hash-out-of-range", "a size out of range is refused or clipped", |probe| {
        probe.needs("Hash")?;
        probe.survives(&["setoption name Hash value 0", "setoption name Hash value -1"])
    }),
    case("clear-hash", "analysts press `Clear Hash` between positions", |probe| {
        probe.needs("Clear Hash")?;
        probe.survives(&["setoption name Clear Hash", "setoption name clear hash value"])
    }),
    case("threads-two", "test farms and users run more than one thread", |probe| {
        probe.set("Threads", "2")?;
        probe.search(MIDDLEGAME, "go depth 5")?.legal_move()?;
        probe.set("Threads", "1")?;
        probe.plays_on()
    }),
    case("threads-zero", "no threads at all is refused or clipped", |probe| {
        probe.needs("Threads")?;
        probe.survives(&["setoption name Threads value 0"])
    }),
    case("option-during-search", "a GUI's dialog may be closed while the engine thinks", |probe| {
        probe.needs("Hash")?;
        probe.send_all(&["position startpos", "go infinite", "setoption name Hash value 8"])?;
        probe.stop("startpos")?;
        probe.plays_on()
    }),
    case("syzygy-bad-path", "a folder of tables may have been moved", |probe| {
        probe.needs("SyzygyPath")?;
        probe.survives(&["setoption name SyzygyPath value /no/such/folder"])
    }),
    case("limit-strength", "GUIs offer weaker levels by `UCI_Elo`", |probe| {
        probe.needs("UCI_Elo")?;
        let lowest = probe.handshake().option("UCI_Elo").map(OptionSpec::kind).cloned();
        let Some(OptionKind::Spin { min, .. }) = lowest else {
            return Err(CaseFault::Failed("`UCI_Elo` is no spin".to_owned()));
        };
        probe.set("UCI_LimitStrength", "true")?;
        probe.set("UCI_Elo", &min.to_string())?;
        probe.search(MIDDLEGAME, "go nodes 2000")?.legal_move().map(|_| ())
    }),
];

/// Sets every option whose default is harmless to that default.
fn set_defaults(probe: &mut Probe) -> CaseResult {
    let options = probe.handshake().options.clone();
    for option in &options {
        let default = match option.kind() {
            OptionKind::Check { default } => default.to_string(),
            OptionKind::Spin { default, .. } => default.to_string(),
            OptionKind::Combo { default, .. } => default.clone(),
            OptionKind::Button | OptionKind::String { .. } => continue,
        };
        probe.set(option.name(), &default)?;
    }
    probe.plays_on()
}

fn shows_lines(probe: &mut Probe, count: u32) -> CaseResult {
    let search = probe.search("startpos", "go depth 4")?;
    let shown = search.infos().filter_map(|info| info.multipv).max().unwrap_or(1);
    expect(shown == count, || format!("{shown} lines of play where {count} were asked for"))
}
