// SPDX-License-Identifier: GPL-3.0-or-later
//! Our reader and writer of viriformat against the crate of its authors.

use std::fs;

use crate::common::{SMALL, Workshop, random_games};
use bytemuck::bytes_of;
use chess::CastlingMode;
use data::viri::{GameReader, write_game};
use data::{Input, ScoredGame};
use viriformat::dataformat::Game;

/// Compares a game with what the crate reads from the same bytes, position by position.
fn compare(ours: &ScoredGame, theirs: &Game) {
    assert_eq!(ours.moves.len(), theirs.len());
    let mut board = theirs.initial_position();
    for (position, (mv, score)) in ours.positions().zip(&theirs.moves) {
        let (their_bytes, our_record) =
            (board.to_marlinformat(score.get(), 0, 0).as_bytes(), position.record().unwrap());
        let our_bytes = bytes_of(&our_record);
        assert_eq!(our_bytes[..24], their_bytes[..24], "{:?}", position.board);
        // They also keep an en passant square on which no capture is legal.
        let (our_turn, their_turn) = (our_bytes[24], their_bytes[24]);
        assert!(our_turn == their_turn || our_turn == their_turn & 0x80 | 64);
        assert_eq!(our_bytes[25], their_bytes[25]);
        assert_eq!(position.played.score.get(), score.get());
        let uci = position.played.mv.uci(CastlingMode::Chess960).to_string();
        assert_eq!(uci, mv.display(true).to_string());
        assert!(board.make_move_simple(*mv));
    }
}

#[test]
fn real_games_are_read_as_the_crate_reads_them() {
    let bytes = fs::read(SMALL).unwrap();
    let ours: Vec<_> = GameReader::new(&bytes[..]).collect::<Result<_, _>>().unwrap();
    let mut stream = &bytes[..];
    let mut written = Vec::new();
    for game in &ours {
        let theirs = Game::deserialise_from(&mut stream, Vec::new()).unwrap();
        compare(game, &theirs);
        write_game(&mut written, game).unwrap();
    }
    assert!(stream.is_empty() && ours.len() == 36);
    assert!(ours.iter().filter(|game| game.start.is_chess960()).count() >= 8);
    // The generator left the number of the first move at zero, which is no number of a move.
    assert_eq!(written.len(), bytes.len());
    let reread: Vec<_> = GameReader::new(&written[..]).collect::<Result<_, _>>().unwrap();
    assert_eq!(reread, ours);
}

#[test]
fn our_games_are_read_by_the_crate() {
    for game in random_games(5, 200) {
        let mut bytes = Vec::new();
        write_game(&mut bytes, &game).unwrap();
        let theirs = Game::deserialise_from(&mut &bytes[..], Vec::new()).unwrap();
        compare(&game, &theirs);
        let mut again = Vec::new();
        theirs.serialise_into(&mut again).unwrap();
        assert_eq!(again, bytes);
        assert_eq!(GameReader::new(&again[..]).next(), Some(Ok(game)));
    }
}

#[test]
fn compressed_games_read_like_plain_ones() {
    let workshop = Workshop::new();
    let bytes = fs::read(SMALL).unwrap();
    let files = [
        workshop.write("a.vf", &bytes),
        workshop.write("a.vf.zst", zstd::encode_all(&bytes[..], 1).unwrap()),
        workshop.write("a.vf.xz", fs::read(format!("{SMALL}.xz")).unwrap()),
    ];
    let read = |path: &std::path::Path| -> Vec<_> {
        GameReader::new(Input::open(path).unwrap()).collect::<Result<_, _>>().unwrap()
    };
    let plain = read(&files[0]);
    assert_eq!(plain.len(), 36);
    assert!(read(&files[1]) == plain && read(&files[2]) == plain);
}

#[test]
fn a_bad_game_does_not_spoil_its_neighbours() {
    let games = random_games(6, 3);
    let mut parts: Vec<Vec<u8>> = Vec::new();
    for game in &games {
        let mut bytes = Vec::new();
        write_game(&mut bytes, game).unwrap();
        parts.push(bytes);
    }
    let offset = parts[0].len();
    // The first move of the second game leaves an empty square.
    parts[1][32..34].copy_from_slice(&[0xe4, 0x08]);
    let bytes = parts.concat();
    let read: Vec<_> = GameReader::new(&bytes[..]).collect();
    assert_eq!(read[0].as_ref(), Ok(&games[0]));
    assert_eq!(read[2].as_ref(), Ok(&games[2]));
    let problem = read[1].as_ref().unwrap_err();
    assert_eq!(problem.place.to_string(), format!("game 2 at byte {offset}"));
    let expected = "ply 1: expected a legal move, found 0x08e4 in ";
    assert!(problem.reason.starts_with(expected), "{}", problem.reason);
    // Cut in the middle of the last game.
    let cut: Vec<_> = GameReader::new(&bytes[..bytes.len() - 5]).collect();
    assert_eq!(cut.len(), 3);
    let problem = cut[2].as_ref().unwrap_err();
    assert!(problem.reason.contains("ends in the middle of a game"), "{}", problem.reason);
}
