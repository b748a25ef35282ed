// SPDX-License-Identifier: GPL-3.0-or-later
//! `quincunx bench`: a fingerprint of the search and a measure of speed.

use anyhow::Result;
use clap::Args;
use engine::{BENCH_DEPTH, Console, Output, Setting, UciSession};

use super::{ModeArgs, NetworkArgs};

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
    network: NetworkArgs,
    #[command(flatten)]
    mode: ModeArgs,
}

impl Bench {
    pub(crate) fn run(&self) -> Result<()> {
        let output = Output::to_stdout();
        let mut session = UciSession::new(output.clone());
        let engine = session.engine();
        engine.set(Setting::Threads(self.threads.into()))?;
        engine.set(self.network.setting())?;
        for setting in self.mode.settings() {
            engine.set(setting)?;
        }
        session.run_console(Console::Bench(Some(self.depth)));
        output.take_error().map_or(Ok(()), |error| Err(error.into()))
    }
}
