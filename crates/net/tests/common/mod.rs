// SPDX-License-Identifier: GPL-3.0-or-later
//! What the tests share: random games, and boards seen in other ways.
#![allow(dead_code, reason = "each test uses a part of this module")]

pub(crate) mod checks;

use std::sync::Arc;

use chess::{Board, Castling, Color, Delta, File, Move, Piece, Role, Setup, Square, Wing};
use net::random::{self, Random};
use net::{Architecture, Header, Kernels, Net, NetEvaluator};

/// Positions from which random games soon promote, castle, and take en passant.
const STUDIES: [&str; 6] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r1b1k2r/1P4Pp/8/2q5/5Q2/8/pPp3p1/R2RK2R w KQkq - 0 1",
    "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1",
    "4k3/2p1p1p1/8/1P1P1P1P/p1p1p1p1/8/1P1P1P1P/4K3 w - - 0 1",
];

/// A step of a random game.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    Move(Move, Delta),
    Null,
}

/// The network of every architecture whose rows are updated move by move, in several shapes.
pub(crate) fn incremental_networks() -> Vec<Net> {
    headers().iter().zip(1..).map(|(header, seed)| random::with_header(header, seed)).collect()
}

/// Headers of many shapes.
pub(crate) fn headers() -> Vec<Header> {
    use Architecture::{Napoleon, Policy, Rengar, Tal};
    let is_followed = |architecture: &Architecture| !matches!(architecture, Napoleon | Policy);
    let followed = Architecture::ALL.into_iter().filter(is_followed);
    let mut headers: Vec<_> = followed.map(random::header).collect();
    let mut summed = random::header(Tal);
    (summed.flags, summed.widths) = (0, [32, 8, 12, 0]);
    let mut wide = random::header(Rengar);
    wide.widths = [64, 8, 0, 0];
    let mut plain = random::house_header(48, 1, 1);
    (plain.flags, plain.bucket_map) = (0, vec![0; 64]);
    headers.extend([summed, wide, plain, random::house_header(32, 16, 8)]);
    headers.extend([random::pairwise_header(64, 1, 8), random::pairwise_header(128, 4, 1)]);
    headers
}

/// An evaluator for one of these networks.
pub(crate) fn evaluator(net: Net) -> NetEvaluator {
    NetEvaluator::new(Arc::new(net), Kernels::detect())
}

/// Where the game with this number begins: an ordinary start, a study, or a Chess960 start.
pub(crate) fn start(game: usize, random: &mut Random) -> Board {
    match game % 4 {
        0 => Board::default(),
        1 => STUDIES[game / 4 % STUDIES.len()].parse().unwrap(),
        _ => chess960(random),
    }
}

/// A start with shuffled pieces, other ones for each side, the king between the rooks.
fn chess960(random: &mut Random) -> Board {
    let mut setup = Setup::EMPTY;
    setup.castling = Castling::NONE;
    for (color, back) in [(Color::White, 0), (Color::Black, 56)] {
        let mut roles = [
            Role::Rook,
            Role::Rook,
            Role::Rook,
            Role::Knight,
            Role::Knight,
            Role::Bishop,
            Role::Bishop,
            Role::Queen,
        ];
        for end in (1..8).rev() {
            roles.swap(end, random.below(end + 1));
        }
        let rooks: Vec<_> = (0..8).filter(|&i| roles[i] == Role::Rook).collect();
        roles[rooks[1]] = Role::King;
        for (file, role) in roles.into_iter().enumerate() {
            setup.pieces[back + file] = Some(Piece::new(color, role));
            let pawns = if color == Color::White { 8 } else { 48 };
            setup.pieces[pawns + file] = Some(Piece::new(color, Role::Pawn));
        }
        setup.castling.grant(color, Wing::Queen, File::ALL[rooks[0]]);
        setup.castling.grant(color, Wing::King, File::ALL[rooks[2]]);
    }
    setup.board().unwrap()
}

/// Plays a random step: a null move now and then, otherwise any move, more often one of those that
/// networks stumble over. `None` at the end of the game.
pub(crate) fn step(board: &mut Board, random: &mut Random) -> Option<Step> {
    let moves = board.legal_moves();
    if moves.is_empty() || board.is_insufficient_material() {
        return None;
    }
    if random.below(12) == 0 && !board.in_check() {
        board.play_null();
        return Some(Step::Null);
    }
    let special: Vec<_> = moves
        .iter()
        .filter(|mv| mv.is_castle() || mv.is_en_passant() || mv.is_promotion())
        .collect();
    let mv = match special.len() {
        n if n > 0 && random.below(2) == 0 => *special[random.below(n)],
        _ => moves[random.below(moves.len())],
    };
    Some(Step::Move(mv, board.play(mv)))
}

/// Follows a step.
pub(crate) fn follow(evaluator: &mut NetEvaluator, step: &Step) {
    match step {
        Step::Move(_, delta) => evaluator.push(delta),
        Step::Null => evaluator.push_null(),
    }
}

/// Positions of random games, sampled so that they have little in common.
pub(crate) fn positions(count: usize, seed: u64) -> Vec<Board> {
    let mut random = Random::new(seed);
    let mut positions = Vec::new();
    for game in 0.. {
        let mut board = start(game, &mut random);
        for _ in 0..100 {
            if positions.len() == count {
                return positions;
            }
            if random.below(4) == 0 {
                positions.push(board);
            }
            if step(&mut board, &mut random).is_none() {
                break;
            }
        }
    }
    unreachable!("there are games without end")
}

/// The board with every piece moved and repainted, and without rights.
fn transformed(board: &Board, swap: bool, place: impl Fn(Square) -> Square) -> Board {
    let mut setup = Setup::EMPTY;
    let color = |color: Color| if swap { !color } else { color };
    for square in board.occupied() {
        let piece = board.piece_on(square).unwrap();
        let piece = Piece::new(color(piece.color()), piece.role());
        setup.pieces[place(square).index()] = Some(piece);
    }
    setup.turn = color(board.turn());
    setup.board().unwrap()
}

/// The same board with the colors swapped.
pub(crate) fn swapped(board: &Board) -> Board {
    transformed(board, true, Square::flip_rank)
}

/// The same board with the files mirrored.
pub(crate) fn mirrored(board: &Board) -> Board {
    transformed(board, false, Square::flip_file)
}

/// What a new evaluator says.
pub(crate) fn fresh(evaluator: &mut NetEvaluator, board: &Board) -> i32 {
    evaluator.reset(board);
    evaluator.evaluate(board)
}
