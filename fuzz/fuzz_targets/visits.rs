// SPDX-License-Identifier: GPL-3.0-or-later
//! Fuzzes files of games with the visits of each move.
#![no_main]

use data::visits::{VisitsReader, write_header, write_visits};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Ok(reader) = VisitsReader::new(data) else { return };
    for raw in reader {
        let Ok(raw) = raw else { break };
        let Ok(game) = raw.decode() else { continue };
        let mut written = Vec::new();
        write_header(&mut written).expect("memory takes everything");
        write_visits(&mut written, &game).expect("memory takes everything");
        let again =
            VisitsReader::new(&written[..]).expect("our own header").next().expect("one game");
        assert_eq!(again.and_then(|raw| raw.decode()).expect("our own game"), game);
    }
});
