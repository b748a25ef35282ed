// SPDX-License-Identifier: GPL-3.0-or-later
//! Runs are repeatable, resumable, and write whole legal games only.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use data::viri::GameReader;
use data::visits::VisitsReader;
use search::{Mode, Network, Ranking};
use selfplay::{Goal, House, Openings, Outcome, Settings, run};

fn settings() -> Settings {
    Settings { chess960_share: 0.3, ..Settings::new(7, 30, "material".to_owned()) }
}

fn play(path: &Path, games: u64, threads: usize) -> Outcome {
    play_by(&settings(), path, games, threads)
}

fn play_by(settings: &Settings, path: &Path, games: u64, threads: usize) -> Outcome {
    let (openings, network) = (Openings::default(), Network::Material);
    let (stop, ranking) = (AtomicBool::new(false), Ranking::Rule);
    let house =
        House { settings, openings: &openings, network: &network, ranking: &ranking, threads };
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
    let ranking = Ranking::Rule;
    let house = House {
        settings: &other,
        openings: &openings,
        network: &network,
        ranking: &ranking,
        threads: 1,
    };
    let result = run(&path, Goal::Games(3), &house, &stop, |_| ());
    let error = result.unwrap_err().to_string();
    assert!(error.contains("soft_nodes was 30, is 31"), "{error}");
}

#[test]
fn tree_searches_write_visits_and_can_be_broken_off_too() {
    let folder = tempfile::tempdir().unwrap();
    let [whole, broken] = ["whole.vis", "broken.vis"].map(|name| folder.path().join(name));
    let settings = settings().in_mode(Mode::Mcts, String::new());
    play_by(&settings, &whole, 4, 2);
    play_by(&settings, &broken, 2, 1);
    let bytes = fs::read(&broken).unwrap();
    fs::OpenOptions::new().append(true).open(&broken).unwrap().write_all(&bytes[16..80]).unwrap();
    assert_eq!(play_by(&settings, &broken, 4, 1).before.games, 2);
    let bytes = fs::read(&whole).unwrap();
    assert_eq!(bytes, fs::read(&broken).unwrap());
    for game in VisitsReader::new(&bytes[..]).unwrap() {
        let game = game.unwrap().decode().unwrap();
        assert!(game.moves.iter().any(|played| played.visits.contains(&255)));
    }
    // A file of the one kind is not continued as the other.
    let other = self::settings();
    let (openings, network) = (Openings::default(), Network::Material);
    let ranking = Ranking::Rule;
    let house = House {
        settings: &other,
        openings: &openings,
        network: &network,
        ranking: &ranking,
        threads: 1,
    };
    let error = run(&whole, Goal::Games(5), &house, &AtomicBool::new(false), |_| ()).unwrap_err();
    assert!(error.to_string().contains("mode was \"mcts\""), "{error}");
    assert_eq!(fs::read(&whole).unwrap(), bytes);
}
