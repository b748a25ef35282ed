// SPDX-License-Identifier: GPL-3.0-or-later
//! The last word: an engine that does not go away is a process nobody owns.

use std::time::Duration;

use super::case;
use crate::compliance::Case;
use crate::compliance::probe::ANSWER;

/// Time to end in; more than a sound engine needs on a busy machine.
const GRACE: Duration = Duration::from_secs(3);

pub(super) const CASES: &[Case] = &[
    case("quit", "a GUI waits for the engine to end, then kills it", |probe| {
        probe.quits_within(GRACE)
    }),
    case("quit-searching", "`quit` must end a search as well", |probe| {
        probe.send_all(&["position startpos", "go infinite"])?;
        probe.holds(Duration::from_millis(50))?;
        probe.quits_within(GRACE)
    }),
    case("quit-at-once", "an engine may be asked who it is and sent away", |probe| {
        let mut engine = probe.raw()?;
        engine.write(b"uci\nquit\n")?;
        engine.await_line("uciok", ANSWER)?;
        engine.ends_at_eof(GRACE)
    }),
    case("eof", "a GUI that crashed leaves a closed pipe, not `quit`", |probe| {
        let mut engine = probe.raw()?;
        engine.write(b"uci\nisready\n")?;
        engine.await_line("readyok", ANSWER)?;
        engine.ends_at_eof(GRACE)
    }),
    case("eof-searching", "an engine that thinks on alone burns a core for days", |probe| {
        let mut engine = probe.raw()?;
        engine.write(b"uci\nposition startpos\ngo infinite\nisready\n")?;
        engine.await_line("readyok", ANSWER)?;
        engine.ends_at_eof(GRACE)
    }),
    case("eof-before-uci", "a pipe may close before a word was said", |probe| {
        probe.raw()?.ends_at_eof(GRACE)
    }),
    case("last-line-without-end", "the last line of a script may lack its line end", |probe| {
        let mut engine = probe.raw()?;
        engine.write(b"uci\nisready\n")?;
        engine.await_line("readyok", ANSWER)?;
        engine.write(b"quit")?;
        engine.ends_at_eof(GRACE)
    }),
];
