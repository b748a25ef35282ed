// SPDX-License-Identifier: GPL-3.0-or-later
//! The pages docs/reference/uci-options.md and uci.md, which are written and checked here: `make reference`.

use std::fmt::Write;
use std::path::Path;

use uci::OptionKind;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference");

const HEADING: &str = "\
# UCI options

This page is generated from `crates/engine/src/options/table.rs`: see `crates/engine/tests/all/reference.rs`.
The same names work in `setoption`, in `[engine.options]` of the Lichess bot's configuration, and as
`opt.NAME=VALUE` in `quincunx match`. Case does not matter.

A setting that is made while a search is under way takes effect after it. `Network`, `EvalFile`,
`PolicyFile` and `Kernels` are refused then.
";

fn page() -> String {
    let mut text = HEADING.to_owned();
    for option in engine::options() {
        let spec = &option.spec;
        let _ = write!(text, "\n## {}\n\n", spec.name());
        let _ = match spec.kind() {
            OptionKind::Check { default } => {
                writeln!(text, "`true` or `false`, default `{default}`")
            }
            OptionKind::Spin { default, min, max } => {
                writeln!(text, "A number from {min} to {max}, default {default}")
            }
            OptionKind::Combo { default, vars } => {
                writeln!(text, "One of `{}`, default `{default}`", vars.join("`, `"))
            }
            OptionKind::Button => writeln!(text, "A button: it has no value"),
            OptionKind::String { default } if default.is_empty() => {
                writeln!(text, "A text, empty by default")
            }
            OptionKind::String { default } => writeln!(text, "A text, default `{default}`"),
        };
        let _ = write!(text, "\n{}\n", option.help);
    }
    text
}

#[test]
fn the_reference_page_is_up_to_date() {
    if engine::networks::names().contains(&"evalfile") || cfg!(feature = "tune") {
        return; // Such a build has other options than the usual one.
    }
    check("uci-options.md", &page());
}

/// Compares a page with what it should be, or writes it.
fn check(name: &str, page: &str) {
    let path = Path::new(FOLDER).join(name);
    if std::env::var_os("WRITE_DOCS").is_some() {
        std::fs::create_dir_all(FOLDER).unwrap();
        std::fs::write(&path, page).unwrap();
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == page,
        "docs/reference/{name} is out of date: write it again by `make reference`"
    );
}

const COMMANDS: &str = "\
# UCI commands

This page is generated from what the engine answers to `help`: see `crates/engine/tests/all/reference.rs`. The engine reads one
command per line on standard input. It skips unknown words, and answers bad input with `info string` and a sentence.

## Positions and limits

| command | meaning |
|---|---|
| `position startpos moves e2e4 …` | the start position, then moves in UCI notation |
| `position fen FEN moves …` | FEN, X-FEN, Shredder-FEN or a FEN of four fields; `moves` may be followed by nothing |
| `go depth N` | search to this depth |
| `go nodes N` | at most so many nodes; iterations in a tree search |
| `go movetime MS` | so many milliseconds |
| `go wtime MS btime MS winc MS binc MS movestogo N` | play on a clock; a clock that is missing is infinite |
| `go mate N` | find a mate in at most N moves, with all pruning off that may overlook one |
| `go softnodes N`, `go softtime MS` | end with the depth in which so much has been spent |
| `go searchmoves e2e4 d2d4 …` | only these moves at the root |
| `go infinite`, `go ponder` | until `stop`, or `ponderhit` |
| `go perft N` | count move paths |
| `debug on` | `info string` lines say what each depth cut, and why |

[Options](uci-options.md) are set by `setoption name NAME value VALUE`.

## Beyond UCI

";

#[test]
fn the_page_of_commands_is_up_to_date() {
    let (output, text) = engine::Output::to_memory();
    let mut session = engine::UciSession::new(output);
    session.run_line("help");
    let help = text.contents();
    for word in engine::Console::WORDS {
        assert!(help.contains(word), "`help` does not name `{word}`");
    }
    check("uci.md", &format!("{COMMANDS}```text\n{}\n```\n", help.trim_end()));
}
