// SPDX-License-Identifier: GPL-3.0-or-later
//! `quincunx selfplay`: training games of the engine against itself.

use std::fmt;
use std::io::IsTerminal;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use arena::openings::{BookSettings, OpeningBook, Order};
use chess::Board;
use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use selfplay::{Files, GenerationProgress, GenerationSettings, Generator, Goal, Openings, Preset};
use serde_json::json;

use super::{NetworkArgs, PolicyArgs, Threads, print_json};
use crate::process;

/// Play training games of the engine against itself; an interrupted run continues.
#[derive(Args, Debug)]
pub(crate) struct SelfPlay {
    /// File of games in viriformat; of games with visits if `--mode mcts`; whole games are appended. Scores are
    /// centipawns as UCI prints them
    #[arg(long, value_name = "FILE.vf")]
    out: PathBuf,
    /// A file that has so many bytes is complete, and `FILE-0002.vf` and so on follow it; 0 for one file
    #[arg(long, value_name = "SIZE", default_value = "1G", value_parser = size)]
    rotate: u64,
    /// Let everything else on the machine go first: nice 19, and on Linux the scheduling class `SCHED_IDLE`
    #[arg(long)]
    idle: bool,
    /// Games that the files shall hold together
    #[arg(long, value_name = "N", required_unless_present = "positions")]
    games: Option<u64>,
    /// Positions that the files shall hold together
    #[arg(long, value_name = "N", conflicts_with = "games")]
    positions: Option<u64>,
    /// What the other settings are unless they are given
    #[arg(long, value_name = "NAME", value_enum, default_value_t = PresetName::Volume)]
    preset: PresetName,
    /// A move's search ends with the depth in which it has spent so many nodes; in a tree
    /// search so many iterations [default: 200; 5000 with `--preset nectar`]
    #[arg(long, value_name = "SOFT", value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    nodes: Option<u64>,
    /// How many positions, on average, to take out of each search, to be searched and written beside the game
    #[arg(long, value_name = "N", default_value_t = 0.0, value_parser = leaves, conflicts_with = "mode")]
    leaves: f64,
    /// What the search of such a position spends, as `--nodes`
    #[arg(long, value_name = "SOFT", default_value_t = 80, value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    leaf_nodes: u64,
    /// EPD or PGN file of openings for half of the games, perhaps compressed
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Share of games that start from Chess960 positions [default: 0.1; 0 with `--preset nectar`]
    #[arg(long, value_name = "SHARE", value_parser = share)]
    frc: Option<f64>,
    /// Seed of the openings
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    network: NetworkArgs,
    /// The search to use
    #[arg(long, value_name = "MODE", value_enum, default_value_t = ModeName::Alphabeta)]
    mode: ModeName,
    #[command(flatten)]
    policy: PolicyArgs,
    #[command(flatten)]
    threads: Threads,
    /// Print one JSON document at the end
    #[arg(long)]
    json: bool,
}

/// The searches whose games are training data: the classic rule's hardly are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum ModeName {
    /// Alpha-beta
    Alphabeta,
    /// Monte-Carlo tree search
    Mcts,
}

/// Presets as the command line names them.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum PresetName {
    /// Many games with little search from all kinds of openings
    Volume,
    /// Fewer games with 5,000 nodes a move, eight random plies, all played to the end
    Nectar,
}

impl From<PresetName> for Preset {
    fn from(name: PresetName) -> Self {
        match name {
            PresetName::Volume => Self::Volume,
            PresetName::Nectar => Self::Nectar,
        }
    }
}

fn share(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    number.ok_or_else(|| "expected a number from 0 to 1".to_owned())
}

fn leaves(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|leaves| (0.0..=16.0).contains(leaves));
    number.ok_or_else(|| "expected a number from 0 to 16".to_owned())
}

/// A number of bytes, such as `500M` or `1G`; 0 for no limit.
fn size(text: &str) -> Result<u64, String> {
    let (digits, unit) = match text.as_bytes().last().map(u8::to_ascii_uppercase) {
        Some(b'K') => (&text[..text.len() - 1], 1 << 10),
        Some(b'M') => (&text[..text.len() - 1], 1 << 20),
        Some(b'G') => (&text[..text.len() - 1], 1 << 30),
        _ => (text, 1),
    };
    let bytes = digits.parse::<u64>().ok().and_then(|number| number.checked_mul(unit));
    match bytes {
        Some(0) => Ok(u64::MAX),
        Some(bytes) => Ok(bytes),
        None => Err("expected a number of bytes, such as 500M or 1G, or 0 for no limit".to_owned()),
    }
}

impl SelfPlay {
    pub(crate) fn run(&self) -> Result<()> {
        if self.idle
            && let Err(error) = process::be_idle()
        {
            eprintln!(
                "`--idle`: the priority could not be lowered ({error}); playing all the same"
            );
        }
        let network = self.network.load();
        let identity = match &network {
            search::Network::Material => "material".to_owned(),
            search::Network::Net(net, _) => format!("{:016x}", net.hash()),
        };
        let ranking = self.policy.load()?;
        let mut settings = GenerationSettings::of(self.preset.into(), self.seed, identity);
        settings.soft_nodes = self.nodes.unwrap_or(settings.soft_nodes);
        settings.leaves = self.leaves;
        settings.leaf_nodes = self.leaf_nodes;
        settings.chess960_share = self.frc.unwrap_or(settings.chess960_share);
        if self.mode == ModeName::Mcts {
            settings = settings.in_mode(search::Mode::Mcts, policy_identity(&ranking));
        }
        let openings = Openings::new(self.book()?);
        let threads = self.threads.count();
        let generator = Generator {
            settings: &settings,
            openings: &openings,
            network: &network,
            ranking: &ranking,
            threads,
        };
        let goal = match (self.games, self.positions) {
            (Some(games), _) => Goal::Games(games),
            (None, positions) => Goal::Positions(positions.unwrap_or(0)),
        };
        let stop = Arc::new(AtomicBool::new(false));
        let handler = Arc::clone(&stop);
        ctrlc::set_handler(move || handler.store(true, Ordering::Relaxed))
            .context("watching for Ctrl-C")?;
        let mut meter = Meter::new(goal);
        let files = Files { first: &self.out, rotate_at: self.rotate };
        let outcome = selfplay::run(files, goal, &generator, &stop, |at| meter.show(at))?;
        let speed = meter.speed(outcome.after);
        meter.bar.finish_and_clear();
        if self.json {
            return print_json(&json!({
                "games": outcome.after.games,
                "positions": outcome.after.positions,
                "played": outcome.after.games - outcome.before.games,
                "positions_per_second": speed.per_second.round(),
                "positions_per_cpu_second": speed.per_cpu_second.map(f64::round),
                "unit": settings.unit,
                "files": outcome.files,
                "done": outcome.is_done,
            }));
        }
        let GenerationProgress { games, positions } = outcome.after;
        println!("{games} games, {positions} positions, {speed}");
        if !outcome.is_done {
            println!("interrupted: the same command continues");
        }
        Ok(())
    }

    fn book(&self) -> Result<Vec<Board>> {
        let Some(file) = self.openings.clone() else { return Ok(vec![]) };
        let settings =
            BookSettings { file, order: Order::Sequential, seed: 0, start: 1, plies: None };
        let book = OpeningBook::load(&settings)?;
        let board = |pair: usize| {
            let opening = book.opening(pair);
            let mut board = opening.start;
            for &mv in &opening.moves {
                board.play(mv);
            }
            board
        };
        Ok((0..book.len()).map(board).collect())
    }
}

/// What identifies a policy.
fn policy_identity(ranking: &search::Ranking) -> String {
    match ranking {
        search::Ranking::Rule => "rule".to_owned(),
        search::Ranking::Net(policy, _) => {
            format!("{:016x}", data::hash::bytes(0, &policy.to_bytes()))
        }
    }
}

/// Shows how far a run has come.
struct Meter {
    bar: ProgressBar,
    goal: Goal,
    start: Instant,
    first: Option<GenerationProgress>,
    /// When the last line was printed, where there is no terminal for a bar.
    last_line: Option<Instant>,
}

/// Lines in a log are that far apart.
const LINES_APART: Duration = Duration::from_mins(1);

/// How fast positions are made.
struct Speed {
    per_second: f64,
    per_cpu_second: Option<f64>,
}

impl fmt::Display for Speed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.0} positions per second", self.per_second)?;
        self.per_cpu_second.map_or(Ok(()), |speed| write!(f, ", {speed:.0} per CPU-second"))
    }
}

impl Meter {
    fn new(goal: Goal) -> Self {
        let (Goal::Games(length) | Goal::Positions(length)) = goal;
        let is_terminal = std::io::stderr().is_terminal();
        let bar = if is_terminal { ProgressBar::new(length) } else { ProgressBar::hidden() };
        let style = "{bar:30} {pos}/{len} {msg}, {eta} left";
        if let Ok(style) = ProgressStyle::with_template(style) {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(500));
        let start = Instant::now();
        Self { bar, goal, start, first: None, last_line: (!is_terminal).then_some(start) }
    }

    fn show(&mut self, at: GenerationProgress) {
        if self.first.is_none() {
            self.first = Some(at);
            self.bar.reset_eta();
        }
        let position = match self.goal {
            Goal::Games(_) => at.games,
            Goal::Positions(_) => at.positions,
        };
        self.bar.set_position(position);
        self.bar.set_message(self.speed(at).to_string());
        if self.last_line.is_some_and(|last| last.elapsed() >= LINES_APART) {
            self.last_line = Some(Instant::now());
            eprintln!("{} games, {} positions, {}", at.games, at.positions, self.speed(at));
        }
    }

    fn speed(&self, at: GenerationProgress) -> Speed {
        let before = self.first.map_or(0, |first| first.positions);
        let played = (at.positions - before) as f64;
        let per = |time: Duration| played / time.as_secs_f64().max(1e-9);
        Speed {
            per_second: per(self.start.elapsed()),
            per_cpu_second: process::cpu_time().map(per),
        }
    }
}
