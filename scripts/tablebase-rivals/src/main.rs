// SPDX-License-Identifier: GPL-3.0-or-later
//! Probes random positions with our tables (shakmaty-syzygy) and with pyrrhic-rs, compares the
//! answers and prints the processor time of a probe.
//!
//! usage: tablebase-rivals FOLDER [POSITIONS]

use std::hint::black_box;
use std::path::Path;

use chess::{Bitboard, Board, Color, Role, Square, attacks};
use pyrrhic_rs::{EngineAdapter, TableBases, WdlProbeResult};
use tablebase::{FiftyMoves, Tables};

const ROUNDS: usize = 15;

/// Our attacks for pyrrhic-rs.
#[derive(Clone)]
struct Ours;

fn square(index: u64) -> Square {
    Square::try_from_index(index as usize).expect("a square")
}

impl EngineAdapter for Ours {
    fn pawn_attacks(color: pyrrhic_rs::Color, from: u64) -> u64 {
        let is_white = color == pyrrhic_rs::Color::White;
        attacks::pawn(if is_white { Color::White } else { Color::Black }, square(from)).0
    }

    fn knight_attacks(from: u64) -> u64 {
        attacks::knight(square(from)).0
    }

    fn bishop_attacks(from: u64, occupied: u64) -> u64 {
        attacks::bishop(square(from), Bitboard(occupied)).0
    }

    fn rook_attacks(from: u64, occupied: u64) -> u64 {
        attacks::rook(square(from), Bitboard(occupied)).0
    }

    fn queen_attacks(from: u64, occupied: u64) -> u64 {
        Self::bishop_attacks(from, occupied) | Self::rook_attacks(from, occupied)
    }

    fn king_attacks(from: u64) -> u64 {
        attacks::king(square(from)).0
    }
}

fn probe(rival: &TableBases<Ours>, board: &Board) -> Option<i32> {
    let role = |role| board.by_role(role).0;
    let result = rival.probe_wdl(
        board.by_color(Color::White).0,
        board.by_color(Color::Black).0,
        role(Role::King),
        role(Role::Queen),
        role(Role::Rook),
        role(Role::Bishop),
        role(Role::Knight),
        role(Role::Pawn),
        board.en_passant().map_or(0, |square| square.index() as u32),
        board.turn() == Color::White,
    );
    Some(match result.ok()? {
        WdlProbeResult::Loss => -2,
        WdlProbeResult::BlessedLoss => -1,
        WdlProbeResult::Draw => 0,
        WdlProbeResult::CursedWin => 1,
        WdlProbeResult::Win => 2,
    })
}

fn rank_root(rival: &TableBases<Ours>, board: &Board) -> Option<usize> {
    let role = |role| board.by_role(role).0;
    let result = rival.probe_root(
        board.by_color(Color::White).0,
        board.by_color(Color::Black).0,
        role(Role::King),
        role(Role::Queen),
        role(Role::Rook),
        role(Role::Bishop),
        role(Role::Knight),
        role(Role::Pawn),
        0,
        board.en_passant().map_or(0, |square| square.index() as u32),
        board.turn() == Color::White,
    );
    result.ok().map(|result| result.num_moves)
}

struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }
}

/// Names of the tables of results, such as `KRvK`, with so many men.
fn names(folder: &Path, men: usize) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .expect("a folder of tables")
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "rtbw"))
        .map(|path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned())
        .filter(|name| name.len() == men + 1)
        .collect();
    names.sort();
    names
}

/// A random legal position of a table, if the throw of the dice is one.
fn throw(name: &str, random: &mut Random) -> Option<Board> {
    let (strong, weak) = name.split_once('v')?;
    let mut squares = ['1'; 64];
    let is_flipped = random.below(2) == 1;
    let men = strong.chars().map(|man| (man, !is_flipped));
    for (man, is_white) in men.chain(weak.chars().map(|man| (man, is_flipped))) {
        let place = random.below(64);
        if squares[place] != '1' {
            return None;
        }
        squares[place] = if is_white { man } else { man.to_ascii_lowercase() };
    }
    let ranks: Vec<String> = squares.chunks(8).map(|rank| rank.iter().collect()).collect();
    let turn = if random.below(2) == 0 { 'w' } else { 'b' };
    let board: Board = format!("{} {turn} - - 0 1", ranks.join("/")).parse().ok()?;
    board.has_legal_moves().then_some(board)
}

fn cpu_seconds() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the clock writes into a value of ours and nowhere else.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// Nanoseconds of processor time for one of `count` probes, the best of some rounds.
fn time(name: &str, boards: &[Board], mut work: impl FnMut(&Board)) {
    let mut best = f64::INFINITY;
    for _ in 0..ROUNDS {
        let start = cpu_seconds();
        boards.iter().for_each(&mut work);
        best = best.min(cpu_seconds() - start);
    }
    println!("  {name:<36} {:>9.0} ns", best * 1e9 / boards.len() as f64);
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let folder = arguments.first().map_or("../shared/data/syzygy", String::as_str);
    let count = arguments.get(1).map_or(20_000, |count| count.parse().expect("a number"));
    let ours = Tables::open(folder).expect("tables");
    let rival = TableBases::<Ours>::new(folder).expect("tables");
    for men in 3..=ours.largest() {
        let names = names(Path::new(folder), men);
        let mut random = Random(88_172_645_463_325_252);
        let mut boards = Vec::new();
        while boards.len() < count {
            let name = &names[random.below(names.len())];
            boards.extend(throw(name, &mut random));
        }
        let answer = |board: &Board| ours.wdl(board).map(|wdl| wdl.value());
        let differs = |board: &&Board| answer(board) != probe(&rival, board);
        let differences = boards.iter().filter(differs).count();
        println!(
            "{men} men: {count} positions of {} tables, {differences} differences",
            names.len()
        );
        time("result, pyrrhic-rs", &boards, |board| _ = black_box(probe(&rival, board)));
        time("result, shakmaty-syzygy", &boards, |board| _ = black_box(ours.wdl(board)));
        let few = &boards[..count / 10];
        time("all moves ranked, pyrrhic-rs", few, |board| _ = black_box(rank_root(&rival, board)));
        time("all moves ranked, shakmaty-syzygy", few, |board| {
            drop(black_box(ours.root_moves(board, FiftyMoves::Counted)));
        });
    }
}
