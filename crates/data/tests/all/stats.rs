// SPDX-License-Identifier: GPL-3.0-or-later
//! Counting what is in the data.

use std::fs;
use std::path::PathBuf;

use crate::common::{SMALL, Workshop};
use chess::Outcome;
use data::Unmarked;
use data::check::{Sound, check};
use data::expand::{Expansion, expand};
use data::stats::{page, stats};
use data::viri::GameReader;

#[test]
fn the_numbers_add_up() {
    let mut workshop = Workshop::new();
    let inputs = [PathBuf::from(SMALL)];
    let stats = workshop.run(|observer| stats(&inputs, Unmarked::Unknown, observer)).unwrap();
    let games: Vec<_> =
        GameReader::new(&fs::read(SMALL).unwrap()[..]).collect::<Result<_, _>>().unwrap();
    let positions: usize = games.iter().map(|game| game.moves.len()).sum();
    assert_eq!((stats.games, stats.positions), (36, positions as u64));
    let results = stats.results;
    assert_eq!(results.white + results.draw + results.black, 36);
    let white = games.iter().filter(|game| {
        game.origin.outcome().and_then(Outcome::winner) == Some(chess::Color::White)
    });
    assert_eq!(results.white, white.count() as u64);
    assert!(stats.chess960_games >= 8);
    assert_eq!(stats.quiet + stats.rejected.values().sum::<u64>(), stats.positions);
    for sum in [
        stats.scores.values().sum::<u64>(),
        stats.pieces.values().sum(),
        stats.plies.values().sum(),
        stats.scored,
    ] {
        assert_eq!(sum, stats.positions);
    }
    assert_eq!(stats.lengths.values().sum::<u64>(), 36);
    assert!(stats.calibration.scale.is_some_and(|scale| (20.0..5000.0).contains(&scale)));
    let json = serde_json::to_value(&stats).unwrap();
    assert_eq!(json["games"], 36);
    assert_eq!(json["results"]["white"], results.white);
}

#[test]
fn records_have_the_same_positions_as_their_games() {
    let mut workshop = Workshop::new();
    let out = workshop.path("a.qrec");
    let inputs = [PathBuf::from(SMALL)];
    let all = Expansion { keep_all: true, ..Expansion::default() };
    workshop.run(|observer| expand(&inputs, &out, None, &all, observer)).unwrap();
    let games = workshop.run(|observer| stats(&inputs, Unmarked::Unknown, observer)).unwrap();
    let records = workshop.run(|observer| stats(&[out], Unmarked::Unknown, observer)).unwrap();
    assert_eq!(records.games, 0);
    assert_eq!(records.positions, games.positions);
    assert_eq!(records.quiet, games.quiet);
    assert_eq!(records.scores, games.scores);
    assert_eq!(records.pieces, games.pieces);
    assert_eq!(records.calibration, games.calibration);
}

#[test]
fn the_page_is_whole_also_for_nothing() {
    let mut workshop = Workshop::new();
    let stats =
        workshop.run(|observer| stats(&[SMALL.into()], Unmarked::Unknown, observer)).unwrap();
    let html = page(&stats, "games <of> mine");
    assert!(html.contains("<title>games &lt;of&gt; mine</title>"));
    assert_eq!(html.matches("<svg").count(), 5);
    assert_eq!(html.matches("<svg").count(), html.matches("</svg>").count());
    assert!(!html.contains("no chart"), "{html}");
    let empty = page(&data::stats::Stats::default(), "nothing");
    assert!(empty.contains("</svg>") && !empty.contains("no chart"));
}

#[test]
fn checking_counts_what_is_sound() {
    let mut workshop = Workshop::new();
    let mut bytes = fs::read(SMALL).unwrap();
    let sound = workshop.run(|observer| check(&[SMALL.into()], observer)).unwrap();
    assert_eq!((sound.games, sound.records, workshop.problems.count()), (36, 0, 0));
    // The result of the first game.
    bytes[30] = 7;
    let path = workshop.write("a.vf", &bytes);
    let less = workshop.run(|observer| check(&[path], observer)).unwrap();
    assert_eq!(less, Sound { games: 35, positions: less.positions, ..sound });
    assert_eq!(workshop.problems.count(), 1);
    let sentence = &workshop.problems.first()[0];
    let expected = "a.vf:game 1 at byte 0: start position: expected a result of 0, 1 or 2, found 7";
    assert!(sentence.ends_with(expected), "{sentence}");
}
