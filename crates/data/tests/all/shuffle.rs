// SPDX-License-Identifier: GPL-3.0-or-later
//! Files of records and games in random order.

use std::fs;
use std::path::Path;

use crate::common::{SMALL, Workshop, load, random_games, sorted};
use data::Unmarked;
use data::expand::{Expansion, expand};
use data::shuffle::{Duplicates, Shuffling, shuffle};
use data::viri::GameReader;
use data::{Input, ScoredGame};

fn read_games(path: &Path) -> Vec<ScoredGame> {
    GameReader::new(Input::open(path).unwrap()).collect::<Result<_, _>>().unwrap()
}

fn by_moves(games: &[ScoredGame]) -> Vec<String> {
    let mut texts: Vec<_> = games.iter().map(|game| format!("{game:?}")).collect();
    texts.sort();
    texts
}

#[test]
fn shuffled_records_are_a_permutation_that_the_seed_decides() {
    let mut workshop = Workshop::new();
    let input = workshop.path("a.qrec");
    let all = Expansion { keep_all: true, ..Expansion::default() };
    workshop.run(|observer| expand(&[SMALL.into()], &input, None, &all, observer)).unwrap();
    let mut make = |name: &str, how: Shuffling| {
        let out = workshop.path(name);
        workshop
            .run(|observer| shuffle(std::slice::from_ref(&input), &out, how, observer))
            .unwrap();
        load(&out)
    };
    let before = load(&input);
    let seed = |seed| Shuffling { seed, ..Shuffling::default() };
    let (one, again, two) = (make("1", seed(1)), make("2", seed(1)), make("3", seed(2)));
    assert!(one == again && one != two && one != before);
    assert!(sorted(&one) == sorted(&before) && sorted(&two) == sorted(&before));
    let quiet = make("4", Shuffling { quiet_only: true, ..seed(1) });
    assert!(quiet.len() < before.len() && quiet.iter().all(data::Record::is_quiet));
    assert_eq!(quiet.len(), before.iter().filter(|record| record.is_quiet()).count());
    let even = make("5", Shuffling { max_score: Some(100), ..seed(1) });
    let is_even = |record: &&data::Record| record.score().get().abs() < 100;
    assert!(!even.is_empty() && even.iter().all(|record| is_even(&record)));
    assert_eq!(even.len(), before.iter().filter(is_even).count());
}

#[test]
fn games_are_not_filtered_by_score_and_records_not_expanded() {
    let mut workshop = Workshop::new();
    let out = workshop.path("out.vf");
    let how = Shuffling { max_score: Some(100), ..Shuffling::default() };
    let result = workshop.run(|observer| shuffle(&[SMALL.into()], &out, how, observer));
    assert!(result.unwrap_err().to_string().contains("`data expand`"));
    let records = workshop.path("in.qrec");
    let settings = Expansion::default();
    let games = [SMALL.into()];
    workshop.run(|observer| expand(&games, &records, None, &settings, observer)).unwrap();
    let (again, inputs) = (workshop.path("again.qrec"), [records]);
    let result = workshop.run(|observer| expand(&inputs, &again, None, &settings, observer));
    assert!(result.unwrap_err().to_string().contains("expected games (.vf), found records"));
    assert!(!again.exists());
}

#[test]
fn shuffled_games_are_whole() {
    let mut workshop = Workshop::new();
    let games = random_games(20, 300);
    let (a, out) = (workshop.games("a.vf", &games), workshop.path("b.vf"));
    let how = Shuffling { seed: 5, unmarked: Unmarked::Centipawns, ..Shuffling::default() };
    let counts =
        workshop.run(|observer| shuffle(&[a.clone(), SMALL.into()], &out, how, observer)).unwrap();
    assert_eq!(counts, (336, 336));
    let shuffled = read_games(&out);
    let all = [games.clone(), read_games(Path::new(SMALL))].concat();
    assert!(by_moves(&shuffled) == by_moves(&all) && shuffled != all);
    // Twice the same games, without duplicates.
    let how = Shuffling { duplicates: Duplicates::DropLater, ..how };
    let counts =
        workshop.run(|observer| shuffle(&[a.clone(), a.clone()], &out, how, observer)).unwrap();
    assert_eq!(counts, (600, 300));
    assert!(by_moves(&read_games(&out)) == by_moves(&games));
    assert_eq!(workshop.files(), ["a.vf", "b.vf"]);
}

#[test]
fn games_and_records_do_not_mix() {
    let mut workshop = Workshop::new();
    let records = workshop.path("a.qrec");
    let settings = Expansion::default();
    workshop.run(|observer| expand(&[SMALL.into()], &records, None, &settings, observer)).unwrap();
    let out = workshop.path("b");
    let how = Shuffling::default();
    let mixed = [SMALL.into(), records];
    let error = workshop.run(|observer| shuffle(&mixed, &out, how, observer)).unwrap_err();
    assert!(error.to_string().contains("expected games or records like the files before it"));
    assert!(fs::metadata(&out).is_err());
}
