// SPDX-License-Identifier: GPL-3.0-or-later
//! The sub-commands, one file each, and what they share.

pub(crate) mod analyze;
pub(crate) mod bench;
pub(crate) mod board;
pub(crate) mod book;
pub(crate) mod completions;
pub(crate) mod compliance;
pub(crate) mod data_;
pub(crate) mod eval;
#[cfg(feature = "lichess")]
pub(crate) mod external_engine;
pub(crate) mod league;
#[cfg(feature = "lichess")]
pub(crate) mod lichess_;
pub(crate) mod match_;
pub(crate) mod net_;
pub(crate) mod perft;
pub(crate) mod play;
pub(crate) mod report;
pub(crate) mod screen;
pub(crate) mod selfplay;
pub(crate) mod speedtest;
pub(crate) mod sprt;
pub(crate) mod suite;
pub(crate) mod tb;
pub(crate) mod train;
pub(crate) mod tree;
pub(crate) mod tunables;
pub(crate) mod tune;

use std::str::FromStr;

use anyhow::{Context, Result};
use chess::{Board, FenError};
use clap::Args;
use serde::Serialize;

use crate::output;

/// A position on the command line: a FEN, or the word `startpos`.
#[derive(Clone, Debug)]
pub(crate) struct FenArg(pub(crate) Board);

impl FromStr for FenArg {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Self, FenError> {
        if text == "startpos" { Ok(Self(Board::default())) } else { text.parse().map(Self) }
    }
}

/// How many threads to use.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct Threads {
    /// Threads to use [default: all physical cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl Threads {
    /// The number of threads asked for, or that of the machine's physical cores.
    pub(crate) fn count(self) -> usize {
        self.threads.map_or_else(num_cpus::get_physical, usize::from)
    }

    /// Runs parallel work on a pool of this many threads.
    pub(crate) fn install<T: Send>(self, work: impl FnOnce() -> Result<T> + Send) -> Result<T> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.count()).build();
        pool.context("starting threads")?.install(work)
    }
}

/// Prints one JSON document on standard output.
pub(crate) fn print_json(value: &impl Serialize) -> Result<()> {
    output::print(&format!("{}\n", serde_json::to_string(value)?))
}

/// Which evaluation to use.
#[derive(Args, Clone, Debug)]
pub(crate) struct Network {
    /// The network to use: its name, or its file
    #[arg(long, default_value = engine::networks::names()[0], value_name = "NAME|FILE",
          value_parser = known_network)]
    pub(crate) network: String,
}

/// Refuses what is neither the name nor the file of a sound network.
fn known_network(name: &str) -> Result<String, engine::networks::NetworkError> {
    engine::networks::load(name, net::Kernels::detect()).map(|_| name.to_owned())
}

impl Network {
    /// The UCI line that selects it.
    pub(crate) fn option(&self) -> String {
        let is_name = engine::networks::names().contains(&self.network.as_str());
        let option = if is_name { "Network" } else { "EvalFile" };
        format!("setoption name {option} value {}", self.network)
    }

    /// The network, ready for use.
    pub(crate) fn load(&self) -> Result<search::Network> {
        Ok(engine::networks::load(&self.network, net::Kernels::detect())?)
    }
}

/// Which search to use.
#[derive(Args, Clone, Debug)]
pub(crate) struct Mode {
    /// The search to use
    #[arg(long, default_value = "alphabeta", value_name = "MODE",
          value_parser = search::Mode::ALL.map(search::Mode::name))]
    pub(crate) mode: String,
    #[command(flatten)]
    pub(crate) policy: Policy,
}

impl Mode {
    /// The UCI lines that select it.
    pub(crate) fn options(&self) -> [String; 2] {
        let policy = self.policy.policy.as_deref().unwrap_or_default();
        [
            format!("setoption name PolicyFile value {policy}"),
            format!("setoption name SearchMode value {}", self.mode),
        ]
    }

    /// The search itself.
    pub(crate) fn get(&self) -> search::Mode {
        search::Mode::by_name(&self.mode).unwrap_or_default()
    }

    /// Lets a searcher think in this way.
    pub(crate) fn apply(&self, searcher: &mut search::Searcher) -> Result<()> {
        searcher.set_ranking(self.policy.load()?);
        anyhow::ensure!(searcher.set_mode(self.get()), "no memory for the tree of `{}`", self.mode);
        Ok(())
    }
}

/// Which policy ranks the moves of a tree search.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct Policy {
    /// The policy network of a tree search [default: the one in the binary]
    #[arg(long, value_name = "FILE")]
    pub(crate) policy: Option<String>,
}

impl Policy {
    /// The policy, ready for use.
    pub(crate) fn load(&self) -> Result<search::Ranking> {
        let kernels = net::Kernels::detect();
        match &self.policy {
            Some(path) => Ok(engine::networks::load_policy(path, kernels)?),
            None => Ok(engine::networks::ranking(kernels)),
        }
    }
}
