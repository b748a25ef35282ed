// SPDX-License-Identifier: GPL-3.0-or-later
//! Fuzzes the log of a match.
#![no_main]

use arena::run::{LOG_HEADER, read_log};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    for log in [text.as_ref(), &format!("{LOG_HEADER}{text}")] {
        if let Err(error) = read_log(log) {
            assert!(!error.to_string().is_empty());
        }
    }
});
