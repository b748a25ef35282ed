// SPDX-License-Identifier: GPL-3.0-or-later
//! Fuzzes the loader of network files, on stable Rust and without instruments.
//!
//! ```text
//! cargo run -p net --example fuzz -- [SECONDS] [SEED]
//! ```
//! Files of all architectures are damaged at random, length and hash made right again, or else nothing
//! behind them would ever be reached. The target `net` of `fuzz/` has the same check.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a program for the terminal")]

#[path = "../tests/common/checks.rs"]
mod checks;

use std::process::ExitCode;
use std::time::{Duration, Instant};
use std::{env, fs, panic};

use net::file::{self, seal};
use net::random::{self, Random};
use net::{Architecture, Header, NapoleonShape};

/// More memory than this, and the loader has believed a header. Seeds and pool take a small part.
const MOST_MEBIBYTES: u64 = 256;
/// Files that were accepted are kept up to this number.
const POOL: usize = 64;
/// Numbers at the limits of fields.
const EDGES: [u64; 8] = [0, 1, 0x7F, 0xFF, 0x7FFF, 0xFFFF, 0x7FFF_FFFF, u64::MAX];

fn main() -> ExitCode {
    let mut arguments = env::args().skip(1);
    let mut number = |default: u64| arguments.next().map_or(Ok(default), |text| text.parse());
    let (Ok(seconds), Ok(seed)) = (number(60), number(1)) else {
        eprintln!("usage: fuzz [SECONDS] [SEED]");
        return ExitCode::from(2);
    };
    let end = Instant::now() + Duration::from_secs(seconds);
    let (mut runs, mut accepted) = (0u64, 0u64);
    let mut random = Random::new(seed);
    let seeds = seeds();
    let mut pool = seeds.clone();
    while Instant::now() < end {
        runs += 1;
        let bytes = damaged(&pool, &mut random);
        match panic::catch_unwind(|| checks::network_file(&bytes)) {
            Ok(false) => (),
            Ok(true) => {
                accepted += 1;
                keep(&mut pool, bytes, seeds.len(), &mut random);
            }
            Err(_) => return tell_finding(&bytes, runs),
        }
    }
    let memory = peak_mebibytes();
    let told = memory.map_or("unknown".to_owned(), |mebibytes| format!("{mebibytes} MiB"));
    println!("net: {runs} files, {accepted} accepted, 0 findings, peak memory {told}");
    match memory {
        Some(mebibytes) if mebibytes > MOST_MEBIBYTES => ExitCode::FAILURE,
        _ => ExitCode::SUCCESS,
    }
}

/// Small files of every architecture and head.
fn seeds() -> Vec<Vec<u8>> {
    let napoleon = NapoleonShape { channels: 34, blocks: 1, squeezed: 2, head: 3 };
    let mut tal = random::header(Architecture::Tal);
    tal.flags = 0;
    let mut batu = random::header(Architecture::Batu);
    batu.widths = [16, 4, 0, 0];
    let mut headers = vec![napoleon.header(), tal, batu];
    headers.extend([random::house_header(16, 2, 8), random::pairwise_header(16, 1, 2)]);
    headers.extend(
        [Architecture::Nectar, Architecture::Rengar, Architecture::Tal].map(random::header),
    );
    let mut seeds: Vec<_> = headers.iter().map(|h| random::with_header(h, 1).to_bytes()).collect();
    seeds.push(random::policy(1).to_bytes());
    seeds
}

fn damaged(pool: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    let mut bytes = pool[random.below(pool.len())].clone();
    for _ in 0..=random.below(4) {
        let at = match random.below(2) {
            0 => random.below(bytes.len().min(64)),
            _ => random.below(bytes.len()),
        };
        match random.below(6) {
            0 => bytes[at] = random.next() as u8,
            1 => bytes[at] ^= 1 << random.below(8),
            2 => {
                let edge = EDGES[random.below(EDGES.len())].to_le_bytes();
                let len = (1 << random.below(4)).min(bytes.len() - at);
                bytes[at..at + len].copy_from_slice(&edge[..len]);
            }
            3 => bytes.truncate(at.max(1)),
            4 => {
                let end = bytes.len().min(at + random.below(100));
                bytes.drain(at..end);
                bytes.push(0);
            }
            _ => bytes.extend((0..random.below(100)).map(|_| 0x55)),
        }
    }
    seal(&mut bytes);
    bytes
}

/// Adds to the pool, or replaces something other than a seed once it is full.
fn keep(pool: &mut Vec<Vec<u8>>, bytes: Vec<u8>, seeds: usize, random: &mut Random) {
    if pool.len() < POOL {
        pool.push(bytes);
    } else {
        pool[seeds + random.below(POOL - seeds)] = bytes;
    }
}

/// Leaves the file that a check panicked on.
fn tell_finding(bytes: &[u8], runs: u64) -> ExitCode {
    let path = env::temp_dir().join("quincunx-net-finding.qnet");
    let written = fs::write(&path, bytes).map(|()| path.display().to_string());
    println!("net: a finding after {runs} files: {written:?}");
    if let Ok(contents) = file::Contents::read(bytes) {
        let header: Header = contents.header;
        println!("{header:?}");
    }
    ExitCode::FAILURE
}

/// The most memory that this program has had, if the system tells.
fn peak_mebibytes() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.split_whitespace().next()?.parse::<u64>().ok()? / 1024)
}
