// SPDX-License-Identifier: GPL-3.0-or-later
//! `quincunx completions`: scripts that complete commands and flags in a shell.

use anyhow::Result;
use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::output;

/// Print a completion script for a shell.
#[derive(Args, Debug)]
pub(crate) struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    pub(crate) fn run(&self) -> Result<()> {
        let mut script = vec![];
        clap_complete::generate(self.shell, &mut crate::Cli::command(), "quincunx", &mut script);
        output::print(&String::from_utf8_lossy(&script))
    }
}
