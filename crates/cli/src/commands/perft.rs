// SPDX-License-Identifier: GPL-3.0-or-later
//! `quincunx perft`: counts move paths, and checks suites of known counts.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use chess::{Board, CastlingMode, Move, perft, perft_after};
use clap::Args;
use rayon::prelude::*;
use serde::Serialize;

use super::{FenArg, Threads, print_json};

/// Count the sequences of legal moves from a position.
#[derive(Args, Debug)]
pub(crate) struct Perft {
    /// How many moves deep
    #[arg(required_unless_present = "suite")]
    depth: Option<u32>,
    /// The position: a FEN, or `startpos`
    #[arg(default_value = "startpos", conflicts_with = "suite")]
    fen: FenArg,
    /// Also show the count behind each first move
    #[arg(long, conflicts_with = "suite")]
    divide: bool,
    /// Check files of lines `FEN ;D1 n ;D2 n …` instead
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with = "depth")]
    suite: Vec<PathBuf>,
    /// Skip counts of a suite above this
    #[arg(long, value_name = "N", requires = "suite")]
    max_nodes: Option<u64>,
    #[command(flatten)]
    threads: Threads,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

impl Perft {
    pub(crate) fn run(&self) -> Result<()> {
        self.threads.install(|| match self.depth {
            Some(depth) => self.count(depth),
            None => self.check_suites(),
        })
    }

    fn count(&self, depth: u32) -> Result<()> {
        let board = &self.fen.0;
        let start = Instant::now();
        let divided = divide(board, depth);
        let seconds = start.elapsed().as_secs_f64();
        let nodes = if depth == 0 { 1 } else { divided.iter().map(|&(_, count)| count).sum() };
        let mode =
            if board.is_chess960() { CastlingMode::Chess960 } else { CastlingMode::Standard };
        let named = divided.iter().map(|&(mv, count)| (mv.uci(mode).to_string(), count));
        if self.json {
            let divide = named.collect();
            return print_json(&Count {
                fen: board.fen().to_string(),
                depth,
                nodes,
                seconds,
                divide,
            });
        }
        if self.divide {
            for (mv, count) in named {
                println!("{mv}: {count}");
            }
            println!();
        }
        let speed = nodes as f64 / seconds.max(1e-9) / 1e6;
        eprintln!("{seconds:.3} s, {speed:.1} million nodes per second");
        println!("Nodes searched: {nodes}");
        Ok(())
    }

    fn check_suites(&self) -> Result<()> {
        let start = Instant::now();
        let mut total = Tally::default();
        for path in &self.suite {
            let name = path.display();
            let text =
                tools::read::read_text(path).with_context(|| format!("reading suite `{name}`"))?;
            let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
            let entries = lines
                .map(|(i, line)| {
                    Entry::read(line).with_context(|| format!("`{name}` line {}", i + 1))
                })
                .collect::<Result<Vec<_>>>()?;
            let tally = entries
                .par_iter()
                .map(|entry| entry.check(self.max_nodes.unwrap_or(u64::MAX)))
                .reduce(Tally::default, Tally::plus);
            eprintln!("{name}: {} positions, {} nodes", entries.len(), tally.nodes);
            total = total.plus(tally);
        }
        for failure in &total.failures {
            eprintln!("wrong: {failure}");
        }
        let (passed, failed) = (total.passed, total.failures.len());
        if self.json {
            print_json(&total)?;
        } else {
            println!("{passed} counts right, {failed} wrong");
            println!("{:.1} s", start.elapsed().as_secs_f64());
            println!("Nodes searched: {}", total.nodes);
        }
        if failed > 0 {
            bail!("{failed} counts are wrong");
        }
        Ok(())
    }
}

#[derive(Serialize)]
struct Count {
    fen: String,
    depth: u32,
    nodes: u64,
    seconds: f64,
    divide: BTreeMap<String, u64>,
}

/// The count behind each first move, with the work split two moves deep so that all threads have
/// some to the end.
fn divide(board: &Board, depth: u32) -> Vec<(Move, u64)> {
    if depth < 3 {
        return chess::divide(board, depth).into_iter().filter(|_| depth > 0).collect();
    }
    let count = |mv| {
        let mut next = *board;
        next.play(mv);
        let replies = next.legal_moves().to_vec().into_par_iter();
        (mv, replies.map(|reply| perft_after(&next, reply, depth - 1)).sum())
    };
    board.legal_moves().to_vec().into_par_iter().map(count).collect()
}

/// A line of a suite: a position and its counts by depth.
struct Entry {
    board: Board,
    counts: Vec<(u32, u64)>,
}

impl Entry {
    fn read(line: &str) -> Result<Self> {
        let mut parts = line.split(';').map(str::trim);
        let board = parts.next().unwrap_or_default().parse()?;
        let counts =
            parts.filter(|part| !part.is_empty()).map(read_count).collect::<Result<_>>()?;
        Ok(Self { board, counts })
    }

    fn check(&self, max_nodes: u64) -> Tally {
        let mut tally = Tally::default();
        for &(depth, expected) in self.counts.iter().filter(|(_, count)| *count <= max_nodes) {
            let found = perft(&self.board, depth);
            tally.nodes += found;
            if found == expected {
                tally.passed += 1;
            } else {
                let fen = self.board.fen();
                tally
                    .failures
                    .push(format!("{fen} depth {depth}: expected {expected}, found {found}"));
            }
        }
        tally
    }
}

fn read_count(text: &str) -> Result<(u32, u64)> {
    let count = || {
        let (depth, count) = text.strip_prefix('D')?.split_once(char::is_whitespace)?;
        Some((depth.parse().ok()?, count.trim().parse().ok()?))
    };
    count().with_context(|| format!("expected a count such as `D3 8902`, found `{text}`"))
}

#[derive(Default, Serialize)]
struct Tally {
    passed: usize,
    failures: Vec<String>,
    nodes: u64,
}

impl Tally {
    fn plus(mut self, other: Self) -> Self {
        self.passed += other.passed;
        self.nodes += other.nodes;
        self.failures.extend(other.failures);
        self
    }
}
