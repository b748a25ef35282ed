// SPDX-License-Identifier: GPL-3.0-or-later
//! `quincunx manual`: pages for `man`.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::{Args, CommandFactory};

/// Write a manual page for each command, for `man`.
#[derive(Args, Debug)]
pub(crate) struct Manual {
    /// The folder to write to, which is made if needed
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

impl Manual {
    pub(crate) fn run(&self) -> Result<()> {
        fs::create_dir_all(&self.out)
            .with_context(|| format!("creating `{}`", self.out.display()))?;
        clap_mangen::generate_to(crate::Cli::command(), &self.out)
            .with_context(|| format!("writing to `{}`", self.out.display()))
    }
}
