// SPDX-License-Identifier: GPL-3.0-or-later
use std::collections::HashSet;

use super::*;

#[test]
fn numbers_are_found_by_name_and_clamped() {
    let mut params = Params::default();
    assert!(params.set("rfp_margin", 9999));
    assert_eq!((params.get("rfp_margin"), params.rfp_margin()), (Some(200), 200));
    assert!(params.set("rfp_on", 0));
    assert!(!params.rfp_on());
    assert!(!params.set("no_such_number", 1));
    assert_eq!(params.get("no_such_number"), None);
}

#[test]
#[should_panic(expected = "there is no number `rfp_marign` to set")]
fn a_misspelt_name_is_an_error() {
    let _ = Params::default().with("rfp_marign", 1);
}

#[test]
fn every_number_is_described_and_ships_with_its_default() {
    let mut names = HashSet::new();
    for spec in Params::SPECS {
        assert!(names.insert(spec.name), "`{}` is declared twice", spec.name);
        assert_eq!(Params::default().get(spec.name), Some(spec.default));
        assert!(!spec.doc.trim().is_empty(), "{}", spec.name);
        assert_eq!(spec.is_switch, spec.name.ends_with("_on"), "{}", spec.name);
        let is_valid = |value| (spec.min..=spec.max).contains(&value);
        assert!(spec.without.is_none_or(is_valid), "{}", spec.name);
    }
    assert!(names.len() > 150);
}

#[test]
fn mates_are_searched_without_what_overlooks_them() {
    let params = Params::default().for_mates();
    for (switch, safety) in Params::heuristics().filter_map(|heuristic| heuristic.switch) {
        let expected = if safety == MateSafety::OverlooksMates { 0 } else { switch.default };
        assert_eq!(params.get(switch.name), Some(expected), "{}", switch.name);
    }
    // Both take depth away, and a hand-written list had forgotten them.
    assert!(!params.hindsight_on() && !params.negative_extension_on());
    assert!(params.singular_on() && params.killers_on());
}

#[test]
fn every_heuristic_that_prunes_is_counted() {
    let families = Params::FAMILIES.iter();
    let pruning = families.filter(|family| ["pruning", "skipping"].contains(&family.name));
    let switched = pruning.flat_map(|family| family.heuristics).filter(|h| h.switch.is_some());
    for heuristic in switched {
        assert!(!heuristic.counters.is_empty(), "{} has no counter", heuristic.name);
    }
}

#[test]
fn what_is_being_tried_is_off() {
    for spec in Params::SPECS.iter().filter(|spec| spec.name.ends_with("_try")) {
        assert_eq!((spec.default, spec.min, spec.max), (0, 0, 1), "{}", spec.name);
    }
}
