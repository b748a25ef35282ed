// SPDX-License-Identifier: GPL-3.0-or-later
//! A short run of the fuzzer of `examples/fuzz.rs`, and what longer runs have found.

use crate::fuzzer::TARGETS;

#[test]
fn damaged_text_is_refused_or_understood() {
    for target in &TARGETS {
        let report = target.fuzz(1, |runs| runs < 30_000);
        if let Some(finding) = report.findings.first() {
            panic!("{}: {:?}: {}", target.name, finding.text, finding.message);
        }
        assert!(report.accepted > 1000, "{}: {report:?}", target.name);
    }
}

/// What made the fuzzer stop once.
#[test]
fn findings_stay_fixed() {
    let long_move = format!("e2-e4{}", "!?".repeat(1000));
    for (name, text) in [
        // The move number overflowed when Black moved.
        ("fen", "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 4294967295"),
        // The en-passant field was cut in the middle of a letter.
        ("fen", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq é 0 1"),
        ("epd", "6k1/5ppp/8/8/8/8/8/K2R4 w - \u{fffd} bm Rd8#;"),
        // Errors repeated the whole text.
        ("san", &long_move),
        // Blanks beyond ASCII were read as part of a comment, but written as a blank.
        ("pgn", "1. e4 {a\u{b}b\u{a0}c} *"),
    ] {
        let target = TARGETS.iter().find(|target| target.name == name).unwrap();
        (target.check)(text);
    }
}
