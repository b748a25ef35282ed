// SPDX-License-Identifier: GPL-3.0-or-later
//! The page docs/reference/search-numbers.md, which is written and checked here.

use std::fmt::Write as _;
use std::{env, fs};

use search::{Heuristic, MateSafety, ParamSpec, Params};

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference/search-numbers.md");

#[test]
fn the_page_of_all_numbers_is_up_to_date() {
    let page = reference_page();
    if env::var_os("WRITE_DOCS").is_some() {
        fs::write(PAGE, &page).unwrap();
    }
    let found = fs::read_to_string(PAGE).unwrap_or_default();
    assert!(
        found == page,
        "{PAGE} is out of date: WRITE_DOCS=1 cargo test -p search --test all reference"
    );
}

const PAGE_HEAD: &str = "\
# The search's heuristics and numbers

This page is generated: `WRITE_DOCS=1 cargo test -p search --test all reference` writes it, and the same test fails if it
is out of date. The source is [crates/search/src/params](../../crates/search/src/params).

Switches can be set in every build by code. With the feature `tune` (`make tune`) every switch and number is a UCI option of
this name. *Off for mates* means that `go mate` turns the heuristic off, because it can overlook a mate. Labels of counters are
those of `searchstats`.
";

/// The reference page of all heuristics.
fn reference_page() -> String {
    let mut page = PAGE_HEAD.to_owned();
    for family in Params::FAMILIES {
        let _ = writeln!(page, "\n## {}\n\n{}", capitalized(family.name), prose(family.doc));
        for heuristic in family.heuristics {
            write_heuristic(&mut page, heuristic);
        }
    }
    page
}

fn write_heuristic(page: &mut String, heuristic: &Heuristic) {
    let _ = writeln!(page, "\n### {}\n\n{}", heuristic.title, prose(heuristic.doc));
    let mut facts = vec![];
    if let Some((switch, _)) = heuristic.switch {
        let state = if switch.default == 0 { "off" } else { "on" };
        facts.push(format!("switch `{}` ({state})", switch.name));
    }
    if overlooks_mates(heuristic) {
        facts.push("off for mates".to_owned());
    }
    if !heuristic.counters.is_empty() {
        facts.push(format!("counted as {}", heuristic.counters.join(", ")));
    }
    if !facts.is_empty() {
        let _ = writeln!(page, "\n*{}*", capitalized(&facts.join("; ")));
    }
    if heuristic.numbers.is_empty() {
        return;
    }
    let _ = writeln!(page, "\n| number | default | range | step | |\n|---|---:|---|---:|---|");
    for spec in heuristic.numbers {
        let ParamSpec { name, doc, default, min, max, step, .. } = spec;
        let doc = prose(doc);
        let _ = writeln!(page, "| `{name}` | {default} | {min} to {max} | {step} | {doc} |");
    }
}

/// The text of a doc comment, in one line.
fn prose(doc: &str) -> String {
    doc.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

const fn overlooks_mates(heuristic: &Heuristic) -> bool {
    matches!(heuristic.switch, Some((_, MateSafety::OverlooksMates)))
}
