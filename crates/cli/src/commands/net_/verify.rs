// SPDX-License-Identifier: GPL-3.0-or-later
//! `quincunx net verify`: whether files are sound.

use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;
use serde_json::json;

use super::NetSummary;
use crate::commands::print_json;
use crate::output;

/// Check that network files are sound: sizes, hash, and every weight.
#[derive(Args, Debug)]
pub(super) struct Verify {
    /// The files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print one JSON object for each file
    #[arg(long)]
    json: bool,
}

impl Verify {
    /// Checks all files; the last one that is not sound is the error, those before are told here.
    pub(super) fn run(&self) -> Result<()> {
        let mut broken = None;
        for path in &self.files {
            let checked = check(path);
            if self.json {
                let reason = checked.as_ref().err().map(|error| format!("{error:#}"));
                let ok = checked.is_ok();
                print_json(
                    &json!({ "file": path.display().to_string(), "ok": ok, "reason": reason }),
                )?;
            } else if let Ok(line) = &checked {
                output::print(&format!("ok {}: {line}\n", path.display()))?;
            }
            if let Err(error) = checked
                && let Some(earlier) = broken.replace(error)
            {
                eprintln!("error: {earlier:#}");
            }
        }
        broken.map_or(Ok(()), Err)
    }
}

/// What a sound file holds, in one line.
fn check(path: &Path) -> Result<String> {
    let bytes = super::read(path)?;
    Ok(NetSummary::new(&super::contents(path, &bytes)?).line())
}
