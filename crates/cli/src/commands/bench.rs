// SPDX-License-Identifier: GPL-3.0-or-later
//! `quincunx bench`: a fingerprint of the search and a measure of speed.

use anyhow::Result;
use clap::Args;
use engine::{BENCH_DEPTH, Output, UciSession};

use super::{Mode, Network};

/// Search fixed positions to a fixed depth; the last line is `N nodes M nps`.
#[derive(Args, Debug)]
pub(crate) struct Bench {
    /// How deep
    #[arg(default_value_t = BENCH_DEPTH)]
    depth: u32,
    /// Threads; with more than one the node count varies
    #[arg(long, default_value_t = 1, value_name = "N",
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    #[command(flatten)]
    network: Network,
    #[command(flatten)]
    mode: Mode,
}

impl Bench {
    pub(crate) fn run(&self) -> Result<()> {
        let mut session = UciSession::new(Output::to_stdout());
        session.run_line(&format!("setoption name Threads value {}", self.threads));
        session.run_line(&self.network.option());
        for line in self.mode.options() {
            session.run_line(&line);
        }
        session.run_line(&format!("bench {}", self.depth));
        Ok(())
    }
}
