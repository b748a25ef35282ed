// SPDX-License-Identifier: GPL-3.0-or-later
//! Heuristics and their numbers as outsiders see them.

/// A tunable number, or a switch, which is a number that is 0 or 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParamSpec {
    /// Its name.
    pub name: &'static str,
    /// What it does.
    pub doc: &'static str,
    /// Whether it switches a heuristic on and off.
    pub is_switch: bool,
    /// The value that ships.
    pub default: i32,
    /// The smallest sensible value.
    pub min: i32,
    /// The largest sensible value.
    pub max: i32,
    /// A step that can be felt in play.
    pub step: i32,
    /// The value that takes the number out of the search, where there is one.
    pub without: Option<i32>,
}

/// Which part of the search a heuristic belongs to: elsewhere it does nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// Every alpha-beta search.
    AlphaBeta,
    /// Alpha-beta with more than one thread.
    Threads,
    /// Searches on a clock.
    Clock,
    /// The tree search.
    Tree,
}

/// Whether a heuristic can hide a mate from a search of some depth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MateSafety {
    /// It leaves out moves or takes depth away: `go mate` turns it off.
    OverlooksMates,
    /// Every mate within the depth is found with it.
    FindsMates,
}

/// A heuristic, or another group of numbers that belong together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Heuristic {
    /// Its name in code.
    pub name: &'static str,
    /// Its name in the literature.
    pub title: &'static str,
    /// What it does.
    pub doc: &'static str,
    /// Where it matters.
    pub scope: Scope,
    /// Its switch, and whether it can hide a mate; `None` if it cannot be switched off.
    pub switch: Option<(ParamSpec, MateSafety)>,
    /// What is counted, as labels of [`Stats::entries`](crate::Stats::entries).
    pub counters: &'static [&'static str],
    /// Its numbers, without the switch.
    pub numbers: &'static [ParamSpec],
}

impl Heuristic {
    /// The settings that take it out of the search, or put it in if it ships switched off. Empty if
    /// there are none.
    pub fn without(&self) -> Vec<(&'static str, i32)> {
        if let Some((switch, _)) = self.switch {
            return vec![(switch.name, 1 - switch.default)];
        }
        let setting = |spec: &ParamSpec| Some((spec.name, spec.without?));
        self.numbers.iter().filter_map(setting).collect()
    }
}

/// Heuristics that are declared together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Family {
    /// Its name in code.
    pub name: &'static str,
    /// What its members have in common.
    pub doc: &'static str,
    /// Its heuristics.
    pub heuristics: &'static [Heuristic],
}

/// The switch of a heuristic, if one is declared: its name, whether it ships switched on, its safety.
pub(super) const fn switch(
    declared: &[(&'static str, bool, MateSafety)],
    doc: &'static str,
) -> Option<(ParamSpec, MateSafety)> {
    let [(name, is_on, safety), ..] = declared else { return None };
    let (name, default) = (*name, *is_on as i32);
    let spec =
        ParamSpec { name, doc, is_switch: true, default, min: 0, max: 1, step: 1, without: None };
    Some((spec, *safety))
}

/// The first of several values, if there is one. Macros write optional values as lists.
pub(super) const fn first<T: Copy>(values: &[T]) -> Option<T> {
    match values {
        [first, ..] => Some(*first),
        [] => None,
    }
}

/// Fails to compile if a default is out of its range, or a step larger than it.
pub(super) const fn check(family: &Family) {
    let mut heuristic = 0;
    while heuristic < family.heuristics.len() {
        let numbers = family.heuristics[heuristic].numbers;
        let mut index = 0;
        while index < numbers.len() {
            let ParamSpec { default, min, max, step, .. } = numbers[index];
            assert!(min <= default && default <= max, "a default is out of its range");
            assert!(step > 0 && step <= max - min, "a step is larger than its range");
            index += 1;
        }
        heuristic += 1;
    }
}

/// How many switches and numbers families have.
pub(super) const fn count(families: &[Family]) -> usize {
    let (mut total, mut family) = (0, 0);
    while family < families.len() {
        let heuristics = families[family].heuristics;
        let mut index = 0;
        while index < heuristics.len() {
            total += heuristics[index].numbers.len() + heuristics[index].switch.is_some() as usize;
            index += 1;
        }
        family += 1;
    }
    total
}

/// All switches and numbers of families, each switch before its numbers.
pub(super) const fn flatten<const COUNT: usize>(families: &[Family]) -> [ParamSpec; COUNT] {
    const EMPTY: ParamSpec = ParamSpec {
        name: "",
        doc: "",
        is_switch: false,
        default: 0,
        min: 0,
        max: 0,
        step: 0,
        without: None,
    };
    let (mut specs, mut filled, mut family) = ([EMPTY; COUNT], 0, 0);
    while family < families.len() {
        let heuristics = families[family].heuristics;
        let mut index = 0;
        while index < heuristics.len() {
            if let Some((switch, _)) = heuristics[index].switch {
                specs[filled] = switch;
                filled += 1;
            }
            let numbers = heuristics[index].numbers;
            let mut number = 0;
            while number < numbers.len() {
                specs[filled] = numbers[number];
                (filled, number) = (filled + 1, number + 1);
            }
            index += 1;
        }
        family += 1;
    }
    specs
}
