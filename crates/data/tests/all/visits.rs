// SPDX-License-Identifier: GPL-3.0-or-later
//! Games with visits come back as they were, and what is broken is told.

use chess::{Board, Outcome, White};
use data::LabelScore;
use data::visits::{
    HEADER_BYTES, RawVisits, VisitedGame, VisitedMove, VisitsError, VisitsReader, sorted_moves,
    write_header, write_visits,
};

fn game(texts: &[&str]) -> VisitedGame {
    let start = Board::default();
    let mut board = start;
    let mut moves = vec![];
    for (ply, text) in texts.iter().enumerate() {
        let mv = board.parse_uci(text).unwrap();
        let count = |other: chess::Move| if other == mv { 800 } else { ply as u32 };
        moves.push(VisitedMove::new(
            &board,
            mv,
            LabelScore::clamped(White::new(ply as i64 - 3)),
            count,
        ));
        board.play(mv);
    }
    VisitedGame { start, outcome: Outcome::Draw, moves }
}

fn file(games: &[VisitedGame]) -> Vec<u8> {
    let mut bytes = vec![];
    write_header(&mut bytes).unwrap();
    for game in games {
        write_visits(&mut bytes, game).unwrap();
    }
    bytes
}

#[test]
fn games_come_back_as_they_were() {
    let games = [game(&["e2e4", "e7e5", "g1f3"]), game(&[]), game(&["d2d4"])];
    let bytes = file(&games);
    let raw: Vec<_> = VisitsReader::new(&bytes[..]).unwrap().map(Result::unwrap).collect();
    let length: u64 = raw.iter().map(RawVisits::length).sum();
    assert_eq!(length as usize + HEADER_BYTES, bytes.len());
    assert!(raw.iter().map(RawVisits::plies).eq([3, 0, 1]));
    for (raw, game) in raw.iter().zip(&games) {
        assert_eq!(&raw.decode().unwrap(), game);
    }
}

#[test]
fn visits_are_scaled_and_none_is_lost() {
    let board = Board::default();
    let moves = sorted_moves(&board);
    let count = |mv: chess::Move| match moves.iter().position(|&other| other == mv) {
        Some(0) => 1_000_000,
        Some(1) => 500_000,
        Some(2) => 1,
        _ => 0,
    };
    let visits = VisitedMove::new(&board, moves[0], LabelScore::default(), count).visits;
    assert_eq!((visits.len(), &visits[..4]), (20, &[255, 128, 1, 0][..]));
    assert_eq!(VisitedMove::new(&board, moves[0], LabelScore::default(), |_| 0).visits, [0; 20]);
}

#[test]
fn what_is_broken_is_told() {
    let mut bytes = file(&[game(&["e2e4", "e7e5"]), game(&["d2d4"])]);
    let last = |bytes: &[u8]| VisitsReader::new(bytes).unwrap().last().unwrap();
    for cut in [1, 7, 30] {
        let error = last(&bytes[..bytes.len() - cut]).unwrap_err();
        assert!(matches!(error, VisitsError::Cut(2)), "{error}");
    }
    // A move that is not legal, and a count that is wrong.
    let decode = |bytes: &[u8]| VisitsReader::new(bytes).unwrap().next().unwrap().unwrap().decode();
    let first_ply = HEADER_BYTES + 32;
    let good = bytes[first_ply];
    bytes[first_ply] ^= 1;
    assert!(matches!(decode(&bytes), Err(VisitsError::Move { ply: 1, .. })));
    bytes[first_ply] = good;
    bytes[8] = 9;
    assert!(matches!(VisitsReader::new(&bytes[..]), Err(VisitsError::Version(9))));
    bytes[0] = b'x';
    assert!(matches!(VisitsReader::new(&bytes[..]), Err(VisitsError::Magic(_))));
    assert!(matches!(VisitsReader::new(&bytes[..3]), Err(VisitsError::Cut(0))));
}
