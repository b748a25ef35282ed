// SPDX-License-Identifier: GPL-3.0-or-later
//! Fuzzes tunings, screens and the engines that they name.
#![no_main]

use arena::{EngineSpec, screen, tune};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    if let Ok(config) = tune::Config::parse(&text) {
        let _ = (config.schedule(), config.purpose());
        let _ = config.parameters().map_err(|error| assert!(!error.to_string().is_empty()));
    }
    if let Ok(config) = screen::Config::parse(&text) {
        let _ = (config.design(), config.purpose());
    }
    let words: Vec<&str> = text.split_whitespace().take(20).collect();
    let _ = words
        .join(" ")
        .parse::<EngineSpec>()
        .map_err(|error| assert!(!error.to_string().is_empty()));
});
