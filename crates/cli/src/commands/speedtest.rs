// SPDX-License-Identifier: GPL-3.0-or-later
//! `quincunx speedtest`: how fast this machine is.

use std::time::Duration;

use anyhow::Result;
use clap::Args;
use engine::SpeedTest;
use serde_json::json;

use super::{Network, Threads, print_json};

/// Measure nodes per second of perft and search.
#[derive(Args, Debug)]
pub(crate) struct Speedtest {
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    network: Network,
    /// Seconds to search
    #[arg(long, default_value_t = 5, value_name = "S")]
    seconds: u64,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

impl Speedtest {
    pub(crate) fn run(&self) -> Result<()> {
        let duration = Duration::from_secs(self.seconds);
        let test = SpeedTest::run(self.threads.count(), duration, &self.network.load()?);
        let (perft, alphabeta) = (test.perft.per_second(), test.alphabeta.per_second());
        if self.json {
            return print_json(&json!({
                "processor": test.processor,
                "perft": {"nps": perft, "threads": 1},
                "kernels": test.kernels,
                "alphabeta": {"nps": alphabeta, "threads": test.threads, "network": test.network},
            }));
        }
        println!("processor  {}", test.processor);
        println!("perft      {perft} nps, 1 thread");
        println!("kernels    {}", test.kernels);
        println!("alphabeta  {alphabeta} nps, {} threads, {}", test.threads, test.network);
        Ok(())
    }
}
