// SPDX-License-Identifier: GPL-3.0-or-later
//! `quincunx tunables`: the heuristics of the search with their numbers, for tuners, scripts and people.

use std::fmt::Write as _;

use anyhow::Result;
use clap::Args;
use engine::{Output, Session};
use search::{Family, Heuristic, MateSafety, ParamSpec, Params, Scope};
use serde::Serialize;

use super::print_json;
use crate::output;

/// Print the search's tunable numbers in OpenBench's form.
#[derive(Args, Debug)]
pub(crate) struct Tunables {
    /// Print every heuristic with switch, numbers and counters as JSON instead
    #[arg(long)]
    json: bool,
    /// Print the page docs/reference/search-numbers.md instead
    #[arg(long, conflicts_with = "json")]
    markdown: bool,
}

impl Tunables {
    pub(crate) fn run(&self) -> Result<()> {
        if self.json {
            return print_json(&Params::FAMILIES.iter().map(Described::family).collect::<Vec<_>>());
        }
        if self.markdown {
            return output::print(&reference_page());
        }
        Session::new(Output::to_stdout()).run_line("tunables");
        Ok(())
    }
}

/// A family of heuristics for scripts.
#[derive(Serialize)]
struct Described {
    family: &'static str,
    heuristics: Vec<DescribedHeuristic>,
}

#[derive(Serialize)]
struct DescribedHeuristic {
    name: &'static str,
    title: &'static str,
    doc: &'static str,
    scope: &'static str,
    switch: Option<&'static str>,
    /// Whether it is on when the engine ships; `null` without a switch.
    is_on: Option<bool>,
    /// Whether `go mate` turns it off.
    overlooks_mates: bool,
    counters: &'static [&'static str],
    numbers: Vec<DescribedNumber>,
    /// The settings that take it out of the search.
    without: serde_json::Map<String, serde_json::Value>,
}

#[derive(Serialize)]
struct DescribedNumber {
    name: &'static str,
    doc: &'static str,
    default: i32,
    min: i32,
    max: i32,
    step: i32,
}

impl Described {
    fn family(family: &Family) -> Self {
        let heuristics = family.heuristics.iter().map(DescribedHeuristic::new).collect();
        Self { family: family.name, heuristics }
    }
}

impl DescribedHeuristic {
    fn new(heuristic: &Heuristic) -> Self {
        let number = |spec: &ParamSpec| {
            let ParamSpec { name, doc, default, min, max, step, .. } = *spec;
            DescribedNumber { name, doc: doc.trim(), default, min, max, step }
        };
        let Heuristic { name, title, doc, counters, .. } = *heuristic;
        Self {
            name,
            title,
            doc: doc.trim(),
            scope: scope(heuristic.scope),
            switch: heuristic.switch.map(|(switch, _)| switch.name),
            is_on: heuristic.switch.map(|(switch, _)| switch.default != 0),
            overlooks_mates: overlooks_mates(heuristic),
            counters,
            numbers: heuristic.numbers.iter().map(number).collect(),
            without: heuristic.without().into_iter().map(|(k, v)| (k.to_owned(), v.into())).collect(),
        }
    }
}

const fn scope(scope: Scope) -> &'static str {
    match scope {
        Scope::AlphaBeta => "alphabeta",
        Scope::Threads => "threads",
        Scope::Clock => "clock",
        Scope::Tree => "tree",
    }
}

const fn overlooks_mates(heuristic: &Heuristic) -> bool {
    matches!(heuristic.switch, Some((_, MateSafety::OverlooksMates)))
}

const PAGE_HEAD: &str = "\
# The search's heuristics and numbers

This page is generated: `./quincunx tunables --markdown > docs/reference/search-numbers.md`. A test fails if it is
out of date. The source is [crates/search/src/params](../../crates/search/src/params).

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

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference/search-numbers.md");

    #[test]
    fn the_reference_page_is_up_to_date() {
        assert!(
            fs::read_to_string(PAGE).unwrap() == reference_page(),
            "run ./quincunx tunables --markdown > docs/reference/search-numbers.md"
        );
    }
}
