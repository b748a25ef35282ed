// SPDX-License-Identifier: GPL-3.0-or-later
//! Following a game move by move gives what a fresh look at the board gives.

use crate::common::{Step, evaluator, follow, fresh, incremental_networks, start, step};
use chess::{Board, Color, Role};
use net::random::{self, Random};
use net::{Architecture, NetEvaluator};

/// What the games of a test had in them, to be sure that they test what they are meant to.
#[derive(Debug, Default)]
struct Seen {
    castles: usize,
    en_passant: usize,
    promotions: usize,
    nulls: usize,
    crossings: usize,
}

impl Seen {
    fn count(&mut self, step: &Step) {
        match step {
            Step::Null => self.nulls += 1,
            Step::Move(mv, delta) => {
                self.castles += usize::from(mv.is_castle());
                self.en_passant += usize::from(mv.is_en_passant());
                self.promotions += usize::from(mv.is_promotion());
                let is_king = delta.off[0].piece.role() == Role::King;
                let half = |square: chess::Square| square.file().index() < 4;
                let crosses = half(delta.off[0].square) != half(delta.on[0].square);
                self.crossings += usize::from(is_king && crosses);
            }
        }
    }
}

#[test]
fn incremental_equals_refresh_after_every_move_of_500_games() {
    let nets = incremental_networks();
    let mut seen = Seen::default();
    for game in 0..500 {
        let mut random = Random::new(game as u64);
        let board = start(game, &mut random);
        for net in &nets {
            let mut following = evaluator(net.clone());
            following.reset(&board);
            let mut scratch = evaluator(net.clone());
            let mut random = Random::new(game as u64 ^ 0xABCD);
            play(board, &mut following, &mut scratch, &mut random, &mut seen);
        }
    }
    let Seen { castles, en_passant, promotions, nulls, crossings } = seen;
    assert!(
        [castles, en_passant, promotions, nulls, crossings].iter().all(|&n| n > 100),
        "{seen:?}"
    );
}

fn play(
    mut board: Board,
    following: &mut NetEvaluator,
    scratch: &mut NetEvaluator,
    random: &mut Random,
    seen: &mut Seen,
) {
    for _ in 0..60 {
        let Some(step) = step(&mut board, random) else { break };
        seen.count(&step);
        follow(following, &step);
        assert_eq!(following.evaluate(&board), fresh(scratch, &board), "{board:?}");
    }
}

/// As a search goes: down and up again, with evaluations at some nodes only.
#[test]
fn taking_back_and_skipping_evaluations_changes_nothing() {
    for net in incremental_networks() {
        let (mut following, mut scratch) = (evaluator(net.clone()), evaluator(net));
        let mut random = Random::new(99);
        for game in 0..40 {
            let mut line = vec![start(game, &mut random)];
            following.reset(&line[0]);
            for _ in 0..200 {
                let mut board = *line.last().unwrap();
                if random.below(3) == 0 && line.len() > 1 {
                    line.pop();
                    following.pop();
                } else if let Some(step) = step(&mut board, &mut random) {
                    follow(&mut following, &step);
                    line.push(board);
                }
                let board = line.last().unwrap();
                if random.below(3) == 0 {
                    assert_eq!(following.evaluate(board), fresh(&mut scratch, board), "{board:?}");
                }
            }
        }
    }
}

#[test]
fn an_evaluator_outlives_its_line() {
    // More plies than any search has.
    let mut following = evaluator(random::network(Architecture::House, 1));
    let board = Board::default();
    following.reset(&board);
    let expected = following.evaluate(&board);
    for _ in 0..1000 {
        following.push_null();
    }
    assert_eq!(following.evaluate(&board), expected);
    for _ in 0..1000 {
        following.pop();
    }
    assert_eq!(following.evaluate(&board), expected);
}

#[test]
fn contributions_are_differences() {
    for net in incremental_networks() {
        let mut evaluator = evaluator(net);
        let board: Board =
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1".parse().unwrap();
        let contributions = evaluator.contributions(&board);
        assert_eq!(contributions.len(), board.occupied().len() - 2);
        let mut setup = chess::Setup::EMPTY;
        for square in board.occupied() {
            setup.pieces[square.index()] = board.piece_on(square);
        }
        setup.turn = Color::Black;
        let whole = fresh(&mut evaluator, &board);
        for contribution in contributions {
            let mut without = setup.clone();
            without.pieces[contribution.square.index()] = None;
            if let Ok(without) = without.board() {
                // Black is to move, so White's points are the negative.
                let lost = fresh(&mut evaluator, &without) - whole;
                assert_eq!(contribution.white, lost, "{}", contribution.square);
            }
        }
    }
}
