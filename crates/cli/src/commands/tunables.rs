// SPDX-License-Identifier: GPL-3.0-or-later
//! `quincunx tunables`: the heuristics of the search with their numbers, for tuners, scripts and people.

use anyhow::Result;
use clap::Args;
use engine::{Console, Output, UciSession};
use search::{Family, Heuristic, MateSafety, ParamSpec, Params, Scope};
use serde::Serialize;

use super::print_json;

/// Print the search's tunable numbers in OpenBench's form.
#[derive(Args, Debug)]
pub(crate) struct Tunables {
    /// Print every heuristic with switch, numbers and counters as JSON instead
    #[arg(long)]
    json: bool,
}

impl Tunables {
    pub(crate) fn run(&self) -> Result<()> {
        if self.json {
            return print_json(&Params::FAMILIES.iter().map(Described::family).collect::<Vec<_>>());
        }
        UciSession::new(Output::to_stdout()).run_console(Console::Tunables);
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
            without: heuristic
                .without()
                .into_iter()
                .map(|(k, v)| (k.to_owned(), v.into()))
                .collect(),
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
