// SPDX-License-Identifier: GPL-3.0-or-later
//! `quincunx report`: a run as one HTML page.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;

use super::print_json;

/// Write one self-contained HTML page with charts of a match or a tuning.
#[derive(Args, Debug)]
pub(crate) struct Report {
    /// The run's folder
    #[arg(value_name = "RUN")]
    folder: PathBuf,
    /// The page; `-` is standard output [default: report.html in the folder]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Print one JSON document that names the page
    #[arg(long)]
    json: bool,
}

impl Report {
    pub(crate) fn run(&self) -> Result<()> {
        let page = arena::report::render(&self.folder)?;
        let out = self.out.clone().unwrap_or_else(|| self.folder.join("report.html"));
        if out.as_os_str() == "-" {
            return Ok(io::stdout().write_all(page.as_bytes())?);
        }
        fs::write(&out, &page).with_context(|| format!("writing `{}`", out.display()))?;
        let name = out.display().to_string();
        if self.json {
            return print_json(&serde_json::json!({ "report": name, "bytes": page.len() }));
        }
        println!("{name}");
        Ok(())
    }
}
