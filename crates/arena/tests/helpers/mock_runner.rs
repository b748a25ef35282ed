// SPDX-License-Identifier: GPL-3.0-or-later
//! A match between mock engines as a program, for tests that kill it.
//!
//! Usage: `mock-runner ENGINE FOLDER GAMES TOKEN`; prints the result as JSON.
#![expect(clippy::print_stdout, reason = "prints its result")]

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use arena::openings::starting_position;
use arena::run::RunFolder;
use arena::tournament::{Conduct, Match};

#[path = "../common/mod.rs"]
mod common;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [engine, folder, games, token] = &arguments[..] else { panic!("four arguments") };
    let games = games.parse().expect("a number of games");
    let settings = common::settings(engine, ["dishonest", "sound"], games, token);
    let mut journal = RunFolder::open(Path::new(folder), &settings).expect("a run folder");
    let game = Match::new(settings, starting_position()).expect("sound settings");
    let should_stop = AtomicBool::new(false);
    let concurrency = NonZeroUsize::new(2).expect("two is not zero");
    let conduct = Conduct { concurrency, should_stop: &should_stop };
    let standings = game.run(&mut journal, conduct, &mut common::Nobody).expect("a whole match");
    let result = serde_json::to_string(&standings.result()).expect("plain data");
    println!("{result}");
}
