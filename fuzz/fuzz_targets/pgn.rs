// SPDX-License-Identifier: GPL-3.0-or-later
//! Fuzzes the reader of PGN files.
#![no_main]

#[path = "../../crates/chess/tests/common/checks.rs"]
#[allow(dead_code, reason = "each target uses one check")]
mod checks;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    checks::pgn(&String::from_utf8_lossy(data));
});
