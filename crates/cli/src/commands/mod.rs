// SPDX-License-Identifier: GPL-3.0-or-later
//! The sub-commands, one file each, and what they share.

pub(crate) mod analyze;
pub(crate) mod bench;
pub(crate) mod board;
pub(crate) mod book;
pub(crate) mod completions;
pub(crate) mod compliance;
pub(crate) mod data_;
pub(crate) mod eval;
#[cfg(feature = "lichess")]
pub(crate) mod external_engine;
pub(crate) mod league;
#[cfg(feature = "lichess")]
pub(crate) mod lichess_;
pub(crate) mod manual;
pub(crate) mod match_;
pub(crate) mod net_;
pub(crate) mod perft;
pub(crate) mod plan;
pub(crate) mod play;
pub(crate) mod report;
pub(crate) mod screen;
pub(crate) mod selfplay;
pub(crate) mod speedtest;
pub(crate) mod sprt;
pub(crate) mod suite;
pub(crate) mod tb;
pub(crate) mod train;
pub(crate) mod tree;
pub(crate) mod tunables;
pub(crate) mod tune;

use std::path::Path;
use std::str::FromStr;

use anyhow::{Context, Result};
use chess::{Board, FenError};
use clap::Args;
use engine::{Engine, Setting};
use serde::Serialize;

use crate::output;

/// A position on the command line: a FEN, or the word `startpos`.
#[derive(Clone, Debug)]
pub(crate) struct FenArg(pub(crate) Board);

impl FromStr for FenArg {
    type Err = FenArgError;

    fn from_str(text: &str) -> Result<Self, FenArgError> {
        match text {
            "startpos" => Ok(Self(Board::default())),
            text if Path::new(text).is_file() => Err(FenArgError::File),
            text => Ok(Self(text.parse()?)),
        }
    }
}

/// What is no position.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FenArgError {
    #[error(
        "this is a file, expected a FEN or `startpos`; `quincunx analyze FILE` judges whole games"
    )]
    File,
    #[error(transparent)]
    Fen(#[from] FenError),
}

/// How many threads to use.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct Threads {
    /// Threads to use [default: all physical cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl Threads {
    /// The number of threads asked for, or that of the machine's physical cores.
    pub(crate) fn count(self) -> usize {
        self.threads.map_or_else(num_cpus::get_physical, usize::from)
    }

    /// Runs parallel work on a pool of this many threads.
    pub(crate) fn install<T: Send>(self, work: impl FnOnce() -> Result<T> + Send) -> Result<T> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.count()).build();
        pool.context("starting threads")?.install(work)
    }
}

/// Prints one JSON document on standard output.
pub(crate) fn print_json(value: &impl Serialize) -> Result<()> {
    output::print(&format!("{}\n", serde_json::to_string(value)?))
}

/// The help of a flag that sets an option of the engine: the option's own.
pub(crate) fn help_of(option: &str) -> &'static str {
    engine::option(option).map_or("", |option| option.help)
}

/// Which evaluation to use.
#[derive(Args, Clone, Debug)]
pub(crate) struct NetworkArgs {
    /// The network to use: its name, or its file
    #[arg(long, default_value = engine::networks::names()[0], value_name = "NAME|FILE")]
    network: NetworkArg,
}

/// A network on the command line, loaded already.
#[derive(Clone, Debug)]
struct NetworkArg {
    name: String,
    network: search::Network,
}

impl FromStr for NetworkArg {
    type Err = engine::networks::NetworkError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let network = engine::networks::load(name, net::Kernels::detect())?;
        Ok(Self { name: name.to_owned(), network })
    }
}

impl NetworkArgs {
    /// Its name or file, as it was given.
    pub(crate) fn name(&self) -> &str {
        &self.network.name
    }

    /// The setting that selects it.
    pub(crate) fn setting(&self) -> Setting {
        let name = self.name();
        let known = engine::networks::names().into_iter();
        match known.into_iter().find(|known| known.eq_ignore_ascii_case(name)) {
            Some(known) => Setting::Network(known.to_owned()),
            None => Setting::EvalFile(name.to_owned()),
        }
    }

    /// The network, ready for use.
    pub(crate) fn load(&self) -> search::Network {
        self.network.network.clone()
    }
}

/// Which search to use.
#[derive(Args, Clone, Debug)]
pub(crate) struct ModeArgs {
    #[arg(long, default_value = "alphabeta", value_name = "MODE", help = help_of("SearchMode"),
          value_parser = search::Mode::ALL.map(search::Mode::name))]
    mode: String,
    #[command(flatten)]
    pub(crate) policy: PolicyArgs,
}

impl ModeArgs {
    /// The settings that select it.
    pub(crate) fn settings(&self) -> [Setting; 2] {
        [self.policy.setting(), Setting::SearchMode(self.get())]
    }

    /// The search itself.
    pub(crate) fn get(&self) -> search::Mode {
        search::Mode::by_name(&self.mode).unwrap_or_default()
    }
}

/// How the classic search works.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct Classic {
    /// classic: iterations that end the search [default: 1000; of `tree`, what `--nodes` says]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub(crate) iterations: Option<u64>,
    /// classic: how much simulations count against evaluations, from 0 to 1 [default: 0.05]
    #[arg(long, value_name = "SHARE", value_parser = share)]
    pub(crate) exploration: Option<f64>,
    /// classic: how simulations end [default: random]
    #[arg(long, value_name = "KIND", value_parser = search::Rollout::ALL.map(search::Rollout::name))]
    pub(crate) rollout: Option<String>,
}

/// A number from 0 to 1.
fn share(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    number.ok_or_else(|| "expected a number from 0 to 1".to_owned())
}

impl Classic {
    /// The settings that were asked for; refused if another search thinks.
    pub(crate) fn settings(&self, mode: search::Mode) -> Result<Vec<Setting>> {
        let said = [
            ("--iterations", self.iterations.is_some()),
            ("--exploration", self.exploration.is_some()),
            ("--rollout", self.rollout.is_some()),
        ];
        if let Some((flag, _)) = said.into_iter().find(|(_, is_said)| *is_said) {
            anyhow::ensure!(mode == search::Mode::Classic, "{flag} is only for `--mode classic`");
        }
        let iterations = self.iterations.map(|count| Setting::ClassicIterations(count as i64));
        let exploration = self
            .exploration
            .map(|share| Setting::ClassicExploration((1000.0 * share).round() as i64));
        let rollout = self.rollout.as_deref().and_then(search::Rollout::by_name);
        let rollout = rollout.map(Setting::ClassicRollout);
        Ok(iterations.into_iter().chain(exploration).chain(rollout).collect())
    }
}

/// Which policy ranks the moves of a tree search.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct PolicyArgs {
    /// The policy network of a tree search [default: the one in the binary]
    #[arg(long, value_name = "FILE")]
    policy: Option<String>,
}

impl PolicyArgs {
    /// The setting that selects it.
    pub(crate) fn setting(&self) -> Setting {
        Setting::PolicyFile(self.policy.clone().unwrap_or_default())
    }

    /// The policy, ready for use.
    pub(crate) fn load(&self) -> Result<search::Ranking> {
        let kernels = net::Kernels::detect();
        match &self.policy {
            Some(path) => Ok(engine::networks::load_policy(path, kernels)?),
            None => Ok(engine::networks::ranking(kernels)),
        }
    }
}

/// An engine with these settings.
pub(crate) fn engine_with(settings: impl IntoIterator<Item = Setting>) -> Result<Engine> {
    let mut engine = Engine::new();
    for setting in settings {
        engine.set(setting)?;
    }
    Ok(engine)
}
