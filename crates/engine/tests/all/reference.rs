// SPDX-License-Identifier: GPL-3.0-or-later
//! docs/reference/uci-options.md says what the options are. To write it anew:
//! `WRITE_DOCS=1 cargo test -p engine --test all reference`.

use std::fmt::Write;
use std::path::Path;

use uci::OptionKind;

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference/uci-options.md");

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
    let page = page();
    if std::env::var_os("WRITE_DOCS").is_some() {
        std::fs::create_dir_all(Path::new(PAGE).parent().unwrap()).unwrap();
        std::fs::write(PAGE, &page).unwrap();
    }
    let found = std::fs::read_to_string(PAGE).unwrap_or_default();
    assert!(found == page, "write it anew: WRITE_DOCS=1 cargo test -p engine --test all reference");
}
