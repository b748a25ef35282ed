// SPDX-License-Identifier: GPL-3.0-or-later
//! Positions in 32 bytes and back.

use crate::common::random_games;
use chess::{Board, Outcome, Piece, Square, White};
use data::{Label, LabelScore, PackError, Record};
use tools::Rng;

#[test]
fn random_positions_come_back_as_they_were() {
    let (mut chess960, mut en_passant, mut positions) = (0, 0, 0);
    for game in random_games(1, 400) {
        for position in game.positions() {
            let record = position.record().unwrap();
            let board = record.board().unwrap();
            assert!(board.is_same_position(&position.board), "{:?}", position.board);
            assert_eq!(board.halfmove_clock(), position.board.halfmove_clock());
            assert_eq!(record.label(), position.label());
            assert_eq!(record.side_to_move(), position.board.turn());
            assert_eq!(record.piece_count(), position.board.occupied().len());
            assert_eq!(record.check(), Ok(()));
            chess960 += usize::from(board.is_chess960());
            en_passant += usize::from(board.en_passant().is_some());
            positions += 1;
        }
    }
    assert!(chess960 > 500 && en_passant > 20 && positions > 10_000);
}

#[test]
fn the_pieces_are_those_of_the_board() {
    for game in random_games(2, 50) {
        for position in game.positions() {
            let pieces: Vec<_> = position.record().unwrap().pieces().collect();
            let board = &position.board;
            let expected: Vec<_> = Square::all()
                .filter_map(|square| Some((board.piece_on(square)?, square)))
                .map(|(piece, square)| (piece.color(), piece.role(), square))
                .collect();
            assert_eq!(pieces, expected);
        }
    }
}

#[test]
fn what_is_not_known_is_not_invented() {
    let board = Board::default();
    let record = Record::new(&board, Label::default()).unwrap();
    assert_eq!(record.label(), Label::default());
    assert!(!record.has_score() && !record.has_outcome() && record.best_move().is_none());
    assert!((record.white_points() - 0.5).abs() < f32::EPSILON);
    let scored = record.with_score(LabelScore::clamped(White::new(-7)));
    assert_eq!(scored.label().score, Some(LabelScore::clamped(White::new(-7))));
    let quiet = scored.with_quiet(true);
    assert!(quiet.is_quiet() && !quiet.with_quiet(false).is_quiet());
    assert_eq!(quiet.label(), scored.label());
}

#[test]
fn equal_positions_have_equal_identities_whatever_their_labels() {
    let games = random_games(3, 20);
    let positions: Vec<_> = games.iter().flat_map(data::ScoredGame::positions).collect();
    for pair in positions.windows(2) {
        let [a, b] = pair else { unreachable!() };
        let relabelled = Label { outcome: Some(Outcome::Draw), ..Label::default() };
        let (record, other) = (a.record().unwrap(), Record::new(&a.board, relabelled).unwrap());
        assert_eq!(record.identity(), other.identity());
        assert_eq!(
            record.identity() == b.record().unwrap().identity(),
            a.board.is_same_position(&b.board)
        );
    }
}

#[test]
fn any_bytes_are_a_record_that_says_what_is_wrong_with_it() {
    let mut rng = Rng::new(4);
    let good: [u8; 32] = bytemuck::cast(Record::new(&Board::default(), Label::default()).unwrap());
    let mut refused = 0;
    for round in 0..50_000 {
        let mut bytes = good;
        if round % 2 == 0 {
            bytes.fill_with(|| rng.next_u64() as u8);
        }
        for _ in 0..=rng.below(3) {
            bytes[rng.below(32)] ^= 1 << rng.below(8);
        }
        let record: Record = bytemuck::cast(bytes);
        assert_eq!(record.pieces().count(), record.piece_count());
        let _ = (record.label(), record.white_points(), record.halfmove_clock());
        match record.check() {
            Ok(()) => assert!(record.board().is_ok()),
            Err(error) => {
                refused += 1;
                assert!(error.to_string().len() > 20, "{error}");
            }
        }
    }
    assert!(refused > 25_000, "{refused}");
}

#[test]
fn too_many_pieces_are_refused() {
    let fen = "rnbqkbnr/pppppppp/p7/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let board: Board = fen.parse().unwrap();
    let error = Record::new(&board, Label::default()).unwrap_err();
    assert_eq!(error, PackError::TooManyPieces(33));
    assert_eq!(error.to_string(), "expected at most 32 pieces, found 33");
}

#[test]
fn a_castling_rook_in_the_wrong_place_is_refused() {
    let board: Board = "4k3/8/8/8/8/8/8/RR2K3 w Q - 0 1".parse().unwrap();
    assert_eq!(board.piece_on(Square::B1), Some(Piece::WhiteRook));
    let mut bytes: [u8; 32] = bytemuck::cast(Record::new(&board, Label::default()).unwrap());
    // Both rooks on one wing, then none with a king on its rank.
    bytes[8] = 0x66;
    let record: Record = bytemuck::cast(bytes);
    assert!(matches!(record.board(), Err(PackError::Castling(_))), "{:?}", record.board());
}

#[test]
fn the_layout_is_the_documented_one() {
    let board: Board = "4k2r/8/8/8/3pP3/8/8/4K3 b k e3 7 20".parse().unwrap();
    let label = Label {
        best_move: Some(board.parse_uci("d4e3").unwrap()),
        score: Some(LabelScore::clamped(White::new(-258))),
        outcome: Some(Outcome::Draw),
    };
    let bytes: [u8; 32] = bytemuck::cast(Record::new(&board, label).unwrap().with_quiet(true));
    let occupied: u64 = (1 << 4) | (1 << 27) | (1 << 28) | (1 << 60) | (1 << 63);
    assert_eq!(bytes[..8], occupied.to_le_bytes());
    assert_eq!(bytes[8..11], [0x85, 0xd0, 0x0e]);
    assert_eq!(bytes[24..26], [128 + 20, 7]);
    let best_move = u16::from_le_bytes([bytes[26], bytes[27]]);
    assert_eq!(best_move, label.best_move.unwrap().bits().get());
    assert_eq!(bytes[28..], [0xfe, 0xfe, 1, 1]);
}
