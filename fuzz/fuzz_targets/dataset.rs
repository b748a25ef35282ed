// SPDX-License-Identifier: GPL-3.0-or-later
//! Fuzzes files of training data: games in viriformat and records.
#![no_main]

use data::{Dataset, Input, Item};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Ok(mut dataset) = Dataset::new(Input::from_bytes("fuzz", data.to_vec())) else { return };
    while let Some(item) = dataset.next_item() {
        match item {
            Ok(Item::Game(raw)) => match raw.decode() {
                Ok(game) => {
                    let mut written = Vec::new();
                    data::viri::write_game(&mut written, &game).expect("memory takes everything");
                }
                Err(error) => assert!(!error.to_string().is_empty()),
            },
            Ok(Item::Record(_, record)) => {
                let _ = (record.check(), record.board(), record.pieces().count());
            }
            Err(problem) => {
                assert!(!problem.to_string().is_empty());
            }
        }
    }
});
