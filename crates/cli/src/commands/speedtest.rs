// SPDX-License-Identifier: GPL-3.0-or-later
//! `quincunx speedtest`: how fast this machine is.

use std::time::Duration;

use anyhow::Result;
use clap::Args;
use engine::SpeedTest;
use serde_json::json;

use super::{NetworkArgs, PolicyArgs, Threads, print_json};

/// Measure nodes per second of perft and both searches.
#[derive(Args, Debug)]
pub(crate) struct Speedtest {
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    network: NetworkArgs,
    #[command(flatten)]
    policy: PolicyArgs,
    /// Seconds for each search
    #[arg(long, default_value_t = 5, value_name = "S")]
    seconds: u64,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

impl Speedtest {
    pub(crate) fn run(&self) -> Result<()> {
        let duration = Duration::from_secs(self.seconds);
        let ranking = self.policy.load()?;
        let test = SpeedTest::run(self.threads.count(), duration, &self.network.load(), &ranking);
        let [perft, alphabeta, mcts] =
            [test.perft, test.alphabeta, test.mcts].map(|speed| speed.per_second());
        if self.json {
            return print_json(&json!({
                "processor": test.processor,
                "perft": {"nps": perft, "threads": 1},
                "kernels": test.kernels,
                "alphabeta": {"nps": alphabeta, "threads": test.threads, "network": test.network},
                "mcts": {"nps": mcts, "threads": test.threads, "network": test.network,
                         "leaf": "static", "ranking": test.ranking},
            }));
        }
        println!("processor  {}", test.processor);
        println!("perft      {perft} nps, 1 thread");
        println!("kernels    {}", test.kernels);
        println!("alphabeta  {alphabeta} nps, {} threads, {}", test.threads, test.network);
        println!(
            "mcts       {mcts} iterations per second, {} threads, {}, moves ranked by {}",
            test.threads, test.network, test.ranking
        );
        Ok(())
    }
}
