// SPDX-License-Identifier: GPL-3.0-or-later
//! Files for other trainers, read by their own crates.

use std::fs;
use std::path::PathBuf;

use crate::common::{SMALL, Workshop, random_games};
use bulletformat::{BulletFormat, ChessBoard};
use chess::Role;
use data::Unmarked;
use data::export::{Format, export};
use data::import::{self, Reading, import};
use data::viri::GameReader;
use viriformat::dataformat::Game;

#[test]
fn bulletformat_is_as_its_crate_writes_it() {
    let mut workshop = Workshop::new();
    let games = random_games(30, 40);
    let (input, out) = (workshop.games("a.vf", &games), workshop.path("a.data"));
    let written = workshop
        .run(|observer| export(&[input], &out, Format::Bullet, Unmarked::Unknown, observer))
        .unwrap();
    let bytes = fs::read(&out).unwrap();
    let mut boards = bytes.chunks_exact(32);
    for position in games.iter().flat_map(data::ScoredGame::positions) {
        let board = &position.board;
        let mut bitboards = [0; 8];
        for (i, color) in chess::Color::ALL.into_iter().enumerate() {
            bitboards[i] = board.by_color(color).0;
        }
        for role in Role::ALL {
            bitboards[2 + role.index()] = board.by_role(role).0;
        }
        let points = position.record().unwrap().white_points();
        let turn = board.turn().index();
        let theirs =
            ChessBoard::from_raw(bitboards, turn, position.played.score.get(), points).unwrap();
        let expected = [theirs];
        let expected = ChessBoard::as_bytes_slice(&expected);
        assert_eq!(boards.next().unwrap(), expected, "{board:?}");
    }
    assert_eq!(written, bytes.len() as u64 / 32);
    assert!(boards.next().is_none());
}

#[test]
fn exported_games_are_the_good_ones() {
    let mut workshop = Workshop::new();
    let mut bytes = fs::read(SMALL).unwrap();
    let good = bytes.clone();
    bytes.extend(&good[..100]);
    let (input, out) = (workshop.write("a.vf", bytes), workshop.path("b.vf"));
    let written = workshop
        .run(|observer| export(&[input], &out, Format::Viri, Unmarked::Unknown, observer))
        .unwrap();
    assert_eq!((written, workshop.problems.count()), (36, 1));
    assert!(fs::read(&out).unwrap() == good);
    let mut stream = &good[..];
    while !stream.is_empty() {
        Game::deserialise_from(&mut stream, Vec::new()).unwrap();
    }
}

#[test]
fn fens_are_those_of_the_positions() {
    let mut workshop = Workshop::new();
    let out = workshop.path("a.fen");
    let inputs = [PathBuf::from(SMALL)];
    workshop
        .run(|observer| export(&inputs, &out, Format::Fen, Unmarked::Unknown, observer))
        .unwrap();
    let text = fs::read_to_string(&out).unwrap();
    let games: Vec<_> =
        GameReader::new(&fs::read(SMALL).unwrap()[..]).collect::<Result<_, _>>().unwrap();
    let fens = games
        .iter()
        .flat_map(data::ScoredGame::positions)
        .map(|position| position.board.fen().to_string());
    assert!(text.lines().map(str::to_owned).eq(fens));
}

#[test]
fn a_format_that_needs_a_label_says_so_and_goes_on() {
    let mut workshop = Workshop::new();
    let start = chess::STARTING;
    let text = workshop.write("a.txt", format!("{start} | 10 | 0.5\n{start} | 0.5\n{start} | 7\n"));
    let (records, out) = (workshop.path("a.qrec"), workshop.path("a.out"));
    let reading = Reading::new(import::Format::Text);
    workshop.run(|observer| import(&[text], &records, reading, observer)).unwrap();
    let inputs = [records];
    for (format, expected, problem) in [
        (Format::Text, 3, None),
        (Format::Csv, 2, Some("record 2: expected a score, which this format needs")),
        (Format::Bullet, 1, Some("record 3: expected a result, which this format needs")),
    ] {
        let before = workshop.problems.count();
        let written = workshop
            .run(|observer| export(&inputs, &out, format, Unmarked::Unknown, observer))
            .unwrap();
        assert_eq!(written, expected, "{format:?}");
        assert_eq!(workshop.problems.count() - before, 3 - expected);
        let found = workshop.problems.first().last();
        assert!(problem.is_none_or(|problem| found.unwrap().ends_with(problem)), "{found:?}");
    }
}
