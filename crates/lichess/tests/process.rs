// SPDX-License-Identifier: GPL-3.0-or-later
//! Several engines in one process: what they share, and what they do not.

mod common;

use std::time::Duration;

use common::{PATIENCE, bot, check_saved, fake, games_over, is_spoilt, quick};
use engine::{Engine, Limits, Output, Search, UciSession};
use fake_lichess::{ChallengeSpec, Fake, Script};

/// What these tests count is the whole process's.
static ALONE: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());

/// Kilobytes that this process has in memory, where the system tells.
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

fn endless(engine: &mut Engine) -> Search {
    engine.go(Limits { infinite: true, ..Limits::default() })
}

/// Two bot games, an analysis and a UCI session hold one copy of each network.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn networks_are_in_memory_once() {
    let _alone = ALONE.lock().await;
    let (fake, folder) = (fake(Script::none()).await, tempfile::tempdir().unwrap());
    let text = "[challenge]\nconcurrency = 2\n[engine]\nhash = 1\nmove_ms = 300\n";
    let runner = bot(&fake, folder.path(), text).await;
    let slow = || ChallengeSpec::casual(Duration::from_mins(10), Duration::ZERO);
    fake.challenge("Anna", "Quincunx", slow());
    fake.challenge("Robot", "Quincunx", slow());
    let are_playing = |fake: &Fake| fake.games().iter().filter(|g| g.moves.len() > 1).count() == 2;
    assert!(fake.wait_for(PATIENCE, are_playing).await);

    let two_games = resident();
    let mut analysis = Engine::new();
    let search = endless(&mut analysis);
    let mut session = UciSession::new(Output::to_memory().0);
    session.run_line("go infinite");
    let all = resident();

    let loaded = engine::resources();
    report(&loaded, two_games, all);
    let mut names: Vec<_> = loaded.iter().map(|resource| resource.name.clone()).collect();
    names.dedup();
    assert_eq!(names.len(), loaded.len(), "each network once: {loaded:?}");
    let default = engine::networks::names()[0];
    let network = loaded.iter().find(|resource| resource.name == default).unwrap();
    assert!(network.users >= 4, "all four share it: {loaded:?}");
    session.stop();
    drop((search, session, analysis, runner));
}

#[expect(clippy::print_stderr, reason = "shown with --nocapture")]
fn report(loaded: &[engine::Resource], two_games: Option<u64>, all: Option<u64>) {
    for engine::Resource { name, bytes, users } in loaded {
        eprintln!("{name}: {bytes} bytes, {users} users");
    }
    if let (Some(before), Some(after)) = (two_games, all) {
        eprintln!("two games: {before} kB; with an analysis and a UCI session: {after} kB");
    }
}

/// A search that panics costs neither its own game nor the other one.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_panic_in_a_search_ends_no_game() {
    let _alone = ALONE.lock().await;
    let (fake, folder) = (fake(Script::none()).await, tempfile::tempdir().unwrap());
    let _runner = bot(&fake, folder.path(), "[challenge]\nconcurrency = 2\n").await;
    fake.challenge("Anna", "Quincunx", quick());
    fake.challenge("Robot", "Quincunx", quick());
    for moves in [1, 5, 9] {
        let is_under_way = |fake: &Fake| fake.games().iter().any(|game| game.moves.len() > moves);
        assert!(fake.wait_for(PATIENCE, is_under_way).await);
        engine::testing::panic_in_next_search();
    }
    for game in games_over(&fake, 2).await {
        assert!(!is_spoilt(&game), "{game:?}");
        check_saved(folder.path(), &game).await;
    }
    assert_eq!(engine::testing::injected(), 3, "all three searches panicked");
}
