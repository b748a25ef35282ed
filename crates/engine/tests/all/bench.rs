// SPDX-License-Identifier: GPL-3.0-or-later
//! The bench's node count: the same run after run, and with several copies at once. That the release
//! binary counts the same, `make bench-count` checks after the build.

use std::thread;

use engine::Bench;
use engine::networks::default_network;
use net::Kernels;

const DEPTH: u32 = 5;

fn count() -> u64 {
    Bench::new(DEPTH, 1, default_network(Kernels::detect())).map(|entry| entry.nodes).sum()
}

#[test]
fn copies_at_once_count_the_same() {
    let alone = count();
    let copies: Vec<u64> = thread::scope(|scope| {
        let threads: Vec<_> = (0..3).map(|_| scope.spawn(count)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(copies, [alone; 3]);
}
