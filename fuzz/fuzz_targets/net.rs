// SPDX-License-Identifier: GPL-3.0-or-later
//! Fuzzes the loader of network files.
//!
//! The length and the hash are made right first, or nothing behind them would ever be reached.
#![no_main]

#[path = "../../crates/net/tests/common/checks.rs"]
mod checks;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let mut bytes = data.to_vec();
    net::file::seal(&mut bytes);
    checks::network_file(&bytes);
});
