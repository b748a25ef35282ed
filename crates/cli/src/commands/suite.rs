// SPDX-License-Identifier: GPL-3.0-or-later
//! `quincunx suite`: how many positions with known answers an engine finds.

mod own;

use std::fs;
use std::io::{self, Write};
use std::num::{NonZeroU32, NonZeroU64};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use arena::suite::{self, ForeignSolver, Solver, SolverError, Suite as File, Tally};
use arena::{EngineSpec, Limit};
use clap::Args;
use serde::Serialize;

use super::print_json;
use own::OwnSolver;

/// Failures shown for each suite unless all are asked for.
const SHOWN_FAILURES: usize = 10;

/// Themes of fewer puzzles say nothing.
const MIN_THEME: usize = 5;

/// Let an engine solve EPD suites (bm, am, dm, STS points) and Lichess puzzles.
#[derive(Args, Debug)]
pub(crate) struct Suite {
    /// Suites (.epd) and puzzles (.csv), also .zst and .xz; a folder means all in it
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Nodes for each move [default: 50000 if no other limit is given]
    #[arg(long, value_name = "N")]
    nodes: Option<NonZeroU64>,
    /// Milliseconds for each move
    #[arg(long, value_name = "MS")]
    movetime: Option<NonZeroU32>,
    /// Depth of each search
    #[arg(long, value_name = "N")]
    depth: Option<NonZeroU32>,
    /// The engine, a command or words like `cmd=stockfish opt.Hash=32`; twice to compare two
    /// [default: this program's own, in the same process]
    #[arg(long = "engine", value_name = "CMD")]
    engines: Vec<String>,
    /// A UCI option for all engines, such as `Hash=32`
    #[arg(long = "option", value_name = "NAME=VALUE")]
    options: Vec<String>,
    /// Positions to search at the same time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: u16,
    /// Try only so many positions of each file, evenly spread over it
    #[arg(long, value_name = "N")]
    sample: Option<usize>,
    /// Only read the files and count their positions
    #[arg(long)]
    check: bool,
    /// Show all failures
    #[arg(long)]
    failures: bool,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Answer {
    suites: Vec<Tally>,
}

impl Suite {
    pub(crate) fn run(&self) -> Result<()> {
        let files = self.read_files()?;
        let out = &mut io::stdout();
        if self.check {
            for file in &files {
                let (count, unjudged) = (file.problems.len(), file.unjudged);
                writeln!(
                    out,
                    "{:<28} {count:>6} positions, {unjudged} without an answer",
                    file.name
                )?;
            }
            return Ok(());
        }
        let engines = self.contestants()?;
        let mut suites = Vec::new();
        for file in files.iter().filter(|file| !file.problems.is_empty()) {
            for engine in &engines {
                let tally = self.solve(file, engine)?;
                if !self.json {
                    self.print(out, &tally)?;
                }
                suites.push(tally);
            }
        }
        if self.json {
            return print_json(&Answer { suites });
        }
        if suites.len() > 1 {
            print_totals(out, &engines, &suites)?;
        }
        Ok(())
    }

    fn read_files(&self) -> Result<Vec<File>> {
        let mut files = Vec::new();
        for path in expand(&self.files)? {
            let mut file = File::read(&path)?;
            if let Some(count) = self.sample {
                file.sample(count);
            }
            files.push(file);
        }
        Ok(files)
    }

    fn contestants(&self) -> Result<Vec<Contestant>> {
        let limit = self.limit();
        let options = self.options()?;
        let mut contestants = Vec::new();
        for text in &self.engines {
            let mut spec = read_engine(text)?;
            spec.options.extend(options.iter().cloned());
            spec.limit = spec.limit.or(&limit);
            contestants.push(Contestant::Foreign(spec));
        }
        if let [Contestant::Foreign(first), Contestant::Foreign(second)] = &mut contestants[..]
            && first.name == second.name
        {
            second.name.push_str(" (2)");
        }
        if contestants.is_empty() {
            contestants.push(Contestant::Own { options, limit });
        }
        Ok(contestants)
    }

    fn options(&self) -> Result<Vec<(String, String)>> {
        let pair = |option: &String| {
            let (name, value) = option.split_once('=').with_context(|| {
                format!("bad option `{option}`: expected a name, `=` and a value")
            })?;
            Ok((name.to_owned(), value.to_owned()))
        };
        self.options.iter().map(pair).collect()
    }

    fn limit(&self) -> Limit {
        let movetime = self.movetime.map(|time| Duration::from_millis(time.get().into()));
        let limit = Limit { nodes: self.nodes, depth: self.depth, movetime, tc: None };
        let default = Limit { nodes: NonZeroU64::new(50_000), ..Limit::default() };
        limit.or(&default)
    }

    fn solve(&self, file: &File, contestant: &Contestant) -> Result<Tally> {
        let done = AtomicUsize::new(0);
        let total = file.problems.len();
        let progress = |_: &suite::Attempt| {
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            if done.is_multiple_of(500) {
                eprintln!("{}: {done} of {total}", file.name);
            }
        };
        let start = || contestant.start();
        suite::solve(file, contestant.name(), &start, usize::from(self.concurrency), progress)
            .with_context(|| format!("running `{}`", contestant.program()))
    }

    fn print(&self, out: &mut impl Write, tally: &Tally) -> io::Result<()> {
        writeln!(out, "{}", line(tally))?;
        for theme in tally.themes.iter().filter(|theme| theme.positions >= MIN_THEME) {
            writeln!(
                out,
                "  {:<24} {:>5} of {:>5}  {:>5.1} %",
                theme.name,
                theme.solved,
                theme.positions,
                percent(theme.solved, theme.positions)
            )?;
        }
        let shown = if self.failures { usize::MAX } else { SHOWN_FAILURES };
        for failure in tally.failures.iter().take(shown) {
            let arena::suite::Failure { id, fen, expected, played } = failure;
            writeln!(out, "  failed: {id}: expected {expected}, found {played}; {fen}")?;
        }
        let hidden = tally.failures.len().saturating_sub(shown);
        if hidden > 0 {
            writeln!(out, "  and {hidden} more; --failures shows all")?;
        }
        Ok(())
    }
}

/// Who tries the problems.
enum Contestant {
    /// Our own engine, in this process.
    Own { options: Vec<(String, String)>, limit: Limit },
    /// Another program.
    Foreign(EngineSpec),
}

impl Contestant {
    /// The name in tables.
    fn name(&self) -> &str {
        match self {
            Self::Own { .. } => "quincunx",
            Self::Foreign(spec) => &spec.name,
        }
    }

    /// What is run, for messages.
    fn program(&self) -> String {
        match self {
            Self::Own { .. } => engine::NAME.to_owned(),
            Self::Foreign(spec) => spec.command.display().to_string(),
        }
    }

    fn start(&self) -> Result<Box<dyn Solver>, SolverError> {
        Ok(match self {
            Self::Own { options, limit } => Box::new(
                OwnSolver::new(options, limit).map_err(|error| SolverError::Start(error.into()))?,
            ),
            Self::Foreign(spec) => Box::new(ForeignSolver::new(spec.clone())),
        })
    }
}

/// A command with arguments, or words such as `cmd=… opt.Hash=16`.
fn read_engine(text: &str) -> Result<EngineSpec> {
    if text.split_whitespace().any(|word| word.starts_with("cmd=")) {
        return text.parse().with_context(|| format!("reading `--engine {text}`"));
    }
    let mut words = text.split_whitespace().map(str::to_owned);
    let Some(program) = words.next() else { bail!("bad engine ``: expected a command") };
    let mut spec = EngineSpec::new(program);
    spec.args = words.collect();
    Ok(spec)
}

/// Replaces folders by the suites in them.
fn expand(paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let reading = || format!("reading folder `{}`", path.display());
        let mut inside = Vec::new();
        for entry in fs::read_dir(path).with_context(reading)? {
            inside.push(entry.with_context(reading)?.path());
        }
        inside.retain(|path| is_suite(path));
        inside.sort();
        files.extend(inside);
    }
    Ok(files)
}

fn is_suite(path: &Path) -> bool {
    let name = path.to_string_lossy();
    let name = name.strip_suffix(".zst").or(name.strip_suffix(".xz")).unwrap_or(&name);
    Path::new(name).extension().is_some_and(|ending| ending == "epd" || ending == "csv")
}

fn percent(part: usize, whole: usize) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

/// A suite in one line.
fn line(tally: &Tally) -> String {
    let Tally { name, engine, positions, solved, seconds, .. } = tally;
    let share = percent(*solved, *positions);
    let points = match (tally.points, tally.max_points) {
        (Some(points), Some(max)) => format!("  {points} of {max} points"),
        _ => String::new(),
    };
    let found = match (tally.solution_ms, tally.solution_nodes) {
        (Some(ms), Some(nodes)) => format!("  found after {ms:.0} ms, {nodes:.0} nodes"),
        _ => String::new(),
    };
    let counts = format!("{solved:>5} of {positions:>5}  {share:>5.1} %");
    format!("{name:<24} {engine:<16} {counts}{points}{found}  {seconds:.1} s")
}

fn print_totals(out: &mut impl Write, engines: &[Contestant], suites: &[Tally]) -> io::Result<()> {
    writeln!(out, "total")?;
    for engine in engines {
        let own = || suites.iter().filter(|tally| tally.engine == engine.name());
        let solved: usize = own().map(|tally| tally.solved).sum();
        let positions: usize = own().map(|tally| tally.positions).sum();
        let share = percent(solved, positions);
        writeln!(out, "  {:<24} {solved:>6} of {positions:>6}  {share:>5.1} %", engine.name())?;
    }
    Ok(())
}
