// SPDX-License-Identifier: GPL-3.0-or-later
//! A short run of the fuzzer, the same lines every time. The example `fuzz_uci` goes on for longer.

use crate::common::fuzzer;

#[test]
fn odd_lines_never_cost_an_answer() {
    for seed in 1..=4 {
        match fuzzer::run(seed, |bursts| bursts < 60) {
            Ok(bursts) => assert_eq!(bursts, 60, "seed {seed}"),
            Err(finding) => panic!("seed {seed}: {finding}"),
        }
    }
}
