// SPDX-License-Identifier: GPL-3.0-or-later
//! Random openings for OpenBench's data generation.

use std::collections::HashSet;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use chess::Board;
use chess::pgn::PgnReader;
use search::{Limits, Position, Searcher};
use tools::Rng;

use super::GenFens;
use crate::output::Output;

/// Random plies from the start or from a book's position.
const PLIES: std::ops::RangeInclusive<u64> = 8..=9;
/// Openings worth more than this to either side are dropped.
const MAX_SCORE: i32 = 300;
const CHECK_NODES: u64 = 1_000;
/// After so many openings in a row that are of no use, there are no more.
const PATIENCE: u32 = 1_000;

/// Writes as many different openings as were asked for; the same for the same seed.
pub(crate) fn write(wanted: &GenFens, output: &Output) {
    let starts = match wanted.book.as_deref().map(read_book) {
        None => vec![Board::default()],
        Some(Ok(boards)) if !boards.is_empty() => boards,
        Some(Ok(_)) => return output.refuse("genfens: the book has no position"),
        Some(Err(error)) => return output.refuse(format_args!("genfens: {error}")),
    };
    let mut openings = Openings::new(starts, wanted.seed);
    for written in 0..wanted.count {
        let Some(fen) = openings.next() else {
            return output.refuse(format_args!(
                "genfens: expected {} openings, found {written}: the book has too few even positions",
                wanted.count
            ));
        };
        output.message(format_args!("genfens {fen}"));
    }
}

/// Random openings that are about even, each once.
struct Openings {
    starts: Vec<Board>,
    random: Rng,
    searcher: Searcher,
    seen: HashSet<String>,
}

impl Openings {
    fn new(starts: Vec<Board>, seed: u64) -> Self {
        let (random, searcher) = (Rng::new(seed), Searcher::new(1, 1));
        Self { starts, random, searcher, seen: HashSet::new() }
    }

    fn is_even(&mut self, board: Board) -> bool {
        self.searcher.clear();
        let answer = self.searcher.think(&Position::new(board), &Limits::of_nodes(CHECK_NODES));
        answer.best.is_some_and(|line| line.score.value().abs() <= MAX_SCORE)
    }
}

impl Iterator for Openings {
    type Item = String;

    /// `None` if nothing new comes up any more.
    fn next(&mut self) -> Option<String> {
        for _ in 0..PATIENCE {
            let start = self.starts[below(&mut self.random, self.starts.len() as u64) as usize];
            let Some(board) = walk(start, &mut self.random) else { continue };
            let fen = board.fen().to_string();
            if !self.seen.contains(&fen) && self.is_even(board) {
                self.seen.insert(fen.clone());
                return Some(fen);
            }
        }
        None
    }
}

/// The positions of a book: those of an EPD file, or where the games of a PGN file end.
fn read_book(path: &str) -> Result<Vec<Board>, String> {
    let fault = |error| format!("book `{path}`: {error}");
    let file = BufReader::new(File::open(path).map_err(fault)?);
    if Path::new(path).extension().is_some_and(|end| end.eq_ignore_ascii_case("pgn")) {
        let games = PgnReader::new(file).filter_map(Result::ok);
        return Ok(games.map(|game| *game.game().board()).collect());
    }
    let lines = file.lines().map_while(Result::ok);
    let fields = |line: &str| line.split([';', '\r']).next().unwrap_or_default().to_owned();
    Ok(lines.filter_map(|line| fields(&line).parse().ok()).collect())
}

/// Random legal moves; `None` if the game ended on the way.
fn walk(mut board: Board, random: &mut Rng) -> Option<Board> {
    for _ in 0..PLIES.start() + below(random, PLIES.end() - PLIES.start() + 1) {
        let moves = board.legal_moves();
        board.play(*moves.get(below(random, moves.len() as u64) as usize)?);
    }
    board.has_legal_moves().then_some(board)
}

/// A number below the limit. Openings of a seed depend on just this way to draw it.
const fn below(random: &mut Rng, limit: u64) -> u64 {
    random.next_u64() % if limit == 0 { 1 } else { limit }
}
