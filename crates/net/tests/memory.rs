// SPDX-License-Identifier: GPL-3.0-or-later
//! Headers of absurd sizes do not make the loader take memory. This is a program of its own, so that
//! no other test can take any meanwhile.
#![cfg(target_os = "linux")]

use net::file::{Contents, seal};
use net::random::{self, Random};
use net::{Architecture, NapoleonShape};

/// The most memory that this program has had so far, in KiB.
fn peak() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.split_whitespace().next().unwrap().parse().unwrap()
}

#[test]
fn absurd_sizes_take_no_memory() {
    let mut headers = vec![
        random::house_header(4096, 16, 8),
        random::pairwise_header(4096, 16, 8),
        NapoleonShape { channels: 256, blocks: 16, squeezed: 64, head: 64 }.header(),
    ];
    let others =
        [Architecture::Nectar, Architecture::Rengar, Architecture::Tal, Architecture::Batu];
    headers.extend(others.map(random::header));
    let mut seeds: Vec<Vec<u8>> = vec![random::policy(1).to_bytes()];
    seeds.extend(others.map(|other| random::network(other, 1).to_bytes()));
    let mut random = Random::new(6);
    let before = peak();
    for round in 0..3000 {
        // A short file that claims the size of a long one, or any size.
        let mut bytes = seeds[round % seeds.len()][..200].to_vec();
        let header = &headers[round % headers.len()];
        bytes[10..12].copy_from_slice(&[header.architecture as u8, header.activation as u8]);
        bytes[12..16].copy_from_slice(&header.inputs.to_le_bytes());
        for (i, width) in header.widths.iter().enumerate() {
            bytes[16 + 2 * i..18 + 2 * i].copy_from_slice(&width.to_le_bytes());
        }
        bytes[24..26].copy_from_slice(&[header.input_buckets, header.output_buckets]);
        for _ in 0..random.below(4) {
            bytes[8 + random.below(32)] = [0, 0x7F, 0xFF][random.below(3)];
        }
        seal(&mut bytes);
        assert!(Contents::read(&bytes).is_err());
    }
    let taken = peak() - before;
    assert!(taken < 4 * 1024, "{taken} KiB more than before");
}
