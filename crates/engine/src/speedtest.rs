// SPDX-License-Identifier: GPL-3.0-or-later
//! How fast this machine is.

use std::time::{Duration, Instant};

use chess::Board;
use net::Kernels;
use search::{Limits, Network, Position, Searcher};

/// A count and the time it took.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Speed {
    /// Nodes visited.
    pub nodes: u64,
    /// Time taken.
    pub time: Duration,
}

impl Speed {
    /// Nodes per second.
    pub fn per_second(&self) -> u64 {
        (self.nodes as f64 / self.time.as_secs_f64().max(1e-9)) as u64
    }
}

/// The speed of perft and of the search, with what they ran on.
#[derive(Clone, PartialEq, Debug)]
pub struct SpeedTest {
    /// The processor's name.
    pub processor: String,
    /// Threads used by the search.
    pub threads: usize,
    /// The architecture that evaluated.
    pub network: &'static str,
    /// The kernels that this processor runs.
    pub kernels: &'static str,
    /// One thread counting move paths.
    pub perft: Speed,
    /// The alpha-beta search.
    pub alphabeta: Speed,
}

impl SpeedTest {
    /// Measures for about this long.
    pub fn run(threads: usize, duration: Duration, network: &Network) -> Self {
        let start = Instant::now();
        let nodes = chess::perft(&Board::default(), 6);
        let perft = Speed { nodes, time: start.elapsed() };
        let mut searcher = Searcher::new(threads, 64);
        searcher.set_network(network.clone());
        let limits = Limits { move_time: Some(duration), ..Limits::default() };
        let effort = searcher.think(&Position::default(), &limits).effort;
        let alphabeta = Speed { nodes: effort.nodes, time: effort.time };
        let kernels = match network {
            Network::Material => Kernels::detect(),
            Network::Net(_, kernels) => *kernels,
        };
        Self {
            processor: processor(),
            threads,
            network: network.architecture(),
            kernels: kernels.name(),
            perft,
            alphabeta,
        }
    }
}

/// The processor's name as the system tells it.
fn processor() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    name.map_or_else(|| std::env::consts::ARCH.to_owned(), |(_, name)| name.to_owned())
}
