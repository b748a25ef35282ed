// SPDX-License-Identifier: GPL-3.0-or-later
//! Fuzzes what unpacks files and cuts them into lines: the first byte says which format.
#![no_main]

use std::fs;
use std::sync::OnceLock;

use tempfile::TempDir;

static FOLDER: OnceLock<TempDir> = OnceLock::new();

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Some((&kind, rest)) = data.split_first() else { return };
    let folder = FOLDER.get_or_init(|| tempfile::tempdir_in("/dev/shm").expect("room in memory"));
    let path = folder.path().join(["a.zst", "a.xz", "a.txt"][usize::from(kind) % 3]);
    fs::write(&path, rest).expect("room in memory");
    let Ok(reader) = tools::read::open(&path) else { return };
    // A bomb may unpack to gigabytes of lines: these are streamed, so some are enough.
    for line in tools::read::lines(reader).take(10_000) {
        match line {
            Ok(line) => assert!(line.len() <= tools::read::MAX_LINE),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
});
