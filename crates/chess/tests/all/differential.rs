// SPDX-License-Identifier: GPL-3.0-or-later
//! Our rules against those of `shakmaty`, over the positions of 20,000 random games.
//!
//! Moves, checks, outcomes and keys are compared in every position, notation in a sample.

use std::collections::HashMap;

use crate::common::{Random, chess960, choose};
use chess::{Board, CastlingStyle, Move, MoveKind, MoveList, Square};
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position};

const PLIES: usize = 200;
/// Keys are compared among the positions of this many games.
const BATCH: usize = 500;
const BATCHES: u64 = 20;

#[test]
fn standard_games_agree_with_shakmaty() {
    for batch in 0..BATCHES {
        play_batch(0x57A4_DA4D + batch, |_| Board::default());
    }
}

#[test]
fn chess960_games_agree_with_shakmaty() {
    for batch in 0..BATCHES {
        play_batch(0xC4E5_5960 + batch, chess960);
    }
}

fn play_batch(seed: u64, start: impl Fn(&mut Random) -> Board) {
    let mut random = Random::new(seed);
    let mut keys = KeyBook::default();
    for _ in 0..BATCH {
        let mut pair = Pair::new(start(&mut random));
        for _ in 0..PLIES {
            let moves = pair.check(&mut random);
            keys.add(&pair);
            let Some(mv) = choose(&moves, &mut random) else { break };
            pair.play(mv);
        }
    }
}

/// Where a move begins and ends and what it promotes to: the content of a move in UCI notation
/// with castling as in Chess960.
type Uci = (usize, usize, Option<char>);

fn our_uci(mv: Move) -> Uci {
    (mv.from().index(), mv.to().index(), mv.promotion().map(chess::Role::letter))
}

fn their_uci(mv: shakmaty::Move) -> Uci {
    let from = mv.from().expect("no move of chess drops a piece");
    (usize::from(from), usize::from(mv.to()), mv.promotion().map(shakmaty::Role::char))
}

/// The same position in both libraries.
struct Pair {
    ours: Board,
    theirs: Chess,
    /// Moves of the position before, which a transposition table might offer here by mistake.
    stale: MoveList,
}

impl Pair {
    fn new(ours: Board) -> Self {
        let fen: Fen = ours.fen().to_string().parse().expect("our FEN is one for shakmaty");
        let mode = if ours.is_chess960() { CastlingMode::Chess960 } else { CastlingMode::Standard };
        let theirs = fen.into_position(mode).expect("our position is one for shakmaty");
        Self { ours, theirs, stale: MoveList::new() }
    }

    fn play(&mut self, mv: Move) {
        let theirs = self.theirs.legal_moves().into_iter();
        let theirs = theirs.into_iter().find(|&theirs| their_uci(theirs) == our_uci(mv));
        self.theirs.play_unchecked(theirs.expect("the move lists agree"));
        self.stale = self.ours.legal_moves();
        self.ours.play(mv);
    }

    /// Compares everything, and returns the legal moves.
    fn check(&self, random: &mut Random) -> MoveList {
        let moves = self.check_moves();
        self.check_outcome(&moves);
        self.check_polyglot_key();
        self.check_legality(&moves, random);
        if random.one_in(4) {
            self.check_fen();
        }
        if random.one_in(64) {
            self.check_san(&moves);
        }
        moves
    }

    /// The same legal moves, and the same of them give check.
    fn check_moves(&self) -> MoveList {
        let mut moves = self.ours.legal_moves();
        let mut theirs = self.theirs.legal_moves();
        moves.sort_unstable_by_key(|&mv| our_uci(mv));
        theirs.sort_unstable_by_key(|&mv| their_uci(mv));
        assert!(
            moves.iter().map(|&mv| our_uci(mv)).eq(theirs.iter().map(|&mv| their_uci(mv))),
            "{:?}: {moves:?} are not {theirs:?}",
            self.ours
        );
        let check_squares = self.ours.check_squares();
        for (&mv, &their_mv) in moves.iter().zip(&theirs) {
            let mut after = self.theirs.clone();
            after.play_unchecked(their_mv);
            assert_eq!(
                check_squares.is_check(&self.ours, mv),
                after.is_check(),
                "{mv:?} in {:?}",
                self.ours
            );
        }
        moves
    }

    fn check_outcome(&self, moves: &MoveList) {
        let (ours, theirs) = (&self.ours, &self.theirs);
        assert_eq!(ours.checkers().0, u64::from(theirs.checkers()), "{ours:?}");
        assert_eq!(ours.count_legal_moves(), moves.len(), "{ours:?}");
        assert_eq!(ours.is_insufficient_material(), theirs.is_insufficient_material(), "{ours:?}");
        // Whether there are moves is compared already, and without them only check decides.
        if moves.is_empty() {
            assert_eq!(ours.is_checkmate(), theirs.is_checkmate(), "{ours:?}");
            assert_eq!(ours.is_stalemate(), theirs.is_stalemate(), "{ours:?}");
        }
    }

    /// Polyglot counts en passant if a pawn stands ready, be the capture legal or not.
    fn check_polyglot_key(&self) {
        let Zobrist64(theirs) = self.theirs.zobrist_hash(EnPassantMode::PseudoLegal);
        assert_eq!(self.ours.polyglot_key(), theirs, "{:?}", self.ours);
    }

    /// Of moves from elsewhere and of any bits, exactly the generated ones are legal.
    fn check_legality(&self, moves: &MoveList, random: &mut Random) {
        let noise = (0..8).filter_map(|_| Move::from_bits(random.next() as u16));
        let en_passant = self.ours.en_passant().into_iter().flat_map(|target| {
            let origins = Square::all().filter(move |&from| from != target);
            origins.map(move |from| Move::new(from, target, MoveKind::EnPassant))
        });
        for mv in self.stale.iter().copied().chain(noise).chain(en_passant) {
            assert_eq!(self.ours.is_legal(mv), moves.contains(&mv), "{mv:?} in {:?}", self.ours);
        }
    }

    fn check_fen(&self) {
        let theirs = Fen::from_position(&self.theirs, EnPassantMode::Legal).to_string();
        assert_eq!(self.ours.fen().to_string(), theirs);
        let shredder = self.ours.fen_with(CastlingStyle::Shredder).to_string();
        for fen in [theirs, shredder] {
            let read: Board = fen.parse().unwrap();
            assert_eq!(read, self.ours, "{fen}");
            assert_eq!(read.key(), self.ours.key(), "{fen}: equal positions, different keys");
        }
    }

    /// The text of every move in SAN and in both sorts of UCI notation, and back.
    fn check_san(&self, moves: &MoveList) {
        let ours = &self.ours;
        for their_mv in self.theirs.legal_moves() {
            let mv = moves.iter().copied().find(|&mv| our_uci(mv) == their_uci(their_mv));
            let mv = mv.expect("the move lists agree");
            let san = SanPlus::from_move(self.theirs.clone(), their_mv).to_string();
            assert_eq!(ours.san(mv).to_string(), san, "{mv:?} in {ours:?}");
            assert_eq!(ours.parse_san(&san), Ok(mv), "{san} in {ours:?}");
            for (mode, their_mode) in [
                (chess::CastlingMode::Standard, CastlingMode::Standard),
                (chess::CastlingMode::Chess960, CastlingMode::Chess960),
            ] {
                let uci = mv.uci(mode).to_string();
                assert_eq!(uci, their_mv.to_uci(their_mode).to_string(), "{mv:?} in {ours:?}");
                // In Chess960, the king's target may also be a step of the king.
                if mode == chess::CastlingMode::Chess960 || !ours.is_chess960() {
                    assert_eq!(ours.parse_uci(&uci), Ok(mv), "{uci} in {ours:?}");
                }
            }
        }
    }
}

/// Positions and their keys, which must be as different or equal as the positions are.
#[derive(Default)]
struct KeyBook {
    keys: HashMap<Chess, u64>,
    positions: HashMap<u64, Chess>,
}

impl KeyBook {
    fn add(&mut self, pair: &Pair) {
        let key = pair.ours.key();
        let known = *self.keys.entry(pair.theirs.clone()).or_insert(key);
        assert_eq!(known, key, "{:?}: equal positions, different keys", pair.ours);
        let position = self.positions.entry(key).or_insert_with(|| pair.theirs.clone());
        assert_eq!(*position, pair.theirs, "{:?}: different positions, equal keys", pair.ours);
    }
}
