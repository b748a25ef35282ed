// SPDX-License-Identifier: GPL-3.0-or-later
//! `quincunx tunables`: the numbers of the search, as tuners read them.

use anyhow::Result;
use clap::Args;
use engine::{Console, Output, UciSession};

/// Print the search's tunable numbers in OpenBench's form.
#[derive(Args, Debug)]
pub(crate) struct Tunables {}

impl Tunables {
    #[expect(clippy::unused_self, reason = "every command runs alike")]
    pub(crate) fn run(&self) -> Result<()> {
        UciSession::new(Output::to_stdout()).run_console(Console::Tunables);
        Ok(())
    }
}
