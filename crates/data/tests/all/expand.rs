// SPDX-License-Identifier: GPL-3.0-or-later
//! Games to records: nothing lost, nothing leaked, the same again for the same seed.

use std::collections::HashSet;
use std::fs;

use crate::common::{SMALL, Workshop, load, random_games, sorted};
use data::expand::{ExpandSummary, Expansion, expand};
use data::shuffle::{Duplicates, Marked, Shuffler};
use data::split::{Parts, split};
use data::viri::GameReader;
use data::{Filter, Record, Rejection, ScoredGame, Unmarked};

fn all() -> Expansion {
    Expansion { keep_all: true, ..Expansion::default() }
}

fn records_of(games: &[ScoredGame]) -> Vec<Record> {
    let positions = games.iter().flat_map(ScoredGame::positions);
    let record = |position: data::GamePosition| {
        let is_quiet = Filter::default().verdict_in_game(&position).is_none();
        position.record().unwrap().with_quiet(is_quiet)
    };
    positions.map(record).collect()
}

#[test]
fn every_position_is_there_once_and_not_in_its_old_order() {
    let mut workshop = Workshop::new();
    let games = random_games(10, 200);
    let (input, out) = (workshop.games("a.vf", &games), workshop.path("a.qrec"));
    let summary = workshop.run(|observer| expand(&[input], &out, None, &all(), observer)).unwrap();
    let (expected, found) = (records_of(&games), load(&out));
    assert_eq!(sorted(&found), sorted(&expected));
    assert_eq!(summary.records, [expected.len() as u64, 0]);
    assert_eq!(summary.games, [200, 0]);
    // In a random order, about one record stays in its place.
    let unmoved = found.iter().zip(&expected).filter(|(a, b)| a == b).count();
    assert!(unmoved < 20, "{unmoved}");
    // Neighbours of a game do not stay together.
    let key = |record: &Record| bytemuck::cast::<Record, [u8; 32]>(*record);
    let follows: HashSet<_> =
        expected.windows(2).map(|pair| (key(&pair[0]), key(&pair[1]))).collect();
    let together =
        found.windows(2).filter(|pair| follows.contains(&(key(&pair[0]), key(&pair[1]))));
    assert!(together.count() < 20);
    assert_eq!(workshop.files(), ["a.qrec", "a.vf"]);
}

#[test]
fn a_seed_means_an_order_on_any_number_of_threads() {
    let mut workshop = Workshop::new();
    let input = workshop.games("a.vf", &random_games(11, 100));
    let mut make = |name: &str, seed: u64, threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let out = workshop.path(name);
        let settings = Expansion { seed, ..all() };
        let inputs = [input.clone()];
        let problems = &mut workshop.problems;
        pool.install(|| {
            let mut observer = data::Observer { problems, progress: &mut |_| () };
            expand(&inputs, &out, None, &settings, &mut observer).unwrap()
        });
        fs::read(out).unwrap()
    };
    let first = make("a.qrec", 1, 1);
    assert!(first == make("b.qrec", 1, 3));
    assert!(first != make("c.qrec", 2, 1));
}

#[test]
fn the_filter_keeps_what_it_should() {
    let mut workshop = Workshop::new();
    let out = workshop.path("a.qrec");
    let summary: ExpandSummary = workshop
        .run(|observer| expand(&[SMALL.into()], &out, None, &Expansion::default(), observer))
        .unwrap();
    let games: Vec<_> =
        GameReader::new(&fs::read(SMALL).unwrap()[..]).collect::<Result<_, _>>().unwrap();
    let quiet: Vec<_> = records_of(&games).into_iter().filter(Record::is_quiet).collect();
    assert_eq!(sorted(&load(&out)), sorted(&quiet));
    for record in load(&out) {
        let (board, best_move) = (record.board().unwrap(), record.best_move().unwrap());
        assert!(!board.in_check() && !best_move.is_capture() && !best_move.is_promotion());
        assert!(record.score().get().abs() < 10_000);
    }
    let rejected: u64 = summary.rejected.iter().sum();
    assert_eq!(summary.positions, rejected + summary.records[0]);
    assert!(summary.rejected[Rejection::Noisy as usize] > 100);
}

#[test]
fn every_reason_of_the_filter_works() {
    let open = Filter {
        checks: false,
        noisy: false,
        score: u16::MAX,
        min_ply: 0,
        min_pieces: 0,
        mismatch: None,
    };
    let games = random_games(12, 100);
    let count = |filter: Filter, reason: Rejection| {
        let positions = games.iter().flat_map(ScoredGame::positions);
        let verdicts = positions.map(|position| filter.verdict_in_game(&position));
        let (mut ours, mut others) = (0, 0);
        for verdict in verdicts.flatten() {
            if verdict == reason { ours += 1 } else { others += 1 }
        }
        assert_eq!(others, 0, "{reason:?}");
        ours
    };
    for reason in Rejection::ALL {
        let mut filter = open.clone();
        assert_eq!(count(filter.clone(), reason), 0);
        match reason {
            Rejection::Check => filter.checks = true,
            Rejection::Noisy => filter.noisy = true,
            Rejection::Score => filter.score = 1000,
            Rejection::Ply => filter.min_ply = 8,
            Rejection::Pieces => filter.min_pieces = 10,
            Rejection::Mismatch => filter.mismatch = Some(500),
        }
        assert!(count(filter, reason) > 50, "{reason:?}");
    }
}

#[test]
fn no_game_is_on_both_sides_wherever_it_stands() {
    let mut workshop = Workshop::new();
    let games = random_games(13, 300);
    let a = workshop.games("a.vf", &games);
    let turned: Vec<_> = games.iter().rev().cloned().collect();
    let b = workshop.games("b.vf", &turned);
    let settings = Expansion { validation_share: 0.2, ..all() };
    let (out, apart) = (workshop.path("t.qrec"), workshop.path("v.qrec"));
    let mut sides = Vec::new();
    for input in [a.clone(), b] {
        let summary = workshop
            .run(|observer| expand(&[input], &out, Some(&apart), &settings, observer))
            .unwrap();
        assert!((30..=90).contains(&summary.games[1]), "{:?}", summary.games);
        assert_eq!(summary.games[0] + summary.games[1], 300);
        sides.push((sorted(&load(&out)), sorted(&load(&apart))));
    }
    assert!(sides[0] == sides[1]);
    // Splitting the games first comes to the same.
    let parts = Parts {
        unmarked: Unmarked::Unknown,
        training: &workshop.path("t.vf"),
        validation: &workshop.path("v.vf.zst"),
        share: 0.2,
    };
    workshop.run(|observer| split(&[a], parts, observer)).unwrap();
    for (path, side) in [(parts.training, &sides[0].0), (parts.validation, &sides[0].1)] {
        let input = data::Input::open(path).unwrap();
        let games: Vec<_> = GameReader::new(input).collect::<Result<_, _>>().unwrap();
        assert!(sorted(&records_of(&games)) == *side);
    }
}

#[test]
fn records_of_games_cannot_be_split_any_more() {
    let mut workshop = Workshop::new();
    let input = workshop.games("a.vf", &random_games(14, 5));
    let out = workshop.path("a.qrec");
    workshop.run(|observer| expand(&[input], &out, None, &all(), observer)).unwrap();
    let parts = Parts {
        unmarked: Unmarked::Unknown,
        training: &workshop.path("t.qrec"),
        validation: &workshop.path("v.qrec"),
        share: 0.5,
    };
    let error = workshop.run(|observer| split(&[out], parts, observer)).unwrap_err();
    assert!(error.to_string().contains("no longer know their games"), "{error}");
}

#[test]
fn duplicates_go_and_nothing_else_does() {
    let mut workshop = Workshop::new();
    let games = random_games(15, 100);
    // Every game twice, in two files, and their openings overlap as well.
    let inputs = [workshop.games("a.vf", &games), workshop.games("b.vf", &games)];
    let out = workshop.path("a.qrec");
    let settings = Expansion { duplicates: Duplicates::DropLater, ..all() };
    let summary =
        workshop.run(|observer| expand(&inputs, &out, None, &settings, observer)).unwrap();
    let mut seen = HashSet::new();
    let first: Vec<_> = records_of(&games)
        .into_iter()
        .filter(|record| {
            // Not by the identity that the code under test uses.
            let fen = record.board().unwrap().fen().to_string();
            seen.insert(fen.split_whitespace().take(4).collect::<Vec<_>>().join(" "))
        })
        .collect();
    assert!(first.len() < records_of(&games).len());
    assert_eq!(sorted(&load(&out)), sorted(&first));
    assert_eq!(summary.records[0], first.len() as u64);
}

#[test]
fn piles_in_files_come_back_as_they_went() {
    let workshop = Workshop::new();
    let records = records_of(&random_games(16, 300));
    let run = |memory: usize, duplicates: Duplicates| {
        let mut shuffler = Shuffler::new(&workshop.path("x"), 3, duplicates).with_memory(memory);
        for (mark, &record) in records.iter().enumerate() {
            shuffler.add(Marked { record, mark: mark as u64 }).unwrap();
        }
        assert_eq!(workshop.files().is_empty(), memory > 1 << 24);
        let mut marks = Vec::new();
        shuffler
            .finish(|pile| {
                marks.extend(pile.iter().map(|marked| marked.mark));
                Ok(())
            })
            .unwrap();
        assert!(workshop.files().is_empty());
        marks
    };
    for duplicates in [Duplicates::Keep, Duplicates::DropLater] {
        let in_memory = run(1 << 30, duplicates);
        assert!(in_memory == run(1 << 14, duplicates));
        let mut sorted = in_memory;
        sorted.sort_unstable();
        sorted.dedup();
        let all = duplicates == Duplicates::Keep;
        assert_eq!(sorted.len() == records.len(), all);
    }
}
