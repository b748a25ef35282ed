// SPDX-License-Identifier: GPL-3.0-or-later
//! Runs are repeatable, resumable, and write whole legal games only.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use data::Origin;
use data::viri::GameReader;
use data::visits::VisitsReader;
use search::{Mode, Network, Ranking};
use selfplay::{Files, GenerationOutcome, GenerationSettings, Generator, Goal, Openings, run};

/// All games in one file.
const fn whole(path: &Path) -> Files<'_> {
    Files { first: path, rotate_at: u64::MAX }
}

fn settings() -> GenerationSettings {
    GenerationSettings {
        chess960_share: 0.3,
        ..GenerationSettings::new(7, 30, "material".to_owned())
    }
}

fn play(path: &Path, games: u64, threads: usize) -> GenerationOutcome {
    play_by(&settings(), path, games, threads)
}

fn play_by(
    settings: &GenerationSettings,
    path: &Path,
    games: u64,
    threads: usize,
) -> GenerationOutcome {
    let (openings, network) = (Openings::default(), Network::Material);
    let (stop, ranking) = (AtomicBool::new(false), Ranking::Rule);
    let generator =
        Generator { settings, openings: &openings, network: &network, ranking: &ranking, threads };
    run(whole(path), Goal::Games(games), &generator, &stop, |_| ()).unwrap()
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
fn leaves_stand_before_their_game_and_survive_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    let [whole, broken] = ["whole.vf", "broken.vf"].map(|name| folder.path().join(name));
    let settings = GenerationSettings { leaves: 1.5, leaf_nodes: 20, ..settings() };
    let outcome = play_by(&settings, &whole, 6, 2);
    play_by(&settings, &broken, 3, 1);
    let bytes = fs::read(&whole).unwrap();
    // A crash between the leaves of a game and the game itself.
    let after_three = fs::metadata(&broken).unwrap().len() as usize;
    let next = bytes[after_three..][..40].to_vec();
    fs::OpenOptions::new().append(true).open(&broken).unwrap().write_all(&next).unwrap();
    assert_eq!(play_by(&settings, &broken, 6, 2).before.games, 3);
    assert!(fs::read(&broken).unwrap() == bytes, "the bytes differ");

    let games: Vec<_> = GameReader::new(&bytes[..]).map(Result::unwrap).collect();
    let positions: usize = games.iter().map(|game| game.moves.len()).sum();
    assert_eq!(outcome.after.positions as usize, positions);
    let (mut played, mut leaves, mut waiting) = (0, 0, vec![]);
    let mut reader = GameReader::new(&bytes[..]);
    for game in games {
        let raw = reader.next_raw().unwrap().unwrap();
        match game.origin {
            Origin::Leaf { family } => {
                assert!(!game.start.in_check() && game.moves.len() == 1);
                leaves += 1;
                waiting.push(family);
            }
            Origin::Game(_) => {
                let family = (raw.hash() >> 48) as u16;
                assert!(waiting.drain(..).all(|leaf| leaf == family));
                played += game.moves.len();
            }
        }
    }
    assert!(waiting.is_empty());
    let share = leaves as f64 / played as f64;
    assert!((0.8..1.5).contains(&share), "{leaves} leaves, {played} moves");
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
    let other = GenerationSettings { soft_nodes: 31, ..settings() };
    let (openings, network) = (Openings::default(), Network::Material);
    let stop = AtomicBool::new(false);
    let ranking = Ranking::Rule;
    let generator = Generator {
        settings: &other,
        openings: &openings,
        network: &network,
        ranking: &ranking,
        threads: 1,
    };
    let result = run(whole(&path), Goal::Games(3), &generator, &stop, |_| ());
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
    let generator = Generator {
        settings: &other,
        openings: &openings,
        network: &network,
        ranking: &ranking,
        threads: 1,
    };
    let error =
        run(self::whole(&whole), Goal::Games(5), &generator, &AtomicBool::new(false), |_| ())
            .unwrap_err();
    assert!(error.to_string().contains("mode was \"mcts\""), "{error}");
    assert_eq!(fs::read(&whole).unwrap(), bytes);
}

/// The bytes of all files of a run together.
fn all_bytes(files: Files<'_>, count: usize) -> Vec<u8> {
    (1..=count).flat_map(|number| fs::read(files.path(number)).unwrap()).collect()
}

#[test]
fn large_files_are_followed_by_others_and_lose_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let one = folder.path().join("one.vf");
    let first = folder.path().join("several.vf");
    let files = Files { first: &first, rotate_at: 1500 };
    let settings = settings();
    let (openings, network) = (Openings::default(), Network::Material);
    let ranking = Ranking::Rule;
    let generator = Generator {
        settings: &settings,
        openings: &openings,
        network: &network,
        ranking: &ranking,
        threads: 2,
    };
    let play_on =
        |games| run(files, Goal::Games(games), &generator, &AtomicBool::new(false), |_| ());
    play(&one, 16, 1);
    let before = play_on(9).unwrap();
    assert!(before.files >= 3, "{before:?}");
    // A crash leaves half a game behind, and perhaps the index of complete files unwritten.
    let last = files.path(before.files);
    let mut bytes = fs::read(&last).unwrap();
    let half = bytes[..40].to_vec();
    bytes.extend(half);
    fs::write(&last, bytes).unwrap();
    fs::remove_file(folder.path().join("several.vf.files.json")).unwrap();
    let after = play_on(13).unwrap();
    assert_eq!((after.before.games, after.after.games), (9, 13));
    // Complete files may be taken away.
    let taken = folder.path().join("taken.vf");
    fs::rename(&first, &taken).unwrap();
    let end = play_on(16).unwrap();
    assert_eq!((end.before.games, end.after.games), (13, 16));
    assert!(!first.exists());
    fs::rename(&taken, &first).unwrap();
    assert!(all_bytes(files, end.files) == fs::read(&one).unwrap(), "the bytes differ");
    // But they must not change.
    fs::write(&first, b"something else").unwrap();
    let error = play_on(17).unwrap_err().to_string();
    assert!(error.contains("of a complete file, found 14"), "{error}");
}

#[test]
fn two_processes_do_not_write_to_one_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.vf");
    play(&path, 1, 1);
    let settings_file = fs::File::open(folder.path().join("games.vf.json")).unwrap();
    settings_file.try_lock().unwrap();
    let settings = settings();
    let (openings, network) = (Openings::default(), Network::Material);
    let ranking = Ranking::Rule;
    let generator = Generator {
        settings: &settings,
        openings: &openings,
        network: &network,
        ranking: &ranking,
        threads: 1,
    };
    let result = run(whole(&path), Goal::Games(2), &generator, &AtomicBool::new(false), |_| ());
    let error = result.unwrap_err().to_string();
    assert!(error.contains("another self-play"), "{error}");
}

#[test]
fn files_of_older_self_play_in_points_are_not_continued() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.vf");
    play(&path, 1, 1);
    let beside = folder.path().join("games.vf.json");
    let mut older: serde_json::Value = serde_json::from_slice(&fs::read(&beside).unwrap()).unwrap();
    assert_eq!(older.as_object_mut().unwrap().remove("unit").unwrap(), "centipawns");
    fs::write(&beside, older.to_string()).unwrap();
    let settings = settings();
    let (openings, network) = (Openings::default(), Network::Material);
    let ranking = Ranking::Rule;
    let generator = Generator {
        settings: &settings,
        openings: &openings,
        network: &network,
        ranking: &ranking,
        threads: 1,
    };
    let result = run(whole(&path), Goal::Games(2), &generator, &AtomicBool::new(false), |_| ());
    let error = result.unwrap_err().to_string();
    assert!(error.contains("unit was \"points\", is \"centipawns\""), "{error}");
}
