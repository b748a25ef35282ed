// SPDX-License-Identifier: GPL-3.0-or-later
//! Runs are repeatable, resumable, and write whole legal games only.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use data::viri::GameReader;
use search::Network;
use selfplay::{Goal, House, Openings, Outcome, Settings, run};

fn settings() -> Settings {
    Settings { chess960_share: 0.3, ..Settings::new(7, 30, "material".to_owned()) }
}

fn play(path: &Path, games: u64, threads: usize) -> Outcome {
    let (openings, network) = (Openings::default(), Network::Material);
    let stop = AtomicBool::new(false);
    let settings = &settings();
    let house = House { settings, openings: &openings, network: &network, threads };
    run(path, Goal::Games(games), &house, &stop, |_| ()).unwrap()
}

#[test]
fn a_run_that_was_killed_ends_as_if_it_had_not_been() {
    let folder = tempfile::tempdir().unwrap();
    let [whole, broken] = ["whole.vf", "broken.vf"].map(|name| folder.path().join(name));
    play(&whole, 12, 2);
    play(&broken, 5, 1);
    // Half a game, as a crash would leave it.
    let bytes = fs::read(&broken).unwrap();
    fs::OpenOptions::new().append(true).open(&broken).unwrap().write_all(&bytes[..50]).unwrap();
    let outcome = play(&broken, 12, 2);
    assert_eq!((outcome.before.games, outcome.after.games), (5, 12));
    assert!(outcome.is_done);
    assert_eq!(fs::read(&whole).unwrap(), fs::read(&broken).unwrap());
    // Nothing more to do.
    assert_eq!(play(&broken, 12, 2).before, outcome.after);
}

#[test]
fn games_are_legal_and_end_for_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.vf");
    play(&path, 10, 2);
    let bytes = fs::read(&path).unwrap();
    let games: Vec<_> = GameReader::new(&bytes[..]).map(Result::unwrap).collect();
    assert_eq!(games.len(), 10);
    assert!(games.iter().all(|game| !game.moves.is_empty()));
    assert!(games.iter().any(|game| game.start.is_chess960()));
    let starts: Vec<_> = games.iter().map(|game| game.start.key()).collect();
    assert!(starts.windows(2).all(|pair| pair[0] != pair[1]));
}

#[test]
fn other_settings_do_not_continue_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.vf");
    play(&path, 2, 1);
    let other = Settings { soft_nodes: 31, ..settings() };
    let (openings, network) = (Openings::default(), Network::Material);
    let stop = AtomicBool::new(false);
    let house = House { settings: &other, openings: &openings, network: &network, threads: 1 };
    let result = run(&path, Goal::Games(3), &house, &stop, |_| ());
    let error = result.unwrap_err().to_string();
    assert!(error.contains("soft_nodes was 30, is 31"), "{error}");
}
