// SPDX-License-Identifier: GPL-3.0-or-later
//! The bench's node count: the same run after run, with several copies at once, and in the release
//! binary.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::SystemTime;

use engine::Bench;
use engine::networks::default_network;
use net::Kernels;

const DEPTH: u32 = 5;
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

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

#[test]
fn the_release_binary_counts_the_same() {
    let binary = Path::new(ROOT).join("quincunx");
    let built = fs::metadata(&binary).and_then(|data| data.modified());
    // One that is older than the sources says nothing.
    let Ok(built) = built else { return };
    if newest(&Path::new(ROOT).join("crates")) > built {
        return;
    }
    let output = Command::new(binary).args(["bench", &DEPTH.to_string()]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let nodes = text.lines().last().and_then(|line| line.split(' ').next()).map(str::parse);
    assert_eq!(nodes, Some(Ok(count())), "{text}");
}

/// When a Rust source below a directory was last changed.
fn newest(directory: &Path) -> SystemTime {
    let entries = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    let changed = entries.map(|path| match path.is_dir() {
        true => newest(&path),
        false if path.extension().is_some_and(|end| end == "rs") => {
            fs::metadata(&path).and_then(|data| data.modified()).unwrap()
        }
        false => SystemTime::UNIX_EPOCH,
    });
    changed.max().unwrap_or(SystemTime::UNIX_EPOCH)
}
