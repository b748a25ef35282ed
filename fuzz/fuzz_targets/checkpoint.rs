// SPDX-License-Identifier: GPL-3.0-or-later
//! Fuzzes the trainer's checkpoints, with their checksum made right.
#![no_main]

use std::fs;
use std::sync::OnceLock;

use tempfile::TempDir;
use train::Checkpoint;

static FOLDER: OnceLock<TempDir> = OnceLock::new();

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let folder = FOLDER.get_or_init(|| tempfile::tempdir_in("/dev/shm").expect("room in memory"));
    let path = folder.path().join("checkpoint.bin");
    let mut bytes = data.to_vec();
    Checkpoint::seal(&mut bytes);
    fs::write(&path, &bytes).expect("room in memory");
    for parameters in [0, 1, 8] {
        match Checkpoint::read(&path, parameters) {
            Ok(checkpoint) => assert_eq!(checkpoint.state.parameters.len(), parameters),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
});
