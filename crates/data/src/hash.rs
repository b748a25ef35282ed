// SPDX-License-Identifier: GPL-3.0-or-later
//! A hash of bytes that never changes: which games are held out depends on it.

use tools::random::mix;

/// A hash of bytes that is the same on every machine. It is no defence against malice.
pub fn bytes(seed: u64, bytes: &[u8]) -> u64 {
    let mut hash = mix(seed ^ bytes.len() as u64);
    let (words, rest) = bytes.as_chunks::<8>();
    for word in words {
        hash = mix(hash ^ u64::from_le_bytes(*word));
    }
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    mix(hash ^ u64::from_le_bytes(last))
}
