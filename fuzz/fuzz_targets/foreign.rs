// SPDX-License-Identifier: GPL-3.0-or-later
//! Fuzzes the readers of networks that other programs wrote: the first byte says which.
#![no_main]

use net::import::{BulletLayout, RengarSources, read_weights_txt};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Some((&kind, rest)) = data.split_first() else { return };
    let text = String::from_utf8_lossy(rest);
    let read = match kind % 3 {
        0 => read_weights_txt(&text, "fuzz").map(|imported| imported.net),
        1 => BulletLayout::plain().read(rest),
        _ => {
            let (tables, hidden) = text.split_once("---").unwrap_or((&text, ""));
            RengarSources { tables, hidden }.read("fuzz")
        }
    };
    match read {
        Ok(net) => {
            drop(net::Net::from_bytes(&net.to_bytes()).expect("what was written can be read"))
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});
