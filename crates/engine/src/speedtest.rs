// SPDX-License-Identifier: GPL-3.0-or-later
//! How fast this machine is.

use std::time::{Duration, Instant};

use chess::Board;
use net::Kernels;
use search::{Leaf, Limits, Mode, Network, Position, Ranking, Searcher, TreeOptions};

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
    /// The tree search, in iterations, with leaves evaluated as they are.
    pub mcts: Speed,
    /// What ranked moves in the tree search.
    pub ranking: &'static str,
}

impl SpeedTest {
    /// Measures each search for about this long.
    pub fn run(threads: usize, duration: Duration, network: &Network, ranking: &Ranking) -> Self {
        let start = Instant::now();
        let nodes = chess::perft(&Board::default(), 6);
        let perft = Speed { nodes, time: start.elapsed() };
        let mut searcher = Searcher::new(threads, 64);
        searcher.set_network(network.clone());
        let limits = Limits { move_time: Some(duration), ..Limits::default() };
        let think = |searcher: &mut Searcher| {
            let effort = searcher.think(&Position::default(), &limits).effort;
            Speed { nodes: effort.nodes, time: effort.time }
        };
        let alphabeta = think(&mut searcher);
        searcher.set_ranking(ranking.clone());
        searcher.set_tree_options(TreeOptions { leaf: Leaf::Static, ..TreeOptions::default() });
        assert!(searcher.set_mode(Mode::Mcts), "memory for a tree");
        let mcts = think(&mut searcher);
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
            mcts,
            ranking: ranking.name(),
        }
    }
}

/// The processor's name as the system tells it.
fn processor() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    name.map_or_else(|| std::env::consts::ARCH.to_owned(), |(_, name)| name.to_owned())
}
