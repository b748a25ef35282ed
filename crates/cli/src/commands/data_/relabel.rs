// SPDX-License-Identifier: GPL-3.0-or-later
//! `quincunx data relabel`.

use std::num::NonZeroU64;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;
use data::relabel::{Relabelling, relabel};
use driver::EngineSpec;

use super::Common;
use crate::commands::print_json;

/// Give positions new scores and best moves by any UCI engine. The same command continues after being
/// killed.
#[derive(Args, Debug)]
pub(super) struct Relabel {
    /// Records (.qrec), which get a score and a best move, or games (.vf), which get scores
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The file to write, of the same kind
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// The engine: a program and its arguments
    #[arg(long, value_name = "CMD")]
    engine: String,
    /// Nodes for each position
    #[arg(long, value_name = "N")]
    nodes: NonZeroU64,
    /// A UCI option, such as `Hash=1`
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = option)]
    options: Vec<(String, String)>,
    #[command(flatten)]
    common: Common,
}

fn option(text: &str) -> Result<(String, String), String> {
    let pair = text.split_once('=').filter(|(name, _)| !name.trim().is_empty());
    let (name, value) = pair.ok_or("expected a name and a value, such as `Hash=1`")?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

impl Relabel {
    pub(super) fn run(&self) -> Result<()> {
        let mut words = self.engine.split_whitespace().map(str::to_owned);
        let program = words.next().context("`--engine`: expected a program, found nothing")?;
        let how = Relabelling {
            engine: EngineSpec {
                args: words.collect(),
                options: self.options.clone(),
                ..EngineSpec::new(program)
            },
            nodes: self.nodes.get(),
            processes: self.common.threads.count(),
        };
        let done = self.common.watch(|observer| relabel(&self.file, &self.out, &how, observer))?;
        let relabelled = done.made;
        if self.common.json {
            return print_json(&serde_json::json!({
                "written": relabelled.items,
                "positions": relabelled.positions,
                "problems": relabelled.problems,
                "resumed_at": relabelled.resumed_at,
                "seconds": done.seconds,
            }));
        }
        if relabelled.resumed_at > 0 {
            eprintln!("went on after {}", relabelled.resumed_at);
        }
        eprintln!(
            "{} written to `{}`, {} positions, {} left out",
            relabelled.items,
            self.out.display(),
            relabelled.positions,
            relabelled.problems
        );
        Ok(())
    }
}
