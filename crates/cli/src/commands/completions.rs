// SPDX-License-Identifier: GPL-3.0-or-later
//! `quincunx completions`: scripts that complete commands and flags in a shell.

use anyhow::Result;
use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::output;

const WHERE: &str = "\
Where the script belongs:
  bash        ~/.local/share/bash-completion/completions/quincunx
  zsh         a folder of $fpath, as _quincunx
  fish        ~/.config/fish/completions/quincunx.fish
  powershell  its text goes into the file that $PROFILE names
  elvish      ~/.config/elvish/lib/quincunx.elv, with `use quincunx` in rc.elv";

/// Print a completion script for a shell.
#[derive(Args, Debug)]
#[command(after_help = WHERE)]
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
