// SPDX-License-Identifier: GPL-3.0-or-later
//! `quincunx report`: a run as one HTML page.

mod training;

use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;

use super::print_json;
use crate::output;

/// Write one self-contained HTML page with charts of a match, a tuning or a training.
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
        let page = render(&self.folder)?;
        let out = self.out.clone().unwrap_or_else(|| self.folder.join("report.html"));
        output::write(&out, page.as_bytes())?;
        if out == Path::new("-") {
            return Ok(());
        }
        let name = out.display().to_string();
        if self.json {
            return print_json(&serde_json::json!({ "report": name, "bytes": page.len() }));
        }
        output::print(&format!("{name}\n"))
    }
}

/// The page of a run, whatever it is a run of.
pub(super) fn render(folder: &Path) -> Result<String> {
    if training::is_run(folder) {
        return training::render(folder);
    }
    Ok(arena::report::render(folder)?)
}
