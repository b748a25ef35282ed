// SPDX-License-Identifier: GPL-3.0-or-later
//! Fixed positions searched to a fixed depth: a fingerprint of the search and a measure of speed.

use std::time::Duration;

use search::{Limits, Line, Mode, Network, Odds, Position, Ranking, Searcher, TreeOptions};

/// The depth that is searched unless another is asked for.
pub const BENCH_DEPTH: u32 = 12;

/// Positions with a word on each.
const POSITIONS: &str = include_str!("../data/bench.epd");

/// MiB of table: small, so that replacement is part of the fingerprint.
const TABLE: usize = 16;

/// One position's result.
#[derive(Clone, Debug)]
pub struct BenchEntry {
    /// The position.
    pub fen: &'static str,
    /// What kind of position it is.
    pub label: &'static str,
    /// The best line.
    pub best: Option<Line>,
    /// The best move in standard notation.
    pub san: String,
    /// Nodes visited.
    pub nodes: u64,
    /// Time taken.
    pub time: Duration,
}

impl BenchEntry {
    /// What scores mean in the position.
    pub fn odds(&self) -> Odds {
        Odds::on(&self.fen.parse().expect("bench positions are legal"))
    }
}

/// The search of all positions, one after the other.
#[derive(Debug)]
pub struct Bench {
    searcher: Searcher,
    depth: u32,
    next: usize,
}

impl Bench {
    /// A benchmark to this depth. Threads other than one make the node count vary.
    pub fn new(depth: u32, threads: usize, network: Network) -> Self {
        let mut searcher = Searcher::new(threads, TABLE);
        searcher.set_network(network);
        Self { searcher, depth, next: 0 }
    }

    /// The same benchmark for another search.
    #[must_use]
    pub fn in_mode(mut self, mode: Mode, options: TreeOptions, ranking: Ranking) -> Self {
        self.searcher.set_ranking(ranking);
        self.searcher.set_tree_options(options);
        assert!(self.searcher.set_mode(mode), "memory for a small tree");
        self
    }

    /// How many positions there are.
    pub fn len() -> usize {
        POSITIONS.lines().count()
    }
}

/// Searches the next position.
impl Iterator for Bench {
    type Item = BenchEntry;

    fn next(&mut self) -> Option<BenchEntry> {
        let (fen, label) = POSITIONS.lines().nth(self.next)?.split_once("; ")?;
        self.next += 1;
        let position = Position::from_fen(fen).expect("bench positions are legal");
        self.searcher.clear();
        let answer = self.searcher.think(&position, &Limits::to_depth(self.depth));
        let san = answer.best_move().map(|mv| position.board().san(mv).to_string());
        Some(BenchEntry {
            fen,
            label,
            san: san.unwrap_or_else(|| "(none)".to_owned()),
            nodes: answer.effort.nodes,
            time: answer.effort.time,
            best: answer.best,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_count_is_the_same_every_time() {
        let count = || Bench::new(4, 1, Network::Material).map(|entry| entry.nodes).sum::<u64>();
        assert_eq!(count(), count());
        assert_eq!(Bench::len(), 50);
    }

    #[test]
    fn the_count_of_every_mode_is_the_same_every_time() {
        for mode in [Mode::Mcts, Mode::Classic] {
            let count = || {
                let bench = Bench::new(2, 1, Network::Material);
                let bench = bench.in_mode(mode, TreeOptions::default(), Ranking::Rule);
                bench.map(|entry| entry.nodes).sum::<u64>()
            };
            assert_eq!(count(), count(), "{mode}");
        }
    }
}
