// SPDX-License-Identifier: GPL-3.0-or-later
//! The policy: its laws, its kernels, a slow reference, its rows, and files that it refuses.

use std::collections::HashSet;
use std::sync::Arc;

use crate::common::{mirrored, positions};
use chess::{Board, Castling, Color, Move, MoveList, Piece, Role, Setup, Square};
use net::features::threats;
use net::policy::{FROM_TO, MoveRows, PIECE_TO, Policy, PolicyEvaluator};
use net::policy::{SEE_THRESHOLD, SEE_VALUES};
use net::{Header, Kernels, random};

const POSITIONS: usize = 2000;

fn evaluator(seed: u64) -> PolicyEvaluator {
    PolicyEvaluator::new(Arc::new(random::policy(seed)), Kernels::detect())
}

/// The same board with the colors swapped, and all rights with them.
fn swapped(board: &Board) -> Board {
    let mut setup = Setup { turn: !board.turn(), castling: Castling::NONE, ..Setup::EMPTY };
    for square in board.occupied() {
        let piece = board.piece_on(square).unwrap();
        let other = Piece::new(!piece.color(), piece.role());
        setup.pieces[square.flip_rank().index()] = Some(other);
    }
    for (color, wing, rook) in board.castling().iter() {
        setup.castling.grant(!color, wing, rook.file());
    }
    setup.en_passant = board.en_passant().map(Square::flip_rank);
    setup.board().unwrap()
}

fn moved(moves: &[Move], place: impl Fn(Square) -> Square) -> Vec<Move> {
    moves.iter().map(|mv| Move::new(place(mv.from()), place(mv.to()), mv.kind())).collect()
}

fn bits(values: &[f32]) -> Vec<u32> {
    values.iter().map(|value| value.to_bits()).collect()
}

/// The priors of the moves in this order, though the evaluator got them in the board's order.
fn priors_in_order(policy: &mut PolicyEvaluator, board: &Board, order: &[Move]) -> Vec<u32> {
    let moves = board.legal_moves();
    assert_eq!(moves.len(), order.len());
    let priors = policy.priors(board, &moves, 1.3).to_vec();
    let place = |mv: &Move| moves.iter().position(|other| other == mv).unwrap();
    order.iter().map(|mv| priors[place(mv)].to_bits()).collect()
}

#[test]
fn swapping_colors_changes_no_bit() {
    let mut policy = evaluator(1);
    let (mut castling, mut en_passant, mut promotions, mut values) = (0, 0, 0, HashSet::new());
    for board in positions(POSITIONS, 31) {
        let moves = board.legal_moves();
        let other = swapped(&board);
        let priors = bits(policy.priors(&board, &moves, 1.3));
        let order = moved(&moves, Square::flip_rank);
        assert_eq!(priors_in_order(&mut policy, &other, &order), priors, "{board:?}");
        castling += moves.iter().filter(|mv| mv.is_castle()).count();
        en_passant += moves.iter().filter(|mv| mv.is_en_passant()).count();
        promotions += moves.iter().filter(|mv| mv.is_promotion()).count();
        values.extend(priors);
    }
    let special = [castling, en_passant, promotions];
    assert!(special.iter().all(|&count| count > 10), "the sample has them all: {special:?}");
    assert!(values.len() > 10 * POSITIONS, "the network is alive: {} values", values.len());
}

/// A choice among equal takers in an exchange could break this law, but does not in this sample.
#[test]
fn mirroring_files_changes_no_bit_without_castling() {
    let mut policy = evaluator(2);
    let mut count = 0;
    for board in positions(3 * POSITIONS, 32) {
        let en_passant = board.en_passant().is_some();
        if count == POSITIONS || !board.castling().is_none() || en_passant {
            continue;
        }
        let moves = board.legal_moves();
        let priors = bits(policy.priors(&board, &moves, 1.3));
        let order = moved(&moves, Square::flip_file);
        assert_eq!(priors_in_order(&mut policy, &mirrored(&board), &order), priors, "{board:?}");
        count += 1;
    }
    assert_eq!(count, POSITIONS);
}

#[test]
fn every_path_gives_the_same_bits() {
    for (width, seed) in [(128, 3), (256, 4), (640, 5)] {
        let net = Arc::new(random::policy_of_width(width, seed));
        let mut plain = PolicyEvaluator::new(net.clone(), Kernels::portable());
        for kernels in Kernels::available() {
            let mut other = PolicyEvaluator::new(net.clone(), kernels);
            for board in positions(200, 33) {
                let moves = board.legal_moves();
                let expected = bits(plain.logits(&board, &moves));
                assert_eq!(bits(other.logits(&board, &moves)), expected, "{kernels:?}");
                let expected = bits(plain.priors(&board, &moves, 0.9));
                assert_eq!(bits(other.priors(&board, &moves, 0.9)), expected, "{kernels:?}");
            }
        }
    }
}

#[test]
fn priors_are_shares() {
    let mut policy = evaluator(6);
    for board in positions(300, 34) {
        let moves = board.legal_moves();
        let logits: Vec<f64> = policy.logits(&board, &moves).iter().map(|&l| l.into()).collect();
        for temperature in [0.5, 1.0, 3.0] {
            let weights: Vec<f64> =
                logits.iter().map(|l| (l / f64::from(temperature)).exp()).collect();
            let total: f64 = weights.iter().sum();
            let priors = policy.priors(&board, &moves, temperature);
            for (prior, weight) in priors.iter().zip(weights) {
                assert!((f64::from(*prior) - weight / total).abs() < 1e-5);
            }
            assert!(moves.is_empty() || (priors.iter().sum::<f32>() - 1.0).abs() < 1e-5);
        }
    }
}

/// The tensors of a file, in order.
struct Weights {
    bytes: Vec<u8>,
    at: usize,
}

impl Weights {
    fn take<const N: usize>(&mut self, count: usize, read: impl Fn([u8; N]) -> f64) -> Vec<f64> {
        let bytes = &self.bytes[self.at..][..N * count];
        self.at += N * count;
        bytes.as_chunks().0.iter().map(|&chunk| read(chunk)).collect()
    }
}

/// The network in doubles, without the rounding of its products: logits, and the largest difference
/// that this rounding can make.
fn reference(net: &Policy, board: &Board, moves: &[Move]) -> Vec<(f64, f64)> {
    let (header, width) = (net.header(), net.header().width(0));
    let at = 64 + header.name.len() + header.provenance.len();
    let mut file = Weights { bytes: net.to_bytes(), at };
    let byte = |b: [u8; 1]| f64::from(b[0].cast_signed());
    let first = file.take(threats::LEN * width, byte);
    let mut sums = file.take(width, |b| i16::from_le_bytes(b).into());
    let piece_to = file.take(PIECE_TO * width / 2, byte);
    let piece_to_bias = file.take(PIECE_TO, |b| i32::from_le_bytes(b).into());
    let from_to = file.take(FROM_TO * width / 2, byte);
    let from_to_bias = file.take(FROM_TO, |b| i32::from_le_bytes(b).into());
    assert_eq!(file.at, file.bytes.len(), "the reference reads the whole file");
    threats::for_each(board, |feature| {
        sums.iter_mut().enumerate().for_each(|(i, sum)| *sum += first[feature * width + i]);
    });
    let lane = |i: usize| (sums[i] / 127.0).clamp(0.0, 1.0);
    let hidden: Vec<f64> = (0..width / 2).map(|i| lane(i) * lane(i + width / 2)).collect();
    let rows = MoveRows::new(board);
    let logit = |mv: &Move| {
        let (p, f) = rows.of(*mv);
        let (p, f) = (usize::from(p), usize::from(f));
        let weight = |i: usize| (piece_to[p * width / 2 + i] + from_to[f * width / 2 + i]) / 64.0;
        let unit = 128.0 / (127.0 * 127.0);
        let bias = (piece_to_bias[p] + from_to_bias[f]) * unit / 64.0;
        let dot: f64 = (0..width / 2).map(|i| hidden[i] * weight(i)).sum();
        (bias + dot, unit * (0..width / 2).map(|i| weight(i).abs()).sum::<f64>())
    };
    moves.iter().map(logit).collect()
}

#[test]
fn a_slow_reference_agrees() {
    let net = Arc::new(random::policy(7));
    let mut policy = PolicyEvaluator::new(net.clone(), Kernels::detect());
    for board in positions(30, 35) {
        let moves = board.legal_moves();
        let exact = reference(&net, &board, &moves);
        for (logit, (exact, bound)) in policy.logits(&board, &moves).iter().zip(exact) {
            assert!((f64::from(*logit) - exact).abs() <= bound + 1e-5, "{logit} is not {exact}");
            assert!(bound < 1.0, "the bound says something: {bound}");
        }
    }
}

#[test]
fn every_move_has_rows_of_its_own() {
    let (mut good, mut bad) = (0, 0);
    for board in positions(POSITIONS, 36) {
        let rows = MoveRows::new(&board);
        let moves: MoveList = board.legal_moves();
        let is_white = board.turn() == Color::White;
        let as_white = if is_white { board } else { swapped(&board) };
        let flip = |mv: Move| if is_white { mv } else { moved(&[mv], Square::flip_rank)[0] };
        let pairs: HashSet<_> = moves.iter().map(|&mv| rows.of(mv)).collect();
        assert_eq!(pairs.len(), moves.len(), "{board:?}");
        for &mv in &moves {
            let (piece_to, from_to) = rows.of(mv);
            assert!(usize::from(piece_to) < PIECE_TO && usize::from(from_to) < FROM_TO);
            let is_good = as_white.see(flip(mv), SEE_THRESHOLD, &SEE_VALUES);
            assert_eq!(rows.is_good(mv), is_good, "{mv:?} in {board:?}");
            assert_eq!(piece_to % 2 == 1, is_good);
            *if is_good { &mut good } else { &mut bad } += 1;
        }
    }
    assert!(good > 1000 && bad > 1000, "{good} good and {bad} bad moves");
}

#[test]
fn promotions_and_castling_have_rows_of_their_own() {
    let board: Board = "4k3/P7/8/8/8/8/8/R3K3 w Q - 0 1".parse().unwrap();
    let rows = MoveRows::new(&board);
    let piece_to = |mv: &str| usize::from(rows.of(board.parse_uci(mv).unwrap()).0 / 2);
    // The king stands on e1, so that a8 is h8.
    assert_eq!(piece_to("a7a8q"), 63);
    assert_eq!([piece_to("a7a8n"), piece_to("a7a8b"), piece_to("a7a8r")], [391, 399, 407]);
    let castling = board.legal_moves().into_iter().find(|mv| mv.is_castle()).unwrap();
    let (castles, from_to) = rows.of(castling);
    assert_eq!(usize::from(castles / 2), 64 * Role::King.index() + (Square::C1.index() ^ 7));
    assert_eq!(usize::from(from_to), 64 * (Square::E1.index() ^ 7) + (Square::A1.index() ^ 7));
    assert_eq!(board.turn(), Color::White);
}

#[test]
fn files_are_read_as_they_were_written() {
    let net = random::policy(8);
    let bytes = net.to_bytes();
    let again = Policy::from_bytes(&bytes).unwrap();
    assert_eq!((again.header(), again.to_bytes()), (net.header(), bytes.clone()));
    for at in (0..bytes.len()).step_by(997).chain(0..64) {
        let mut broken = bytes.clone();
        broken[at] ^= 4;
        let error = Policy::from_bytes(&broken).unwrap_err().to_string();
        assert!(error.contains("expected"), "{error}");
        assert!(Policy::from_bytes(&bytes[..at]).is_err());
    }
    let error = net::Net::from_bytes(&bytes).unwrap_err().to_string();
    assert_eq!(error, "architecture is policy, expected a value network");
}

#[test]
fn headers_and_biases_out_of_range_are_refused() {
    let refused = |change: fn(&mut Header)| {
        let mut header = Policy::header_of(128);
        change(&mut header);
        Policy::SPEC.checked_tensors(&header).unwrap_err().to_string()
    };
    assert_eq!(
        refused(|h| h.widths[0] = 64),
        "first width is 64, expected a multiple of 128 up to 2048"
    );
    assert_eq!(refused(|h| h.inputs = 768), "inputs is 768, expected 3072");
    assert_eq!(refused(|h| h.flags = 0), "flags is 0, expected 1");
    assert_eq!(refused(|h| h.scale = 400), "scale is 400, expected 1");
    assert_eq!(
        refused(|h| h.quantization[0] = 255),
        "first quantization factor is 255, expected 127"
    );
    assert!(refused(|h| h.activation = net::Activation::Screlu).contains("expected pairwise"));
    let header = Policy::header_of(128);
    for (victim, broken) in [(1, 16_385), (3, -(1 << 24) - 1), (5, (1 << 24) + 1)] {
        let error = Policy::from_tensors(&header, |writer| {
            for (i, tensor) in Policy::SPEC.checked_tensors(&header).unwrap().iter().enumerate() {
                let value = if i == victim { broken } else { 1 };
                match i {
                    1 => writer.i16(&vec![value as i16; tensor.len]),
                    3 | 5 => writer.i32(&vec![value; tensor.len]),
                    _ => writer.i8(&vec![1; tensor.len]),
                }
            }
        });
        assert!(error.unwrap_err().to_string().contains(&format!("element 0 is {broken}")));
    }
}
