// SPDX-License-Identifier: GPL-3.0-or-later
//! What the tests share: random numbers from a seed, and positions of random games.
#![allow(dead_code, reason = "each test uses a part of this module")]

use chess::{Board, Move, MoveKind, MoveList};

/// Positions that random games from the starting position rarely come near: promotions, en passant,
/// pins, crowded boards and bare endings.
pub(crate) const STUDIES: [&str; 12] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "r1b1k2r/1P4Pp/8/2q5/5Q2/8/pPp3p1/R2RK2R w KQkq - 0 1",
    "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
    "8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1",
    "3qrrk1/1b3ppp/1nbqr3/3pR3/2PNP3/1BNQR3/1B3PPP/3QRRK1 w - - 0 1",
    "8/8/4k3/8/8/3QK3/8/8 w - - 0 1",
    "8/8/3bk3/8/8/2N1K3/8/8 w - - 0 1",
    "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1",
    "bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/RKRNNQBB w CAhf - 0 1",
];

/// A small generator (`SplitMix64`), good enough for tests and the same everywhere.
#[derive(Debug)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `bound`, which is small.
    pub(crate) const fn below(&mut self, bound: usize) -> usize {
        ((self.next() >> 32) as usize * bound) >> 32
    }

    /// True once in `times` on average.
    pub(crate) const fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    pub(crate) fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len()))
    }

    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for end in (1..items.len()).rev() {
            items.swap(end, self.below(end + 1));
        }
    }
}

/// A random start of Chess960, with the same pieces on both sides or not.
pub(crate) fn chess960(random: &mut Random) -> Board {
    let white = back_rank(random);
    let black = if random.one_in(2) { back_rank(random) } else { white.clone() };
    let black = black.to_lowercase();
    let fen = format!("{black}/pppppppp/8/8/8/8/PPPPPPPP/{white} w KQkq - 0 1");
    fen.parse().expect("a start of Chess960 is legal")
}

/// Bishops on squares of different colors, the king between the rooks.
fn back_rank(random: &mut Random) -> String {
    let mut pieces = *b"RNBQKBNR";
    loop {
        random.shuffle(&mut pieces);
        let is_king_between = pieces.iter().filter(|piece| b"RK".contains(piece)).eq(b"RKR");
        let bishops = (0..8).filter(|&file| pieces[file] == b'B');
        if is_king_between && bishops.sum::<usize>() % 2 == 1 {
            return pieces.iter().copied().map(char::from).collect();
        }
    }
}

/// A start of any sort: standard, Chess960, or a study.
pub(crate) fn any_start(random: &mut Random) -> Board {
    match random.below(4) {
        0 => Board::default(),
        1 => chess960(random),
        _ => {
            let study = random.pick(&STUDIES).expect("there are studies");
            study.parse().expect("a study is legal")
        }
    }
}

/// A legal move at random. Those that a generator gets wrong most easily are preferred now and
/// then, because they are rare.
pub(crate) fn choose(moves: &MoveList, random: &mut Random) -> Option<Move> {
    if random.one_in(8) {
        let is_special = |mv: &&Move| {
            mv.is_castle()
                || mv.is_promotion()
                || mv.is_en_passant()
                || mv.kind() == MoveKind::DoublePush
        };
        let special: Vec<Move> = moves.iter().filter(is_special).copied().collect();
        if let Some(&mv) = random.pick(&special) {
            return Some(mv);
        }
    }
    random.pick(moves).copied()
}

/// Plays a random game of at most `plies` moves and shows every position of it, the first included.
pub(crate) fn walk(
    mut board: Board,
    plies: usize,
    random: &mut Random,
    mut visit: impl FnMut(&Board, &mut Random),
) {
    for _ in 0..plies {
        visit(&board, random);
        let Some(mv) = choose(&board.legal_moves(), random) else { return };
        board.play(mv);
    }
    visit(&board, random);
}
