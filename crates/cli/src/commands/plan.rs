// SPDX-License-Identifier: GPL-3.0-or-later
//! `quincunx plan`: what a test, data or a network costs in games, positions and hours, before it is begun.
//!
//! This machine's speed is measured; how much of it becomes games and positions was measured once, see
//! `docs/guide/many-machines.md`.

use std::time::Duration;

use anyhow::{Result, bail};
use arena::TimeControl;
use arena::stats::Sprt;
use clap::{Args, Subcommand};
use engine::SpeedTest;
use serde::Serialize;

use super::match_::Bounds;
use super::print_json;
use crate::output;

/// How many plies a game has, adjudicated as `match` and OpenBench do it.
const PLIES: f64 = 130.0;
/// The share of its base time that a side uses up; it uses all of its increments.
const USED: f64 = 0.9;
/// The share of a core's nodes per second that self-play turns into nodes of training positions: games
/// begin, end and are written besides.
const SELF_PLAY: f64 = 0.8;
/// Training: positions a second on one core, times the width of the network, for each node per second of
/// the search on the same core. 679,066 positions of width 512 on two cores of 2.3 M nodes a second each.
const TRAINING: f64 = 679_066.0 * 512.0 / 2.0 / 2.3e6;
/// Positions that the third `house` had for each weight of its first layer, and how often it saw each.
const POSITIONS_PER_WEIGHT: f64 = 160.0;
const PASSES: f64 = 24.0;
const FEATURES: f64 = 768.0;

/// Tell how many games, positions and hours a test, data or a network needs.
#[derive(Args, Debug)]
pub(crate) struct Plan {
    #[command(subcommand)]
    subject: Subject,
}

#[derive(Subcommand, Debug)]
enum Subject {
    /// An SPRT of two versions
    Test(Test),
    /// Positions from games of the engine against itself
    Data(Data),
    /// A network of the kind of `house`, from data to weights
    Network(Network),
}

/// Whose work it is.
#[derive(Args, Debug)]
struct Farm {
    /// Machines like this one
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    machines: u32,
    /// Cores of each that play [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    cores: Option<u32>,
    /// Nodes per second of one core [default: measured, with all cores busy]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nps: Option<u64>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

#[derive(Args, Debug)]
struct Test {
    /// What the change is worth, in normalized Elo
    #[arg(long, value_name = "NELO", default_value_t = 3.0, allow_hyphen_values = true)]
    effect: f64,
    /// The two differences to decide between
    #[arg(long, value_name = "NELO0,NELO1", default_value = "0,3", allow_hyphen_values = true)]
    bounds: Bounds,
    /// Seconds and increment of each side
    #[arg(long, value_name = "TC", default_value = "8+0.08", conflicts_with = "nodes")]
    tc: TimeControl,
    /// Nodes per move instead
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    #[command(flatten)]
    farm: Farm,
}

#[derive(Args, Debug)]
struct Data {
    /// How many positions
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    positions: u64,
    /// Nodes per move, as `selfplay --nodes`
    #[arg(long, value_name = "N", default_value_t = 150, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    #[command(flatten)]
    farm: Farm,
}

#[derive(Args, Debug)]
struct Network {
    /// Neurons of the first layer for each side
    #[arg(long, value_name = "N", default_value_t = 512, value_parser = clap::value_parser!(u32).range(1..=4096))]
    width: u32,
    /// King buckets, each with weights of its own
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=64))]
    king_buckets: u32,
    /// Nodes per move of the games to learn from
    #[arg(long, value_name = "N", default_value_t = 150, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    #[command(flatten)]
    farm: Farm,
}

/// What something costs.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Cost {
    Test { chance_to_pass: f64, games: f64, seconds_per_game: f64, games_per_hour: f64, hours: f64 },
    Data { positions: f64, games: f64, gigabytes: f64, positions_per_hour: f64, hours: f64 },
    Network { weights: f64, data: Box<Cost>, seen: f64, training_hours: f64, hours: f64 },
}

impl Plan {
    pub(crate) fn run(self) -> Result<()> {
        let farm = match &self.subject {
            Subject::Test(test) => &test.farm,
            Subject::Data(data) => &data.farm,
            Subject::Network(network) => &network.farm,
        };
        let speed = farm.speed();
        let cost = match &self.subject {
            Subject::Test(test) => test.cost(speed)?,
            Subject::Data(data) => data_cost(data.positions as f64, data.nodes, speed),
            Subject::Network(network) => network.cost(speed),
        };
        if farm.json {
            let (nps, cores) = (speed.nps, speed.cores);
            return print_json(
                &serde_json::json!({"nps_per_core": nps, "cores": cores, "cost": cost}),
            );
        }
        output::print(&format!(
            "{} cores at {} nodes per second\n{}",
            speed.cores,
            rounded(speed.nps),
            cost.text()
        ))
    }
}

/// What all machines together have.
#[derive(Clone, Copy, Debug)]
struct Speed {
    nps: f64,
    cores: f64,
}

impl Farm {
    fn speed(&self) -> Speed {
        let here = num_cpus::get() as u32;
        let cores = self.cores.unwrap_or(here);
        let nps = self.nps.map_or_else(|| measured(cores.min(here)), |nps| nps as f64);
        Speed { nps, cores: f64::from(self.machines) * f64::from(cores) }
    }
}

/// Nodes per second of one of so many cores, all of them busy.
fn measured(cores: u32) -> f64 {
    let kernels = net::Kernels::detect();
    let network = engine::networks::default_network(kernels);
    let ranking = engine::networks::ranking(kernels);
    let test = SpeedTest::run(cores as usize, Duration::from_secs(2), &network, &ranking);
    test.alphabeta.per_second() as f64 / f64::from(cores)
}

impl Test {
    fn cost(&self, speed: Speed) -> Result<Cost> {
        let sprt: Sprt = self.bounds.0;
        let forecast = sprt.forecast(self.effect);
        let seconds_per_game = match self.nodes {
            Some(nodes) => PLIES * nodes as f64 / speed.nps,
            None => seconds_of(&self.tc)?,
        };
        let games_per_hour = speed.cores * 3600.0 / seconds_per_game;
        Ok(Cost::Test {
            chance_to_pass: forecast.passes,
            games: forecast.games,
            seconds_per_game,
            games_per_hour,
            hours: forecast.games / games_per_hour,
        })
    }
}

/// How long a game of both sides takes.
fn seconds_of(tc: &TimeControl) -> Result<f64> {
    let TimeControl::Clock { moves: None, base, increment } = tc else {
        bail!("`--tc {tc}`: expected a time for the whole game, such as 8+0.08");
    };
    Ok(2.0 * (USED * base.as_secs_f64() + PLIES / 2.0 * increment.as_secs_f64()))
}

fn data_cost(positions: f64, nodes: u64, speed: Speed) -> Cost {
    let positions_per_hour = SELF_PLAY * speed.nps * speed.cores * 3600.0 / nodes as f64;
    Cost::Data {
        positions,
        games: positions / PLIES,
        // Games hold four bytes for a position, records 32.
        gigabytes: positions * 36.0 / 1e9,
        positions_per_hour,
        hours: positions / positions_per_hour,
    }
}

impl Network {
    fn cost(&self, speed: Speed) -> Cost {
        let weights = FEATURES * f64::from(self.king_buckets) * f64::from(self.width);
        let positions = weights * POSITIONS_PER_WEIGHT;
        let data = data_cost(positions, self.nodes, speed);
        let seen = positions * PASSES;
        // The trainer runs on one machine.
        let cores = speed.cores / f64::from(self.farm.machines);
        let per_second = TRAINING * speed.nps * cores / f64::from(self.width);
        let training_hours = seen / per_second / 3600.0;
        let hours = training_hours + data.hours();
        Cost::Network { weights, data: Box::new(data), seen, training_hours, hours }
    }
}

impl Cost {
    const fn hours(&self) -> f64 {
        match self {
            Self::Test { hours, .. } | Self::Data { hours, .. } | Self::Network { hours, .. } => {
                *hours
            }
        }
    }

    fn text(&self) -> String {
        match self {
            Self::Test { chance_to_pass, games, seconds_per_game, games_per_hour, hours } => {
                format!(
                    "games       {} on average, {:.0} % of such tests pass\n\
                 a game      {seconds_per_game:.1} s, {} games an hour\n\
                 time        {}\n",
                    rounded(*games),
                    100.0 * chance_to_pass,
                    rounded(*games_per_hour),
                    duration(*hours)
                )
            }
            Self::Data { positions, games, gigabytes, positions_per_hour, hours } => format!(
                "positions   {}, {} an hour\n\
                 games       about {}\n\
                 disk        {gigabytes:.1} GB, games and records\n\
                 time        {}\n",
                rounded(*positions),
                rounded(*positions_per_hour),
                rounded(*games),
                duration(*hours)
            ),
            Self::Network { weights, data, seen, training_hours, hours } => format!(
                "weights     {} in the first layer\n{}\
                 training    {} positions seen, {} on one machine\n\
                 in all      {}\n",
                rounded(*weights),
                data.text(),
                rounded(*seen),
                duration(*training_hours),
                duration(*hours)
            ),
        }
    }
}

/// Three digits, such as `71.1 K`: more would promise what nobody knows.
fn rounded(value: f64) -> String {
    let (value, decimals, name) = match value {
        v if v >= 1e9 => (v / 1e9, 1, " G"),
        v if v >= 1e8 => (v / 1e6, 0, " M"),
        v if v >= 1e6 => (v / 1e6, 1, " M"),
        v if v >= 1e5 => (v / 1e3, 0, " K"),
        v if v >= 1e4 => (v / 1e3, 1, " K"),
        v => (v, 0, ""),
    };
    format!("{value:.decimals$}{name}")
}

fn duration(hours: f64) -> String {
    match hours {
        h if h < 1.0 => format!("{:.0} min", (60.0 * h).max(1.0)),
        h if h < 48.0 => format!("{h:.1} hours"),
        h => format!("{:.1} days", h / 24.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: Speed = Speed { nps: 2.5e6, cores: 2.0 };

    /// Two cores with the third house: 27,300 positions a second at 150 nodes (docs/concepts/speed.md).
    #[test]
    fn self_play_is_as_fast_as_was_measured() {
        let cost = data_cost(1e6, 150, HERE);
        let Cost::Data { positions_per_hour, .. } = cost else { panic!("{cost:?}") };
        let ratio = positions_per_hour / 3600.0 / 27_300.0;
        assert!((0.9..1.1).contains(&ratio), "{ratio}");
    }

    /// 2,000 games at 1+0.01 took 55 minutes, 100 at 10+0.1 26, two at once.
    #[test]
    fn games_last_as_long_as_was_measured() {
        for (tc, games, minutes) in [("1+0.01", 2000.0, 55.0), ("10+0.1", 100.0, 26.0)] {
            let found = seconds_of(&tc.parse().unwrap()).unwrap() * games / 2.0 / 60.0;
            assert!(
                (found / minutes - 1.0).abs() < 0.1,
                "{tc}: {found} minutes, measured {minutes}"
            );
        }
    }

    #[test]
    fn numbers_are_short() {
        let all = [7.0, 9_999.0, 71_086.0, 123_456.0, 2.5e6, 1.5e9];
        let expected = ["7", "9999", "71.1 K", "123 K", "2.5 M", "1.5 G"];
        assert_eq!(all.map(rounded), expected);
        assert_eq!([0.001, 5.0, 100.0].map(duration), ["1 min", "5.0 hours", "4.2 days"]);
    }
}
