// SPDX-License-Identifier: GPL-3.0-or-later
//! What the tests with mock engines share.
#![allow(dead_code, reason = "each test uses a part of it")]

use std::fs;
use std::thread::sleep;
use std::time::{Duration, Instant};

use arena::EngineSpec;
use arena::tournament::{BoardView, Format, MatchSettings, Observer, PairRecord, Standings};

/// A match between two mocks, by nodes and without openings.
pub(crate) fn settings(
    engine: &str,
    behaviors: [&str; 2],
    games: u64,
    token: &str,
) -> MatchSettings {
    let mock = |(name, behavior): (&str, &str)| {
        let words = [
            format!("cmd={engine}"),
            format!("name={name}"),
            format!("arg={behavior}"),
            format!("arg={token}"),
            "nodes=1".to_owned(),
        ];
        EngineSpec::from_words(words).expect("sound words")
    };
    MatchSettings {
        engines: [("A", behaviors[0]), ("B", behaviors[1])].map(mock).into(),
        format: Format::RoundRobin,
        games: Some(games),
        sprt: None,
        book: None,
        draw: None,
        resign: None,
        max_moves: Some(30),
        tables: None,
        margin_ms: 50,
        patience_ms: 1000,
        chess960: false,
    }
}

/// Watches nothing.
#[derive(Debug)]
pub(crate) struct Nobody;

impl Observer for Nobody {
    fn pair_finished(&mut self, _: &PairRecord, _: &Standings) {}
    fn tick(&mut self, _: &[BoardView], _: &Standings) {}
    fn warning(&mut self, _: &str) {}
}

/// Processes with this word among their arguments.
pub(crate) fn processes_with(token: &str) -> usize {
    let is_marked = |entry: &fs::DirEntry| {
        let words = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        words.split(|&byte| byte == 0).any(|word| word == token.as_bytes())
    };
    fs::read_dir("/proc").expect("Linux").flatten().filter(is_marked).count()
}

/// Waits until no process is marked; false if that takes longer than ten seconds.
pub(crate) fn are_all_gone(token: &str) -> bool {
    wait_for(|| processes_with(token) == 0)
}

/// Waits until something is so; false if that takes longer than ten seconds.
pub(crate) fn wait_for(mut is_so: impl FnMut() -> bool) -> bool {
    let deadline = Instant::now() + Duration::from_secs(10);
    while !is_so() {
        if Instant::now() > deadline {
            return false;
        }
        sleep(Duration::from_millis(5));
    }
    true
}
