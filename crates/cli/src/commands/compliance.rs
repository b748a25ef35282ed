// SPDX-License-Identifier: GPL-3.0-or-later
//! `quincunx compliance`: checks that an engine speaks UCI as clients expect.

use std::io::{self, Write};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use arena::compliance::{self, Case, CaseVerdict, Judged, Report};
use clap::Args;
use tools::text::printable;
use uci::ClientConfig;

use super::print_json;

/// Check any engine's UCI against what real GUIs, runners and sites do.
#[derive(Args, Debug)]
pub(crate) struct Compliance {
    /// Run only cases whose name or group contains this text
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// List the cases and their reasons without running an engine
    #[arg(long, conflicts_with_all = ["command", "json"])]
    list: bool,
    /// Engines to run at the same time
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=64))]
    workers: u8,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
    /// The engine and its arguments, after `--`
    #[arg(last = true, required_unless_present = "list", value_name = "CMD")]
    command: Vec<String>,
}

impl Compliance {
    pub(crate) fn run(&self) -> Result<()> {
        if self.list {
            return Ok(self.print_list(&mut io::stdout())?);
        }
        let [program, args @ ..] = &self.command[..] else { bail!("no engine given") };
        let config = ClientConfig { args: args.to_vec(), ..ClientConfig::new(program) };
        let start = Instant::now();
        let workers = usize::from(self.workers);
        let report = compliance::check(
            &config,
            workers,
            |case| self.is_wanted(case),
            |judged| {
                if !judged.ok {
                    eprintln!("failed: {}", judged.name);
                }
            },
        )
        .with_context(|| format!("checking `{program}`"))?;
        if report.cases.is_empty() {
            bail!("no case is named like `{}`", self.only.as_deref().unwrap_or_default());
        }
        if self.json {
            print_json(&report)?;
        } else {
            print_table(&mut io::stdout(), &report)?;
            eprintln!("{:.1} s", start.elapsed().as_secs_f64());
        }
        if report.failed > 0 {
            bail!("{} of {} cases failed", report.failed, report.cases.len());
        }
        Ok(())
    }

    fn is_wanted(&self, case: &Case) -> bool {
        let is_like = |text: &String| case.name.contains(text) || case.group.contains(text);
        self.only.as_ref().is_none_or(is_like)
    }

    fn print_list(&self, out: &mut impl Write) -> io::Result<()> {
        for case in compliance::cases().filter(|case| self.is_wanted(case)) {
            writeln!(out, "{:<10} {:<26} {}", case.group, case.name, case.reason)?;
        }
        Ok(())
    }
}

fn print_table(out: &mut impl Write, report: &Report) -> io::Result<()> {
    let mut group = "";
    for Judged { group: next, name, verdict, reason, .. } in &report.cases {
        if *next != group {
            group = next;
            writeln!(out, "{group}")?;
        }
        let mark = match verdict {
            CaseVerdict::Passed => "ok     ",
            CaseVerdict::Failed => "FAILED ",
            CaseVerdict::Skipped => "skipped",
        };
        writeln!(out, "  {mark} {name:<26} {}", printable(reason))?;
    }
    let Report { engine, passed, failed, skipped, .. } = report;
    let engine = printable(engine);
    writeln!(out, "{engine}: {passed} passed, {failed} failed, {skipped} skipped")
}
